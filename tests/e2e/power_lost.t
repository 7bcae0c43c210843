#!/bin/sh
# Nights on a pretended host that is lost while a load runs on it: in the end
# its power is cut, or turned on, and the block made again on a boot of its own.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/power.sh
. tests/lib/power.sh
fb_up

kernels=dark
matrix dark <<END
title = "Kernels";
factors: { kernel = ( { name = "ULE"; kernel = "ULE"; } ); };
loads = ( { use = "command"; name = "wait"; timeout = "1h";
    command = ": >$work/loaded; while [ -e $work/hold ]; do sleep 0.1; done"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
: >"$work/hold"
fresh
night_start dark
wait_for test -e "$work/loaded"
fb_plug off
rm "$work/hold"
night_wait
is "a host that lost its power is turned on" "$status $(visits)" \
	"0 ULE|interrupted|HOST_LOST
ULE|valid|-"
is "after it was waited for" "$(sql "SELECT kind FROM event
	WHERE kind LIKE 'host %' ORDER BY id" dark)" "host lost
host back"
is "of which off is not asked for" "$(fb_bmc_ledger)" "status on status"
is "the default is proved, and the block is booted again" "$(fb_ledger)" \
	"ULE kernel ULE kernel"
is "nothing is left to be undone" "$(sql "SELECT count(*) FROM undo
	WHERE state <> 'undone'" dark)" 0

# One whose processes all stand still takes its connections, and answers none:
# each is waited for.
if [ -n "${LONG-}" ]; then
	sed -e 's/timeout = "1h"/timeout = "5s"/' "$work/dark.cfg" >"$work/frozen.cfg"
	kernels=frozen
	: >"$work/hold"
	rm -f "$work/loaded"
	fresh
	night_start frozen
	wait_for test -e "$work/loaded"
	fb_fault freeze
	rm "$work/hold"
	night_wait
	is "one that stands still is cut off and made again" \
		"$status $(visits) $(fb_bmc_ledger)" "0 ULE|superseded|TIMEOUT
ULE|valid|- status off status on status"
fi
night_plan
