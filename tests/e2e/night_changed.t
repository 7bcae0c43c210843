#!/bin/sh
# Load generators that are not there, or not any more what they were: what is
# changed under a night is noticed and named, and never measured for the old.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

mkdir -p "$work/hooks/load"
cat >"$work/hooks/load/script.cfg" <<'END'
help = "a script of this test";
command = "sh {file}";
keys = ( { name = "file"; help = "the script"; script = true; } );
metrics = ( { name = "rate"; unit = "things/s"; better = "higher";
    regex = "^rate: (\\S+)$"; choice = "only"; } );
primary = "rate";
END
# one NAME LOAD [FACTORS]
one()
{
	matrix "$1" <<-END
		title = "One"; loads = ( { $2 } );
		factors: { x = ( { name = "no"; },
		    { name = "yes"; env = [ "X=1" ]; } ); ${3-} };
		design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
	END
}
runs()
{
	sql "SELECT c.name, r.good, r.failure FROM run r JOIN cell c
		ON c.id = r.cell ORDER BY r.id" "$1"
}

one gone 'use = "command"; name = "ask"; command = "no-such-load --fast";'
night gone
is "C44: a load generator that the host does not have: 1" "$status" 1
is "C44: each run ends at once, and is named so" "$(runs gone)" \
	"no|0|MISSING_TOOL
yes|0|MISSING_TOOL"
posts "run 1 failed: MISSING_TOOL: exit status 127 where 0 is wanted (last:" \
	"no-such-load: not found"
result "with what the host said"
one some 'use = "command"; name = "ask"; command = "{tool}";' \
	'tool = [ "true", "no-such-load" ];'
night some
is "C44: one that is missing in some cells: 3" "$status" 3
is "costs those alone" "$(runs some)" "no / true|1|
no / no-such-load|0|MISSING_TOOL
yes / true|1|
yes / no-such-load|0|MISSING_TOOL"

# A script beside the matrix, which is copied to the host when the night begins.
cat >"$work/rate.sh" <<END
echo "rate: 1"
if [ -e "$work/hold" ]; then
	: >"$work/held"
	while [ -e "$work/hold" ]; do sleep 0.2; done
fi
END
cp "$work/rate.sh" "$work/first.sh"
sum=$(sha256sum <"$work/first.sh" | cut -d' ' -f1)
one beside 'use = "script"; name = "rate"; file = "rate.sh";'
: >"$work/hold"
night_start beside
wait_for test -e "$work/held"
echo 'echo "rate: 2"' >"$work/rate.sh"
rm "$work/hold"
night_wait
is "E75: a script that is edited in the night: 0" "$status" 0
is "its first text is what runs, in all cells" \
	"$(sql "SELECT DISTINCT value FROM sample s JOIN run r ON r.id = s.run
		WHERE metric = 'rate'" beside)" 1.0
is "and is proved" "$(sql "SELECT verdict, count(*) FROM proof
	WHERE what = 'sha256' AND about LIKE '%rate.sh' AND wanted = '$sum'
	GROUP BY 1" beside)" "yes|4"
posts "sha256 $(echo "$sum" | cut -c1-16)"
result "the post names that one"

rm "$work/held"
cp "$work/first.sh" "$work/rate.sh"
: >"$work/hold"
night_start beside --new
wait_for test -e "$work/held"
echo 'echo "rate: 2"' >"$work/rate.sh"
kill -s INT "$night"
night_wait
night beside
is "E75: a night that was interrupted does not go on with it: 2" "$status" 2
says "$(run_dir beside) is unfinished" "$work/rate.sh"
result "the script is named"

# One that the host has itself.
rm -f "$work/held"
cp "$work/first.sh" "$work/own.sh"
one own "use = \"script\"; name = \"rate\"; file = \"$work/own.sh\";"
: >"$work/hold"
night_start own
wait_for test -e "$work/held"
echo 'echo "rate: 2"' >"$work/own.sh"
rm "$work/hold"
night_wait
is "E75: a script of the host that is changed under a load: 1" "$status" 1
is "no visit is valid" "$(sql "SELECT status, failure, count(*) FROM visit
	GROUP BY 1, 2" own)" "invalid|SOFTWARE_CHANGED|2"
says "box: round 1, no: visit invalid: SOFTWARE_CHANGED: after the load: sha256: wanted $work/own.sh $sum, seen $(
	sha256sum <"$work/own.sh" | cut -d' ' -f1)" \
	"box: round 1, yes: visit invalid: SOFTWARE_CHANGED: before the load: "
result "it is named, with what was wanted and seen"
is "nothing is left" "$(left_over)" ""
night_plan
