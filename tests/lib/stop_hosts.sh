# shellcheck shell=sh
# A night of two hosts that ends by width, hosts.cfg: source this file after
# hosts.sh.  $work/hold names the load that does not end: host, level, round.
#
#     decisions    what was decided, as it is stored
#     visits       the valid ones of each host

# shellcheck disable=SC2154 # work and hosts_nap are those of the others
# Figures that are made up: those of the second level differ from 1000 by
# +1, -1, +1, -1, 0, 0, and on the second host by twice as much.  With 97 %
# that is 1.49 on either side after five rounds, 1.08 after six, and 2.98 and
# 2.16 on the second.
mkdir -p "$work/bin" "$work/hooks/load"
cat >"$work/bin/figure" <<END2
#!/bin/sh
if [ "\$1\$2\$3" = "\$(cat "$work/hold")" ]; then
	echo >"$work/held"
	sleep $hosts_nap
fi
by=1
[ \$1 = one ] || by=2
case \$2\$3 in
21|23) echo tps \$((1000 + by)) ;;
22|24) echo tps \$((1000 - by)) ;;
*) echo tps 1000 ;;
esac
END2
chmod 755 "$work/bin/figure"
cat >"$work/hooks/load/made-up.cfg" <<END2
help = "figures that are made up";
tool = "sh";
keys = ( { name = "level"; help = "of the factor"; } );
command = "$work/bin/figure {target} {level} {round}";
metrics = ( { name = "tps"; unit = "queries/s"; better = "higher";
              regex = "^tps (\\\\d+)"; } );
END2
matrix_calm >"$work/hosts.cfg" <<END2
title = "Stop";
targets = (
	{ name = "one"; ssh = "one"; os = "linux"; ssh_config = "$work/ssh_config"; },
	{ name = "two"; ssh = "two"; os = "linux"; ssh_config = "$work/ssh_config";
	  patience = "3s"; }
);
factors: { level = [ 1, 2 ]; };
loads = ( { use = "made-up"; timeout = "1h"; } );
design: { rounds = 5; runs = 1; warmup = 0;
	stop: { halfwidth = "0.25%"; max_rounds = 9; }; };
END2
decisions()
{
	sql "SELECT kind, text FROM event WHERE kind IN ('goes on', 'stopped')
		ORDER BY id"
}
visits()
{
	sql "SELECT h.name, count(*) FROM visit v JOIN host h ON h.id = v.target
		WHERE status = 'valid' GROUP BY 1"
}
