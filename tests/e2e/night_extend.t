#!/bin/sh
# A run is given more rounds, whether it has ended or not; another one is not
# begun beside one that goes on or has left changes behind.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((350000 + $$))
night_lab
# The loads are their own subjects: quicker than with a server.
matrix_server()
{
	:
}

matrix more <<END
title = "More";
factors: {
	knob = ( { name = "on"; apply = "echo on >$work/knob";
	        undo = "echo off >$work/knob";
	        verify = "grep -q on $work/knob"; },
	    { name = "off"; env = [ "KNOB=off" ]; } );
};
loads = ( { use = "command"; name = "wait"; timeout = "1h"; command =
	"if [ -e $work/hold ]; then echo >$work/held; sleep $nap; fi; true"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
echo off >"$work/knob"
runs()
{
	find "$reports" -name 'more-*' | wc -l
}
rounds()
{
	sql "SELECT group_concat(round, ' ') FROM (SELECT round FROM visit
		WHERE status = 'valid' ORDER BY id)"
}
for bad in 0 -3 x 2.5 100001; do
	night more "--rounds=$bad"
	is "--rounds $bad is refused with 2" "$status" 2
done
says "--rounds: "
result "and named"
"$B/abrun" -n --rounds 7 "$work/more.cfg" >"$work/plan" &&
	grep -q '7 rounds' "$work/plan"
result "a dry run shows so many rounds"

night more
is "a night of one round ends with 0" "$status" 0
run=$(run_dir more)
night more
says "$run is finished" "nothing was run: --rounds N, more than 1, extends" \
	"--new starts another"
result "run again it names --rounds and --new"
is "and the post tells of no extension" \
	"$(grep -c extended "$work/post")" 0
night more --rounds 1
is "as many rounds as it has are nothing new" "$status" 0
says "nothing was run"
result "and nothing is run"

# Extended after it had ended, and interrupted then.
: >"$work/hold"
night_start more --rounds 2
wait_for test -e "$work/held"
kill -s INT "$night"
night_wait
rm "$work/hold" "$work/held"
is "an extension that is interrupted ends with 130" "$status" 130
says "$run is extended from 1 to 2 rounds after looking"
result "it was told"
night more
is "without the option it goes on and ends with 0" "$status" 0
is "in the same directory" "$(runs)" 1
is "with the rounds that it was given" "$(rounds)" "1 1 2 2"
posts "The run was extended from 1 to 2 rounds after looking." \
	"(2 rounds, all visits valid)"
result "the post says so"
"$B/abrun" status "$run" >"$work/status" && grep -q "extended" "$work/status"
result "and the status"

night more --rounds 1
is "fewer are refused with 2" "$status" 2
says "$run has 2 rounds planned and 2 begun" "--new --rounds 1"
result "with what is there"
is "and stay as they are" "$(sql "SELECT rounds FROM experiment")" 2

# Unfinished, and extended at once.
: >"$work/hold"
night_start more --new
wait_for test -e "$work/held"
is "a new run is another directory" "$(runs)" 2
night_pid=$night
# The one that goes on keeps what it says.
mv "$work/said" "$work/said.first"
night more --new
is "beside one that goes on, a new one is refused with 1" "$status" 1
says "--new: the last run still goes on" "process $night_pid of " " since "
result "which is named"
night more --rounds 5
is "as is an extension" "$status" 1
says "in use by another abrun: process $night_pid of "
result "in the same words"
night=$night_pid
kill -s INT "$night"
night_wait
rm "$work/hold" "$work/held"
night more --rounds 2
is "an unfinished one is extended and ends with 0" "$status" 0
is "in its directory" "$(runs)" 2
is "its rounds are those" "$(rounds)" "1 1 2 2"
posts "The run was extended from 1 to 2 rounds, before it had ended."
result "which the post says"

# A change is left behind.
: >"$work/hold"
night_start more --new
wait_for test -e "$work/held"
kill -s KILL "$night"
night_wait
rm "$work/hold" "$work/held"
run=$(run_dir more)
night more --new
is "beside one that has left changes a new one is refused with 1" "$status" 1
says "$run has left changes on its hosts" "abrun status $run" \
	"abrun restore $run" "abrun $work/more.cfg, which goes on"
result "with what to do"
is "and nothing is made" "$(runs)" 3
cp "$work/more.cfg" "$work/kept.cfg"
sed -i 's/KNOB=off/KNOB=none/' "$work/more.cfg"
sqlite3 "$run/run.db" "UPDATE experiment SET rounds = 0"
night more
is "nor is one of a changed matrix begun" "$status" 1
says "$run has left changes" "with the matrix as it was"
result "with what to do"
sqlite3 "$run/run.db" "UPDATE experiment SET rounds = 1"
cp "$work/kept.cfg" "$work/more.cfg"
night more
is "that run goes on" "$status" 0
is "and undoes it" "$(cat "$work/knob") $(left_over)" "off "

# Another matrix cannot extend it; with --new it may be begun.
sed -i 's/KNOB=off/KNOB=none/' "$work/more.cfg"
night more --rounds 4
is "E75: another matrix does not extend a finished run" "$status" 2
says "$run is finished and was begun with another matrix" \
	"--new --rounds 4" "+	    { name = \"off\"; env = [ \"KNOB=none\" ]; } );"
result "the difference is shown"
is "and nothing is made" "$(runs)" 3
night more
is "E76: the same name again, changed: a new directory" \
	"$status $(runs)" "0 4"

# A database that is no more.
run=$(run_dir more)
raw=$(ls -l "$run/raw")
head -c 4096 /dev/zero >"$run/run.db"
night more
is "E72: a run.db of NULs is refused with 4" "$status" 4
says "cannot open the database $run/run.db: it is damaged" "$run/raw and stays" \
	"use --new to start another run"
result "by its name, with what to do"
[ "$(ls -l "$run/raw")" = "$raw" ] && [ "$(wc -c <"$run/run.db")" -eq 4096 ]
result "and left as it is, as are the outputs"
night_plan
