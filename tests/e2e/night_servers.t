#!/bin/sh
# Servers that are no mysqld: redis-server, which abrun executes itself or by
# commands of the user's own.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/redis.sh
. tests/lib/redis.sh
# A preload and a variable as factors, its own load.
benchmark()
{
	matrix "$1" <<-END
		title = "Allocators under redis";
		factors: {
			allocator = ( { name = "own"; },
			    { name = "tcmalloc"; preload = "tcmalloc_minimal"; } );
			limit = ( { name = "default"; },
			    { name = "4096"; env = [ "TCMALLOC_SAMPLE_PARAMETER=4096" ]; } );
		};
		loads = ( { use = "command"; name = "set";
		    command = "redis-benchmark -p {port} -n 2000 -c 4 -t set -q"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
judge_benchmark()
{
	is "$1: the night ends well" "$status" 0
	is "$1: all cells are valid" \
		"$(sql "SELECT status, count(*) FROM visit" "$2")" "valid|4"
	is "$1: the library is mapped where it is wanted, and nowhere else" \
		"$(sql "SELECT wanted, verdict, count(*) FROM proof
		WHERE what = 'library' GROUP BY 1 ORDER BY 1" "$2")" "absent|yes|4
mapped|yes|4"
	is "$1: the variable is in the process that owns the port, or absent" \
		"$(sql "SELECT wanted, verdict, count(*) FROM proof WHERE
		about = 'TCMALLOC_SAMPLE_PARAMETER' GROUP BY 1 ORDER BY 1" "$2")" \
		"4096|yes|4
absent|yes|4"
	is "$1: what only a mysqld tells is not applicable" \
		"$(sql "SELECT what, verdict, count(*) FROM proof WHERE
		what IN ('version', 'uptime', 'option') GROUP BY 1" "$2")" \
		"uptime|not applicable|8
version|not applicable|8"
	is "$1: process, binary and owner of the port hold on both sides" \
		"$(sql "SELECT what, verdict, count(*) FROM proof WHERE
		what IN ('process', 'binary', 'owner') GROUP BY 1" "$2")" \
		"binary|yes|8
owner|yes|8
process|yes|8"
	is "$1: each start is of another process" \
		"$(sql "SELECT count(DISTINCT pid) FROM start" "$2")" 4
	is "$1: nothing listens afterwards" "$(listeners)" ""
	is "$1: nothing is left on the host" "$(left_over)" ""
}

server="command = \"$redis\"; mysqld = false"
benchmark command
night command
judge_benchmark "executed by abrun" command

server="start = \"$redis --daemonize yes\"; stop = \"$shut\"; ready = \"$ping\""
benchmark start
night start -v
judge_benchmark "by commands" start
posts "sha256"
result "by commands: the post names what was measured"

# Killed while the load runs, and gone on with.
ask="redis-cli -p {port} ping; : >$work/running; sleep 1"
short killed
night_start killed
wait_for test -e "$work/running"
result "by commands: a night runs"
kill -s KILL "$night"
night_wait
left=$(listeners)
[ -n "$left" ]
result "by commands: abrun killed leaves the server"
night killed
is "by commands: the next abrun goes on" "$status" 0
ended "$left"
result "by commands: the old server was stopped"
is "by commands: nothing listens afterwards" "$(listeners)" ""
is "by commands: what was to be undone is" "$(sql "SELECT DISTINCT state
	FROM undo WHERE kind = 'server'" killed)" undone
ask="redis-cli -p {port} ping"

night_plan
