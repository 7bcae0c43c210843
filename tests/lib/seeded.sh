# shellcheck shell=sh disable=SC2034 # who sources this file uses the rest
# For tests that draw at random: source this file, then
#
#     seeded FULL     $count draws: FULL with LONG=1, as of make check-long,
#                     else a tenth of it; COUNT says otherwise.  $seed is
#                     SEED, and is told.
#     draw MAX        $count numbers from 0 to MAX, one a line

seeded()
{
	if [ -n "${COUNT-}" ]; then
		count=$COUNT
	elif [ -n "${LONG-}" ]; then
		count=$1
	else
		count=$((($1 + 9) / 10))
	fi
	seed=${SEED:-4711}
	echo "# seed $seed, $count draws"
}

draw()
{
	awk -v seed="$seed" -v n="$count" -v max="$1" 'BEGIN { srand(seed)
	    for (i = 0; i < n; i++) printf "%.3f\n", rand() * max }'
}
