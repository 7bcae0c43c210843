#!/bin/sh
# Monitors: beside every visit alike, in the calls that there are, ended with
# it; one that dies is told.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab
nap=$((500000 + $$))

matrix watch <<END
title = "Watched";
monitors = (
	{ name = "ticks"; command =
	    "echo of {cell} in {round} at {socket}; sleep $nap & wait"; },
	{ name = "dies"; on = "client"; command =
	    "[ {round} != 2 ] || exit 7; sleep $nap"; }
);
factors: { env = [ "A=1", "B=2" ]; };
loads = ( { use = "command"; name = "one";
    command = "pgrep -f '^sleep $nap' | wc -l >>$work/beside"; } );
design: { rounds = 2; runs = 1; warmup = 0; order = "listed"; };
END
night watch -v
is "a night with monitors: 0" "$status" 0
is "they run beside the loads" "$(sort -u "$work/beside" | tail -n 1)" 2
is "it takes no call more" "$(grep -c 'visit took [1-6] round trips' "$work/said")" 4
is "each visit has the output of each in raw" \
	"$(find "$(run_dir watch)/raw" -name '*-monitor-*' | wc -l)" 8
grep -qx "of A=1 in 1 at '*$lab/mysqld.sock'*" \
	"$(run_dir watch)"/raw/box-round1-cell0-monitor-ticks.txt
result "with values of its own put in"
is "one that dies flags the runs of its visit" "$(sql "SELECT round, flag
	FROM run r JOIN visit v ON v.id = r.visit WHERE flag IS NOT NULL")" \
	"2|the monitor dies did not live through it: it ended with status 7
2|the monitor dies did not live through it: it ended with status 7"
is "is an event" "$(sql "SELECT count(*) FROM event WHERE
	kind = 'monitor died'")" 2
is "and does no harm" "$(sql "SELECT status, count(*) FROM visit")" "valid|4"
posts "monitor ticks: echo of {cell} in {round}" "monitor dies did not live"
result "the post names them, and tells that"
is "nothing of them is left" "$(pgrep -a -f "sleep $nap"; left_over)" ""

# A night that is interrupted in the midst of a visit ends them, too.
matrix cut <<END
title = "Cut";
monitors = ( { name = "ticks"; command = "sleep $nap"; } );
factors: { env = [ "A=1" ]; };
loads = ( { use = "command"; name = "one"; timeout = "1h";
    command = "echo >$work/held; exec sleep $nap"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
night_start cut
wait_for test -e "$work/held"
kill -s INT "$night"
night_wait
is "an interrupted night: 130" "$status" 130
is "leaves no monitor" "$(pgrep -a -f "sleep $nap"; left_over)" ""

# Setting during: a process that must live through a visit.
matrix live <<END
title = "Live";
factors: { helper = ( { name = "none"; },
    { name = "lives"; during = [ "exec sleep 4$nap" ]; },
    { name = "again"; during = [ "exec sleep 4$nap" ]; env = [ "X=1" ]; },
    { name = "dies"; during = [ "echo too old >&2; exit 3" ]; } ); };
loads = ( { use = "command"; name = "one";
    command = "echo {cell} \$(pgrep -f '^sleep 4$nap') >>$work/lived"; } );
design: { rounds = 2; runs = 1; warmup = 0; order = "listed"; };
END
night live
is "a cell whose process dies is invalid, the others are valid: 3" "$status" 3
is "each visit by what it was" "$(sql "SELECT DISTINCT c.name, status, failure
	FROM visit v JOIN cell c ON c.server = v.server ORDER BY c.id" live)" \
	"none|valid|
lives|valid|
again|valid|
dies|invalid|DURING_DIED"
is "it lives beside the loads of its cells alone" \
	"$(sed 's/ [0-9][0-9]*$/ yes/' "$work/lived" | sort -u)" "again yes
lives yes
none"
is "as one process through cells that follow each other" \
	"$(sed -n 's/^[al][a-z]* //p' "$work/lived" | sort -u | wc -l)" 2
posts "dies is invalid: DURING_DIED: before the load: during: wanted" \
	"it ended with status 3: too old"
result "what has died is told with its last words"
is "it is proved, and proved absent" "$(sql "SELECT DISTINCT c.name, after,
	p.wanted = 'absent', verdict FROM proof p JOIN visit v ON v.id = p.visit
	JOIN cell c ON c.server = v.server WHERE what = 'during' AND
	about LIKE '%sleep%' AND round = 2 AND c.name <> 'dies' ORDER BY c.id, 2" live)" \
	"none|0|1|yes
none|1|1|yes
lives|0|0|yes
lives|1|0|yes
again|0|0|yes
again|1|0|yes"
is "nothing is left, nor to be undone" "$(pgrep -a -f "sleep 4$nap"; left_over
	sql "SELECT kind, name FROM undo WHERE state <> 'undone'" live)" ""
night_plan
