#!/bin/sh
# hooks/load/mysqlslap.cfg against a real mariadbd: its command does what the
# definition says, also when it must fail.
set -u
# shellcheck source=tests/lib/load_server.sh
. tests/lib/load_server.sh
load_server
sql test -e "create table t (n int primary key, v varchar(20));
	insert into t select seq, concat('row ', seq) from seq_1_to_1000;
	create user pw@localhost identified by 'a b'"

echo 1..11
# About two seconds on a slow machine, and never under a tenth of one.
query='select sum(length(v)) from t'
run mysqlslap user=root query="$query" clients=2 queries=2000
ok $? "a run is good"
says '^qps [1-9]'
ok $? "and has its rate"
# Not exactly: seconds have three digits.
awk '/Average number of seconds/ { seconds = $(NF - 1) }
	/Average number of queries/ { each = $NF }
	FILENAME ~ /said$/ && $1 == "qps" { qps = $2 }
	END { exit !(qps > 0 && qps * seconds / (2 * each) > 0.99999 &&
	    qps * seconds / (2 * each) < 1.00001) }' "$top/out" "$top/said"
ok $? "which is its queries over its seconds"
run mysqlslap user=root query="$query" clients=3 queries=2000 \
	options="--commit=100 --detach=50"
ok $? "a run with more options, and queries that clients cannot share, is good"
run mysqlslap user=root query="select nothing from nowhere" queries=2000
[ $? -eq 1 ] && says 'error: it said: mysqlslap: Cannot run query '
ok $? "a query that fails is a failed run"
[ "$status" -eq 0 ] && ! grep -q Benchmark "$top/out"
ok $? "C47: though the program ends with 0"
run mysqlslap user=pw query="$query" queries=2000
[ $? -eq 1 ] && says 'error: it said: mysqlslap: Error when connecting'
ok $? "a login that is refused is a failed run"
run mysqlslap user=root query="select 1" queries=2
[ $? -eq 1 ] && says 'error: seconds = .* is not between 0.1 and '
ok $? "D59: a run too short for its three digits is no result"
run mysqlslap user=root query="$query" clients=2 queries=2000 \
	options="--engine=InnoDB,MyISAM"
[ $? -eq 1 ] && says 'error: .* stands in the output more than once'
ok $? "several blocks are no result"
# The connection of a client is killed while it runs.
(
	waits=0
	until [ "$waits" -ge 300 ] || sql -e "
		select concat('kill ', id, ';') from information_schema.processlist
		where info like 'select sleep(%' limit 1" 2>/dev/null |
		grep . >"$top/kill"; do
		waits=$((waits + 1))
		sleep 0.05
	done
	sql -e "$(cat "$top/kill")"
) &
killer=$!
run mysqlslap user=root query="select sleep(1)" clients=2 queries=20
[ $? -eq 1 ] && says 'error: it said: mysqlslap: Cannot run query '
ok $? "a connection that is killed is a failed run"
wait "$killer"
load_server_stop
run mysqlslap user=root query="$query" queries=2000
[ $? -eq 1 ] && says 'error: it said: mysqlslap: Error when connecting'
ok $? "a run without a server is refused"
