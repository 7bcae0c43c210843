#!/bin/sh
# Tunnels: src/target/tunnel.c.

# shellcheck disable=SC2016,SC2088,SC2154
# shellcheck source=tests/lib/ssh_lab.sh
. tests/lib/ssh_lab.sh

"$tool" echo "unix:$work/echo" >/dev/null &
helpers="$helpers $!"
"$tool" echo tcp: >"$work/echo_port" &
helpers="$helpers $!"
wait_for [ -S "$work/echo" ]
wait_for [ -s "$work/echo_port" ]

tunnel() {
	"$tool" tunnel --quiet --ssh lab --config "$lab/ssh_config" "$@" \
		>"$work/said" 2>&1
}

tunnel --socket "$work/echo" --repeat 50 one two three
[ "$(grep -c '^echoed' "$work/said")" -eq 3 ]
result "a tunnel to a Unix socket, one connection after another"
socket=$(sed -n 's/^socket=//p' "$work/said")
[ -n "$socket" ] && [ ! -e "$(dirname "$socket")" ]
result "its directory is gone when it is closed"

tunnel --port "$(cat "$work/echo_port")" --repeat 50 one two three
[ "$(grep -c '^echoed' "$work/said")" -eq 3 ]
result "a tunnel to a TCP port"

tunnel --socket "$work/echo" "$(head -c 100000 /dev/zero | tr '\0' y)"
says echoed && says_not 'not echoed'
result "100 kB at once"

tunnel --socket "$work/nobody" one two
[ "$(grep -c "^not echoed: $work/nobody cannot be reached on lab " \
	"$work/said")" -eq 2 ]
result "nobody there: the reason can be asked for"

mkfifo "$work/end"
"$tool" hold --ssh lab --config "$lab/ssh_config" --socket "$work/echo" \
	<"$work/end" >"$work/hold" 2>&1 &
holder=$!
exec 3>"$work/end"
wait_for [ -s "$work/hold" ]
socket=$(sed -n 's/^socket=//p' "$work/hold")
[ "$(stat -c %a "$(dirname "$socket")")" = 700 ]
result "its socket is in a private directory"
clients=
for i in 1 2 3 4; do
	"$tool" ask --socket "$socket" --repeat 200 "client $i" \
		>"$work/said$i" &
	clients="$clients $!"
done
good=0
for pid in $clients; do
	wait "$pid" && good=$((good + 1))
done
[ "$good" -eq 4 ]
result "four clients at once"

# crowd N: as many connections as that, kept open, each told of.
crowd()
{
	perl -MIO::Socket::UNIX -e '$SIG{PIPE} = "IGNORE"; for (1 .. $ARGV[1]) {
	    my $one = IO::Socket::UNIX->new(Peer => $ARGV[0]) or last;
	    push @all, $one;
	    syswrite $one, "x";
	    print sysread($one, my $answer, 1) ? "open\n" : "refused\n"; }' \
		"$socket" "$1" >"$work/said" 2>&1
}
crowd 18
[ "$(uniq -c "$work/said" | tr -s ' \n' ' ')" = " 16 open 2 refused " ]
result "more than sixteen are refused"
crowd 3
[ "$(uniq -c "$work/said" | tr -s ' \n' ' ')" = " 3 open " ]
result "those that have gone make room"
for pid in $(session_sshd); do
	kill -s KILL "$pid"
done
! "$tool" ask --socket "$socket" lost >"$work/said" 2>&1
result "a tunnel whose session broke refuses its clients"
exec 3>&-
wait "$holder" && [ ! -e "$(dirname "$socket")" ]
result "and still closes"

lab_plan
