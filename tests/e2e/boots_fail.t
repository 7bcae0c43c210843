#!/bin/sh
# Nights on a pretended FreeBSD whose boots fail, and that are cut off: a kernel
# that cannot be had costs its blocks, and in the end the default runs.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
fb_up

matrix kernels <<END
title = "Kernels";
factors: { kernel = ( { name = "ULE"; kernel = "ULE"; },
    { name = "4BSD"; } ); };
loads = ( { use = "command"; name = "wait"; timeout = "1h";
    command = ": >$work/loaded; while [ -e $work/hold ]; do sleep 0.1; done"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
visits()
{
	sql "SELECT c.name, v.status, coalesce(v.failure, '-') FROM
		visit v JOIN cell c ON c.server = v.server ORDER BY v.id" "${1-kernels}"
}

fb_fault dies ULE
night kernels
is "A14: a kernel that dies costs its block" "$status" 3
is "tried twice, and the others go on" "$(visits)" "ULE|failed|FELL_BACK
ULE|failed|FELL_BACK
4BSD|valid|-"
is "each attempt is a boot" "$(fb_ledger)" \
	"kernel ULE kernel ULE kernel kernel kernel"
posts "boot failed: round 1, kernel ULE: FELL_BACK: asked to boot kernel ULE, but the default kernel is running"
result "which the post says"
fb_mend dies

# By the name of the kernel alone the default with a tunable is the default.
: >"$FB/ledger"
fb_fault dies-with hw.test
sed -e 's/kernel = "ULE";/loader = [ "hw.test=7" ];/' "$work/kernels.cfg" \
	>"$work/tunable.cfg"
night tunable
is "a tunable by which the default dies costs its block, too" "$status" 3
is "tried twice by its name" "$(visits tunable)" "ULE|failed|FELL_BACK
ULE|failed|FELL_BACK
4BSD|valid|-"
posts "asked to boot kernel kernel with hw.test=7, but it runs without"
result "which the post says, too"
fb_mend dies-with

: >"$FB/ledger"
fb_fault stuck
night kernels --new
is "A16: a choice that sticks ends the night of its host" "$status" 1
says "box: ONCE_STUCK: kernel ULE was chosen for one boot, and is still"
result "with the reason"
is "and the default is booted" "$(fb_ledger)" "ULE kernel"
fb_mend stuck

# Interrupted and killed while a load runs on another kernel.
: >"$FB/ledger"
: >"$work/hold"
rm -f "$work/loaded"
night_start kernels --new
wait_for test -e "$work/loaded"
kill -s INT "$night"
night_wait
is "SIGINT restores the default kernel" "$status $(fb_ledger)" "130 ULE kernel"
: >"$FB/ledger"
rm -f "$work/loaded"
night_start kernels
wait_for test -e "$work/loaded"
kill -s KILL "$night"
night_wait
status=0
"$B/abrun" restore "$(run_dir kernels)" >"$work/said" 2>&1 || status=$?
is "kill -9 leaves that to abrun restore" "$status $(fb_ledger)" "0 ULE kernel"
says "kernel: was kernel, set to ULE"
result "which tells it"
status=0
"$B/abrun" restore "$(run_dir kernels)" >"$work/said" 2>&1 || status=$?
is "and does it once" "$status $(fb_ledger)" "0 ULE kernel"
rm "$work/hold"
night_plan
