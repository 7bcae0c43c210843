#!/bin/sh
# Services of a real systemd, in a container: settings by a drop-in, the proof
# that they have arrived, units that lie, and everything put back.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/container.sh
. tests/lib/container.sh
if ! container_start; then
	echo "Bail out! no container"
	exit 1
fi
# shellcheck source=tests/lib/services.sh
. tests/lib/services.sh
inside systemctl is-system-running | sed 's/^/# systemd is /'

service=redis-server
ask="redis-cli ping"
matrix_server()
{
	cat <<-END
		server: { service = "$service"; mysqld = false; port = 6379;
		    ready = "redis-cli ping | grep -x PONG"; };
	END
}
# short NAME: cells that differ in a variable.
short()
{
	matrix "$1" <<-END
		title = "Short";
		factors: { x = ( { name = "no"; },
		    { name = "yes"; env = [ "X=1" ]; } ); };
		loads = ( { use = "command"; name = "ask"; command = "$ask"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
# user_dropin LINE: a drop-in of the host's owner for redis-server; none: gone.
user_dropin()
{
	_dir=/etc/systemd/system/redis-server.service.d
	if [ $# -eq 0 ]; then
		inside rm -rf $_dir
	else
		inside mkdir -p $_dir
		printf '%s\n' "$1" | inside tee $_dir/own.conf >/dev/null
	fi
	inside systemctl daemon-reload
	inside systemctl restart redis-server
}
# state UNIT: whether it runs, and whether anything of ours is there.
state()
{
	echo "$(inside systemctl is-active "$1") $(inside \
		find /run/systemd/system /run -maxdepth 2 -name '*abrun*')"
}
x_of()
{
	inside sh -c "tr '\\0' '\\n' </proc/\$(systemctl show -p MainPID --value \
		$1)/environ" | grep '^X=\|^LD_PRELOAD='
}

# Every start is limited to one in ten minutes: reset-failed is our part.
user_dropin '[Unit]
StartLimitIntervalSec=600
StartLimitBurst=2'
short env
night env
is "a service's cells are valid" "$status $(sql "SELECT status, count(*)
	FROM visit")" "0 valid|2"
is "each is of an invocation of its own, by the manager and in the process" \
	"$(sql "SELECT verdict, count(*), count(DISTINCT wanted)
	FROM proof WHERE what = 'invocation'")" "yes|8|2"
is "the variable is in the process, or absent" "$(sql "SELECT wanted, verdict,
	count(*) FROM proof WHERE about = 'X' GROUP BY 1")" "1|yes|2
absent|yes|2"
is "it runs again, and no drop-in is left" "$(state redis-server)" "active "
is "with its own environment" "$(x_of redis-server)" ""
is "what was to be undone is" "$(sql "SELECT kind, old_value, state FROM undo
	WHERE kind = 'service'")" "service|active|undone"
user_dropin

inside systemctl stop redis-server
service=redis
short alias
night alias
is "by an alias, and stopped before" "$status" 0
is "it is stopped afterwards, and no drop-in is left" \
	"$(state redis-server)" "inactive "
service=redis-server
inside systemctl start redis-server

# What the owner of the host has set wins, and is told.
printf 'X=2\n' | inside tee /etc/default/own >/dev/null
user_dropin '[Service]
EnvironmentFile=/etc/default/own'
short file
night file
is "an EnvironmentFile that sets the variable: nothing is valid: 1" "$status" 1
says "environment: wanted X 1, seen 2 (the unit's EnvironmentFile" \
	"/etc/default/own overrides what abrun sets"
result "what overrides it is told"
is "it runs again, and no drop-in is left" "$(state redis-server)" "active "

user_dropin '[Service]
Environment=LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libc.so.6'
short preload
night preload
is "a drop-in of the owner with LD_PRELOAD: nothing is valid: 1" "$status" 1
says "environment: wanted LD_PRELOAD absent, seen /usr/lib/x86_64-linux-gnu/libc"
result "which library it brings is told"
user_dropin

# A server that dies is started again by systemd, and answers.
ask="kill -9 \$(pidof redis-server); sleep 1; redis-cli ping"
short restart
night restart
is "a service that restarted itself: nothing is valid: 1" "$status" 1
says "after the load: " "process: wanted pid"
result "that it is another process is told"

# Killed while the load runs.
ask="touch /run/measuring; sleep 2"
short killed
night_start killed
wait_for inside test -e /run/measuring
result "a night runs"
kill -s KILL "$night"
night_wait
is "abrun killed leaves its drop-in" "$(state redis-server)" \
	"active /run/systemd/system/redis-server.service.d/zz-abrun.conf"
night killed
is "the next abrun goes on" "$status" 0
is "and takes it away" "$(state redis-server)" "active "
is "with its own environment again" "$(x_of redis-server)" ""

# Type=forking, and a mysqld with options and a library.
inside tee /etc/systemd/system/forks.service >/dev/null <<'END'
[Service]
Type=forking
ExecStart=/usr/bin/redis-server --port 6380 --daemonize yes --save "" --set-proc-title no
END
inside systemctl daemon-reload
matrix_server()
{
	echo 'server: { service = "forks"; mysqld = false; port = 6380; };'
}
ask="redis-cli -p 6380 ping"
short forks
night forks
is "a unit that forks" "$status" 0
is "it is stopped again" "$(state forks)" "inactive "

mariadb_as_it_is "a mysqld as a service" drop-in mariadb
night_plan
