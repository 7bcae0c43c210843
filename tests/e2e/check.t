#!/bin/sh
# abrun check on a host with a server: a good one, levels that cannot be had,
# and that nothing is left changed, also when it is interrupted or killed.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((700000 + $$))
night_lab
# shellcheck source=tests/lib/check.sh
. tests/lib/check.sh

# A knob of the host's own, as in restore.t.
echo 60 >"$work/swappiness"
unshare -m sh -c "mount --bind '$work/swappiness' /proc/sys/vm/swappiness &&
	echo >'$work/up' && exec sleep $nap" &
host=$!
helpers=$host
wait_for test -e "$work/up"
cat >"$work/sh" <<END
#!/bin/sh
TMPDIR=$tmp PATH=$work/bin:\$PATH exec nsenter -t $host -m /bin/sh "\$@"
END
echo off >"$work/knob"

changed()
{
	echo "$(cat "$work/swappiness") $(cat "$work/knob") $(left_over)" \
		"$(find "$lab/locks" -name 'undo*')" "$(ls -A "$work/here")"
}

matrix good <<-END
	title = "Good";
	factors: { knob = ( { name = "off"; },
	    { name = "on"; sysctl = [ "vm.swappiness=10" ];
		apply = "echo on >$work/knob; touch $work/applied";
		undo = "echo off >$work/knob";
		verify = "grep -q on $work/knob"; } );
	    flush = ( { name = "1"; },
		{ name = "2"; mysqld = [ "innodb_flush_log_at_trx_commit=2" ]; } );
	    clients = [ 1, 4 ]; };
	loads = ( { use = "command"; name = "never";
	    command = "touch $work/loaded; test {clients} -gt 0";
	    setup = "touch $work/loaded"; cleanup = "touch $work/loaded"; } );
	monitors = ( { name = "gone"; on = "target";
	    command = "no-such-monitor 1"; } );
	design: { rounds = 1; runs = 1; warmup = 0; };
END
check good
is "a host that is fit for the night: 0" "$status" 0
tells "ok login: lab as $(id -un); host key SHA256:" "ok lock: " "ok system: " \
	"ok space: " " GB for $lab/data" \
	"ok server: " " ready after " "ok undo: no change" \
	"nothing stands in the way, "
result "it says so"
tells "cells on box: 2 of 4, which together hold every level" \
	"ok knob=off, flush=1: " "ok knob=on, flush=2: " " proofs hold"
result "each level was in a cell that was proved"
tells "warn monitor: the monitor gone did not live through it: it ended with status 127"
result "a monitor that is not there is told"
[ "$(grep -c '^warn monitor' "$work/said")" -eq 1 ]
result "once"
[ -e "$work/applied" ] && [ ! -e "$work/loaded" ]
result "settings were made, but no load was run, set up or cleaned up"
is "nothing is left changed" "$(changed)" "60 off   "
is "there is no run directory" "$(find reports "$reports" \
	-name 'good-*' 2>/dev/null)" ""

matrix bad <<-END
	title = "Bad";
	factors: { opt = ( { name = "good"; },
	    { name = "bad"; mysqld = [ "no_such_option=1" ]; } ); };
	loads = ( { use = "command"; name = "never"; command = "true"; } );
	design: { rounds = 1; runs = 1; warmup = 0; };
END
check bad
is "a level that cannot be had: 3" "$status" 3
tells "ok opt=good: " "FAIL opt=bad: SERVER_EXITED: " "no_such_option" \
	"1 thing stands in the way, "
result "it is named with the reason, and the others tried"
tells "-> read its last words in the reason"
result "and what is to be done"
is "nothing is left" "$(changed)" "60 off   "

sed 's/user = "root";/& password_env = "ABRUN_TEST_UNSET";/' \
	"$work/bad.cfg" >"$work/word.cfg"
check word
is "a password that cannot be had: 1" "$status" 1
tells "FAIL matrix: MATRIX_ERROR: the matrix takes the password from the variable ABRUN_TEST_UNSET, which is not set" \
	"ok undo: no change"
result "is told, and nothing is left of the check"
is "nothing is" "$(changed)" "60 off   "

matrix held <<-END
	title = "Held";
	factors: { knob = ( { name = "on"; sysctl = [ "vm.swappiness=10" ];
	    apply = "echo on >$work/knob; touch $work/applied;
		while [ -e $work/hold ]; do sleep 0.2; done";
	    undo = "echo off >$work/knob"; } ); };
	loads = ( { use = "command"; name = "never"; command = "true"; } );
	design: { rounds = 1; runs = 1; warmup = 0; };
END
# held: a check is in the midst of a cell.
held()
{
	: >"$work/hold"
	rm -f "$work/applied"
	"$B/abrun" check "$work/held.cfg" >"$work/said" 2>&1 </dev/null &
	night=$!
	wait_for test -e "$work/applied"
}
held
is "in the midst of a cell it has changed the host" \
	"$(cat "$work/swappiness" "$work/knob")" "10
on"
kill -s INT "$night"
rm "$work/hold"
night_wait
is "interrupted: 130" "$status" 130
is "it puts all back" "$(changed)" "60 off   "

held
kill -s KILL "$night"
night_wait
rm "$work/hold"
is "killed, it leaves all changed" "$(cat "$work/swappiness" "$work/knob")" "10
on"
check bad
is "another check does not begin there: 1" "$status" 1
tells "FAIL changes: LEFT_CHANGED: still changed by another run, run directory $work/here/abrun-check-" \
	"vm.swappiness: was 60, set to 10" "abrun restore"
result "and says what is changed, and what undoes it"
"$B/abrun" restore --matrix "$work/held.cfg" box >"$work/said" 2>&1 </dev/null
status=$?
is "abrun restore of the host puts it back: 0" "$status" 0
says "box: undone: sysctl vm.swappiness: was 60, set to 10" \
	"box: undone: command \"echo on" "stopped what was left running: the server, pid "
result "all of it"
rm -r "$work/here"/* # what the killed one needed on the controller
is "so it is" "$(changed)" "60 off   "
night_plan
