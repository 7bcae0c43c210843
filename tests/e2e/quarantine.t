#!/bin/sh
# A night on a pretended host that fails to boot one kernel after the other: it
# is left alone from then on, and what it has measured before stays.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
fb_up

matrix ill <<END
title = "Kernels";
factors: { kernel = ( { name = "4BSD"; }, { name = "ULE"; kernel = "ULE"; },
    { name = "old"; kernel = "old"; },
    { name = "7"; loader = [ "hw.test=7" ]; } ); };
loads = ( { use = "command"; name = "true"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
fb_fault dies ULE
fb_fault panics old
: >"$FB/ledger"
night ill
is "what was measured before stays" "$status $(sql "SELECT c.name, v.status,
	coalesce(v.failure, '-') FROM visit v JOIN cell c
	ON c.server = v.server ORDER BY v.id")" "3 4BSD|valid|-
ULE|failed|FELL_BACK
ULE|failed|FELL_BACK
old|failed|FELL_BACK
old|failed|FELL_BACK"
is "after two kernels that did not boot there is no boot more" "$(fb_ledger)" \
	"kernel ULE kernel ULE kernel old kernel old kernel"
says "box: QUARANTINED: quarantined: the boots of 2 blocks in a row were not had (kernel ULE, old)"
result "which is said"
posts "box: quarantined: QUARANTINED: quarantined: the boots of 2 blocks"
result "and posted"
is "and stored" "$(sql "SELECT count(*) FROM event
	WHERE kind = 'quarantined'")" 1
"$B/abrun" status "$(run_dir ill)" >"$work/said" 2>&1
says "gone     box: QUARANTINED: quarantined: the boots of 2 blocks"
result "and status tells it"

# Mended, it goes on: what was done is not done again.
fb_mend dies panics
: >"$FB/ledger"
night ill
is "the next night goes on" "$status $(sql "SELECT c.name, v.status FROM visit v
	JOIN cell c ON c.server = v.server ORDER BY v.id DESC LIMIT 1")" "3 7|valid"
is "with what was not begun" "$(fb_ledger)" "kernel kernel"
night_plan
