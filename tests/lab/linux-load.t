#!/bin/sh
# hooks/os/linux.sh: loads that it runs.

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

# fresh: an empty directory $dir for loads.
fresh()
{
	dir=$(mktemp -d "$work/dir.XXXXXX")
}

# load COMMAND [ENV...]: runs it with a cap of 1000 bytes.
load()
{
	command=$1
	shift
	ask load_run "$dir" 20000 1000 '' $# "$@" "$command"
}

loads_tell_their_end()
{
	fresh
	LEAK=1 load 'printf "a\tb\\\\\nc"; echo oops >&2; cat; exit 7' X=1
	is 'load_run: done' "$status" 0
	is 'load_run: keys' "$(keys)" 'run pid exit timed_out wall_ms user_ms sys_ms maxrss_kb leftover escaped out_bytes out err_bytes err '
	is 'load_run: exit' "$(value exit) $(value timed_out)" '7 no'
	is 'load_run: out' "$(value out)" "a${tab}b\\${nl}c"
	is 'load_run: out_bytes' "$(value out_bytes)" 6
	is 'load_run: err' "$(all err)" 'oops\n'
	run=$(value run)
	case $run in
	"$dir"/run.*) pass 'load_run: run' ;;
	*) fail 'load_run: run' "$run" ;;
	esac
	is 'load_run: the run is private' "$(stat -c %a "$run")" 700
	load 'env | sort; pwd' 'X=a b'
	is 'load_run: its environment is clean' \
	    "$(value out | sed -e "s|$(value run)|RUN|" -e '/^PWD=/d')" \
	    "$(printf '%s\n' ABRUN_RUN=RUN "HOME=$HOME" LANG=C \
		PATH=/sbin:/bin:/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin \
		'X=a b' "$dir")"
	ok 'load_run: the run before is removed' [ ! -e "$run" ]
	load 'kill -KILL $$'
	is 'load_run: a signal' "$(value exit) $(value signal)" '137 KILL'
	load 'exit 0'
	is 'load_run: exit 0' "$(value exit) $(value out)" '0 '
	load '/no/such/tool'
	is 'load_run: no such tool' "$(value exit)" 127
	ask load_run "$dir" 20000 1000 '' 0
	is 'load_run: no command fails' "$status" 1
	ask load_run "$work/nowhere" 20000 1000 '' 0 true
	is 'load_run: a missing directory fails' "$status" 1
}

# CPU time of the whole tree, the largest process, the wall clock.
loads_are_measured()
{
	fresh
	load 'dd if=/dev/zero bs=64M count=1 status=none | tail -c 64000000 |
	    cksum >/dev/null; (sleep 0.2)'
	ok 'load_run: wall_ms holds the sleep' [ "$(value wall_ms)" -ge 200 ]
	ok 'load_run: user_ms of the tree' [ "$(value user_ms)" -gt 0 ]
	ok 'load_run: sys_ms of the tree' [ "$(value sys_ms)" -gt 0 ]
	ok 'load_run: maxrss_kb of the largest process' \
	    [ "$(value maxrss_kb)" -gt 60000 ]
	cpu=$(sed -n -e 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' \
	    /proc/self/status)
	ask load_run "$dir" 20000 1000 "$cpu" 0 \
	    'grep Cpus_allowed_list /proc/self/status'
	is 'load_run: CPUs' "$(value out)" "Cpus_allowed_list:$tab$cpu"
}

# What tools there are is looked up once in a directory.
tools_are_tried_once()
{
	fresh
	load true
	is 'load_run: what it found' "$(cat "$dir/.tools")" 'stdbuf -o0,yes'
	echo ',no' >"$dir/.tools"
	load 'echo a; echo b >&2'
	is 'load_run: it believes that' "$(keys)" 'run pid exit timed_out wall_ms user_ms sys_ms leftover escaped out_bytes out err_bytes err '
	is 'load_run: and runs without' "$(value out)$(value err)" ab
	: >"$dir/.tools"
	load true
	is 'load_run: an empty list is made anew' "$(cat "$dir/.tools")" \
	    'stdbuf -o0,yes'
}

outputs_are_capped()
{
	fresh
	load 'seq 1 1000'
	is 'load_run: head, cut, tail' "$(value out)" \
	    "$(seq 1 152)$nl
[abrun: 2893 bytes cut]
$(seq 1 1000 | tail -c 500)"
	is 'load_run: all bytes are counted' "$(value out_bytes)" 3893
	load 'head -c 1000 /dev/zero | tr "\0" x'
	is 'load_run: as many as the cap are whole' "$(value out | wc -c)" 1000
	load 'printf "a\0b"'
	is 'load_run: NUL bytes are left out' "$(value out)" ab
}

# 300 MB: neither the disk nor any shell holds them.  The shells' own peak is
# asked of the waiting ones while the load still lives.
large_outputs_stay_small()
{
	fresh
	# shellcheck disable=SC2016 # the load's own
	load 'yes 0123456789 | head -c 300000000; echo END;
	    cat /proc/$PPID/status >&2; sleep 0.3;
	    for pid in /proc/[0-9]*; do
		grep -q -s -F -e "${ABRUN_RUN%/*}" "$pid/cmdline" || continue
		sed -n "s/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p" "$pid/status"
	    done | sort -n | tail -n 1 >&2'
	is 'load_run: 300 MB are counted' "$(value out_bytes)" 300000004
	ok 'load_run: their end is told' grep -q '^out.*END\\n$' "$work/answer"
	ok 'load_run: little is kept on disk' \
	    [ "$(du -s -k "$dir" | cut -f 1)" -lt 20000 ]
	peak=$(value err | tail -n 1)
	ok 'load_run: a peak was seen' [ "${peak:-0}" -gt 0 ]
	ok "load_run: no shell grew (${peak:-?} kB)" [ "${peak:-9999999}" -lt 16000 ]
}

deadlines_are_kept()
{
	fresh
	ask load_run "$dir" 300 1000 '' 0 'echo begun; sleep 61; echo not'
	is 'deadline: told' "$status $(value timed_out) $(value out)" \
	    "0 yes begun"
	ok 'deadline: it waited' [ "$(value wall_ms)" -ge 300 ]
	is 'deadline: all are gone' "$(pgrep -f 'sleep 61$')" ''
	ask load_run "$dir" 300 1000 '' 0 \
	    'trap "" TERM; sleep 62 & for i in 1 2 3 4 5 6 7 8; do sleep 1; done'
	is 'deadline: TERM ignored' "$(value timed_out)" yes
	is 'deadline: the stubborn are gone' "$(pgrep -f 'sleep 62$')" ''
	is 'deadline: no watchdog is left' "$(pgrep -f "$dir")" ''
}

left_overs_are_killed()
{
	fresh
	load 'sleep 63 & sleep 64 & echo done'
	is 'left-over: counted' "$(value leftover) $(value out)" '2 done'
	is 'left-over: gone' "$(pgrep -f 'sleep 6[34]$')" ''
	load "bash -mc 'sleep 65 & echo done' 2>/dev/null"
	is 'left-over: in a group of its own' "$(value leftover)" 1
	is 'left-over: gone as well' "$(pgrep -f 'sleep 65$')" ''
	load 'setsid sleep 4 & echo done'
	is 'left-over: one that left the session is told' \
	    "$(value escaped) $(value out)" 'yes done'
	load 'sleep 0 & wait'
	is 'left-over: none' "$(value leftover) $(value escaped)" '0 no'
}

# The call dies with its link; the load and its keeper do not.
loads_survive_their_call()
{
	fresh
	"$shell" hooks/os/linux.sh load_run "$dir/run.mine" 20000 1000 '' 0 \
	    "echo begun; while [ ! -e '$dir/go' ]; do sleep 0.02; done;
	    echo ended; exit 3" >"$work/cut" 2>&1 &
	call=$!
	until_true grep -q begun "$dir/run.mine/out" 2>/dev/null
	ask load_collect "$dir/run.mine"
	is 'load_collect: still running' "$status $(value error)" \
	    '1 still running'
	kill -s HUP "$call"
	wait "$call" 2>/dev/null
	: >"$dir/go"
	until_true [ -e "$dir/run.mine/status" ]
	ask load_collect "$dir/run.mine"
	is 'load_collect: all of it' \
	    "$status $(value exit) $(value out)" "0 3 begun${nl}ended"
	is 'load_collect: the same keys' "$(keys)" 'run pid exit timed_out wall_ms user_ms sys_ms maxrss_kb leftover escaped out_bytes out err_bytes err '
	ask load_run "$dir/run.mine" 20000 1000 '' 0 true
	is 'load_run: an ended run makes room' "$status" 0
	ask load_collect "$dir/run.other"
	is 'load_collect: none is absent' "$status" 2
	mkdir "$dir/run.dead"
	ask load_collect "$dir/run.dead"
	is 'load_collect: without a record it is unknown' "$status" 3
	ask load_run "$dir/run.dead" 20000 1000 '' 0 true
	is 'load_run: never in a directory that exists' "$status" 1
}

# call_and_wait NAME: a load of that name in the background, begun.
begin()
{
	"$shell" hooks/os/linux.sh load_run "$dir/run.$1" 20000 1000 '' 0 \
	    'echo begun; sleep 66' >"$work/cut" 2>&1 &
	call=$!
	until_true grep -q begun "$dir/run.$1/out" 2>/dev/null
}

loads_are_ended_on_purpose()
{
	fresh
	begin one
	ask load_kill "$dir"
	is 'load_kill: done' "$status $(all stopped)" "0 $dir/run.one"
	wait "$call"
	is 'load_kill: gone' "$(pgrep -f 'sleep 66$')" ''
	ask load_kill "$dir"
	is 'load_kill: nothing to do' "$status $(keys)" '0 '
	# As a controller that ends the call: TERM to its process group.
	setsid "$shell" hooks/os/linux.sh load_run "$dir/run.two" 20000 1000 '' \
	    0 'echo begun; sleep 66' >"$work/cut" 2>&1 &
	call=$!
	until_true grep -q begun "$dir/run.two/out" 2>/dev/null
	kill -s TERM -- "-$call"
	wait "$call" 2>/dev/null
	until_true [ -e "$dir/run.two/status" ]
	is 'a call that is ended ends its load' "$(pgrep -f 'sleep 66$')" ''
	# The keeper killed, the load orphaned.
	begin three
	kill -s KILL "$(cut -d ' ' -f 1 "$dir/run.three/keeper.pid")"
	wait "$call"
	ok 'a load without keeper is unknown' \
	    grep -q '^END by-hand load_run 3$' "$work/cut"
	ask load_kill "$dir"
	is 'load_kill: an orphan' "$(all stopped)" "$dir/run.three"
	is 'load_kill: the orphan is gone' "$(pgrep -f 'sleep 66$')" ''
	until_true not_found "$dir/run.three"
	is 'load_kill: its watchdog is gone' "$(pgrep -f "$dir/run.three")" ''
}

not_found()
{
	! pgrep -f "$1" >/dev/null
}

the_keeper_is_clean()
{
	fresh
	ask load_run "$dir/run.clean" 5000 100 '' 0 true
	keeper=$dir/run.clean/keeper
	ok 'the keeper is there' [ "$(wc -l <"$keeper")" -gt 50 ]
	ok 'the keeper passes shellcheck' shellcheck -s sh "$keeper"
}

the_keeper_is_clean
for shell in dash bash; do
	loads_tell_their_end
	loads_are_measured
	tools_are_tried_once
	outputs_are_capped
	large_outputs_stay_small
	deadlines_are_kept
	left_overs_are_killed
	loads_survive_their_call
	loads_are_ended_on_purpose
done
finish
