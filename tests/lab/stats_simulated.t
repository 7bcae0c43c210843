#!/bin/sh
# What the statistics promise, held against simulated measurements of which
# the truth is known (tests/lib/simtool.c): intervals that hold it as often as
# they say, and no difference of a kernel from itself.
B=${B:-build}
simtool=$B/tests/lib/simtool
# shellcheck source=tests/lib/seeded.sh
. tests/lib/seeded.sh

n=0
# within NAME VALUE LOW HIGH SHARE: is the percentage in the range?  Of fewer
# draws than all it may be off by two standard errors of a share.
# shellcheck disable=SC2154 # seeded.sh's
within()
{
	n=$((n + 1))
	if awk -v value="$2" -v low="$3" -v high="$4" -v share="$5" \
		-v count="$count" -v full="$full" 'BEGIN {
		off = count < full ? 200 * sqrt(share * (1 - share) / count) : 0
		exit !(value >= low - off && value <= high + off) }'; then
		echo "ok $n - $1: $2 %"
	else
		echo "not ok $n - $1: $2 %, not from $3 to $4"
	fi
}

full=20000
seeded $full
# shellcheck disable=SC2154
for values in 4 5 10; do
	within "two sets of $values, intervals of 95 % hold the ratio" \
		"$("$simtool" coverage welch $values "$count" "$seed")" \
		94 96.5 .95
	within "differences in $values rounds, intervals hold the ratio" \
		"$("$simtool" coverage rounds $values "$count" "$seed")" \
		94 96.5 .95
	within "two sets of $values, Fieller's intervals hold it" \
		"$("$simtool" coverage fieller $values "$count" "$seed")" \
		94 96.5 .95
	within "those of Kalibera and Jones, which are wider, do" \
		"$("$simtool" coverage kalibera $values "$count" "$seed")" \
		96 99 .97
done

# A comparison that is looked at five times, each time with so many values
# more, and would end once a difference is shown; there is none.
for values in 3 5 10; do
	# shellcheck disable=SC2046 # two words
	set -- $("$simtool" looks $values "$count" "$seed")
	within "five looks after $values values each, wrong by their bounds" \
		"$1" 4 6 .05
	within "and where p below .05 is enough each time" "$2" 12.5 15.5 .14
done

full=2000
seeded $full
# shellcheck disable=SC2046 # two words
set -- $("$simtool" same "$count" "$seed")
within "nights of one kernel against itself, a difference is shown" \
	"$1" 3 6 .05
# The same check must see through the test that takes runs for units.
n=$((n + 1))
if awk -v value="$2" 'BEGIN { exit !(value > 20) }'; then
	echo "ok $n - and by runs as if they were boots: $2 %"
else
	echo "not ok $n - by runs as if they were boots only $2 %"
fi
# What the manual warns of: with few values a bootstrap holds less than it says.
within "two sets of 4, the bootstrap's intervals of 95 % hold the ratio" \
	"$("$simtool" coverage bca 4 "$count" "$seed")" 85 89 .87
within "two sets of 5" \
	"$("$simtool" coverage bca 5 "$count" "$seed")" 86.5 90.5 .88
within "two sets of 10" \
	"$("$simtool" coverage bca 10 "$count" "$seed")" 90 94 .92
within "as percentiles, two sets of 5" \
	"$("$simtool" coverage percentile 5 "$count" "$seed")" 85 89 .87
# Nights that end by the width of an interval must not pay for it: first looked
# at after so many rounds, then after each, or at so many looks; on so many
# hosts, of which each must be narrow.
# shellcheck disable=SC2154
for rule in "5 0 1" "5 4 1" "10 0 1" "5 0 2" "10 0 2"; do
	# shellcheck disable=SC2046,SC2086 # words
	set -- $("$simtool" stop $rule "$count" "$seed")
	# On several hosts they are told at up to 97 % and stop less by chance.
	case $rule in
	*1) high=96.5 ;;
	*) high=98 ;;
	esac
	within "stopped by width (first round, looks, hosts: $rule), intervals hold" \
		"$1" 94 $high .95
	n=$((n + 1))
	if awk -v narrow="$2" -v rounds="$3" \
		'BEGIN { exit !(narrow > 95 && rounds < 20) }'; then
		echo "ok $n - and $2 % of them do, after $3 rounds in the mean"
	else
		echo "not ok $n - only $2 % of them do, after $3 rounds"
	fi
done
echo "1..$n"
