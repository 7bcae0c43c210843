#!/bin/sh
# Services that scripts of /etc/init.d start, in a container without systemd:
# Debian's own scripts of redis-server and mariadb.  Settings by the script's
# environment, the proof that they have arrived, and everything put back.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/container.sh
. tests/lib/container.sh
container_init=scripts
if ! container_start; then
	echo "Bail out! no container"
	exit 1
fi
# shellcheck source=tests/lib/services.sh
. tests/lib/services.sh

ask="redis-cli ping"
matrix_server()
{
	cat <<-END
		server: { service = "redis-server"; mysqld = false; port = 6379;
		    ready = "redis-cli ping | grep -x PONG"; };
	END
}
# short NAME: cells that differ in variables.
short()
{
	matrix "$1" <<-END
		title = "Short";
		factors: { x = ( { name = "no"; }, { name = "yes"; env = [ "X=1",
		    "ODD=it's 100% \$HOME \\\\ \\"x\\"" ]; } ); };
		loads = ( { use = "command"; name = "ask"; command = "$ask"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
# state NAME: whether it runs, and whether anything of ours is there.
state()
{
	_runs=inactive
	inside "/etc/init.d/$1" status >/dev/null && _runs=active
	echo "$_runs $(inside find /run -maxdepth 1 -name 'abrun*.service')"
}
# x_of PROGRAM: what its process has of ours.
x_of()
{
	inside sh -c "tr '\\0' '\\n' </proc/\$(pidof $1)/environ" |
		grep '^X=\|^ODD=\|^LD_PRELOAD='
}

is "the host has no systemd" \
	"$(inside sh -c '[ -e /run/systemd/system ]; echo $?')" 1
before=$(inside pidof redis-server)
short env
night env
is "a script's cells are valid" "$status $(sql "SELECT status, count(*)
	FROM visit")" "0 valid|2"
is "each start is a process of its own" "$(sql "SELECT count(DISTINCT pid),
	sum(pid = ${before:-0}) FROM start")" "2|0"
is "the variables are in the process, or absent" "$(sql "SELECT about, wanted,
	verdict, count(*) FROM proof WHERE about IN ('X', 'ODD')
	GROUP BY 1, 2, 3 ORDER BY 1, 2")" "ODD|absent|yes|2
ODD|it's 100% \$HOME \\ \"x\"|yes|2
X|1|yes|2
X|absent|yes|2"
is "it runs again, and no mark is left" "$(state redis-server)" "active "
is "with its own environment" "$(x_of redis-server)" ""
is "what was to be undone is" "$(sql "SELECT kind, name, old_value, state
	FROM undo WHERE kind = 'service'")" "service|redis-server|active|undone"

inside /etc/init.d/redis-server stop >/dev/null
short stopped
night stopped
is "one that was stopped before" "$status" 0
is "is stopped afterwards, and no mark is left" "$(state redis-server)" \
	"inactive "
inside /etc/init.d/redis-server start >/dev/null 2>&1

# What the owner of the host has set wins, and is told.
inside cp /etc/default/redis-server /root/default
echo 'X=2' | inside tee -a /etc/default/redis-server >/dev/null
short default
night default
is "a file of defaults that sets the variable: its cell is not valid" \
	"$(sql "SELECT status, count(*) FROM visit GROUP BY 1" default)" \
	"invalid|1
valid|1"
says "environment: wanted X 1, seen 2 (if the script that starts" \
	"redis-server cleans or sets its environment" \
	"by apply and undo)"
result "where to look is told"
inside cp /root/default /etc/default/redis-server

# Killed while the load runs.
ask="touch /run/measuring; sleep 2"
short killed
night_start killed
wait_for inside test -e /run/measuring
result "a night runs"
kill -s KILL "$night"
night_wait
is "abrun killed leaves its mark" "$(state redis-server)" \
	"active /run/abrun.redis-server.service"
status=0
"$B/abrun" restore "$(run_dir killed)" >"$work/said" 2>&1 || status=$?
is "abrun restore puts it back: 0" "$status" 0
says "box: undone: service redis-server, which was active"
result "which it tells"
is "it runs, and no mark is left" "$(state redis-server)" "active "
is "with its own environment again" "$(x_of redis-server)" ""

mariadb_as_it_is "a mysqld by its script" mark mariadbd

# mysqld_safe, which the script starts, starts a mysqld that died again.
matrix again <<'END'
title = "Started again";
factors: { x = ( { name = "no"; } ); };
loads = ( { use = "command"; name = "ask"; command =
    "kill -9 $(pidof mariadbd); until mariadb -e 'SELECT 1'; do sleep 0.2; done"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
night again
is "a server that was started again: nothing is valid: 1" "$status" 1
says "after the load: " "process: wanted pid"
result "that it is another process is told"
is "it runs again, once" "$(state mariadb)$(inside pidof mariadbd | wc -w)" \
	"active 1"
night_plan
