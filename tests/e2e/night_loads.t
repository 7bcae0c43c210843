#!/bin/sh
# Loads that fail in every way a night can meet, among loads that do not;
# scripts, variables, setup and prepare.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((500000 + $$))
night_lab

mkdir -p "$work/hooks/load"
cat >"$work/hooks/load/script.cfg" <<'END'
help = "a script of this test";
command = "{file} {clients}";
keys = ( { name = "file"; help = "the script"; script = true; },
    { name = "clients"; help = "its argument"; default = 1; } );
metrics = ( { name = "rate"; unit = "things/s"; better = "higher";
    regex = "^rate: (\\S+)$"; choice = "only"; } );
primary = "rate";
END
sed 's/^help/tool = "no-such-tool"; help/' "$work/hooks/load/script.cfg" \
	>"$work/hooks/load/missing.cfg"
cat >"$work/count.sh" <<'END'
#!/bin/sh
echo "rate: $1"
END
cat >"$work/changes.sh" <<'END'
#!/bin/sh
echo "rate: 1"
echo "# changed" >>"$0"
END

matrix loads <<END
title = "Loads";
factors: {
	x = ( { name = "no"; }, { name = "yes"; env = [ "X=1" ]; } );
	clients = [ 1, 20 ];
};
loads = (
	{ use = "script"; file = "count.sh"; },
	{ use = "command"; name = "plain"; command = "echo >>$work/plain";
	  prepare = "echo >>$work/prepared"; },
	{ use = "command"; name = "silent"; command = "echo rate of 7";
	  metrics = ( { name = "rate"; unit = "things/s"; better = "higher";
	      regex = "^rate: (\\\\S+)$"; choice = "only"; } ); primary = "rate"; },
	{ use = "command"; name = "odd"; command = "echo rate: much";
	  metrics = ( { name = "rate"; unit = "things/s"; better = "higher";
	      regex = "^rate: (\\\\S+)$"; choice = "only"; } ); primary = "rate"; },
	{ use = "command"; name = "late"; timeout = "1s";
	  command = "sh -c 'sleep $nap; :' & while :; do echo tps: 0.00;"
	    " sleep 0.1; done"; metrics = ( { name = "tps";
	      regex = "^tps: (\\\\S+)$"; } ); },
	{ use = "command"; name = "tiny"; command = "echo lat: 0.00";
	  metrics = ( { name = "lat"; unit = "ms";
	      regex = "^lat: (\\\\S+)$"; } ); primary = "wall"; },
	{ use = "command"; name = "dies"; command = "echo no luck >&2; exit 7"; }
);
design: { rounds = 1; runs = 1; warmup = 0; };
END

night loads
is "some runs failed: 3" "$status" 3
is "the visits are valid" "$(sql "SELECT status, count(*) FROM visit")" \
	"valid|2"
is "a load of a variable runs once for each value, others once a start" \
	"$(sql "SELECT l.name, good, count(*) FROM run r JOIN load l
	ON l.id = r.load GROUP BY 1, 2 ORDER BY 1")" "count|1|4
dies|0|2
late|0|2
odd|0|2
plain|1|2
silent|0|2
tiny|1|2"
posts "silent, run 1 failed: NO_RESULT: no rate: nothing in the output" \
	"odd, run 1 failed: BAD_RESULT: rate is no plain number in" \
	"dies, run 1 failed: LOAD_FAILED: exit status 7 where 0 is wanted"
result "each says in the post why it has failed"
is "C51: a run that ends well without a figure is NO_RESULT, never good" \
	"$(sql "SELECT DISTINCT l.name, good, failure FROM run r JOIN load l
	ON l.id = r.load WHERE NOT good ORDER BY 1")" "dies|0|LOAD_FAILED
late|0|TIMEOUT
odd|0|BAD_RESULT
silent|0|NO_RESULT"
posts "late, run 1 failed: TIMEOUT: it did not end within 1 s and was"
result "C45: one that prints zeros for ever is stopped, and has failed"
posts "tiny, run 1: precision lost: its lat is printed as 0, with too few"
result "D59: a figure that is too small for its digits flags its run"
is "C52: none that failed has a sample" "$(sql "SELECT count(*) FROM sample s JOIN
	run r ON r.id = s.run WHERE NOT good")" 0
! pgrep -f "sleep $nap" >/dev/null
result "C49: what a stopped load left running is gone with it"
is "each has its output in raw" "$(sql "SELECT raw FROM run r JOIN load l ON
	l.id = r.load WHERE l.name = 'dies'" | while read -r file; do
	grep -x 'no luck' "$(run_dir loads)/raw/$file"; done)" "no luck
no luck"
is "prepare runs in each start, and no load more" \
	"$(wc -l <"$work/prepared") $(wc -l <"$work/plain")" "2 2"
sum=$(sha256sum "$work/count.sh" | cut -d' ' -f1)
is "the script is proved on the host, before and after" \
	"$(sql "SELECT after, verdict, count(*), count(DISTINCT wanted) FROM proof
	WHERE what = 'sha256' AND wanted = '$sum' AND about LIKE
	'$tmp/abrun.%count.sh' GROUP BY 1")" "0|yes|2|1
1|yes|2|1"
posts "sha256 $(echo "$sum" | cut -c1-16)"
result "and named in the post"
is "nothing is left on the host" "$(left_over)" ""

# one NAME LOAD: a matrix of two cells and one load.
one()
{
	matrix "$1" <<-END
		factors: { x = ( { name = "no"; },
		    { name = "yes"; env = [ "X=1" ]; } ); };
		title = "One"; loads = ( { $2 } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
one changes 'use = "script"; file = "changes.sh";'
night changes
is "a script that changes on the host: 1, since nothing is valid" "$status" 1
is "its visits are invalid" "$(sql "SELECT status, count(*) FROM visit" \
	changes)" "invalid|2"
says "after the load: sha256: wanted $tmp/abrun." "0-changes.sh $(
	sha256sum "$work/changes.sh" | cut -d' ' -f1), seen "
result "with what was wanted and what was seen"

one missing 'use = "missing"; file = "count.sh";'
night missing
is "C44: a load generator that is not there: 1" "$status" 1
says "box: MISSING_TOOL: load count needs no-such-tool, which was not found: it is not in PATH, which is /" &&
	[ "$(grep -c ' box: [A-Z_]*: ' "$work/said")" = 1 ]
result "is told once"
one fails 'use = "command"; command = "exit 9";'
night fails -v
is "a load that fails in every cell: 1, since nothing is measured" "$status" 1
posts "nothing was measured" "run 1 failed: LOAD_FAILED: exit status 9"
result "and says why"
says "box: logged in, host key SHA256:" "round 1, no: server 1" \
	" proofs hold before the load" " proofs hold after the load"
result "-v says every step"
one setup 'use = "command"; command = "true"; name = "full";
	setup = "echo cannot make tables >&2; exit 4";'
night setup
is "a setup that fails: 1" "$status" 1
grep -q "box: SETUP_FAILED: load full: setup ended with status 4: cannot make tables$" \
	"$work/said" &&
	[ "$(grep -c ' box: [A-Z_]*: ' "$work/said")" = 1 ]
result "is told once"
is "and leaves nothing" "$(left_over)" ""
one prepare 'use = "command"; command = "true"; name = "full";
	prepare = "sleep 9"; timeout = "1s";'
night prepare
is "a prepare that does not end: 1" "$status" 1
is "fails its visits, each twice" "$(sql "SELECT attempt, status, reason
	FROM visit" prepare | sort -u)" \
	"1|failed|load full: prepare did not end in 1000 ms
2|failed|load full: prepare did not end in 1000 ms"
is "and leaves nothing" "$(left_over)" ""
night_plan
