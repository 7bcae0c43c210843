#!/bin/sh
# hooks/load/sysbench.cfg against a real mariadbd: its commands do what the
# definition says, also when they must fail.
set -u
B=${B:-build}
tool=$B/tests/lib/loadtool
top=$(mktemp -d /tmp/abrun-sysbench.XXXXXX) || exit 1
socket=$top/s
server=
down()
{
	[ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
	rm -rf "$top"
}
trap down EXIT
trap 'exit 1' INT TERM HUP

n=0
ok() # STATUS NAME
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$top/said"
	fi
}
sql()
{
	mariadb --no-defaults --socket="$socket" --user=root -N "$@"
}
# PART VALUES...: what the definition would run, run.
part()
{
	part=$1
	shift
	"$tool" expand sysbench "$part" socket="$socket" host=localhost \
		port=3306 db=test seed=7 "$@" >"$top/command" &&
		sh "$top/command" >"$top/said" 2>&1
}
# VALUES...: a run, judged; samples in $top/said.
run()
{
	"$tool" expand sysbench command socket="$socket" host=localhost \
		port=3306 db=test seed=7 "$@" >"$top/command"
	sh "$top/command" >"$top/out" 2>"$top/err"
	"$tool" judge sysbench $? "$top/out" "$top/err" "$@" >"$top/said" 2>&1
}
says()
{
	grep -q -e "$1" "$top/said"
}

mkdir "$top/tmp"
export TMPDIR="$top/tmp" # mariadbd removes what others keep there
mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$top/data" \
	--auth-root-authentication-method=normal >"$top/said" 2>&1 ||
	{ sed 's/^/# /' "$top/said"; echo "Bail out! no database"; exit 1; }
mkdir -p "$top/data/test"
mariadbd --no-defaults --user="$(id -un)" --datadir="$top/data" \
	--socket="$socket" --skip-networking --innodb-buffer-pool-size=32M \
	>"$top/log" 2>&1 &
server=$!
waits=0
until sql -e 'select 1' >/dev/null 2>&1 || [ $waits -ge 200 ]; do
	waits=$((waits + 1))
	sleep 0.1
done
sql -e "create user pw@localhost identified by 'a b';
	grant all on test.* to pw@localhost"

echo 1..14
part setup user=root test=oltp_point_select table_count=2 table_size=500
ok $? "setup fills the tables"
sums=$(sql test -e 'checksum table sbtest1, sbtest2')
rows=$(sql test -e 'select count(*) from sbtest2')
[ "$rows" = 500 ]
ok $? "with as many rows as were asked for"
part setup user=root test=oltp_update_index table_count=2 table_size=500
[ "$(sql test -e 'checksum table sbtest1, sbtest2')" = "$sums" ]
ok $? "and again with the very same rows"
[ "$(sql test -e 'checksum table sbtest1' | cut -f 2)" != \
	"$(sql test -e 'checksum table sbtest2' | cut -f 2)" ]
ok $? "but not the same in each table"
run user=root test=oltp_point_select threads=2 time=1 table_count=2 \
	table_size=500
ok $? "a run is good"
says '^tps [1-9]' && says '^errors 0$' && says '^lat_p95 '
ok $? "and has its metrics"
run user=root test=oltp_update_index threads=2 time=1 table_count=2 \
	table_size=500 options="--report-interval=1 --mysql-ignore-errors='1213, 1205'"
ok $? "a run with more options is good"
[ "$(sql test -e 'checksum table sbtest1, sbtest2')" != "$sums" ]
ok $? "updates change the rows"
MYSQL_PWD='a b' run user=pw test=oltp_point_select threads=2 time=1
ok $? "a password comes by the environment"
run user=pw test=oltp_point_select threads=2 time=1
[ $? -eq 1 ] && says 'error: it said: FATAL: unable to connect'
ok $? "and without it the run is refused"
run user=root test=oltp_point_select threads=2 time=1 table_count=3
[ $? -eq 1 ] && says "FATAL: "
ok $? "a run without its table is refused"
part setup user=pw test=oltp_point_select
[ $? -eq 1 ] && says '^FATAL: '
ok $? "a setup that sysbench says is fine, with FATAL, has failed"
part cleanup user=root test=oltp_point_select table_count=2
[ -z "$(sql test -e 'show tables')" ]
ok $? "cleanup leaves nothing"
kill "$server"
wait "$server"
server=
run user=root test=oltp_point_select threads=2 time=1
[ $? -eq 1 ] && says 'error: it said: FATAL: unable to connect'
ok $? "a run without a server is refused"
