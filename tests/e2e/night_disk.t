#!/bin/sh
# The disk of the run directory becomes full in the middle of the night: the
# host is put back all the same, and the same matrix goes on.

# The tiny file system is in a mount namespace of its own: nothing of the
# machine changes, and it is gone with the last process.
[ "${1:-}" = inside ] || exec unshare -m sh "$0" inside

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
mkdir "$reports" && mount -t tmpfs -o size=4m tmpfs "$reports" || exit 1
trap 'umount -l "$reports"; night_clean' EXIT
night_lab

# In the second round, if asked, the load itself takes all the room.
matrix disk <<END
title = "Full";
factors: {
	knob = ( { name = "on"; apply = "echo on >$work/knob";
	      undo = "echo off >$work/knob"; },
	    { name = "off"; env = [ "KNOB=off" ]; } );
};
loads = ( { use = "command"; name = "fill"; command =
	"if [ -e $work/fill ] && [ {round} = 2 ]; then"
	" head -c 9999999 /dev/zero >$reports/ballast; fi; true"; } );
design: { rounds = 2; runs = 1; warmup = 0; order = "listed"; };
END
echo off >"$work/knob"
: >"$work/fill"
night disk
is "a full disk ends the night with 4" "$status" 4
run=$(run_dir disk)
is "before it, all is stored" "$(sql "SELECT round, status FROM visit
	WHERE status = 'valid'")" "1|valid
1|valid"
says "No space left on device" "what was stored before is kept in $run"
result "it says what happened, and how to go on"
is "each thing once" "$(grep -c "$run/raw/" "$work/said")" 1
is "no server is left" "$(sandbox_servers "$lab")" ""
is "no load is, and no directory" "$(left_over)" ""
is "no setting is" "$(cat "$work/knob")" off

rm "$reports/ballast" "$work/fill"
night disk
is "with room again, the same matrix ends with 0" "$status" 0
posts "(2 rounds, all visits valid)"
result "and has all visits"
is "in the same run directory" "$(run_dir disk)" "$run"
is "nothing is left on the host" "$(left_over)$(cat "$work/knob")" off
is "nor to be undone" \
	"$(sql "SELECT count(*) FROM undo WHERE state <> 'undone'")" 0
night_plan
