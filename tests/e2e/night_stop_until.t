#!/bin/sh
# design.stop by a time of day on two hosts: a round that none of them had the
# time to begin is not missed.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/hosts.sh
. tests/lib/hosts.sh

mkdir -p "$work/hooks/load"
cat >"$work/hooks/load/made-up.cfg" <<END
help = "figures that are made up";
tool = "sh";
keys = ( { name = "level"; help = "of the factor"; },
         { name = "time"; help = "how long it says that it takes, in s";
           type = "seconds"; default = 1; } );
command = "echo tps 100{level}; : {time}";
length_key = "time";
metrics = ( { name = "tps"; unit = "queries/s"; better = "higher";
              regex = "^tps (\\\\d+)"; } );
END
# late ROUNDS [STOP]: of a load that says that it takes three hours.
late()
{
	matrix_calm >"$work/late.cfg" <<-END
	title = "Late";
	targets = (
		{ name = "one"; ssh = "one"; os = "linux";
		  ssh_config = "$work/ssh_config"; },
		{ name = "two"; ssh = "two"; os = "linux";
		  ssh_config = "$work/ssh_config"; }
	);
	factors: { level = [ 1, 2 ]; };
	loads = ( { use = "made-up"; time = 10800; timeout = "4h"; } );
	design: { rounds = $1; runs = 1; warmup = 0; ${2-} };
	END
}
made()
{
	sql "SELECT rounds, (SELECT count(*) FROM visit WHERE status = 'valid'),
		(SELECT group_concat(text) FROM event WHERE kind = 'shortened')
		FROM experiment" late
}

late 1
night late
is "a night of one round" "$status $(made)" "0 1|2|"
late 2 "stop: { until = \"$(date -d '1 hour' +%H:%M)\"; };"
night late
is "a round that no host had the time to begin is not missed" \
	"$status $(made)" \
	"0 1|2|from 2 to 1 rounds: no host had the time to begin round 2"
posts "Stopped before round 2, which could not have ended before"
result "and the post says why"
late 2
night late
is "it is made where there is time" "$status $(made | cut -c 1-4)" "0 2|4|"
night_plan
