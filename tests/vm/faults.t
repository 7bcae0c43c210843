#!/bin/sh
# What happens to hosts, to an emulated guest that really boots: the plug is
# pulled in the middle of a load.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/vm_night.sh
. tests/lib/vm_night.sh

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
is "on a boot of its own kernel" "$(sql "SELECT count(*) FROM proof
	WHERE what = 'kernel' AND verdict = 'yes' AND seen LIKE '%$other%'")" 2
is "the default kernel runs" "$(guest_kernel)" "$default"
is "GRUB is as it was" "$(guest_grubenv)" "$before"
night_plan
