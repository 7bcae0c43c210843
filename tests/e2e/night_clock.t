#!/bin/sh
# The clock of the host is set back while a load runs: how long that took is
# told by a clock that nobody sets, and the run is flagged.  The clock is
# pretended by a date(1) of our own.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

cat >"$work/bin/date" <<END
#!/bin/sh
[ ! -e "$work/set" ] || set -- -d "2 hours ago" "\$@"
exec /bin/date "\$@"
END
chmod 755 "$work/bin/date"
matrix_target()
{
	cat <<-END
		targets = ( { name = "box"; ssh = "lab"; os = "linux";
		    ssh_config = "$lab/ssh_config";
		    path = "$work/bin:/sbin:/bin:/usr/sbin:/usr/bin"; } );
	END
}
matrix clock <<END
title = "Clock";
factors: { x = ( { name = "no"; }, { name = "yes"; env = [ "X=1" ]; } ); };
loads = ( { use = "command"; name = "nap"; command =
	"sleep 0.2; : >$work/set"; } );
design: { rounds = 1; runs = 2; warmup = 0; order = "listed"; };
END
night clock
is "E81: a clock that is set back costs no run" "$status" 0
is "the run in which it was set is flagged, and no other" \
	"$(sql "SELECT cell, number, flag IS NOT NULL FROM run ORDER BY id")" \
	"0|1|1
0|2|0
1|1|0
1|2|0"
sql "SELECT flag FROM run" >"$work/flags"
grep -q "^the clock of the host was set by -7[12][0-9][0-9]\.[0-9] s while it ran" \
	"$work/flags"
result "with how far it was set"
is "every run took its time, and not two hours more or less" \
	"$(sql "SELECT count(*) FROM run JOIN sample ON run = id WHERE
	metric = 'wall' AND value >= 0.2 AND value < 3000 AND
	wall_ms >= 200")" 4
posts "One run was flagged and is used all the same" "the clock of the host was set by -7"
result "the post says so"
night_plan
