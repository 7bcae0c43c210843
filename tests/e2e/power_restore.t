#!/bin/sh
# abrun restore on a pretended host that hangs as it is put back: what the matrix
# gave for its power is kept with the run.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/power.sh
. tests/lib/power.sh
fb_up

kernels left
: >"$work/hold"
fresh
night_start left
wait_for test -e "$work/loaded"
kill -s KILL "$night"
night_wait
fb_fault hang once
cp "$work/left.cfg" "$work/left.kept"
: >"$work/left.cfg"
status=0
"$B/abrun" restore "$(run_dir left)" >"$work/said" 2>&1 || status=$?
is "the default kernel runs again" "$status $(fb_ledger)" "0 ULE kernel"
is "by its power" "$(fb_bmc_ledger)" "status off status on status"
says "box: undone: kernel: was kernel, set to ULE"
result "which is told"
is "nothing is left to be undone" "$(sql "SELECT count(*) FROM undo
	WHERE state <> 'undone'" left)" 0
is "each step is stored" "$(power)" "$cycle"

# The same by the journal that the host itself keeps.
[ -n "${LONG-}" ] || {
	night_plan
	exit 0
}
cp "$work/left.kept" "$work/left.cfg"
rm -f "$work/loaded"
fresh
night_start left --new
wait_for test -e "$work/loaded"
kill -s KILL "$night"
night_wait
rm -rf "$reports"
fb_fault hang once
status=0
"$B/abrun" restore --matrix "$work/left.cfg" box >"$work/said" 2>&1 || status=$?
is "and without the run directory" "$status $(fb_ledger)" "0 ULE kernel"
night_plan
