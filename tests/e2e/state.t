#!/bin/sh
# What becomes of the loads' data in a night: setups, resets, what is compared
# before loads run, and that nothing stays.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

bin=$work/bin
# What the loads' commands do: each says so in the log.
log=$work/log
db="mariadb --no-defaults --socket=$lab/mysqld.sock --user=root -N test"
cat >"$work/bin/fill" <<END
#!/bin/sh
# fill TABLE WORD: makes it with 20 rows, always the same ones.
echo "\$2 \$1" >>"$log"
$db -e "drop table if exists \$1; create table \$1 (n int primary key, v int)
	engine=InnoDB; insert into \$1 select seq, seq * seq from seq_1_to_20"
END
cat >"$work/bin/work" <<END
#!/bin/sh
# work TABLE [SQL]: prints how many rows there are, then does SQL.
echo "run \$1" >>"$log"
$db -e "select concat('rows: ', count(*)) from \$1; \${2-}"
END
chmod 755 "$work/bin/fill" "$work/bin/work"
drop="$db -e 'drop table"
logged()
{
	grep -c -x -e "$1" "$log"
}
# What is left, of tables as well.
stays()
{
	left_over
	find "$lab/data/test" -type f ! -name db.opt
}
# What each run of a load found, in order: rows, or nothing when refused.
found()
{
	sql "SELECT group_concat(ifnull(cast(s.value AS INTEGER), '-'), ' ')
		FROM (SELECT * FROM run ORDER BY id) r
		JOIN load l ON l.id = r.load
		LEFT JOIN sample s ON s.run = r.id AND s.metric = 'rows'
		WHERE l.name = '$1'"
}
rows='metrics = ( { name = "rows"; unit = "rows"; better = "higher";
	regex = "^rows: (\\S+)$"; choice = "only"; } )'

: >"$log"
matrix resets <<END
factors: {
	level = ( { name = "a"; },
	    { name = "b"; mysqld = [ "innodb_flush_log_at_trx_commit=2" ]; } );
};
loads = (
	{ use = "command"; name = "read"; command = "$bin/work each_run";
	  tables = [ "each_run", "each_start", "each_round" ];
	  prepare = "echo prepare read >>$log"; $rows; },
	{ use = "command"; name = "each_run";
	  setup = "$bin/fill each_run setup"; cleanup = "$drop each_run'";
	  command = "$bin/work each_run 'delete from each_run limit 1'";
	  tables = [ "each_run" ]; reset = "run"; $rows; },
	{ use = "command"; name = "each_start";
	  setup = "$bin/fill each_start setup"; cleanup = "$drop each_start'";
	  restore = "$bin/fill each_start restore";
	  command = "$bin/work each_start 'delete from each_start limit 1'";
	  tables = [ "each_start" ]; reset = "start"; $rows; },
	{ use = "command"; name = "each_round";
	  setup = "$bin/fill each_round setup"; cleanup = "$drop each_round'";
	  restore = "$bin/fill each_round restore";
	  command = "$bin/work each_round 'delete from each_round limit 1'";
	  tables = [ "each_round" ]; reset = "round"; $rows; }
);
design: { rounds = 2; runs = 1; warmup = 1; order = "listed"; };
END
night resets
is "a night with resets ends with 0" "$status" 0
is "every run is good" "$(sql "SELECT reason FROM run WHERE good = 0")" ""
is "a reading load finds what was set up" "$(found read)" \
	"20 20 20 20 20 20 20 20"
is "a reset for every run gives each all rows" "$(found each_run)" \
	"20 20 20 20 20 20 20 20"
is "by cleanup and setup, before each" "$(logged "setup each_run")" 9
is "a reset for every start gives its first run all rows" \
	"$(found each_start)" "20 19 20 19 20 19 20 19"
is "by the restore command" "$(logged "setup each_start")
$(logged "restore each_start")" "1
4"
is "a reset for every round gives its first run all rows" \
	"$(found each_round)" "20 19 18 17 20 19 18 17"
is "by a restore in each" "$(logged "restore each_round")" 2
is "what is to be prepared is so once a start" "$(logged "prepare read")" 4
is "the tables are kept as facts" "$(sql "SELECT key, value FROM fact
	WHERE key LIKE 'table.%.rows'")" "table.each_run.rows|20
table.each_start.rows|20
table.each_round.rows|20"
posts "Data reset before every run for each_run, in every start for" \
	"each_start, in every round for each_round."
result "the post tells how often data were reset"
is "nothing is left" "$(stays)" ""

matrix spoilt <<END
factors: {
	level = ( { name = "a"; },
	    { name = "b"; mysqld = [ "innodb_flush_log_at_trx_commit=2" ]; } );
};
loads = (
	{ use = "command"; name = "hidden"; setup = "$bin/fill hidden setup";
	  command = "$bin/work hidden 'update hidden set v = v + 1 limit 1'";
	  tables = [ "hidden" ]; cleanup = "$drop hidden'"; $rows; },
	{ use = "command"; name = "updates"; setup = "$bin/fill updates setup";
	  command = "$bin/work updates 'update updates set v = v + 1 limit 1'";
	  tables = [ "updates" ]; cleanup = "$drop updates'";
	  reset = "never"; $rows; },
	{ use = "command"; name = "deletes"; setup = "$bin/fill deletes setup";
	  command = "$bin/work deletes 'delete from deletes limit 1'";
	  tables = [ "deletes" ]; cleanup = "$drop deletes'";
	  reset = "never"; $rows; },
	{ use = "command"; name = "liar"; setup = "$bin/fill liar setup";
	  command = "$bin/work liar 'update liar set v = v + 1 limit 1'";
	  tables = [ "liar" ]; cleanup = "$drop liar'";
	  restore = "echo nothing is done"; reset = "run"; $rows; },
	{ use = "command"; name = "gone"; setup = "$bin/fill gone setup";
	  command = "$bin/work gone 'drop table gone'";
	  cleanup = "$db -e 'drop table if exists gone'";
	  tables = [ "gone" ]; reset = "never"; $rows; }
);
design: { rounds = 1; runs = 2; warmup = 0; order = "listed"; };
END
night spoilt
is "a night with changed data tells so by its status" "$status" 3
is "its visits are valid" "$(sql "SELECT DISTINCT status FROM visit")" valid
is "a load that writes secretly is found by the next start" \
	"$(found hidden)" "20 20 - -"
is "by checksum" "$(sql "SELECT DISTINCT reason GLOB
	'data changed: wanted 20 rows, checksum [1-9]* in hidden; seen 20 rows, checksum [1-9]*'
	FROM run JOIN load ON load.id = run.load
	WHERE load.name = 'hidden' AND NOT good")" 1
is "one that is never reset may change rows" "$(found updates)" "20 20 20 20"
is "but not how many there are" "$(found deletes)" "20 - - -"
is "which is told" "$(sql "SELECT DISTINCT reason FROM run
	JOIN load ON load.id = run.load
	WHERE load.name = 'deletes' AND NOT good")" \
	"data changed: wanted 20 rows in deletes; seen 19 rows"
is "a restore that restores nothing is found" "$(found liar)" "20 - - -"
is "a table that is gone, too" "$(sql "SELECT DISTINCT reason GLOB
	'data changed: wanted 20 rows in gone; seen *gone* doesn''t exist*'
	FROM run JOIN load ON load.id = run.load
	WHERE load.name = 'gone' AND NOT good")" 1
says "run failed: DATA_CHANGED: data changed: wanted 20 rows in deletes; seen 19 rows"
result "while the night runs"
is "refused runs are not run" "$(logged "run deletes")" 1
is "nothing is left of it" "$(stays)" ""

# A fresh copy of a directory for each start.
mv "$lab/data" "$lab/clean"
matrix_server()
{
	cat <<-END
		server: { command = "$server_program $server_options";
		    datadir = "$lab/data"; datadir_from = "$lab/clean";
		    socket = "$lab/mysqld.sock"; user = "root"; db = "test"; };
	END
}
: >"$log"
matrix twins <<END
factors: {
	level = ( { name = "a"; },
	    { name = "b"; mysqld = [ "innodb_flush_log_at_trx_commit=2" ]; } );
};
loads = (
	{ use = "command"; name = "starts";
	  setup = "cat $lab/data/traces >>$log; echo trace >$lab/data/traces; "
		"$bin/fill starts setup";
	  command = "$bin/work starts 'delete from starts limit 1'";
	  tables = [ "starts" ]; reset = "start";
	  cleanup = "$drop starts'"; $rows; },
	{ use = "command"; name = "runs"; setup = "$bin/fill runs setup";
	  command = "$bin/work runs 'delete from runs limit 1'";
	  tables = [ "runs" ]; reset = "run"; restore = "$bin/fill runs restore";
	  $rows; }
);
design: { rounds = 1; runs = 2; warmup = 0; order = "listed"; };
END
mkdir "$lab/data"
echo mine >"$lab/data/precious"
night twins
is "a data directory with files of others ends the night" "$status" 1
says "$lab/data holds files that abrun did not put there"
result "which is told"
is "and they are untouched" "$(cd "$lab/data" && find . | sort | tr '\n' ' ')
$(cat "$lab/data/precious")" ". ./precious 
mine"
rm -r "$lab/data"
before=$(cd "$lab/clean" && find . -type f -exec cksum {} + | sort)
night twins --new
is "a night of copies ends with 0" "$status" 0
posts "Each start had a fresh copy of"
result "the post tells of them"
"$B/abrun" plan "$work/twins.cfg" >"$work/post" && posts "3 copies of"
result "and the plan that their time is not known"
is "each start finds the same data" "$(found starts)" "20 19 20 19"
is "nothing stays of the start before" "$(logged trace)" 0
is "the copy is a reset of its own" "$(logged "setup starts")
$(logged "setup runs")" "3
3"
is "others still come between runs" "$(found runs) $(logged "restore runs")" \
	"20 20 20 20 2"
is "the original is as it was" "$before" \
	"$(cd "$lab/clean" && find . -type f -exec cksum {} + | sort)"
is "the copy is gone" "$(left_over; ls -d "$lab"/data* 2>&1)" \
	"ls: cannot access '$lab/data*': No such file or directory"
is "and nothing is to be undone" "$(sql "SELECT kind, state FROM undo
	WHERE kind = 'datadir'" twins)" "datadir|undone"
night_plan
