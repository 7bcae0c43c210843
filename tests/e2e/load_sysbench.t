#!/bin/sh
# hooks/load/sysbench.cfg against a real mariadbd: its commands do what the
# definition says, also when they must fail.
set -u
# shellcheck source=tests/lib/load_server.sh
. tests/lib/load_server.sh
load_server
sql -e "create user pw@localhost identified by 'a b';
	grant all on test.* to pw@localhost"

echo 1..14
part sysbench setup user=root test=oltp_point_select table_count=2 table_size=500
ok $? "setup fills the tables"
sums=$(sql test -e 'checksum table sbtest1, sbtest2')
rows=$(sql test -e 'select count(*) from sbtest2')
[ "$rows" = 500 ]
ok $? "with as many rows as were asked for"
part sysbench setup user=root test=oltp_update_index table_count=2 table_size=500
[ "$(sql test -e 'checksum table sbtest1, sbtest2')" = "$sums" ]
ok $? "and again with the very same rows"
[ "$(sql test -e 'checksum table sbtest1' | cut -f 2)" != \
	"$(sql test -e 'checksum table sbtest2' | cut -f 2)" ]
ok $? "but not the same in each table"
run sysbench user=root test=oltp_point_select threads=2 time=1 table_count=2 \
	table_size=500
ok $? "a run is good"
says '^tps [1-9]' && says '^errors 0$' && says '^lat_p95 '
ok $? "and has its metrics"
run sysbench user=root test=oltp_update_index threads=2 time=1 table_count=2 \
	table_size=500 options="--report-interval=1 --mysql-ignore-errors='1213, 1205'"
ok $? "a run with more options is good"
[ "$(sql test -e 'checksum table sbtest1, sbtest2')" != "$sums" ]
ok $? "updates change the rows"
MYSQL_PWD='a b' run sysbench user=pw test=oltp_point_select threads=2 time=1
ok $? "a password comes by the environment"
run sysbench user=pw test=oltp_point_select threads=2 time=1
[ $? -eq 1 ] && says 'error: it said: FATAL: unable to connect'
ok $? "and without it the run is refused"
run sysbench user=root test=oltp_point_select threads=2 time=1 table_count=3
[ $? -eq 1 ] && says "FATAL: "
ok $? "a run without its table is refused"
part sysbench setup user=pw test=oltp_point_select
[ $? -eq 1 ] && says '^FATAL: '
ok $? "a setup that sysbench says is fine, with FATAL, has failed"
part sysbench cleanup user=root test=oltp_point_select table_count=2
[ -z "$(sql test -e 'show tables')" ]
ok $? "cleanup leaves nothing"
load_server_stop
run sysbench user=root test=oltp_point_select threads=2 time=1
[ $? -eq 1 ] && says 'error: it said: FATAL: unable to connect'
ok $? "a run without a server is refused"
