#!/bin/sh
# Loads that break what runs them: the link, their keeper.  Whatever is left
# of one never runs beside the next.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((400000 + $$))
night_lab

# alone: a run that finds an earlier one alive has failed.
matrix_of() # NAME COMMAND [TIMEOUT]
{
	matrix "$1" <<-END
		title = "Broken";
		factors: { env = [ "A=1", "A=2" ]; };
		loads = ( { use = "command"; name = "alone"; timeout = "${3:-1h}";
		    command = "if pgrep -x -f \"sleep $nap\"; then exit 3; fi; if mkdir $work/$1.once; then $2; sleep $nap; fi; true"; } );
		design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
	END
}
asleep()
{
	pgrep -x -f "sleep $nap"
}

# Its end is awaited, as long as it may take.
matrix_of link "kill -s KILL \$(pgrep -P \$(cat $lab/pid))" 8s
night link
is "a night with a load that never ends behind a broken link ends with 3" \
	"$status" 3
says "the link broke during load_run"
result "and says so"
is "the load is awaited, stopped and has failed; the next runs alone" \
	"$(sql "SELECT v.server, v.status, v.attempt, r.good, r.reason FROM visit v
	LEFT JOIN run r ON r.visit = v.id ORDER BY v.id" link)" \
	"0|valid|1|0|it did not end within 8 s and was stopped (last: it said nothing)
1|valid|1|1|"
is "nothing is left on the host" "$(left_over; asleep)" ""

matrix_of keeper "kill -s KILL \$(cut -d' ' -f1 \$ABRUN_RUN/keeper.pid)"
night keeper
is "a night with a killed keeper ends with 3" "$status" 3
is "that visit is invalid, the next alone" "$(sql "SELECT v.server,
	v.status, r.good, r.reason FROM visit v
	LEFT JOIN run r ON r.visit = v.id ORDER BY v.id" keeper)" \
	"0|invalid||
1|valid|1|"
is "nothing is left on the host then" "$(left_over; asleep)" ""

# What outlives its run is killed, or told; the run counts.
matrix outlive <<END
title = "Outlived";
factors: { env = [ "A=1" ]; };
loads = (
	{ use = "command"; name = "group"; timeout = "1h";
	  command = "sleep $nap & sleep $nap & true"; },
	{ use = "command"; name = "session"; timeout = "1h";
	  command = "setsid sleep $nap >/dev/null 2>&1 & true"; },
	{ use = "command"; name = "hidden"; timeout = "1h";
	  command = "env -i PATH=/usr/bin:/bin setsid sleep $nap & true"; }
);
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
night outlive
is "loads that leave processes give figures" "$status" 0
is "that are flagged" "$(sql "SELECT good, flag FROM run" outlive)" \
	"1|2 of its processes outlived it and had to be killed
1|1 of its processes outlived it and had to be killed
1|a process that it started has left it, holds its output and may still run"
posts "3 runs were flagged" "outlived it" "may still run"
result "and the post says so"
is "C49: of them only who left its session and hid its mark runs on" "$(asleep | wc -l)" 1
for pid in $(asleep); do
	kill "$pid"
done
night_plan
