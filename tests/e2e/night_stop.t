#!/bin/sh
# design.stop: a night that goes on until its intervals are narrow, and one
# that has no time left.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab database=no
matrix_server()
{
	:
}

# Figures that are made up: those of the second level differ from 1000 by
# +1, -1, +1, -1, 0, 0.  With 97 % that is 1.49 on either side after five
# rounds, and 1.08 after six.
cat >"$work/bin/figure" <<END
#!/bin/sh
echo >>"$work/runs-\$1"
n=\$(wc -l <"$work/runs-\$1")
[ \$1 = 1 ] || [ \$n -gt 4 ] && n=0
case \$n in
1|3) echo tps 1001 ;;
2|4) echo tps 999 ;;
*) echo tps 1000 ;;
esac
END
chmod 755 "$work/bin/figure"
mkdir -p "$work/hooks/load"
cat >"$work/hooks/load/made-up.cfg" <<END
help = "figures that are made up";
tool = "sh";
keys = ( { name = "level"; help = "of the factor"; },
         { name = "time"; help = "how long it says that it takes, in s";
           type = "seconds"; default = 1; } );
command = "$work/bin/figure {level}; : {time}";
length_key = "time";
metrics = ( { name = "tps"; unit = "queries/s"; better = "higher";
              regex = "^tps (\\\\d+)"; } );
END
# stopping NAME TIME STOP
stopping()
{
	matrix "$1" <<-END
	title = "Stop";
	factors: { level = [ 1, 2 ]; };
	loads = ( { use = "made-up"; time = $2; timeout = "4h"; } );
	design: { rounds = 5; runs = 1; warmup = 0; stop: { $3 }; };
	END
}

stopping narrow 1 'halfwidth = "0.13%"; max_rounds = 9;'
night narrow
is "a night goes on until its intervals are narrow" "$status $(sql "SELECT
	rounds, (SELECT count(*) FROM visit WHERE status = 'valid')
	FROM experiment")" "0 6|6"
is "why it went on and why it stopped is stored" "$(sql "SELECT kind, text
	FROM event WHERE kind IN ('goes on', 'stopped') ORDER BY id")" \
	"goes on|after 5 rounds the widest interval is +-0.15 %, wanted is +-0.13 %: on to round 6
stopped|after 6 rounds by width: the widest interval is +-0.11 %, wanted was +-0.13 %; first looked after 5 rounds, 9 would have been the most"
posts "Stopped after 6 rounds by width: the widest interval is +-0.11 %" \
	"Intervals are computed at 97 %, and verdicts at p < 0.03"
result "and why it stopped stands in the post"

# It was killed between its last run and the look at it.
sqlite3 "$(run_dir narrow)/run.db" "DELETE FROM event WHERE kind = 'stopped'"
night narrow
is "a look that was missed is made later" "$status $(sql "SELECT
	(SELECT count(*) FROM event WHERE kind = 'stopped'),
	(SELECT count(*) FROM visit)")" "0 1|6"
night narrow
says "is finished"
result "and once"

# An hour from now, and a load that says that it takes three.
stopping late 10800 "until = \"$(date -d '1 hour' +%H:%M)\";"
night late
is "a round that cannot end in time is not begun" "$status $(sql "SELECT
	(SELECT count(*) FROM visit), rounds FROM experiment" late)" "1 0|5"
posts "Stopped before round 1, which could not have ended before"
result "and the post says so"
night_plan
