#!/bin/sh
# What else goes on on the host: runs beside a program that burns all CPUs, a
# gate that this program holds shut, and what is watched on both sides.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

# One for each CPU, and one more.
for _ in $(seq 0 "$(nproc)"); do
	(exec sh -c 'while :; do :; done') &
	helpers="$helpers $!"
done

matrix busy <<'END'
title = "beside a program that burns all CPUs";
factors: { env = [ "A=1" ]; };
loads = ( { use = "command"; name = "nap"; command = "sleep 1"; } );
design: { rounds = 1; runs = 1; warmup = 0; others = "5%";
    quiet: { limit = "5%"; wait = "2s"; }; };
END
night busy
is "a night on a busy host ends" "$status" 0
is "its visit was not quiet, and went on" "$(sql "SELECT value FROM fact
	WHERE scope = 'visit' AND key = 'quiet.quiet'")" no
is "it waited for two seconds and not for long" "$(sql "SELECT
	CAST(value AS INTEGER) BETWEEN 2000 AND 20000 FROM fact
	WHERE key = 'quiet.waited_ms'")" 1
is "the run knows whose the CPU time was" "$(sql "SELECT cpu_ms > 0 AND
	server_ms BETWEEN 0 AND cpu_ms AND others_ms > cpu_ms / 20 FROM run")" 1
flag=$(sql "SELECT flag FROM run")
case $flag in
"others used "*" % of the CPU time, the limit is 5 %; the host was not quiet before it: "*) true ;;
*) false ;;
esac
result "and is flagged for both"
says "the host was not quiet before it"
result "it is told as it happens"
posts "In 1 of 1 measured runs the host was busy" "others used" \
	"more than 5 % flags a run" "the host was quiet in 0 of 1 visits"
result "and the post says so"
is "what counts is kept of both sides" "$(sql "SELECT count(*) FROM fact
	WHERE scope = 'visit' AND key IN ('before.cpu_ticks', 'after.cpu_ticks',
	'before.uptime_ms', 'after.uptime_ms')")" 4
is "what may disturb is kept of the boot" "$(sql "SELECT count(*) FROM fact
	WHERE scope = 'boot' AND key IN ('memory_available_kb', 'maintenance',
	'tmp_free_kb', 'free_kb $lab/data')")" 4

matrix calm <<'END'
title = "nobody is asked to be quiet";
factors: { env = [ "A=1" ]; };
loads = ( { use = "command"; name = "nap"; command = "sleep 0.2"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
night calm
is "a night that does not wait ends" "$status" 0
is "no visit of it was asked for quiet" "$(sql "SELECT count(*) FROM fact
	WHERE key LIKE 'quiet%'")" 0
is "no run of it is flagged" "$(sql "SELECT count(*) FROM run
	WHERE flag IS NOT NULL")" 0
posts "Other programs used" "more than 100 % flags a run" &&
	! posts "was not watched" && ! posts "the host was quiet"
result "and what others used is told"
night_plan
