#!/bin/sh
# What a killed abrun left changed on a host is undone by abrun restore: from
# another controller by what the host keeps, from its own by the run directory,
# with the matrix edited since; what a third party changed is left alone.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((600000 + $$))
night_lab

# The host has a knob of its own: a file over that of this machine, in a mount
# namespace.
echo 60 >"$work/swappiness"
unshare -m sh -c "mount --bind '$work/swappiness' /proc/sys/vm/swappiness &&
	echo >'$work/up' && exec sleep $nap" &
host=$!
helpers=$host
wait_for test -e "$work/up"
result "a host with a knob of its own"
cat >"$work/sh" <<END
#!/bin/sh
TMPDIR=$tmp PATH=$work/bin:\$PATH exec nsenter -t $host -m /bin/sh "\$@"
END

for name in night other; do
	matrix $name <<-END
		title = "Restore";
		factors: { knob = (
			{ name = "on"; sysctl = [ "vm.swappiness=10" ];
			    apply = "echo on >$work/knob";
			    undo = "echo off >$work/knob";
			    verify = "grep -q on $work/knob"; },
			{ name = "off"; env = [ "KNOB=off" ]; } ); };
		loads = ( { use = "command"; name = "wait"; timeout = "1h";
		    command = "if [ -e $work/hold ]; then echo >$work/held;
			sleep $nap.5; fi; true"; } );
		design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
	END
done
echo off >"$work/knob"

# restore ARGUMENT...
restore()
{
	status=0
	"$B/abrun" restore "$@" >"$work/said" 2>&1 </dev/null || status=$?
}
# from another controller, which knows of the host and nothing of the run
elsewhere()
{
	mkdir -p "$work/elsewhere"
	HOME=$work/elsewhere restore --ssh-config "$lab/ssh_config" "$@" lab
}
changed()
{
	echo "$(cat "$work/swappiness") $(cat "$work/knob")" \
		"$(sandbox_servers "$lab" | wc -l)" \
		"$(pgrep -f "sleep $nap.5" >/dev/null && echo load)" \
		"$(find "$tmp" -mindepth 1 -maxdepth 1 | wc -l)"
}
held()
{
	: >"$work/hold"
	rm -f "$work/held"
	night_start night "$@"
	wait_for test -e "$work/held"
}
kill_it()
{
	kill -s KILL "$night"
	night_wait
	rm "$work/hold"
}

held
pid=$night
elsewhere
is "while a run goes on, its host is not restored: 1" "$status" 1
says "lab: in use by another abrun: process $pid of "
result "and whose it is, is said"
restore "$(run_dir night)"
is "nor by its directory" "$status" 1
kill_it
is "killed, it leaves all changed" "$(changed)" "10 on 1 load 1"

reports=$work/second
night other
is "another run does not begin there: 1" "$status" 1
says "box: LEFT_CHANGED: still changed by another run, run directory $work/reports/night-" \
	" of $(id -un) on " "sysctl vm.swappiness: was 60, set to 10" \
	"command \"echo on >$work/knob\": undone by \"echo off >$work/knob\"" \
	"abrun restore"
result "and says what is changed, by whom, and what undoes it"
is "it changed nothing" "$(changed)" "10 on 1 load 1"
reports=$work/reports

elsewhere -n
is "a dry run of another controller: 0" "$status" 0
says "lab: would undo: sysctl vm.swappiness: was 60, set to 10" \
	"lab: would undo: command \"echo on" "lab: would undo: workdir $tmp/abrun."
result "tells what would be undone"
is "and changes nothing" "$(changed)" "10 on 1 load 1"
elsewhere
is "another controller restores the host: 0" "$status" 0
says "lab: undone: sysctl vm.swappiness: was 60, set to 10" \
	"lab: undone: command \"echo on" "lab: undone: workdir $tmp/abrun." \
	"ended a load that still ran" "stopped what was left running: the server, pid "
result "and tells what it undid"
is "E84: the saved values are back, load, server and directory gone" \
	"$(changed)" "60 off 0  0"
elsewhere
is "once more: 0" "$status" 0
says "lab: nothing is changed"
result "there is nothing to do"
night night
is "the first controller goes on with its run" "$status" 0
is "and leaves nothing" "$(changed)" "60 off 0  0"
is "nor on the host's list" "$(find "$lab/locks" -name 'undo*')" ""

held --new
kill_it
echo 77 >"$work/swappiness"
echo 'nothing like a matrix' >"$work/night.cfg"
restore --reports "$reports" "$work/night.cfg"
is "after a third party's change: 3" "$status" 3
says "box: left as it is: sysctl vm.swappiness: was 60, set to 10 and is 77 now: changed by someone else, left alone" \
	"box: undone: command \"echo on"
result "its change is left alone and named, the rest is undone"
is "so it is" "$(changed)" "77 off 0  0"
restore "$(run_dir night)"
is "once more: 3" "$status" 3
says "changed by someone else"
result "it is named again"
echo 60 >"$work/swappiness"
restore "$(run_dir night)"
is "and when that was put back: 0" "$status" 0
restore "$(run_dir night)"
is "nothing is left to do: 0" "$status" 0
is "nor in the store" \
	"$(sql "SELECT count(*) FROM undo WHERE state <> 'undone'" night)" 0
is "nor on the host" "$(changed) $(find "$lab/locks" -name 'undo*')" \
	"60 off 0  0 "

restore "$work/nowhere.cfg"
is "what is not there: 2" "$status" 2
sshd_stop "$lab"
elsewhere
is "a host that is down: 1" "$status" 1
night_plan
