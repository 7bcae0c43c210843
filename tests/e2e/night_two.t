#!/bin/sh
# Two targets at once, each with files and a network of its own; one dies in
# the middle of the night, the other goes on; later the rest is made up for.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/hosts.sh
. tests/lib/hosts.sh

matrix_calm >"$work/two.cfg" <<END
title = "Two";
targets = (
	{ name = "one"; ssh = "one"; os = "linux"; ssh_config = "$work/ssh_config"; },
	{ name = "two"; ssh = "two"; os = "linux"; ssh_config = "$work/ssh_config";
	  patience = "3s"; }
);
server: { command = "$server_program $server_options"; datadir = "$db/data";
    socket = "$db/mysqld.sock"; user = "root"; db = "test"; };
factors: { knob = (
	{ name = "off"; env = [ "KNOB=off" ]; },
	{ name = "on"; env = [ "KNOB=on" ]; }
); };
loads = ( { use = "sysbench"; test = "oltp_point_select"; table_size = 100;
	threads = 1; time = 1; },
    { use = "command"; name = "wait"; timeout = "1h"; command =
	"if [ {target}{round} = \"\$(cat $work/hold)\" ]; then echo >$work/held; sleep $hosts_nap; fi; true"; } );
design: { rounds = 2; runs = 1; warmup = 0; };
END

echo two2 >"$work/hold"
night_start two
wait_for test -e "$work/held"
result "the second host is in its second round"
host_down two
night_wait
visits()
{
	sql "SELECT h.name, round, status, count(*) FROM visit v JOIN host h ON
	h.id = v.target GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
}
is "one of two hosts died: 3" "$status" 3
is "the other has all its visits, this one what it had" \
	"$(visits | grep valid)" "one|1|valid|2
one|2|valid|2
two|1|valid|2"
says "two: the host is lost: HOST_LOST: " "; waiting for 3 s" \
	"two: GIVEN_UP: given up: the host did not come back"
result "it was waited for, as long as the matrix says, then given up"
is "which is kept" "$(sql "SELECT h.name, kind FROM event e JOIN host h ON
	h.id = e.target WHERE kind LIKE 'host %' OR kind = 'given up'")" \
	"two|host lost
two|given up"
"$B/abrun" status "$(run_dir two)" >"$work/said"
says "gone     two: GIVEN_UP: given up: " "failed   " " HOST_LOST ("
result "and told by status"
# Which cell is first in that round is drawn.
cell=$(sql "SELECT DISTINCT c.name FROM visit v JOIN cell c ON c.server = v.server
	WHERE v.status = 'interrupted'")
posts "the link broke" "two is down" \
	"two, ${cell:-?} was interrupted: HOST_LOST" \
	"6 of 8 visits valid" "Still changed on the host, not undone: two:"
result "what was lost is posted"
is "nothing is left on the first host" "$(ls -A "$tmp/one"
	sandbox_servers "$db")" ""

rm "$work/held"
sed -i 's/patience = "3s"/patience = "5min"/' "$work/two.cfg"
echo two2 >"$work/hold"
host_up two
night_start two
wait_for test -e "$work/held"
host_down two
wait_for says "two: the host is lost: HOST_LOST: "
"$B/abrun" status "$(run_dir two)" >"$work/status"
grep -q "^waiting  two: for the host, since" "$work/status"
result "status tells that the host is waited for"
echo none >"$work/hold"
host_up two
night_wait
is "when the host is back, even in the midst of it, it ends with 0" "$status" 0
says "going on with" "two: the host is back after "
result "goes on"
is "and makes up for what is missing" "$(visits | grep valid)" \
	"one|1|valid|2
one|2|valid|2
two|1|valid|2
two|2|valid|2"
posts "(2 rounds, all visits valid)"
result "so that all is there"
is "nothing is left on any host" "$(ls -A "$tmp/one" "$tmp/two"
	sandbox_servers "$db"; sql "SELECT kind, name FROM undo WHERE
	state <> 'undone'")" "$tmp/one:

$tmp/two:"

rm "$work/held"
echo one1 >"$work/hold"
night_start two --new
wait_for test -e "$work/held"
kill -s INT "$night"
night_wait
is "SIGINT ends the night of both with 130" "$status" 130
is "and leaves nothing on any host" "$(ls -A "$tmp/one" "$tmp/two"
	sandbox_servers "$db"; sql "SELECT kind, name FROM undo WHERE
	state <> 'undone'")" "$tmp/one:

$tmp/two:"
night_plan
