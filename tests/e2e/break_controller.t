#!/bin/sh
# What can go wrong where abrun itself runs: closed streams, limits, a run
# directory that is taken away.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

# A setting to be undone, and a visit that lasts as long as it is held.
echo off >"$work/knob"
matrix small <<END
title = "Controller";
factors: { knob = ( { name = "on"; apply = "echo on >$work/knob";
        undo = "echo off >$work/knob"; verify = "grep -q on $work/knob"; },
    { name = "off"; env = [ "KNOB=off" ]; } ); };
loads = ( { use = "command"; name = "wait"; timeout = "1h"; command =
	"if [ -e $work/hold ]; then echo >$work/held; while [ -e $work/hold ]; do sleep 0.1; done; fi; [ ! -e $work/big ] || head -c 1000000 /dev/zero | tr '\\\\0' x"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
undone()
{
	[ -z "$(left_over)" ] && [ "$(cat "$work/knob")" = off ]
}
hold()
{
	rm -f "$work/held"
	: >"$work/hold"
}

# Closed streams: the first files opened are not taken for them.
status=0
"$B/abrun" --reports "$reports" "$work/small.cfg" <&- >&- 2>&- || status=$?
is "a post that nobody gets is no success" "$status" 4
is "but all is measured" "$(sql "SELECT status FROM visit")" "valid
valid"
is "and the lock holds the holder's name only" \
	"$(sed 's/^process [0-9]* of .* on .* since .*/ok/' "$(run_dir small)/lock")" ok
undone
result "and the host is as before"

# Where files may not grow, the night ends as with a full disk.
: >"$work/big"
for blocks in 400 900; do
	# What was undone then could not be stored: no new run beside it.
	rm -rf "$reports"
	status=0
	(
		ulimit -f $blocks
		exec "$B/abrun" --reports "$reports" "$work/small.cfg"
	) >"$work/post" 2>"$work/said" </dev/null || status=$?
	is "with files of $blocks blocks it ends with 4" "$status" 4
	undone
	result "and puts the host back"
done
rm "$work/big"
says "File too large"
result "whatever could not be stored"

# The run directory is taken away while a load runs.
for gone in run.db raw .; do
	hold
	rm -rf "$reports"
	night_start small --new
	wait_for test -e "$work/held"
	run=$(run_dir small)
	mv "$run/$gone" "$work/aside.$gone" 2>/dev/null ||
		mv "$run" "$work/aside"
	rm "$work/hold"
	night_wait
	is "without $gone it ends with 4" "$status" 4
	undone
	result "and puts the host back"
done
says "$run"
result "and names the directory"
night_plan
