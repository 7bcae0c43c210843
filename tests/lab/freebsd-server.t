#!/bin/sh
# hooks/os/freebsd.sh on a simulated FreeBSD: servers that it starts and stops,
# loads that it runs and proves, services of rc(8), and knobs.

# shellcheck disable=SC1090,SC2016,SC2034 # texts for other shells
set -u
work=$(mktemp -d /tmp/abrun-freebsd.XXXXXX) || exit 1
pids=
end()
{
	for dir in "$work"/dir.*; do
		ask load_kill "$dir"
	done
	for pid in $pids; do
		kill -s KILL "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap end EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
. tests/lib/freebsd.sh
. tests/lib/servers.sh

servers_start_and_stop()
{
	pretend_machine
	fresh
	LEAK=1 serve 'sleep 2060' 'A=two words' EMPTY=
	is 'server_start: done' "$status" 0
	until_true is_named "$server" sleep
	is 'server_start: its environment is clean' \
	    "$(tr '\000' '\n' <"/proc/$server/environ" | sort)" \
	    "$(printf '%s\n' 'A=two words' "ABRUN_SERVER=$dir" EMPTY= \
		"HOME=$HOME" LANG=C "PATH=$FB/bin")"
	is 'server_start: a session of its own' \
	    "$(ps -o sid= -p "$server" | tr -d ' ')" "$server"
	ask process "$server"
	is 'server_start: the start that the process has' "$(value start)" \
	    "$life"
	ask server_left "$dir"
	is 'server_left' "$(value pid) $(value start)" "$server $life"
	ask server_stop "$server" "$life" 5000
	is 'server_stop' "$status $(value ended)" '0 term'
	ask server_stop "$server" "$life" 5000
	is 'server_stop: of one that is gone' "$(value ended)" gone
	serve 'sh -c "sleep 2061 & sleep 2062 & wait"'
	ask server_stop "$server" "$life" 5000
	is 'server_stop: with what has its mark' "$(all left | wc -l)" 2
	serve 'echo oops; exit 3'
	until_true grep -q oops "$dir/server.log"
	ask server_log "$dir" 100
	is 'server_log' "$(all log)" 'oops\n'
	# The other account runs programs from there.
	chmod 755 "$work"
	cpu=$(sed -n -e 's/^Cpus_allowed_list:.//p' /proc/self/status |
	    sed -e 's/[-,].*//')
	ask server_start "$dir" nobody "$cpu" 0 'sleep 2060'
	pids="$pids $(value pid)"
	until_true is_named "$(value pid)" sleep
	server=$(value pid)
	is 'server_start: as another account' \
	    "$(ps -o user= -p "$server")" nobody
	ask threads "$server"
	is 'server_start: on one CPU' "$(value cpus)" "$cpu"
}

commands_run_around_servers()
{
	pretend_machine
	fresh
	ask server_run "$dir" ready 5000 '' 1 A=1 'echo "$A"; exit 7'
	is 'server_run: its status' "$status $(value exit)" '1 7'
	is 'server_run: the clock is in whole seconds' \
	    "$(($(value clock) % 100))" 0
	ask server_run "$dir" start 5000 '' 0 'sleep 2063 & echo $! >"'"$dir/it"'"'
	is 'server_run: what it started lives on' "$status" 0
	it=$(cat "$dir/it")
	pids="$pids $it"
	clock=$(value clock)
	ask process "$it"
	ok 'server_run: and did not start before its clock' \
	    [ "$(value start)" -ge "$clock" ]
	ask server_run "$dir" stop 300 '' 0 'sleep 2064'
	is 'server_run: ended by its limit' "$status $(value timed_out)" '1 yes'
}

# load COMMAND [ENV...]: runs it with a cap of 1000 bytes.
load()
{
	command=$1
	shift
	ask load_run "$dir" 20000 1000 '' $# "$@" "$command"
}

loads_run()
{
	pretend_machine
	oid kern.clockrate '{ hz = 100, tick = 10000, profhz = 8128, stathz = 127 }'
	oid kern.cp_time '0 0 0 0 0'
	each_time kern.cp_time 'echo "127 0 0 0 254" >"$FB/oid/kern.cp_time"'
	fresh
	load 'printf "a\tb\n"; echo oops >&2; sleep 0.3; exit 7' X=1
	is 'load_run: its end' "$status $(value exit) $(value timed_out)" '0 7 no'
	is 'load_run: what it wrote' "$(all out) $(all err)" 'a\tb\n oops\n'
	ok 'load_run: its time' [ "$(value wall_ms)" -ge 300 ]
	ok 'load_run: its memory' [ "$(value maxrss_kb)" -gt 100 ]
	is 'load_run: nothing is left over' "$(value leftover) $(value escaped)" \
	    '0 no'
	is 'load_run: what a hypervisor took is not known' "$(all stolen_ms)" ''
	ask server_start "$dir" '' '' 0 'sh -c "while :; do (:); done"'
	server=$(value pid) life=$(value start)
	pids="$pids $server"
	load 'sleep 2'
	ok "load_run: the server's CPU time" [ "$(value server_ms)" -ge 0 ]
	ask server_stop "$server" "$life" 5000
	load 'true'
	is 'load_run: a server that ended has none' "$(all server_ms)" ''
	# C50: it kills its own group, and not the keeper's.
	load 'kill 0; sleep 5'
	is 'load_run: stopping its group leaves the keeper' \
	    "$status $(value signal)" '0 TERM'
	# C49: what it leaves running is ended with it.
	load 'sleep 2065 & echo $!'
	is 'load_run: children are counted' "$(value leftover)" 1
	ok 'load_run: and ended' not_running "$(value out)"
	ask load_run "$dir" 500 1000 '' 1 "ABRUN_LOAD=$dir" \
	    'setsid sleep 2066 2>/dev/null & sleep 2067'
	is 'load_run: its limit' "$(value timed_out)" yes
	# E81: the clock is set while it runs, and the time of the boot with it.
	sec=$(sed -e 's/^{ sec = //' -e 's/,.*//' -e q "$FB/oid/kern.boottime")
	load "sleep 0.2; echo 3600 >'$FB/step'; echo '{ sec = $((sec + 3600)), usec = 740932 }' >'$FB/oid/kern.boottime'"
	ok 'load_run: a clock that is set is told' \
	    [ "$(value clock_step_ms)" -ge 3000000 ]
	ok 'load_run: and is not the time it took' \
	    [ "$(value wall_ms)" -lt 1000000 ]
}

not_running()
{
	! running "$1"
}

loads_are_proved()
{
	pretend_machine
	fresh
	"$shell" hooks/os/freebsd.sh load_prove "$dir/run.1" 60000 1000 '' 1 \
	    LIBPTHREAD_YIELDLOOPS=30 'exec sleep 40' >"$work/proved" 2>&1 &
	ok 'load_prove: it is looked at while it runs' \
	    until_true grep -qs program "$dir/run.1/seen.1/what" \
	    "$dir/run.1/seen.2/what" "$dir/run.1/seen.3/what" \
	    "$dir/run.1/seen.4/what" "$dir/run.1/seen.5/what"
	ask load_kill "$dir"
	wait
	is 'load_prove: its end' "$(sed -n -e "s/^signal$tab//p" \
	    "$work/proved")" TERM
	ask load_seen "$dir/run.1" LIBPTHREAD_YIELDLOOPS \
	    "$(readlink -f /lib/x86_64-linux-gnu/libc.so.6 || echo /no)" /no/lib
	is 'load_seen: the program' "$status $(value subject) $(value comm)" \
	    '0 program sleep'
	is 'load_seen: its environment' "$(all env)" LIBPTHREAD_YIELDLOOPS=30
	is 'load_seen: its libraries' "$(all mapped | tr '\n' ' ')" 'yes no '
}

# rc SCRIPT: the pretend service(8) runs this for mysql-server.
rc_script()
{
	mkdir -p "$ABRUN_ROOT/usr/local/etc/rc.d" "$ABRUN_ROOT/var/run"
	printf '#!/bin/sh\nname=mysql\n: ${mysql_args}\n' \
	    >"$ABRUN_ROOT/usr/local/etc/rc.d/mysql-server"
	chmod 755 "$ABRUN_ROOT/usr/local/etc/rc.d/mysql-server"
	tool service <<'END'
[ "$1" = mysql-server ] || exit 1
echo "$2" >>"$FB/services"
case $2 in
rcvar) printf '# mysql\n#\nmysql_enable="YES"\n#   (default: "")\n' ;;
onestatus)
	if [ -e "$FB/up" ]; then
		echo "mysql is running as pid $(cat "$FB/up")."
	else
		echo 'mysql is not running.'
		exit 1
	fi
	;;
onestart)
	[ ! -e "$FB/noop" ] || { echo "Cannot 'start' mysql. Set mysql_enable to YES in /etc/rc.conf or use 'onestart' instead of 'start'."; exit 0; }
	if [ -e "$FB/up" ]; then
		echo "mysql already running?  (pid=$(cat "$FB/up"))." >&2
		exit 1
	fi
	echo 44665 >"$FB/up"
	echo 'Starting mysql.'
	;;
onestop)
	if [ ! -e "$FB/up" ]; then
		echo 'mysql not running? (check /var/db/mysql/lab1.example.com.pid).' >&2
		exit 1
	fi
	rm "$FB/up"
	echo 'Stopping mysql.'
	echo 'Waiting for PIDS: 44665.'
	;;
esac
END
}

services_are_started()
{
	pretend_machine
	rc_script
	ask service mysql-server
	is 'service: found, and not running' \
	    "$status $(value manager) $(value id) $(value was)" \
	    '0 rc mysql-server inactive'
	settings=$ABRUN_ROOT/etc/rc.conf.d/mysql
	ask service_start mysql-server 5000 0-3 '--skip-networking=0' 2 \
	    LIBPTHREAD_YIELDLOOPS=30 LD_LIBMAP=libpthread.so.2=libthr.so.2 -
	is 'service_start: done' "$status" 0
	is 'service_start: its settings' "$(sed 1d "$settings")" \
	    "mysql_env=\"\${mysql_env:+\$mysql_env }LIBPTHREAD_YIELDLOOPS=30 LD_LIBMAP=libpthread.so.2=libthr.so.2\"
mysql_args=\"\${mysql_args:+\$mysql_args }--skip-networking=0\"
mysql_prepend=\"cpuset -l 0-3\""
	is 'service_start: what the host has set stays' \
	    "$(mysql_env=OWN=1 && . "$settings" && echo "$mysql_env")" \
	    'OWN=1 LIBPTHREAD_YIELDLOOPS=30 LD_LIBMAP=libpthread.so.2=libthr.so.2'
	ask service mysql-server
	is 'service: it runs' "$(value was) $(value pid)" 'active 44665'
	ask service_start mysql-server 1000 '' '' 0 -
	is 'service_start: one that runs is not started anew' "$status" 1
	ask service_restore mysql-server inactive 5000
	is 'service_restore: stopped, and without our settings' \
	    "$status $(value state) $(ls "$ABRUN_ROOT/etc/rc.conf.d")" \
	    '0 inactive '
	: >"$FB/services"
	ask service_restore mysql-server inactive 5000
	ok 'service_restore: nothing is done where all is so' \
	    not_grepped 'onest[ao][rp]' "$FB/services"
	ask service_restore mysql-server active 5000
	is 'service_restore: running again' "$(value state)" active
	ask service_stop mysql-server 5000
	is 'service_stop' "$status $(value state)" '0 inactive'
}

not_grepped()
{
	! grep -q "$1\$" "$2"
}

services_may_be_wrong()
{
	pretend_machine
	rc_script
	touch "$FB/noop"
	ask service_start mysql-server 500 '' '' 0 -
	is 'service_start: that it ends with 0 proves nothing' "$status" 1
	ask service_start mysql-server 500 '' '' 1 'A=two words' -
	is 'service_start: a value that three shells would part' "$status" 1
	ask service_start mysql-server 500 '' '' 1 'A=$(id)' -
	is 'service_start: a value that a shell would run' "$status" 1
	mkdir -p "$ABRUN_ROOT/etc/rc.conf.d" \
	    "$ABRUN_ROOT/usr/local/etc/rc.conf.d"
	rm -f "$ABRUN_ROOT"/etc/rc.conf.d/*
	echo 'mysql_enable=YES' >"$ABRUN_ROOT/etc/rc.conf.d/mysql"
	rm "$FB/noop"
	ask service_start mysql-server 5000 '' '' 1 A=1 -
	is "service_start: another's settings are left alone" \
	    "$status $(cat "$ABRUN_ROOT/etc/rc.conf.d/mysql")" \
	    '0 mysql_enable=YES'
	ok 'service_start: ours go beside them' \
	    grep -q 'A=1' "$ABRUN_ROOT/usr/local/etc/rc.conf.d/mysql"
	rm "$ABRUN_ROOT/usr/local/etc/rc.conf.d/mysql" "$FB/up"
	echo 'mysql_enable=YES' >"$ABRUN_ROOT/usr/local/etc/rc.conf.d/mysql"
	ask service_start mysql-server 5000 '' '' 1 A=1 -
	is 'service_start: where there is no place it refuses' "$status" 1
	ask service no-such
	is 'service: no such script' "$status" 1
}

knobs_are_turned()
{
	pretend_machine
	oid kern.sched.slice 12
	oid dev.ix.0.iflib.simple_tx 0
	oid vm.loadavg '{ 0.33 0.33 0.37 }'
	ask get sysctl kern.sched.slice
	is 'get: a value' "$status $(value value)" '0 12'
	ask get sysctl kern.sched
	is 'get: what stands for others is no value' "$status" 1
	ask get sysctl no.such.thing
	is 'get: there is none' "$status" 2
	ask get sysctl '-a'
	is 'get: an option is no name' "$status" 1
	touch "$FB/dying"
	ask get sysctl kern.sched.slice
	is 'get: nothing said is unknown' "$status" 3
	rm "$FB/dying"
	ask set sysctl kern.sched.slice 24
	is 'set: read back' "$status $(value old) $(value new)" '0 12 24'
	ask set sysctl kern.sched.slice 12
	is 'set: and back' "$(value old) $(value new)" '24 12'
	echo tunable >"$FB/mode/dev.ix.0.iflib.simple_tx"
	ask set sysctl dev.ix.0.iflib.simple_tx 1
	is 'set: a loader tunable, with the reason' "$status $(value error)" \
	    "1 the kernel refused 1 for sysctl dev.ix.0.iflib.simple_tx: $(
	    captured sysctl-tunable-15-1.txt | head -n 1)"
	echo 'echo 10' >"$FB/mode/kern.sched.slice.clamp"
	chmod 755 "$FB/mode/kern.sched.slice.clamp"
	ask set sysctl kern.sched.slice 1
	is 'set: the kernel makes another value of it' \
	    "$status $(value new)" '1 10'
	ask set thp enabled never
	is 'set: a knob of another system' "$status" 2
}

# As FreeBSD's sh is one of dash's family, what differs in others is not told.
shell=dash
servers_start_and_stop
commands_run_around_servers
loads_run
loads_are_proved
services_are_started
services_may_be_wrong
knobs_are_turned
finish
