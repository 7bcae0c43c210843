#!/bin/sh
# abrun killed without a word: the same matrix again deals with the server,
# the load, the settings and the directory that were left, and goes on.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
kills=${COUNT:-3}
seed=${SEED:-4711}
nap=$((200000 + $$))
night_lab

matrix kill <<END
title = "Killed";
factors: {
	knob = ( { name = "on"; apply = "echo on >$work/knob";
	        undo = "echo off >$work/knob";
	        verify = "grep -q on $work/knob"; },
	    { name = "off"; env = [ "KNOB=off" ]; } );
};
loads = ( { use = "command"; name = "wait"; timeout = "1h"; command =
	"if [ -e $work/hold ]; then echo >$work/held; sleep $nap; fi; true"; } );
design: { rounds = 2; runs = 1; warmup = 0; order = "listed"; };
END

echo off >"$work/knob"
: >"$work/hold"
night_start kill
wait_for test -e "$work/held"
result "the first load runs"
kill -s KILL "$night"
night_wait
rm "$work/hold"
server=$(sandbox_servers "$lab")
[ -n "$server" ] && pgrep -f "sleep $nap" >"$work/sleeper" &&
	[ "$(cat "$work/knob")" = on ]
result "killed, it leaves server, load and setting behind"
is "and a visit that has no end" "$(sql "SELECT status, ended FROM visit")" \
	"running|"

night kill
is "the same matrix again ends with 0" "$status" 0
says "going on with $(run_dir kill)" "ended a load that still ran" \
	"stopping the server that was left running, pid $server"
result "and says what it found"
is "in one run directory" "$(find "$reports" -name 'kill-*' | wc -l)" 1
! kill -0 "$server" 2>/dev/null && ! pgrep -f "sleep $nap" >/dev/null
result "the old server and the old load are gone"
is "nothing is left on the host" "$(left_over)" ""
is "nor in the store" \
	"$(sql "SELECT count(*) FROM undo WHERE state <> 'undone'")" 0
is "the setting is undone" "$(cat "$work/knob")" off
is "every visit was made, the one cut off again" \
	"$(sql "SELECT round, server, status, attempt FROM visit ORDER BY id")" \
	"1|0|running|1
1|0|valid|1
1|1|valid|1
2|0|valid|1
2|1|valid|1"
posts "was cut off" "(then repeated, and valid)" "(2 rounds, all visits valid)"
result "the post tells it"

# Now at any moment.
echo "# seed $seed"
: >"$work/said.all"
# shellcheck disable=SC2013 # one word a line
for delay in $(awk -v seed="$seed" -v n="$kills" 'BEGIN { srand(seed)
    for (i = 0; i < n; i++) printf "%.2f\n", 0.2 + rand() * 2 }'); do
	[ "$delay" = "${first-$delay}" ] && first=$delay && set -- --new
	night_start kill "$@"
	set --
	sleep "$delay"
	kill -s KILL "$night" 2>/dev/null
	night_wait
	cat "$work/said" >>"$work/said.all"
done
night kill
cat "$work/said" >>"$work/said.all"
is "killed at $kills moments, it ends with 0" "$status" 0
is "with one valid visit for each" \
	"$(sql "SELECT round, server FROM visit WHERE status = 'valid'
	ORDER BY 1, 2")" "1|0
1|1
2|0
2|1"
is "all others cut off" "$(sql "SELECT count(*) FROM visit WHERE
	status NOT IN ('valid', 'running')")" 0
# Killed before it could note the name, an empty one may stay.
find "$tmp" -mindepth 1 -maxdepth 1 -empty -delete
is "nothing left on the host" "$(left_over)" ""
is "nor in the store" \
	"$(sql "SELECT count(*) FROM undo WHERE state <> 'undone'")" 0
is "and the setting undone" "$(cat "$work/knob")" off
night_plan
