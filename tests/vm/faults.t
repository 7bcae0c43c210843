#!/bin/sh
# What happens to hosts, to an emulated guest that really boots: the plug is
# pulled in the middle of a load, a shutdown hangs, a kernel never comes up.
# Its power goes by the real ipmitool and a BMC that ipmi_sim simulates.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/vm_night.sh
. tests/lib/vm_night.sh

bmc=$(sshd_free_port)
sh tests/lib/vm_bmc.sh start "$vm" "$bmc"
helpers="$helpers $(cat "$vm/bmc/pid")"
(umask 077 && echo test >"$work/password")
# What is patient for long would make this long.
powered()
{
	sed -i "s|ssh = \"guest\";|&  patience = \"2min\"; console = \"tail -n 0 -f $vm/console\"; power = [ \"ipmi 127.0.0.1:$bmc abrun $work/password\" ];|" \
		"$work/$1.cfg"
}
before=$(guest_grubenv)
guest_matrix plug <<END
title = "A pulled plug";
factors: { kernel = ( { name = "good"; },
    { name = "other"; kernel = "$other"; } ); };
loads = ( { use = "command"; name = "wait"; timeout = "1h";
    command = "if [ -e /root/go ]; then exit 0; fi; echo >/root/held; sleep 3600"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
# held: the load runs, on the second kernel.
held()
{
	vm_ssh "$vm" '[ -e /root/held ]' 2>/dev/null
}
vm_ssh "$vm" 'touch /root/go'
night_start plug
wait_long says "good, wait: "
vm_ssh "$vm" 'rm /root/go'
wait_long held
is "the other kernel runs as the plug is pulled" "$(guest_kernel)" "$other"
vm_ssh "$vm" 'touch /root/go; sync'
vm_off "$vm"
vm_on "$vm"
night_wait
is "the host comes back, and the night ends with 0" "$status" 0
is "the visit that was cut off is made again" "$(sql "SELECT c.name, v.status
	FROM visit v JOIN cell c ON c.server = v.server WHERE v.status IN
	('valid', 'interrupted') ORDER BY v.id")" "good|valid
other|interrupted
other|valid"
is "on a boot of its own kernel" "$(sql "SELECT count(*) FROM proof p
	JOIN visit v ON v.id = p.visit WHERE v.status = 'valid' AND
	what = 'kernel' AND verdict = 'yes' AND seen LIKE '%$other%'")" 2
is "the default kernel runs" "$(guest_kernel)" "$default"
is "GRUB is as it was" "$(guest_grubenv)" "$before"

# A service that does not end, until the machine has booted.
vm_ssh "$vm" 'printf "%s\n" "[Service]" "Type=oneshot" "RemainAfterExit=yes" \
	"ExecStart=/bin/true" "ExecStop=/bin/sleep 100000" "TimeoutStopSec=infinity" \
	>/run/systemd/system/hangs.service && systemctl start hangs.service' 2>/dev/null
guest_matrix hung <<END
title = "A shutdown that hangs";
factors: { kernel = ( { name = "other"; kernel = "$other"; } ); };
loads = ( { use = "command"; name = "true"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
powered hung
night hung
is "a shutdown that hangs is ended by the power, and the night with 0" \
	"$status" 0
# systemd ends sshd before what does not end: that it never went down cannot be
# seen from afar.
is "it has its name" "$(sql "SELECT failure FROM reboot WHERE failure IS NOT
	NULL")" BOOT_TIMEOUT
is "the BMC was told off and on" "$(cat "$vm/bmc/ledger")" "power 0
power 1"
is "and the block was made again" "$(sql "SELECT status FROM visit")" valid
is "the default kernel runs at the end" "$(guest_kernel)" "$default"

: >"$vm/bmc/ledger"
guest_matrix stays <<END
title = "A kernel that never comes up";
factors: { kernel = ( { name = "good"; },
    { name = "bad"; kernel = "guest-stays"; } ); };
loads = ( { use = "command"; name = "true"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
powered stays
night stays
is "a kernel that never comes up: 3" "$status" 3
is "it has its name, in each attempt" "$(sql "SELECT DISTINCT failure FROM reboot
	WHERE failure IS NOT NULL")" BOOT_TIMEOUT
is "the other has its visit" "$(sql "SELECT c.name, v.status FROM visit v
	JOIN cell c ON c.server = v.server WHERE v.status = 'valid'")" "good|valid"
posts "Kernel panic"
result "the post has the console's last lines"
is "the default kernel runs, and GRUB is as it was" "$(guest_kernel)
$(guest_grubenv)" "$default
$before"
night_plan
