#!/bin/sh
# Nights of two kernels on a pretended FreeBSD: a boot for each block, proved,
# settings made again on each, and the default kernel in the end.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
fb_up

matrix kernels <<END
title = "Kernels";
factors: { kernel = ( { name = "4BSD"; expect = [ "sched=4BSD" ]; },
    { name = "ULE"; kernel = "ULE"; loader = [ "hw.test=7" ];
      sysctl = [ "kern.quantum=50" ]; expect = [ "sched=ULE" ]; } ); };
loads = ( { use = "command"; name = "true"; command = "true"; } );
design: { rounds = 2; runs = 1; warmup = 0; order = "listed"; };
END
oid kern.quantum 100
visits()
{
	sql "SELECT v.round, c.name, v.status, coalesce(v.failure, '-') FROM
		visit v JOIN cell c ON c.server = v.server ORDER BY v.id"
}

night kernels
is "a night of two kernels" "$status" 0
is "boots each in each round, and the default at the end" "$(fb_ledger)" \
	"kernel kernel ULE kernel ULE kernel"
is "each visit is of its own boot" "$(sql "SELECT count(DISTINCT boot),
	sum(status = 'valid') FROM visit")" "4|4"
is "what was asked for is kept" "$(sql "SELECT round, block, wanted, failure
	IS NULL, boot IS NULL FROM reboot ORDER BY id")" "1|0|kernel|1|0
1|1|ULE hw.test=7|1|0
2|0|kernel|1|0
2|1|ULE hw.test=7|1|0
0|0|kernel|1|1"
is "kernel, loader, setting and facts are proved twice a visit" "$(sql "SELECT
	what, wanted, count(*) FROM proof WHERE verdict = 'yes' AND what IN
	('kernel', 'loader', 'sysctl', 'expect') GROUP BY what, wanted
	ORDER BY what, wanted")" "expect|4BSD|4
expect|ULE|4
kernel|ULE|4
kernel|kernel|4
loader|7|4
sysctl|100|4
sysctl|50|4"
posts "a fresh boot for each kernel in every round" "In all 4 fresh boots and" \
	"the kernel is the one wanted 8 of 8"
result "which the post says"
is "nothing is left on the host" "$(ls -A "$tmp" &&
	ls "$ABRUN_ROOT/boot")" "ULE
kernel
old"
: >"$FB/ledger"
night kernels
is "a night that is over boots nothing" "$status $(fb_ledger)" "0 "

# One kernel, two rounds, one boot.
sed -e 's/{ name = "4BSD".*},$//' -e 's/title = ".*"/title = "Lazy"/' \
	-e 's/order/boot = "lazy"; order/' "$work/kernels.cfg" >"$work/lazy.cfg"
night lazy
is "lazy boots where another kernel is wanted than runs" "$status
$(fb_ledger)" "0
ULE kernel"
posts "In all 1 fresh boot and 1 found running, 2 visits"
result "the post counts boots, and not rounds"

# What check finds of boots, in the evening.
# shellcheck source=tests/lib/check.sh
. tests/lib/check.sh
: >"$FB/ledger"
"$FB/bin/nextboot" -k ULE
check kernels --reports "$reports"
is "a check boots nothing" "$status $(fb_ledger)" "0 "
tells "ok kernel: kernel=ULE is ULE, sha256" \
	"ok kernel: kernel is the default, and runs" \
	"warn boot: somebody has chosen ULE for the next boot" \
	"ends a boot in single-user mode: fsck_y_enable is not YES" \
	"warn boot: nothing ends a kernel that hangs: no watchdog runs there" \
	"note reboots: target 1, here box, took up to" \
	"proofs hold; its kernel was not booted: a check boots none"
result "it tells what is booted, and what may go wrong with that"
night_plan
