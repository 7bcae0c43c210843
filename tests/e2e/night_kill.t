#!/bin/sh
# abrun killed without a word: the same matrix again deals with the server,
# the load, the settings and the directory that were left, and goes on.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
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

# The server has a helper, which does not end with it.
cat >"$work/serve" <<END
#!/bin/sh
sleep $nap.7 &
exec $server_program "\$@"
END
chmod 755 "$work/serve"
sed -i "s|command = \"$server_program |command = \"$work/serve |" "$work/kill.cfg"

echo off >"$work/knob"
: >"$work/hold"
night_start kill
wait_for test -e "$work/held"
result "the first load runs"
kill -s KILL "$night"
night_wait
rm "$work/hold"
server=$(sandbox_servers "$lab")
helper=$(pgrep -x -f "sleep $nap.7")
[ -n "$server" ] && [ -n "$helper" ] && pgrep -x -f "sleep $nap" >"$work/sleeper" &&
	[ "$(cat "$work/knob")" = on ]
result "killed, it leaves server, load and setting behind"
is "and a visit that has no end" "$(sql "SELECT status, ended FROM visit")" \
	"running|"

night kill
is "the same matrix again ends with 0" "$status" 0
says "going on with $(run_dir kill)" "ended a load that still ran" \
	"stopped what was left running: the server, pid $server, and what it had started: $helper sleep"
result "and says what it found"
is "the server is an event of its own" "$(sql "SELECT text FROM event
	WHERE kind = 'left running'")" \
	"the server, pid $server, and what it had started: $helper sleep"
grep -q "left running: the server, pid $server, and what" \
	"$(run_dir kill)/report.md"
result "which the report tells"
is "in one run directory" "$(find "$reports" -name 'kill-*' | wc -l)" 1
! kill -0 "$server" 2>/dev/null && ! pgrep -f "sleep $nap" >/dev/null
result "the old server, its helper and the old load are gone"
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
# shellcheck source=tests/lib/moments.sh
. tests/lib/moments.sh
moments KILL 50
night_plan
