#!/bin/sh
# What abrun stat costs against ministat, both printing ministat's output of
# two files: user time by the least of some tries, in turns, and the greatest
# memory.  Prints ratios; fails only where the outputs differ.  From the top
# directory; B is the build directory.
#
#     TRIES=5 SIZES='1000 1000000 10000000' B=build sh tests/bench/stat.sh
set -eu
abrun=$(pwd)/${B:-build}/abrun
tries=${TRIES:-5}
sizes=${SIZES:-1000 1000000 10000000}
work=$(mktemp -d /tmp/abrun-bench.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

# Simulated rates, normal by twelve draws each.
numbers() # COUNT SEED
{
	awk -v n="$1" -v seed="$2" 'BEGIN { srand(seed)
		for (i = 0; i < n; i++) {
			x = -6
			for (k = 0; k < 12; k++) x += rand()
			printf "%.4f\n", 5000 + 10 * seed + 100 * x } }'
}
# NAME COMMAND...: adds its user time and memory to NAME.
cost()
{
	name=$1
	shift
	/usr/bin/time -q -a -o "$name" -f '%U %M' "$@" >out
}
# NAME: least user time, greatest memory.
told()
{
	awk 'NR == 1 || $1 < u { u = $1 } $2 > m { m = $2 }
		END { printf "%.2f %d\n", u, m }' "$1"
}
# CPU time of a call, us: the least of some tries of 100 calls each.
each() # COMMAND...
{
	rm -f calls
	for _ in 1 2 3 4 5; do
		# shellcheck disable=SC2016 # the inner shell's own
		/usr/bin/time -q -a -o calls -f '%U %S' sh -c '
			i=0
			while [ $i -lt 100 ]; do
				i=$((i + 1))
				"$@" >out
			done' sh "$@"
	done
	awk '{ t = ($1 + $2) * 1e4 } NR == 1 || t < least { least = t }
		END { printf "%d\n", least }' calls
}

echo "$(date -u '+%Y-%m-%d %H:%M UTC'), $(nproc) CPUs, load average $(cut -d ' ' -f 1-3 /proc/loadavg)"
base=$("$abrun" --version >out; /usr/bin/time -q -f %M "$abrun" --version 2>&1 >out)
for size in $sizes; do
	numbers "$size" 1 >a
	numbers "$size" 2 >b
	rm -f ministat ours
	ministat a b >wanted
	"$abrun" stat --ministat=2015 a b | cmp - wanted
	i=0
	while [ $i -lt "$tries" ]; do
		i=$((i + 1))
		cost ministat ministat a b
		cost ours "$abrun" stat --ministat=2015 a b
		cost whole "$abrun" stat a b
	done
	echo "$(told ministat) $(told ours) $(told whole)" |
		awk -v n="$size" -v base="$base" '{
		printf "2 x %d: ministat %.2f s user, abrun %.2f s", n, $1, $3
		if ($3 > 0) printf ", %.1f times as fast", $1 / $3
		printf "; with verdict and scaled picture %.2f s\n", $5
		if (n >= 100000)
			printf "  %.1f bytes a number (ministat %.1f)\n",
				($4 - base) * 1024 / n / 2, $2 * 1024 / n / 2 }'
	rm -f whole
	[ "$size" -gt 1000 ] || {
		version=$(each "$abrun" --version)
		stat=$(each "$abrun" stat --ministat=2015 a b)
		echo "  $((stat - version)) us more than abrun --version ($version us)"
	}
done
