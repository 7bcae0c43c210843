#!/bin/sh
# A night is killed while a load has changed its data, and goes on with them as
# they were.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

log=$work/log
bin=$work/bin
db="mariadb --no-defaults --socket=$lab/mysqld.sock --user=root -N test"
# Makes the table only where it is not there, as super-smack does.
cat >"$bin/make" <<END
#!/bin/sh
$db -e "create table if not exists t (n int primary key) engine=InnoDB;
	insert into t select seq from seq_1_to_20
	where not exists (select * from t)"
END
cat >"$bin/work" <<END
#!/bin/sh
$db -e "select concat('rows: ', count(*)) from t; delete from t limit 1"
echo run >>"$log"
[ -e "$work/hurry" ] || sleep 600
END
chmod 755 "$bin/make" "$bin/work"
: >"$log"
matrix killed <<END
factors: {
	level = ( { name = "a"; },
	    { name = "b"; mysqld = [ "innodb_flush_log_at_trx_commit=2" ]; } );
};
loads = (
	{ use = "command"; name = "read"; tables = [ "t" ];
	  command = "$db -e 'select * from t'"; },
	{ use = "command"; name = "write"; tables = [ "t" ]; reset = "start";
	  setup = "$bin/make"; cleanup = "$db -e 'drop table t'";
	  command = "$bin/work"; metrics = ( { name = "rows"; unit = "rows";
	    better = "higher"; regex = "^rows: (\\S+)$"; } ); }
);
design: { rounds = 1; runs = 1; warmup = 0; };
END
night_start killed
wait_for test -s "$log"
result "a load changes its data"
kill -s KILL "$night"
night_wait
: >"$work/hurry"
night killed
is "the night that goes on ends well" "$status" 0
is "in the same run directory" \
	"$(find "$reports" -name 'killed-*' | wc -l)" 1
is "every load found all rows" "$(sql "SELECT group_concat(value, ' ')
	FROM sample WHERE metric = 'rows'")" "20.0 20.0"
is "no run is refused" "$(sql "SELECT count(*), sum(good) FROM run
	JOIN visit ON visit.id = run.visit WHERE status = 'valid'")" "4|4"
is "nothing is left" "$(left_over
	find "$lab/data/test" -type f ! -name db.opt)" ""

# Data that no reset brings back are other data.
sed -i 's/reset = "start"; setup/reset = "start"; restore = "true"; setup/;
	s/reset = "start";$/reset = "start"; restore = "true";/' \
	"$work/killed.cfg"
rm "$work/hurry"
: >"$log"
night_start killed --new
wait_for test -s "$log"
kill -s KILL "$night"
night_wait
: >"$work/hurry"
night killed
is "where data stay changed it does not go on" "$status" 1
says "data changed: wanted 20 rows, checksum" "in t; seen 19 rows" \
	"since this run began: put them back as they were"
result "and says why"
night_plan
