#!/bin/sh
# A whole night, from matrix to post; then the same matrix again, a changed
# one, and a new run.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

mkdir -p "$work/hooks/load"
cat >"$work/hooks/load/own.cfg" <<'END'
help = "a load of this test";
command = "echo \"rate: {rate}\"";
keys = ( { name = "rate"; help = "what it prints"; default = 7; } );
metrics = ( { name = "rate"; unit = "things/s"; better = "higher";
    regex = "^rate: (\\S+)$"; choice = "only"; } );
primary = "rate";
END
matrix full <<'END'
title = "All of it";
factors: {
	allocator = ( { name = "libc"; },
	    { name = "jemalloc"; preload = "jemalloc"; } );
	flush = (
	    { name = "1"; mysqld = [ "innodb_flush_log_at_trx_commit=1" ]; },
	    { name = "2"; mysqld = [ "innodb_flush_log_at_trx_commit=2" ];
	      env = [ "NIGHT=", "SPACE= a  b " ]; } );
};
loads = (
	{ use = "sysbench"; test = "oltp_point_select"; table_size = 100;
	  threads = 2; time = 1; },
	{ use = "own"; rate = 42; }
);
design: { rounds = 1; runs = 1; warmup = 1; };
END

night full
is "a night ends with 0" "$status" 0
run=$(run_dir full)
is "the run directory holds what it should" \
	"$(cd "$run" && find . -maxdepth 1 | sort | tr '\n' ' ')" \
	". ./lock ./matrix.cfg ./post.txt ./raw ./report.md ./run.db "
is "every visit is valid" "$(sql "SELECT status, count(*) FROM visit")" \
	"valid|4"
is "each cell was visited once" "$(sql "SELECT group_concat(server, ' ') FROM
	(SELECT server FROM visit ORDER BY server)")" "0 1 2 3"
is "each ran its loads, warm-ups first" "$(sql "SELECT l.name, r.number,
	r.warmup, r.good, count(*) FROM run r JOIN load l ON l.id = r.load
	GROUP BY 1, 2 ORDER BY 1, 2")" \
	"oltp_point_select|0|1|1|4
oltp_point_select|1|0|1|4
own|0|1|1|4
own|1|0|1|4"
is "a run's number is what the load printed" \
	"$(sql "SELECT DISTINCT value FROM sample WHERE metric = 'rate'")" 42.0
is "every run has its metrics and those of its processes" \
	"$(sql "SELECT l.name, group_concat(DISTINCT s.metric) FROM sample s
	JOIN run r ON r.id = s.run JOIN load l ON l.id = r.load
	GROUP BY 1 ORDER BY 1")" \
	"oltp_point_select|errors,lat_avg,lat_p95,maxrss,qps,sys,tps,user,wall
own|maxrss,rate,sys,user,wall"
is "all proofs hold" "$(sql "SELECT DISTINCT verdict FROM proof")" yes
is "before and after each load alike" "$(sql "SELECT count(*) FROM
	(SELECT visit, what, about, wanted FROM proof WHERE after = 0
	AND what <> 'uptime' EXCEPT SELECT visit, what, about, wanted FROM proof WHERE after = 1)")" 0
is "of every kind" "$(sql "SELECT group_concat(what, ' ') FROM
	(SELECT DISTINCT what FROM proof ORDER BY what)")" \
	"argument binary boot environment library option owner process sha256 uptime version"
is "the variables of two cells are proved, with an empty one" \
	"$(sql "SELECT wanted, count(*) FROM proof WHERE about = 'NIGHT'
	GROUP BY 1 ORDER BY 1")" \
	"absent|4
an empty value|4"
is "each start is a life of its own" "$(sql "SELECT count(DISTINCT pid),
	count(DISTINCT exe_sha256) FROM start")" "4|1"
is "for its owner's eyes" "$(stat -c %a "$run")" 700
cmp -s "$run/matrix.cfg" "$work/full.cfg"
result "the matrix is kept as it was"
is "each run's output is kept" "$(find "$run/raw" -name '*-run*.txt' -o \
	-name '*-warmup*.txt' | wc -l)" 16
is "and named in the store" "$(sql "SELECT raw FROM run" | sort -u | while
	read -r file; do [ -s "$run/raw/$file" ] && echo "$file"; done |
	wc -l)" 16
cmp -s "$work/post" "$run/post.txt"
result "the post is printed as it is kept"
is "no line of it is wider than 72" "$(awk 'length > 72' "$work/post")" ""
posts "(1 round, all visits valid)" "jemalloc" "MariaDB" "sha256"
result "it tells what was done"
grep -q '^#.*All of it' "$run/report.md" && grep -q '^|.*own, things/s' "$run/report.md"
result "and so does the report"
is "nothing is left on the host" "$(left_over)" ""
"$B/abrun" plan "$work/full.cfg" >"$work/plan"
is "the order of visits and loads is the plan's" "$(sql "SELECT c.name,
	group_concat(l.name, '; ') FROM run r JOIN cell c ON c.id = r.cell
	JOIN load l ON l.id = r.load WHERE r.number = 1
	GROUP BY r.visit ORDER BY r.id" | tr '|' ' ')" \
	"$(sed -n '/^  round 1$/,/^$/ { s/^    \(.*[^ ]\)   *\([^ ].*\)/\1 \2/p; }' \
	"$work/plan")"
grep -q "$(sql "SELECT substr(identity, 1, 8) FROM experiment")" "$work/plan"
result "the identity is the plan's"

cp "$run/run.db" "$work/before.db"
night full
is "a finished one ends with 0 again" "$status" 0
says "$run is finished" "nothing was run" "--new"
result "and says so"
is "having run nothing" "$(sql "SELECT count(*) FROM visit")" 4
cmp -s "$work/post" "$run/post.txt" && posts "all visits valid"
result "but reported"

echo "# another word" >>"$work/hooks/load/own.cfg"
"$B/abrun" plan "$work/full.cfg" >"$work/plan2"
[ "$(grep '^  plan ' "$work/plan")" != "$(grep '^  plan ' "$work/plan2")" ]
result "a hook that changed makes another plan"
"$B/abrun" run -n "$work/full.cfg" >"$work/plan3" &&
	cmp -s "$work/plan2" "$work/plan3" &&
	[ "$(find "$reports" -name 'full-*' | wc -l)" = 1 ]
result "a dry run shows it and makes nothing"
night_plan
