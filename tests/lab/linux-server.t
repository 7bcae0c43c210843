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
. tests/lib/servers.sh

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
	    "$(printf '%s\n' "\"x\"" 'A=two words' "ABRUN_SERVER=$dir" EMPTY= "HOME=$HOME" LANG=C \
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

# One that TERM does not end leaves its socket, which another may have taken.
killed_ones_leave_no_socket()
{
	# shellcheck disable=SC2016 # perl's
	listener='$SIG{TERM} = "IGNORE"; unlink $ARGV[0]; $own =
IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1) or die; sleep 60;'
	fresh
	serve "perl -MIO::Socket::UNIX -e '$listener' $dir/sock"
	until_true test -S "$dir/sock"
	ask server_stop "$server" "$life" 200 "$dir/sock"
	is 'server_stop: by KILL' "$status $(value ended)" '1 kill'
	ok 'server_stop: no socket is left' test ! -e "$dir/sock"
	fresh
	serve "perl -MIO::Socket::UNIX -e '$listener' $dir/sock"
	until_true test -S "$dir/sock"
	perl -MIO::Socket::UNIX -e "$listener" "$dir/sock" &
	other=$!
	until_true socket_of "$other"
	ask server_stop "$server" "$life" 200 "$dir/sock"
	is "server_stop: another one's socket stays" \
	    "$status $(value ended) $(ls "$dir/sock")" "1 kill $dir/sock"
	kill -s KILL "$other"
	wait "$other" 2>/dev/null
}
socket_of()
{
	ask owner socket "$dir/sock"
	[ "$(value pid)" = "$1" ]
}

# A script that does not exec its server leaves it behind.
wrappers_end_with_what_they_started()
{
	fresh
	printf '%s\n' '#!/bin/sh' 'sleep 71' ':' >"$dir/wrap"
	chmod 755 "$dir/wrap"
	serve "$dir/wrap"
	until_true pgrep -f 'sleep 71$' >/dev/null
	ask server_stop "$server" "$life" 5000
	is 'server_stop: a wrapper ends with its child' \
	    "$status $(value ended) $(value left | cut -d ' ' -f 2)" \
	    '0 term sleep'
	is 'server_stop: which is gone' "$(pgrep -f 'sleep 71$')" ''
	serve "$dir/wrap"
	until_true pgrep -f 'sleep 71$' >/dev/null
	kill -s KILL "$server"
	until_true not_running "$server"
	ask server_left "$dir"
	is 'server_left: the child of a wrapper that died' \
	    "$status $(value pid)" "0 $(pgrep -f 'sleep 71$')"
	ask server_stop "$(value pid)" "$(value start)" 5000
	is 'server_stop: ends it' "$status $(pgrep -f 'sleep 71$')" '0 '
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

commands_around_servers()
{
	fresh
	# shellcheck disable=SC2016 # of the inner shell
	ask server_run "$dir" start 5000 '' 1 'A=two words' \
	    'echo "$A"; sleep 60 & echo $! >&2'
	pids="$pids $(sed -n 2p "$dir/server.log")"
	is 'server_run: done, whatever is left behind' \
	    "$status $(value exit)" '0 0'
	is 'server_run: the clock is that of processes' "$(($(sed -e 's/.*) //' \
	    "/proc/$(sed -n 2p "$dir/server.log")/stat" | cut -d ' ' -f 20) -
	    $(value clock) < 500))" 1
	server=$(sed -n 2p "$dir/server.log")
	ok 'server_run: what it left lives' running "$server"
	is 'server_run: it has the variables' "$(sed -n 1p "$dir/server.log")" \
	    'two words'
	ask process "$server"
	life=$(value start)
	ask server_run "$dir" stop 5000 '' 0 'echo no luck; exit 7'
	is 'server_run: a command that fails' "$status $(value exit) $(
	    value error)" '1 7 it ended with status 7: no luck'
	ask server_run "$dir" ready 200 '' 0 'sleep 60'
	is 'server_run: a command that does not end' \
	    "$status $(value timed_out) $(value error)" \
	    '1 yes it did not end within 200 ms'
	ask server_run "$dir" ready 5000 '' 0 'env | sort; pwd'
	is 'server_run: its environment is clean' "$(sed -n '/^LANG/p;$p' \
	    "$dir/ready.log")" 'LANG=C
/'
	ask server_run "$dir" else 5000 '' 0 true
	is 'server_run: no other kinds' "$status" 1
	ask server_gone "$server" "$life" 100
	is 'server_gone: what lives on is killed, and told' \
	    "$status $(value ended)" '1 kill'
	ask server_gone "$server" "$life" 100
	is 'server_gone: what is gone' "$status $(value ended)" '0 gone'
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
	is 'C41: server_stop: killed is a failure' "$status $(value ended)" '1 kill'
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
	commands_around_servers
	wrappers_end_with_what_they_started
	killed_ones_leave_no_socket
	servers_may_be_wrong
	servers_have_account_and_cpus
	stubborn_servers_are_killed
	zombies_are_stopped
done
finish
