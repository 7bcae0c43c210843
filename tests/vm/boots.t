#!/bin/sh
# Two kernels and two allocators on a guest that really boots: a real GRUB
# chooses, a real systemd starts the server, and a kernel that panics costs a
# block.  The machine is emulated: what is measured there means nothing.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/vm_night.sh
. tests/lib/vm_night.sh

before=$(guest_grubenv)
ln -s "$PWD/matrices/smacks" "$work/smacks"
guest_matrix kernels <<END
title = "CFS against EEVDF";
factors: {
	kernel = ( { name = "CFS"; }, { name = "EEVDF"; kernel = "$other"; } );
	allocator = ( { name = "libc"; },
	    { name = "jemalloc"; preload = "jemalloc"; } );
};
loads = ( { use = "abload"; smack = "smacks/select-key.smack";
    clients = 2; duration = 3; tables = [ "http_auth" ]; } );
design: { rounds = 2; runs = 1; warmup = 0; };
END
boots=$(vm_boots "$vm")
night kernels
is "a night of two kernels on a real GRUB" "$status" 0
is "boots each in each round, and the default at the end" \
	"$(($(vm_boots "$vm") - boots))" 5
is "each kernel has its own boots" "$(sql "SELECT count(*), count(DISTINCT
	boot_id), count(DISTINCT kernel) FROM boot WHERE made")" "4|4|2"
is "all visits are valid" "$(sql "SELECT count(*), sum(status = 'valid')
	FROM visit")" "8|8"
is "what ran is proved, twice a visit" "$(sql "SELECT count(*) FROM proof
	WHERE what = 'kernel' AND verdict = 'yes' AND seen LIKE '%$other%'"
	sql "SELECT count(*) FROM proof WHERE what = 'kernel' AND verdict = 'yes'
	AND seen LIKE '%$default%'")" "8
8"
posts "kernel $default or $other" "In all 4 fresh boots and" \
	"the kernel is the one wanted 16 of 16"
result "the post names both kernels and their proofs"
posts "not enough data" "an emulated machine (qemu): its speed says nothing"
result "gives no verdict on two boots, and says that the speed means nothing"
is "the default kernel runs" "$(guest_kernel)" "$default"
is "GRUB is as it was" "$(guest_grubenv)" "$before"

guest_matrix panic <<END
title = "A kernel that panics";
factors: { kernel = ( { name = "good"; },
    { name = "bad"; kernel = "guest-panics"; } ); };
loads = ( { use = "command"; name = "true"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
night panic
is "a kernel that panics: 3" "$status" 3
is "has no visit, the other has" "$(sql "SELECT c.name, v.status FROM visit v
	JOIN cell c ON c.server = v.server WHERE v.status = 'valid'")" "good|valid"
is "has its own name" "$(sql "SELECT DISTINCT failure FROM reboot WHERE
	failure IS NOT NULL")" FELL_BACK
grep -q 'Kernel panic' "$vm/console"
result "and has panicked"
is "the default kernel runs afterwards" "$(guest_kernel)" "$default"
is "GRUB is as it was before" "$(guest_grubenv)" "$before"
night_plan
