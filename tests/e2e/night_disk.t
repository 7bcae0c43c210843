#!/bin/sh
# The disk of the reports is full in the middle of a night: the night ends and
# says so, what was stored stays, the host is as it was; with room again the
# night goes on.

if [ "${1-}" != inside ]; then
	exec unshare -m sh "$0" inside
fi
# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab
mkdir "$reports"
mount -t tmpfs -o size=64m tmpfs "$reports" || { echo "Bail out! no mount"; exit 1; }
trap 'umount -l "$reports"; night_clean' EXIT

for knob in swappiness dirty_ratio; do
	echo 60 >"$work/$knob"
	mount --bind "$work/$knob" "/proc/sys/vm/$knob" || exit 1
done
echo off >"$work/knob"
state()
{
	cat "$work/swappiness" "$work/dirty_ratio" "$work/knob" | tr '\n' ' '
}

matrix full <<END
title = "Full";
factors: { what = (
	{ name = "none"; },
	{ name = "one"; sysctl = [ "vm.swappiness=10" ]; },
	{ name = "all"; sysctl = [ "vm.swappiness=20", "vm.dirty_ratio=30" ];
	  apply = "echo on >$work/knob; if [ -e $work/fill-apply ]; then cat /dev/zero >$reports/ballast; fi; true";
	  undo = "echo off >$work/knob"; }
); };
loads = ( { use = "command"; name = "fill"; timeout = "1min"; command =
	"if [ {cell} = all ] && [ -e $work/fill-run ]; then cat /dev/zero >$reports/ballast; fi; true"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
# While a run is stored.
: >"$work/fill-run"
night full
is "E68: a full disk ends the night with 4" "$status" 4
says "box: STORE_FAILED: cannot write $(run_dir full)/raw/box-round1-cell2-fill-run1.txt: No space left on device" \
	"what was stored before is kept in $(run_dir full)" &&
	[ "$(grep -c "/raw/" "$work/said")" = 1 ]
result "and says what cannot be written, and what to do"
is "the host is as it was" "$(state)" "60 60 off "
is "with nothing left on it" "$(left_over)" ""
is "what was stored before is there" "$(sql "SELECT status, count(*),
	(SELECT count(*) FROM run WHERE good) FROM visit GROUP BY 1
	ORDER BY 1; PRAGMA integrity_check")" "running|1|2
valid|2|2
ok"
posts "2 of 3 visits valid" "No space left on device"
result "the post is printed all the same"

# While a change is stored.
rm "$reports/ballast" "$work/fill-run"
: >"$work/fill-apply"
night full
is "full again, it ends with 4 again" "$status" 4
says "going on with $(run_dir full)" "the disk is full"
result "and says so"
is "the host is as it was" "$(state)" "60 60 off "
is "with nothing left on it" "$(left_over)" ""

# Before anything is stored.
night full
is "still full, it ends with 4" "$status" 4
says "$(run_dir full)" "full" || says "No space left"
result "and says so"
is "and does nothing to the host" "$(state) $(left_over)" "60 60 off  "

# Little is left: enough to store, but not for a night.
rm "$reports/ballast" "$work/fill-apply"
head -c $((40 << 20)) /dev/zero >"$reports/ballast"
visits=$(sql "SELECT count(*) FROM visit")
night full
is "E69: with less than 32 MiB free it ends with 4" "$status" 4
says "only 2" " KiB are free for $(run_dir full), and nothing is begun below 32768 KiB" \
	"make room, and the same matrix goes on there"
result "says how much there is, and how much there must be"
is "and begins nothing" "$(sql "SELECT count(*) FROM visit")" "$visits"
is "nor touches the host" "$(state) $(left_over)" "60 60 off  "
"$B/abrun" check --reports "$reports" "$work/full.cfg" >"$work/said" 2>&1
[ $? -eq 2 ] && tr -s ' \n' '  ' <"$work/said" | grep -q \
	"FAIL reports: .*only 2.* KiB are free for $reports, and nothing is begun"
result "check says so beforehand"

rm "$reports/ballast"
night full
is "with room it ends with 0" "$status" 0
is "all is there" "$(sql "SELECT server FROM visit WHERE status = 'valid'")" \
	"0
1
2"
is "all is undone" "$(state) $(left_over) $(sql "SELECT count(*) FROM undo
	WHERE state <> 'undone'")" "60 60 off   0"
posts "(1 round, all visits valid)" && [ -s "$(run_dir full)/report.md" ]
result "and reported"
night_plan
