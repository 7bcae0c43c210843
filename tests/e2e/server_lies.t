#!/bin/sh
# Servers that are no mysqld and lie about being started, ready or stopped.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/redis.sh
. tests/lib/redis.sh

# What does not come up is told.
server="command = \"$redis --no-such-option 1\"; mysqld = false"
short early
night early
is "a server that exits early: 1" "$status" 1
says "the server exited before it answered: Bad directive or wrong"
result "its own words are told"

nap=$((500000 + $$))
server="command = \"sleep $nap\"; mysqld = false; start_timeout = \"1s\""
short silent
night silent
is "a server that never listens: 1" "$status" 1
says "the server did not answer in time: nobody listens at " \
	":$port; its log:"
result "that nobody listens is told"
is "and it is not left running" "$(left_over; pgrep -x -f "sleep $nap")" ""

server="start = \"$redis --daemonize yes\"; stop = \"$shut\";
    ready = \"echo not me >&2; exit 3\"; start_timeout = \"1s\""
short unready
night unready
is "a server that is never ready: 1" "$status" 1
says "the server did not answer in time: server.ready: " \
	"it ended with status 3: not me"
result "what the ready command says is told"
is "and it was stopped by its stop command" "$(listeners)" ""

server="start = \"echo no luck >&2; exit 5\"; stop = \"true\"; ready = \"true\""
short refused
night refused
is "a start command that fails: 1" "$status" 1
says "server.start: " "it ended with status 5: no luck"
result "what it says is told"

# An environment that cannot be read proves nothing.
server="command = \"$redis_titled\"; mysqld = false"
short titled
night titled
is "a server that overwrites its environment: 1" "$status" 1
says "environment: wanted X 1, unknown: the process has overwritten its" \
	"(redis: set-proc-title no)"
result "that it has, and what to do, is told"

# Somebody else is there.
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$work" \
	>"$work/redis.log" 2>&1 &
old=$!
helpers=$old
wait_for redis-cli -p "$port" ping >/dev/null 2>&1
server="start = \"$redis --daemonize yes\"; stop = \"$shut\"; ready = \"$ping\""
short foreign
night foreign
is "C42: the old server answers in place of the new one: 1" "$status" 1
says "a server that abrun did not start listens at the address of this" \
	"pid $old ("
result "C42: who it is is told"
! ended "$old"
result "C42: it is left alone"
is "C42: nothing was measured" "$(sql "SELECT count(*) FROM run" foreign)" 0
kill "$old"
wait "$old"
helpers=

# A process from before the start opens the port when told to.
cat >"$work/standing.pl" <<'END'
use Socket;
my ($port, $file) = @ARGV;
select(undef, undef, undef, 0.05) until -e $file;
socket(my $s, PF_INET, SOCK_STREAM, 0) or die;
setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
bind($s, sockaddr_in($port, INADDR_LOOPBACK)) or die;
listen($s, 5);
sleep 60;
END
perl "$work/standing.pl" "$port" "$work/open" &
old=$!
helpers=$old
server="start = \"touch $work/open; sleep 0.2\"; stop = \"rm -f $work/open\";
    ready = \"true\"; stop_timeout = \"1s\""
short standing
night standing
is "C42: a process from before the start opens the port: 1" "$status" 1
says "pid $old (perl), which listens at " \
	":$port, was there before server.start was run"
result "C42: that it is none of this start is told"
kill "$old" 2>/dev/null
wait "$old" 2>/dev/null
helpers=

server="start = \"(sleep 0.7; exec $redis) >/dev/null 2>&1 &\";
    stop = \"$shut\"; ready = \"true\""
short late
night late
is "C43: a port that can be had only after a while is waited for" \
	"$status $(sql "SELECT count(*) FROM visit WHERE status = 'valid'" late)" \
	"0 2"

# Its parent never asks how it ended: a zombie is no process.
cat >"$work/keeper" <<END
#!/bin/sh
redis-server "\$@" &
exec sleep 7
END
chmod 755 "$work/keeper"
server="start = \"$work/keeper --port {port} --save '' --dir $work \
--set-proc-title no >/dev/null &\";
    stop = \"$shut\"; ready = \"$ping\"; stop_timeout = \"3s\""
short zombie
night zombie
is "a stopped server that stays a zombie is gone" "$status" 0

# Files that say which process it is.
echo "$$" >"$work/server.pid"
cat >"$work/refuses" <<END
#!/bin/sh
if kill -0 "\$(cat $work/server.pid)"; then
	echo "already running as pid \$(cat $work/server.pid)" >&2
	exit 1
fi
END
chmod 755 "$work/refuses"
server="start = \"$work/refuses\"; stop = \"true\"; ready = \"true\""
short stale
night stale
is "C38: a stale pid file of another program, a start that refuses: 1" \
	"$status" 1
says "server.start: " "already running as pid $$"
result "C38: why is told"

echo 99999999 >"$work/server.pid"
server="start = \"$redis --daemonize yes\";
    stop = \"kill \$(cat $work/server.pid)\"; ready = \"$ping\";
    stop_timeout = \"1s\""
short wrong
night wrong
says "the server, pid " ": it could not be stopped: server_run: it ended" \
	"with status 1: sh: "
result "C39: that the stop command stops nothing is told"
is "C39: the server was killed in the end" "$(listeners)" ""

server="start = \"$redis --daemonize yes --pidfile $work/gone.pid\";
    stop = \"rm -f $work/gone.pid; (sleep 0.7; $shut) >/dev/null 2>&1 &\";
    ready = \"$ping\""
short outlives
night outlives
is "C41: a process that outlives its pid file is waited for" \
	"$status $(sql "SELECT count(*) FROM visit WHERE status = 'valid'" outlives)" \
	"0 2"
is "C41: nothing listens afterwards" "$(listeners)" ""
night_plan
