#!/bin/sh
# hooks/os/linux.sh: monitors, which run beside loads.

set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
end()
{
	for dir in "$work"/*/; do
		"$shell" hooks/os/linux.sh load_kill "$dir" >/dev/null 2>&1
	done
	rm -rf "$work"
}
trap end EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh

# monitor COMMAND: starts it; $run is its directory, $monitor its process.
monitor()
{
	ask monitor_start "$dir" 60000 1000 "$1"
	run=$(value run) monitor=$(value pid)
}

# until_true COMMAND...: within 10 s.
until_true()
{
	waits=0
	until "$@"; do
		waits=$((waits + 1))
		[ "$waits" -lt 200 ] || return 1
		sleep 0.05
	done
}

gone()
{
	! kill -0 "$1" 2>/dev/null
}

monitors_run_until_they_are_ended()
{
	dir=$(mktemp -d "$work/dir.XXXXXX")
	monitor 'echo first; echo second >&2; sleep 1000 & wait'
	is 'monitor_start: done' "$status" 0
	is 'monitor_start: keys' "$(keys)" 'run pid '
	ok 'it runs' kill -0 "$monitor"
	is 'in a session of its own' "$(ps -o sid= -p "$monitor" | tr -d ' ')" "$monitor"
	first=$run
	until_true [ -s "$first/out" ]
	monitor 'exit 3'
	until_true [ -f "$run/status" ]
	ask monitor_look "$run"
	is 'monitor_look: one that ended' "$status $(value alive) $(value exit)" '0 no 3'
	ask monitor_look "$dir/none"
	is 'monitor_look: none' "$status" 2
	ask load_run "$dir" 20000 1000 '' 0 'echo load'
	is 'a load beside them runs' "$(value out)" "load"
	ask monitor_end "$run"
	is 'one that ended by itself' "$status $(value alone) $(value exit)" '0 yes 3'
	ok 'its directory is gone' [ ! -e "$run" ]
	ask monitor_look "$first"
	is 'monitor_look: one that lives' "$status $(value alive) $(value pid)" \
	    "0 yes $(sed 's/ .*//' "$first/pid")"
	ask monitor_end "$first"
	is 'one that had to be ended' "$status $(value alone)" '0 no'
	is 'what it said' "$(value out) $(value err)" 'first second'
	is 'how it ended' "$(value signal) $(value timed_out)" 'TERM no'
	ok 'it is gone' gone "$monitor"
	ask monitor_end "$first"
	is 'ended twice: no such thing' "$status" 2
}

much_of_what_it_says_is_cut()
{
	dir=$(mktemp -d "$work/dir.XXXXXX")
	monitor 'seq 100000; sleep 1000'
	until_true [ "$(tail -n 1 "$run/out" 2>/dev/null)" != "" ]
	sleep 0.3
	ask monitor_end "$run"
	ok 'with a mark' grep -q 'abrun: [0-9]* bytes cut' "$work/answer"
	ok 'to what is wanted' [ "$(value out | wc -c)" -lt 1200 ]
}

left_over_monitors_are_ended_like_loads()
{
	dir=$(mktemp -d "$work/dir.XXXXXX")
	monitor 'sleep 1000'
	ask load_kill "$dir"
	is 'load_kill: the monitor' "$(value stopped)" "$run"
	ok 'it is gone' until_true gone "$monitor"
	ask monitor_start "$dir" 300 1000 'sleep 1000'
	monitor=$(value pid) run=$(value run)
	ok 'nobody ends it: its watchdog does' until_true gone "$monitor"
	until_true [ -f "$run/status" ]
	ask monitor_end "$run"
	is 'which is told' "$(value timed_out) $(value alone)" 'yes yes'
	ask monitor_start /no/such/dir 300 1000 true
	is 'without a directory: failed' "$status" 1
}

for shell in dash bash; do
	monitors_run_until_they_are_ended
	much_of_what_it_says_is_cut
	left_over_monitors_are_ended_like_loads
done
echo "1..$tests"
