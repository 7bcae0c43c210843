#!/bin/sh
# Two targets whose loads run on one machine: they never measure at once.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/hosts.sh
. tests/lib/hosts.sh

mkdir "$work/here"
TMPDIR=$work/here
export TMPDIR
server_options=$(echo "$server_options" |
	sed "s/--skip-networking/--bind-address=127.0.0.1/")
# turns NAME CLIENT
turns()
{
	matrix_calm >"$work/$1.cfg" <<-END
		title = "Turns";
		targets = (
			{ name = "one"; ssh = "one"; os = "linux"; client = "$2";
			  ssh_config = "$work/ssh_config"; },
			{ name = "two"; ssh = "two"; os = "linux"; client = "$2";
			  ssh_config = "$work/ssh_config"; }
		);
		server: { command = "$server_program $server_options";
		    datadir = "$db/data"; socket = "$db/mysqld.sock";
		    port = 3306; user = "root"; db = "test"; };
		factors: { x = ( { name = "only"; } ); };
		loads = ( { use = "command"; name = "nap"; command = "sleep 0.4"; } );
		design: { rounds = 1; runs = 4; warmup = 0; };
	END
}
overlapping()
{
	sql "SELECT count(*), (SELECT count(*) FROM run a JOIN run b
		ON a.id < b.id AND a.began < b.began + b.wall_ms / 1000.0
		AND b.began < a.began + a.wall_ms / 1000.0) FROM run WHERE good"
}

turns here controller
night here -v
is "two targets with one client host: 0" "$status" 0
is "no two of their runs were at once" "$(overlapping)" "8|0"
grep -E -q '(one|two): waiting for controller, where the load of (one|two) runs' \
	"$work/said"
result "one has waited for the other"
is "nothing is left here or there" "$(ls -A "$work/here" "$tmp/one" "$tmp/two"
	sandbox_servers "$db"; sql "SELECT kind, name FROM undo WHERE
	state <> 'undone'")" "$work/here:

$tmp/one:

$tmp/two:"

# By their boot id both are this machine.
turns same target
night same
is "two targets that are one machine: 0" "$status" 0
is "no two of their runs were at once, either" "$(overlapping)" "8|0"

nap=$((300000 + $$))
# Who waits is stopped as well as who measures.
sed 's/sleep 0.4/echo >>'"$(echo "$work/held" | sed 's|/|\\/|g')"'; sleep '"$nap"'/' \
	"$work/here.cfg" >"$work/stop.cfg"
night_start stop -v
wait_for test -e "$work/held"
wait_for grep -q ': waiting for controller' "$work/said"
result "one waits while the other measures"
kill -s INT "$night"
night_wait
is "SIGINT ends both" "$status" 130
is "and leaves nothing" "$(ls -A "$work/here" "$tmp/one" "$tmp/two"
	sandbox_servers "$db"; pgrep -a -f "sleep $nap\$")" "$work/here:

$tmp/one:

$tmp/two:"
night_plan
