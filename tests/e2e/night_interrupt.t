#!/bin/sh
# SIGINT in the middle of a run: all is ended, undone and reported; the same
# matrix goes on.  SIGINT twice leaves at once; the same matrix then tidies up.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((300000 + $$))
night_lab

mkdir -p "$work/hooks/load"
cp hooks/load/command.cfg "$work/hooks/load"
# In the first visit, if asked: the load stays, the undo stays.
matrix stop <<END
title = "Stopped";
factors: {
	knob = ( { name = "on"; apply = "echo on >$work/knob";
	        undo = "while [ -e $work/hold-undo ]; do sleep 0.1; done; echo off >$work/knob";
	        verify = "grep -q on $work/knob"; },
	    { name = "off"; env = [ "KNOB=off" ]; } );
};
loads = ( { use = "command"; name = "wait"; timeout = "1h"; command =
	"if [ -e $work/hold ]; then echo >$work/held; sleep $nap; fi; true";
	setup = "echo >>$work/setups"; cleanup = "echo >>$work/cleanups"; } );
design: { rounds = 2; runs = 1; warmup = 0; order = "listed"; };
END
hold()
{
	rm -f "$work/held"
	: >"$work/hold"
}
order()
{
	sql "SELECT round, server, status FROM visit ORDER BY id"
}

echo off >"$work/knob"
hold
night_start stop
wait_for test -e "$work/held"
kill -s INT "$night"
night_wait
is "SIGINT ends it with 130" "$status" 130
says "Interrupt: ending the current run" "visit interrupted"
result "and is told"
! pgrep -f "sleep $nap" >/dev/null
result "the load is gone with its children"
is "nothing is left on the host" "$(left_over)" ""
is "the setting is undone" "$(cat "$work/knob")" off
is "also in the store" "$(sql "SELECT kind, state FROM undo ORDER BY id")" \
	"workdir|undone
command|undone"
is "the load is set up and cleaned up" \
	"$(wc -l <"$work/setups") $(wc -l <"$work/cleanups")" "1 1"
is "the visit is stored as interrupted" "$(order)" "1|0|interrupted"
is "no run of it is" "$(sql "SELECT count(*) FROM run")" 0
[ -s "$(run_dir stop)/post.txt" ] && [ -s "$(run_dir stop)/report.md" ] &&
	posts "was interrupted"
result "what there is, is reported"

# Changed, it does not go on.
cp "$work/stop.cfg" "$work/kept.cfg"
sed -i 's/KNOB=off/KNOB=none/' "$work/stop.cfg"
night stop
is "E75: a changed matrix is refused with 2" "$status" 2
says "$(run_dir stop) is unfinished" "--new" '-	    { name = "off"; env = [ "KNOB=off" ]; } );' \
	'+	    { name = "off"; env = [ "KNOB=none" ]; } );'
result "and the difference is shown"
cp "$work/kept.cfg" "$work/stop.cfg"
echo "# a word" >>"$work/hooks/load/command.cfg"
night stop
is "E75: a changed hook is refused with 2" "$status" 2
says "$work/hooks/load/command.cfg"
result "and named"
cp hooks/load/command.cfg "$work/hooks/load"

rm "$work/hold"
# As nohup(1) starts it; the terminal is gone after the first visit.
trap '' HUP
night_start stop
trap 'exit 1' HUP
wait_for says "round 1, on, wait: "
kill -s HUP "$night"
night_wait
is "the same matrix again ends with 0, though its terminal is gone" \
	"$status" 0
says "going on with $(run_dir stop)"
result "says that it goes on"
is "and does what is missing, in the same order" "$(order)" \
	"1|0|interrupted
1|0|valid
1|1|valid
2|0|valid
2|1|valid"
posts "(2 rounds, all visits valid)" && ! posts "uptime_s"
result "so that all is there"

hold
: >"$work/hold-undo"
night_start stop --new
wait_for test -e "$work/held"
kill -s INT "$night"
wait_for says "once more leaves at once"
kill -s INT "$night"
night_wait
is "SIGINT twice ends with 130" "$status" 130
says "Interrupt again: leaving at once" \
	"run again, or by abrun restore $(run_dir stop)"
result "and says what that means"
is "the setting is not undone" "$(cat "$work/knob")" on
rm -f "$work/hold" "$work/hold-undo"
night stop
is "but the same matrix again ends with 0" "$status" 0
is "nothing is left on the host then" "$(left_over)" ""
is "and the setting is undone" "$(cat "$work/knob")" off
is "all visits are there" \
	"$(sql "SELECT round, server FROM visit WHERE status = 'valid'")" \
	"1|0
1|1
2|0
2|1"

# All measured, but not all undone: it is not finished.
sql "UPDATE undo SET state = 'done' WHERE kind = 'command'" stop >/dev/null
sqlite3 "$(run_dir stop)/run.db" \
	"UPDATE undo SET state = 'done' WHERE id = (SELECT max(id) FROM undo
	WHERE kind = 'command')"
echo on >"$work/knob"
night stop
is "a finished run with a change left ends with 0" "$status" 0
is "undoes it" "$(cat "$work/knob") $(left_over)" "off "
is "and runs nothing" "$(sql "SELECT count(*) FROM visit WHERE
	status = 'valid'")" 4
night_plan
