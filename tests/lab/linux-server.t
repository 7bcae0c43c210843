#!/bin/sh
# hooks/os/linux.sh: servers that it starts and stops.

set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
pids=
end()
{
	for pid in $pids; do
		kill -s KILL "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap end EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh

# fresh: an empty directory $dir for a server.
fresh()
{
	dir=$(mktemp -d "$work/dir.XXXXXX")
}

# serve COMMAND [ENV...]: a server in $dir; $server and $life.
serve()
{
	command=$1
	shift
	ask server_start "$dir" '' '' $# "$@" "$command"
	server=$(value pid) life=$(value start)
	pids="$pids $server"
}

# is_named PID NAME: the process executes NAME by now.
is_named()
{
	[ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ]
}

environment()
{
	tr '\000' '\n' <"/proc/$1/environ" | sort
}

servers_start()
{
	fresh
	LEAK=1 SSH_CLIENT=x serve 'sleep 60' 'A=two words' EMPTY= \
	    "ODD=it's \$HOME
\"x\""
	is 'server_start: done' "$status" 0
	is 'server_start: start' "$life" \
	    "$(sed -e 's/.*) //' "/proc/$server/stat" | cut -d ' ' -f 20)"
	until_true is_named "$server" sleep
	is 'server_start: the process is the server itself' \
	    "$(tr '\000' ' ' <"/proc/$server/cmdline")" 'sleep 60 '
	is 'server_start: its environment is clean' "$(environment "$server")" \
	    "$(printf '%s\n' "\"x\"" 'A=two words' EMPTY= "HOME=$HOME" LANG=C \
		"ODD=it's \$HOME" \
		PATH=/sbin:/bin:/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin)"
	is 'server_start: it leads a session of its own' \
	    "$(ps -o sid= -p "$server" | tr -d ' ')" "$server"
	is 'server_start: standard input is empty' \
	    "$(readlink "/proc/$server/fd/0")" /dev/null
	is 'server_start: server.pid' "$(cat "$dir/server.pid")" "$server $life"
	ask server_left "$dir"
	is 'server_left: it lives' "$(value pid) $(value start)" "$server $life"
	ask server_stop "$server" "$life" 5000
	is 'server_stop: done' "$status $(value ended)" '0 term'
	ok 'server_stop: gone' not_running "$server"
	ask server_left "$dir"
	is 'server_left: nothing' "$status $(keys)" '2 '
	ask server_stop "$server" "$life" 5000
	is 'server_stop: again' "$status $(value ended)" '0 gone'
}

not_running()
{
	! running "$1"
}

servers_may_be_wrong()
{
	fresh
	ask server_start "$dir" '' '' 1 'sleep 60'
	is 'server_start: a wrong count fails' "$status" 1
	ask server_start "$dir" '' '' 1 'no assignment' 'sleep 60'
	is 'server_start: a wrong variable fails' "$status" 1
	ask server_start "$work/nowhere" '' '' 0 'sleep 60'
	is 'server_start: a missing directory fails' "$status" 1
	ask server_start "$dir" no_such_account '' 0 'sleep 60'
	is 'server_start: an unknown account fails' "$status" 1
	ask server_start "$dir" '' '' 0 '/no/such/server --x'
	until_true grep -q 'such/server' "$dir/server.log"
	ask server_log "$dir" 1000
	ok 'server_log: what a wrong command says' \
	    grep -q '^log.*/no/such/server' "$work/answer"
	serve 'sh -c "printf \"a\tb\\n\"; head -c 100000 /dev/zero |
	    tr \"\\0\" x; echo; echo end >&2; exec sleep 60"'
	until_true grep -q end "$dir/server.log"
	ask server_log "$dir" 10
	is 'server_log: the last bytes' "$(all log)" 'xxxxx\nend\n'
	ask server_log "$dir" 200000
	is 'server_log: from the start of this server' \
	    "$(all log | cut -c 1-8)" 'a\tb\nxx'
	ask server_stop "$server" "$life" 5000
	ask server_log "$work/nowhere" 10
	is 'server_log: none is absent' "$status" 2
}

servers_have_account_and_cpus()
{
	fresh
	cpu=$(sed -n -e 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' \
	    /proc/self/status)
	ask server_start "$dir" nobody "$cpu" 0 'sleep 60'
	server=$(value pid) life=$(value start)
	pids="$pids $server"
	until_true is_named "$server" sleep
	is 'server_start: account' "$(ps -o user= -p "$server")" nobody
	is 'server_start: no groups of root' "$(sed -n \
	    's/^Groups:[[:space:]]*//p' "/proc/$server/status" | tr -d ' ')" \
	    "$(id -G nobody)"
	is 'server_start: home of the account' "$(environment "$server" |
	    grep HOME)" "HOME=$(getent passwd nobody | cut -d : -f 6)"
	is 'server_start: CPUs' "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' \
	    "/proc/$server/status")" "$cpu"
	ask server_stop "$server" "$((life + 1))" 5000
	is 'server_stop: another life is gone' "$(value ended)" gone
	ok 'server_stop: and left alone' running "$server"
	ask server_stop "$server" "$life" 5000
	is 'server_stop: as root' "$(value ended)" term
}

stubborn_servers_are_killed()
{
	fresh
	serve "sh -c 'trap \"\" TERM; echo up; while :; do sleep 0.1; done'"
	until_true grep -q up "$dir/server.log"
	ask server_stop "$server" "$life" 300
	is 'server_stop: killed is a failure' "$status $(value ended)" '1 kill'
	ok 'server_stop: killed' not_running "$server"
}

# Its parent never waits for it: pid 1 may reap late.
zombies_are_stopped()
{
	rm -f "$work/zombie"
	sh -c 'setsid sleep 60 & echo $! >"$1"; exec sleep 60' sh \
	    "$work/zombie" &
	pids="$pids $!"
	until_true [ -s "$work/zombie" ]
	zombie=$(cat "$work/zombie")
	until_true is_named "$zombie" sleep
	life=$(sed -e 's/.*) //' "/proc/$zombie/stat" | cut -d ' ' -f 20)
	ask server_stop "$zombie" "$life" 5000
	is 'server_stop: a zombie is gone' "$status $(value ended)" '0 term'
	is 'server_stop: it is a zombie indeed' \
	    "$(sed -n 's/^State:.\(.\).*/\1/p' "/proc/$zombie/status")" Z
}

for shell in dash bash; do
	servers_start
	servers_may_be_wrong
	servers_have_account_and_cpus
	stubborn_servers_are_killed
	zombies_are_stopped
done
finish
