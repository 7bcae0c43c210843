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

# Whose the CPU time was: of the machine, the load, and a server beside it.
loads_tell_whose_the_cpu_was()
{
	fresh
	# shellcheck disable=SC2016 # the load's shell expands it
	load 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
	ok "load_run: the load's CPU time" [ "$(value load_ms)" -ge 10 ]
	ok 'load_run: which all is part of' \
	    [ "$(value load_ms)" -le $(($(value busy_ms) + 50)) ]
	ok 'load_run: of a machine that is as busy or more so' \
	    [ "$(value busy_ms)" -le "$(value cpu_ms)" ]
	is 'load_run: there is no server' "$(all server_ms)" ''
	ask server_start "$dir" '' '' 0 'sh -c "while :; do (:); done"'
	server=$(value pid) born=$(value start)
	load 'sleep 1'
	ok "load_run: the server's CPU time, with its children's" \
	    [ "$(value server_ms)" -ge 10 ]
	ok 'load_run: which is not much more than all' \
	    [ "$(value server_ms)" -le $(($(value busy_ms) + 500)) ]
	ok "load_run: and not the load's" \
	    [ "$(value load_ms)" -le "$(value server_ms)" ]
	ask server_stop "$server" "$born" 5000
	load 'true'
	is 'load_run: a server that ended has none' "$(all server_ms)" ''
}

loads_tell_their_end()
{
	fresh
	LEAK=1 load 'printf "a\tb\\\\\nc"; echo oops >&2; cat; exit 7' X=1
	is 'load_run: done' "$status" 0
	is 'load_run: keys' "$(keys)" 'run pid exit timed_out wall_ms user_ms sys_ms maxrss_kb cpu_ms busy_ms stolen_ms load_ms leftover escaped out_bytes out err_bytes err '
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

# within N LOW HIGH
within()
{
	[ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

# A date of our own tells two hours less from the moment that a load says so.
a_clock_that_is_set_is_told()
{
	fresh
	mkdir -p "$work/dates"
	cat >"$work/dates/date" <<-END
		#!/bin/sh
		[ ! -e "$work/set" ] || set -- -d '2 hours ago' "\$@"
		exec /bin/date "\$@"
	END
	chmod 755 "$work/dates/date"
	rm -f "$work/set"
	abrun_path=$work/dates:/sbin:/bin:/usr/sbin:/usr/bin
	export abrun_path
	load "sleep 0.2; : >$work/set"
	step=$(value clock_step_ms)
	ok 'E81: a clock that is set is told' \
	    within "$step" -7260000 -7140000
	ok 'E81: and not believed' \
	    within "$(value wall_ms)" 190 3600000
	load 'sleep 0.1'
	is 'E81: nothing is told of one that goes on' "$(value clock_step_ms)" ''
	unset abrun_path
}

# near GOT WANTED: not less, but for rounding, nor 300 ms more: the start of
# shell and tools counts.
near()
{
	[ "$1" -ge $(($2 - 20)) ] && [ "$1" -le $(($2 + 300)) ]
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
	# As of make -j: what the tree says of itself is what is told, and what
	# the keeper and the one who looks spend is not.
	# shellcheck disable=SC2016 # the load's own
	for verb in load_run load_prove; do
		ask "$verb" "$dir" 20000 1000 '' 0 'for job in 1 2 3 4; do
		    sh -c "n=0; while [ \$n -lt 50000 ]; do n=\$((n + 1)); done" &
		    done; wait; times; sleep 0.5'
		# Of minutes and seconds with a fraction, "0m1.234500s", ms.
		# shellcheck disable=SC2046 # two numbers
		set -- $(value out | sed -n -e '2s/[ms]/ /gp' |
		    awk '{ printf "%d %d", $1 * 60000 + $2 * 1000,
			$3 * 60000 + $4 * 1000 }')
		ok "$verb: user_ms is that of the whole tree ($1)" \
		    near "$(value user_ms)" "$1"
		ok "$verb: and so is sys_ms ($2)" near "$(value sys_ms)" "$2"
	done
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
	is 'load_run: it believes that' "$(keys)" 'run pid exit timed_out wall_ms user_ms sys_ms cpu_ms busy_ms stolen_ms load_ms leftover escaped out_bytes out err_bytes err '
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
	is 'C50: deadline: told, its keeper lives' "$status $(value timed_out) $(value out)" \
	    "0 yes begun"
	ok 'deadline: it waited' [ "$(value wall_ms)" -ge 300 ]
	is 'C49: deadline: all are gone' "$(pgrep -f 'sleep 61$')" ''
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
	load 'setsid sleep 67 >/dev/null 2>&1 & echo done' "ABRUN_LOAD=$dir"
	is 'C49: one that left session and output is found by its mark' \
	    "$(value leftover) $(value escaped) $(value out)" '1 no done'
	is 'C49: and is gone before the next run' "$(pgrep -f 'sleep 67$')" ''
	ask load_run "$dir" 500 1000 '' 1 "ABRUN_LOAD=$dir" \
	    'setsid sh -c "trap \"\" TERM; sleep 67; :" >/dev/null 2>&1 & sleep 9'
	is 'C49: so are the children of a wrapper that timed out' \
	    "$(value timed_out) $(pgrep -f 'sleep 67')" 'yes '
	load 'kill -s TERM 0; sleep 9' "ABRUN_LOAD=$dir"
	is 'C50: a load that kills its group kills nobody else' \
	    "$status $(value signal) $(value timed_out)" '0 TERM no'
	load 'env -i /usr/bin/setsid /bin/sleep 9 & echo done' "ABRUN_LOAD=$dir"
	is 'left-over: one that also hides its mark is told by its output' \
	    "$(value escaped) $(value out)" 'yes done'
	load 'sleep 0 & wait'
	is 'left-over: none' "$(value leftover) $(value escaped)" '0 no'
}

# The call dies with its link; the load and its keeper do not.  Whoever starts
# this test may have hang-ups ignored, as nohup(1) has.
loads_survive_their_call()
{
	fresh
	env --default-signal=HUP "$shell" hooks/os/linux.sh \
	    load_run "$dir/run.mine" 20000 1000 '' 0 \
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
	is 'load_collect: the same keys' "$(keys)" 'run pid exit timed_out wall_ms user_ms sys_ms maxrss_kb cpu_ms busy_ms stolen_ms load_ms leftover escaped out_bytes out err_bytes err '
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

# Whoever lost the link waits for the end again, at little cost.
loads_are_waited_for_again()
{
	fresh
	env --default-signal=HUP "$shell" hooks/os/linux.sh \
	    load_run "$dir/run.mine" 20000 1000 '' 0 \
	    "echo begun; while [ ! -e '$dir/go' ]; do sleep 0.02; done;
	    echo ended" >"$work/cut" 2>&1 &
	call=$!
	until_true grep -q begun "$dir/run.mine/out" 2>/dev/null
	kill -s HUP "$call"
	wait "$call" 2>/dev/null
	ask load_collect "$dir/run.mine" 300
	is 'load_collect: it waits no longer than asked' \
	    "$status $(value error)" '1 still running'
	(sleep 0.3; : >"$dir/go") &
	ask load_collect "$dir/run.mine" 20000
	is 'load_collect: it waits for the end' \
	    "$status $(value exit) $(value out)" "0 0 begun${nl}ended"
	mkdir "$dir/run.late"
	(sleep 0.2; echo 'exit=0' >"$dir/run.late/status") &
	ask load_collect "$dir/run.late" 20000
	is 'load_collect: a keeper may come late' "$status $(value exit)" '0 0'
	mkdir "$dir/run.dead"
	echo "$$ 1" >"$dir/run.dead/keeper.pid"
	ask load_collect "$dir/run.dead" 20000
	is 'load_collect: it does not wait for a keeper that is gone' "$status" 3
	ask load_collect "$dir/run.dead" soon
	is 'load_collect: a time limit is a number' "$status" 1
	begin slow
	ask load_collect "$dir/run.slow"
	is 'load_collect: no time limit, no waiting' "$status $(value error)" \
	    '1 still running'
	setsid "$shell" hooks/os/linux.sh load_collect "$dir/run.slow" 20000 \
	    >"$work/collect" 2>&1 &
	waiter=$!
	until_true pgrep -P "$waiter" >/dev/null
	sleep 0.3
	kill -s TERM -- "-$waiter"
	wait "$waiter" 2>/dev/null
	until_true [ -e "$dir/run.slow/status" ]
	wait "$call"
	is 'load_collect: who ends it ends the load' "$(pgrep -f 'sleep 66$')" ''
}

# call_and_wait NAME: a load of that name in the background, begun.
begin()
{
	"$shell" hooks/os/linux.sh load_run "$dir/run.$1" 20000 1000 '' 0 \
	    'echo begun; sleep 66' >"$work/cut" 2>&1 &
	call=$!
	until_true grep -q begun "$dir/run.$1/out" 2>/dev/null
}

# Also where the keeper that would have ended them is gone.
others_are_left_alone()
{
	fresh
	setsid env "ABRUN_LOAD=$dir" sleep 68 &
	setsid env "ABRUN_LOAD=$dir.not" sleep 69 &
	other=$!
	until_true pgrep -f 'sleep 69$' >/dev/null
	until_true pgrep -f 'sleep 68$' >/dev/null
	load true "ABRUN_LOAD=$dir"
	is 'marks: one of an earlier run is ended' \
	    "$(value leftover) $(pgrep -f 'sleep 68$')" '1 '
	setsid env "ABRUN_LOAD=$dir" sleep 68 &
	until_true pgrep -f 'sleep 68$' >/dev/null
	ask load_kill "$dir"
	is 'load_kill: so it is when no run is left' \
	    "$status $(value left | cut -d ' ' -f 2)$(pgrep -f 'sleep 68$')" \
	    '0 sleep'
	TMPDIR=$work ask workdir
	ok 'workdir: another abrun is told' grep -q \
	    "^other${tab}[0-9]* sleep ${dir}.not\$" "$work/answer"
	is 'and left alone' "$(pgrep -f 'sleep 69$')" "$other"
	kill "$other"
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

# As by a signal that comes while the load begins.
loads_are_ended_as_they_begin()
{
	fresh
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		"$shell" hooks/os/linux.sh load_run "$dir" 20000 1000 '' 0 \
		    'sleep 0.01' >/dev/null 2>&1 &
		call=$!
		tries=0 keeper=
		until [ -n "$keeper" ] || [ "$tries" -ge 3000 ]; do
			tries=$((tries + 1))
			read -r keeper _ 2>/dev/null <"$(echo "$dir"/run.*)/keeper.pid"
		done
		kill -s TERM "$keeper" 2>/dev/null
		wait "$call"
		rm -rf "$dir"/run.*
	done
	until_true not_found "$dir/run"
	is 'load_run: nothing stays of what was ended as it began' \
	    "$(pgrep -a -f "$dir/run")" ''
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
	a_clock_that_is_set_is_told
	loads_tell_whose_the_cpu_was
	loads_are_measured
	tools_are_tried_once
	outputs_are_capped
	large_outputs_stay_small
	deadlines_are_kept
	left_overs_are_killed
	loads_survive_their_call
	loads_are_waited_for_again
	loads_are_ended_on_purpose
	loads_are_ended_as_they_begin
	others_are_left_alone
done
finish
