#!/bin/sh
# What abrun costs: a verb; a visit beyond restart and load; round trips.
# Against a shell script that does the same visits through a ControlMaster of
# ssh(1), without proofs, and against the restart alone, on the machine
# itself.  Prints figures, fails only what does not work at all.  From the top
# directory; B is the build directory, TURNS how often each takes its turn
# (default 8; a turn is four visits), COUNT how often a verb is called (50).
set -eu

B=${B:-build}
TURNS=${TURNS:-8}
COUNT=${COUNT:-50}
abrun=$(pwd)/$B/abrun
work=$(mktemp -d /tmp/abrun-bench.XXXXXX)
# shellcheck source=tests/lib/sshd.sh
. tests/lib/sshd.sh
# shellcheck source=tests/lib/sandbox.sh
. tests/lib/sandbox.sh
lab=$work/lab
master=$work/master

# shellcheck disable=SC2317 # called by the trap
down()
{
	set +e
	ssh -F "$lab/ssh_config" -S "$master" -O exit lab 2>/dev/null
	sandbox_down "$lab"
	rm -rf "$work"
}
trap down EXIT
trap 'exit 1' HUP INT TERM

now()
{
	date +%s%N
}

# quartiles FILE: "median first third least most" of its numbers.
quartiles()
{
	sort -n "$1" | awk '{ v[NR - 1] = $1 } END {
		n = NR
		printf "%8.0f %8.0f %8.0f %8.0f %8.0f", v[int(n / 2)],
		    v[int(n / 4)], v[n - 1 - int(n / 4)], v[0], v[n - 1]
	}'
}

# figures NAME FILE
figures()
{
	printf '%-34s %s  (%s)\n' "$1" "$(quartiles "$2")" \
		"$(grep -c . "$2")"
}

# --- the three ways to make a visit -----------------------------------------

server="mariadbd --no-defaults --user=root --innodb-buffer-pool-size=64M \
--innodb-log-file-size=32M --tmpdir=$lab/tmp --skip-networking"
jemalloc=$(find /usr/lib /lib -name 'libjemalloc.so.2' | head -n 1)

# A: four visits of a whole run of abrun: two cells, two rounds.  What begins
# and ends the run is not a visit's.
abrun_turn()
{
	rm -rf "$work/reports"
	(cd "$work" && "$abrun" -v --new --reports "$work/reports" two.cfg) \
		>"$work/said" 2>&1 || {
		tail -n 20 "$work/said"
		exit 1
	}
	sqlite3 "$work"/reports/*/run.db "
		select cast(round(1000 * (ended - began)) as integer) from visit
		where status = 'valid'" >>"$work/abrun"
	sqlite3 "$work"/reports/*/run.db \
		"select ready_ms from start" >>"$work/abrun.ready"
	sed -n 's/.*visit took \([0-9]*\) round trips.*/\1/p' "$work/said" \
		>>"$work/trips"
}

# What both of the others run on the target: the end of the old server and the
# start of the new one, watched every 20 ms.
cat >"$work/stop" <<END
kill \$(cat $work/pid) 2>/dev/null
while read -r _ _ state _ <"/proc/\$(cat $work/pid)/stat" && [ "\$state" != Z ]
do sleep 0.02; done 2>/dev/null
rm -f $work/pid
END
cat >"$work/start" <<END
cd / && setsid env \$1 $server --datadir=$lab/data \
	--socket=$lab/mysqld.sock </dev/null >$work/log 2>&1 & echo \$! >$work/pid
until mariadb --no-defaults --socket=$lab/mysqld.sock --user=root \
	-e 'select 1' >/dev/null 2>&1; do sleep 0.02; done
END
remote()
{
	ssh -F "$lab/ssh_config" -S "$master" lab "$@"
}

# B: a careful script over one open session: stop, start and wait, load under
# time(1).
script_visit()
{
	before=$(now)
	remote sh "$work/stop"
	remote sh "$work/start" "$1"
	remote "env time -f '%e %U %S %M' -o $work/time true; cat $work/time" \
		>"$work/out"
	echo $((($(now) - before) / 1000000)) >>"$work/script"
}

# C: no ssh and no load: what nobody can do without.
local_visit()
{
	before=$(now)
	sh "$work/stop"
	sh "$work/start" "$1"
	echo $((($(now) - before) / 1000000)) >>"$work/restart"
}

# four WAY: four visits, the first server being there already.
four()
{
	sh "$work/start" A=b
	"$1" A=b
	"$1" "LD_PRELOAD=$jemalloc"
	"$1" A=b
	"$1" "LD_PRELOAD=$jemalloc"
	sh "$work/stop"
}

# ---------------------------------------------------------------------------

cp -R hooks "$work"
cat >"$work/two.cfg" <<END
title = "what a visit costs";
targets = ( { name = "lab"; ssh = "lab"; ssh_config = "$lab/ssh_config";
              os = "linux"; } );
server: { command = "$server";
          datadir = "$lab/data"; socket = "$lab/mysqld.sock"; user = "root"; };
factors: { allocator = ( { name = "libc"; },
                         { name = "jemalloc"; preload = "jemalloc"; } ); };
loads = ( { use = "command"; name = "nothing"; command = "true"; } );
design: { rounds = 2; runs = 1; warmup = 0; others = "100%";
          quiet: { wait = "0s"; }; };
END
sandbox_up "$lab" lab
ssh -F "$lab/ssh_config" -S "$master" -M -N -f -o ControlPersist=yes lab

printf '%s, %s CPUs, load average %s\n\n' "$(date -u '+%Y-%m-%d %H:%M UTC')" \
	"$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
printf '%-34s %8s %8s %8s %8s %8s\n' 'a call, ms' median quarter 3/4 least most
"$B/tests/bench/verb" "$lab/ssh_config" lab "$master" "$COUNT"

turn=0
while [ $turn -lt "$TURNS" ]; do
	turn=$((turn + 1))
	abrun_turn
	four script_visit
	four local_visit
done
printf '\n%-34s %8s %8s %8s %8s %8s\n' 'a visit, ms' median quarter 3/4 \
	least most
figures 'abrun, proved twice' "$work/abrun"
figures 'script over a ControlMaster' "$work/script"
figures 'restart alone, no ssh, no load' "$work/restart"
figures 'of abrun: start to first answer' "$work/abrun.ready"
figures 'round trips of abrun' "$work/trips"
median()
{
	quartiles "$1" | awk '{ print $1 }'
}
awk -v a="$(median "$work/abrun")" -v b="$(median "$work/script")" \
	-v c="$(median "$work/restart")" 'BEGIN {
	printf "\nabrun / script: %.2f\n", a / b
	printf "beyond the restart: abrun %d ms, script %d ms\n", a - c, b - c
}'
printf 'load average at the end %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
