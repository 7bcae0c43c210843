#!/bin/sh
# abrun stat against ministat: its transcripts byte for byte, and the program
# itself on drawn files; then today's form against golden/stat.
# `stat.t --update` writes the latter anew.
B=${B:-build}
top=$(pwd)
abrun=$(cd "$B" && pwd)/abrun
golden=$top/tests/golden/stat
data=$top/tests/data/stats
work=$(mktemp -d "${TMPDIR:-/tmp}/abrun-stat-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck source=tests/lib/seeded.sh
. tests/lib/seeded.sh

n=0
result()
{
	_outcome=$?
	n=$((n + 1))
	if [ $_outcome -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		head -n 40 "$work/said" | sed 's/^/# /'
	fi
}
# stat ARGUMENT...: in the directory of the sets; $work/out, error, $status.
stat()
{
	(cd "$data/in" && exec "$abrun" stat "$@") >"$work/out" \
		2>"$work/error" </dev/null
	status=$?
	cat "$work/out" "$work/error" >"$work/said"
}

# name|arguments: what today's form is held against.
cases()
{
	cat <<-'END'
	pair|s1_4bsd_libpthread_update.txt s1_4bsd_libthr_update.txt
	none|s1_4bsd_libpthread_select.txt s1_4bsd_libthr_select.txt
	four|s1_4bsd_libpthread_update.txt s1_4bsd_libthr_update.txt s1_ule_libpthread_update.txt s1_ule_libthr_update.txt
	separate|-s -w 40 s2_rc6.txt s2_rc6_systime.txt s2_rc6_count.txt
	time|--better=lower -c 99 s2_rc6.txt s2_rc6_systime.txt
	margin|--margin=10 -A s1_4bsd_libpthread_select.txt s1_4bsd_libthr_select.txt
	ties|-A iguana.txt chameleon.txt
	quiet|-q -A iguana.txt chameleon.txt
	table|-n iguana.txt chameleon.txt
	same|-w 40 iguana.txt iguana.txt iguana.txt
	csv|--csv s2_rc6.txt s2_rc6_systime.txt iguana.txt
	json|--json s2_rc6.txt s2_rc6_systime.txt
	tests|-A --tests s1_4bsd_libpthread_select.txt s1_4bsd_libthr_select.txt
	tests-few|-A --tests s2_rc6.txt s2_rc6_systime.txt iguana.txt
	tests-drawn|-A --tests --seed 7 s1_pool_4bsd_update.txt s1_pool_ule_update.txt
	tests-raw|-A --tests ../nist/NumAcc2.txt ../nist/Lew.txt
	tests-csv|--csv --tests s2_rc6.txt s2_rc6_systime.txt
	tests-json|--json --tests --look 2/3 s2_rc6.txt s2_rc6_systime.txt
	look|-A --look 2/5 s1_4bsd_libpthread_select.txt s1_ule_libpthread_select.txt s1_ule_libthr_select.txt
	holm|-A s1_4bsd_libpthread_select.txt s1_pool_libpthread_select.txt s1_4bsd_libthr_select.txt s1_pool_4bsd_select.txt
	look-json|--json --look 2/5 s2_rc6.txt s2_rc6_systime.txt iguana.txt
	look-last|-A --look=5/5 s1_4bsd_libpthread_select.txt s1_ule_libpthread_select.txt
	END
}

if [ "${1-}" = --update ]; then
	cases | while IFS='|' read -r name arguments; do
		# shellcheck disable=SC2086 # words
		stat $arguments
		cp "$work/out" "$golden/$name.txt"
	done
	exit
fi

# The transcripts: a command line, what it printed, [exit 0].
count=0
for file in "$data"/ministat/*.txt; do
	arguments=$(sed -n '1s/^\$ ministat //p' "$file")
	sed -e 1d -e '/^\[exit 0\]$/d' "$file" >"$work/wanted"
	# shellcheck disable=SC2086 # words
	stat --ministat=2015 $arguments
	diff "$work/wanted" "$work/out" >"$work/said" && [ "$status" -eq 0 ]
	result "as ministat: $arguments"
	count=$((count + 1))
done
[ "$count" -eq 40 ]
result "all transcripts were there"

cases >"$work/cases"
while IFS='|' read -r name arguments; do
	# shellcheck disable=SC2086 # words
	stat $arguments
	diff "$golden/$name.txt" "$work/out" >"$work/said" && [ "$status" -eq 0 ]
	result "as golden/stat: $name"
done <"$work/cases"

# Drawn files: sizes, spreads and shifts of all kinds, with and without ties,
# comments, other columns, other line ends.
drawn() # SEED: files $work/d1 ...; what ministat is to be told
{
	awk -v seed="$1" -v dir="$work/d" 'BEGIN {
		srand(seed)
		sets = int(rand() * 7) + 1
		split("1 100 1000000 -5 0.001", centre, " ")
		c = centre[int(rand() * 5) + 1]
		s = (c < 0 ? -c : c) * 10 ^ -int(rand() * 4)
		split("%.1f %.2f %.3f %.6g", shape, " ")
		as = shape[c == 0.001 ? 4 : int(rand() * 4) + 1]
		split("%s %s# %s\t7 %s#x", tails, " ")
		split("80 90 95 98 99 99.5", levels, " ")
		for (i = 1; i <= sets; i++) {
			n = rand() < .5 ? 3 + int(rand() * 5) : 3 + int(rand() * 110)
			shift = int(rand() * 4) * s
			for (j = 0; j < n; j++) {
				x = -6
				for (k = 0; k < 12; k++)
					x += rand()
				tail = rand() < .2 ? " # note" : rand() < .2 ? "\t7\r" : ""
				if (rand() < .1)
					print "# a comment\n" >(dir i)
				printf as "%s\n", c + shift + s * x, tail >(dir i)
			}
			files = files " d" i
		}
		if (rand() < .5) printf "-c %s ", levels[int(rand() * 6) + 1]
		if (rand() < .3) printf "-s "
		if (rand() < .1) printf "-A "
		if (rand() < .4) printf "-w %d ", 2 + rand() * 100
		print files
	}'
}
seeded 500
wrong=0
skipped=0
: >"$work/differ"
i=0
# shellcheck disable=SC2154 # seeded.sh's
while [ $i -lt "$count" ]; do
	i=$((i + 1))
	arguments=$(drawn $((seed + i)))
	# shellcheck disable=SC2086 # words
	(cd "$work" && ministat $arguments) >"$work/wanted" 2>&1
	if grep -q nan "$work/wanted"; then
		# It has lost all digits; we have not.
		skipped=$((skipped + 1))
		continue
	fi
	# shellcheck disable=SC2086
	(cd "$work" && "$abrun" stat --ministat=2015 $arguments) \
		>"$work/out" 2>&1
	cmp -s "$work/wanted" "$work/out" || {
		wrong=$((wrong + 1))
		echo "seed $((seed + i)): $arguments" >>"$work/differ"
		diff "$work/wanted" "$work/out" >>"$work/differ"
	}
done
cp "$work/differ" "$work/said"
[ "$wrong" -eq 0 ] && [ "$skipped" -lt $((count / 2)) ]
result "$count drawn files, as ministat ($skipped without digits)"

# Its table of quantiles, entry by entry, some of which are wrong.
df=4
: >"$work/said"
while [ $df -le 102 ]; do
	awk -v df=$df -v a="$work/d1" -v b="$work/d2" 'BEGIN {
		m = int(df / 2) + 1
		for (i = 0; i < m; i++) print i % 2 >a
		for (i = m; i < df + 2; i++) print 1000 + i % 2 >b
	}'
	for level in 80 90 95 98 99 99.5; do
		(cd "$work" && ministat -A -c $level d1 d2) >"$work/wanted"
		(cd "$work" && "$abrun" stat --ministat=2015 -A -c $level d1 d2) |
			diff "$work/wanted" - >>"$work/said" ||
			echo "$df degrees, $level %" >>"$work/said"
	done
	df=$((df + $([ -n "${LONG-}" ] || [ $df -lt 14 ] && echo 1 || echo 11)))
done
[ ! -s "$work/said" ]
result "its quantiles, with those that are wrong"

# What crashed it, or came out as nan.
hostile() # NAME STATUS TEXT ARGUMENT...
{
	_name=$1
	_wanted=$2
	_text=$3
	shift 3
	stat "$@"
	[ "$status" -eq "$_wanted" ] && grep -q -e "$_text" "$work/said" &&
		! grep -qw -e nan -e inf "$work/out"
	result "$_name"
}
for form in --ministat=2015 -c95; do
	hostile "$form: no width" 2 '-w wants' $form -w 0 iguana.txt
	hostile "$form: one column" 2 '-w wants' $form -w 1 iguana.txt
	hostile "$form: two columns" 0 '^+--+$' $form -w 2 iguana.txt
	for value in nan inf -inf 1e400 x 2,5 0x ''; do
		printf '1\n2\n3\n%s\n' "${value:-"1 2"}" >"$work/bad"
		if [ -n "$value" ]; then
			hostile "$form: $value" 2 "line 4" $form "$work/bad"
		else
			hostile "$form: another column" 0 '4  ' $form "$work/bad"
		fi
	done
	printf '1e308\n-1e308\n1e308\n' >"$work/bad"
	stat $form "$work/bad"
	[ "$status" -le 2 ]
	result "$form: a range that is no number"
	printf '0\n-1.7e308\n1e3\n' >"$work/bad"
	hostile "$form: a picture wider than numbers go" 0 \
		'no plot, span is zero width' $form -w 2 "$work/bad"
	hostile "$form: no file" 2 'cannot open' $form "$work/no"
	hostile "$form: a directory" 2 'cannot read' $form "$work"
	hostile "$form: an empty file" 2 . $form /dev/null
done
hostile "where it lost all digits and said nan" 0 ' 0.1$' --ministat=2015 \
	../nist/NumAcc4.txt
hostile "a level that its table has not" 2 '99.5 per cent' \
	--ministat=2015 -c 97 iguana.txt
hostile "a level that it has" 0 95.0% --ministat=2015 -c 95.0 iguana.txt \
	chameleon.txt
# shellcheck disable=SC2046 # words
hostile "more than seven" 2 'at most 7' --ministat=2015 \
	$(yes iguana.txt | head -n 8)
# shellcheck disable=SC2046
hostile "33" 2 'at most 32' $(yes iguana.txt | head -n 33)
# shellcheck disable=SC2046
hostile "32" 0 '^z   7' $(yes iguana.txt | head -n 32)
hostile "an option that is none" 2 'no such option' -x iguana.txt
hostile "an option without its value" 2 'wants a value' -w
hostile "no column" 2 '-C wants' -C 0 iguana.txt
hostile "no delimiter" 2 '-d wants' -d '' iguana.txt
hostile "no margin" 2 '--margin wants' --margin=0 iguana.txt
hostile "no direction" 2 '--better wants' --better=left iguana.txt
hostile "ministat of another year" 2 '2015 only' --ministat=2021 iguana.txt
hostile "no look" 2 '--look wants' --look 0/5 iguana.txt
hostile "a look after the last" 2 '--look wants' --look 6/5 iguana.txt
hostile "too many looks" 2 'at most 20' --look 1/21 iguana.txt
hostile "a look of unknown number" 2 '--look wants' --look 2 iguana.txt
hostile "a look that is a fraction of one" 2 '--look wants' --look 2/5/6 \
	iguana.txt
hostile "no seed" 2 '--seed wants' --seed -1 iguana.txt
hostile "more tests of old numbers" 2 'neither --tests nor --look' \
	--ministat=2015 --tests iguana.txt
hostile "a look at old numbers" 2 'neither --tests nor --look' \
	--ministat=2015 --look 1/2 iguana.txt
stat --json --look 1/2 iguana.txt
[ "$status" -eq 0 ] && ! grep -q '"look"' "$work/out"
result "a look at nothing has no bound"
hostile "more tests of one set" 0 '^Normal values' --tests -A iguana.txt
hostile "more tests, and no comparisons" 0 '^x   7' --tests -n iguana.txt
yes 5 | head -n 11000 >"$work/many"
seq 11000 >"$work/more"
hostile "more tests of too many values" 0 'n/a: more than 10000 values' \
	-A --tests "$work/many" "$work/more"
hostile "its old numbers as JSON" 2 'neither' --ministat=2015 --json iguana.txt
printf '1e200\n2e200\n3e200\n' >"$work/huge"
printf -- '-1e200\n0\n3e200\n' >"$work/huger"
printf '0\n0\n0\n' >"$work/zero"
hostile "a spread that no double holds" 0 \
	'^No test at 95.0% confidence: the spread is beyond what can be com' \
	-A "$work/huge" "$work/huge"
hostile "the same, and the verdict" 0 \
	': the spread of the values is *$' -A "$work/huge" "$work/huger"
hostile "the same, and a ratio" 0 \
	'Kalibera-Jones *n/a: the spread is beyond what can be$' \
	-A --tests "$work/huge" "$work/huge"
hostile "nothing but 0 has a ratio" 0 \
	'Fieller *-100.000 % (-100.000 to -100.000 %)$' \
	-A --tests iguana.txt "$work/zero"
hostile "options in one word" 0 '^x   7' -An -c95 iguana.txt

# Standard input, by its name and without.
"$abrun" stat -A <"$data/in/iguana.txt" >"$work/out" 2>&1
grep -qx 'x <stdin>' "$work/out" && grep -q '^x   7' "$work/out"
result "standard input"
"$abrun" stat -A - "$data/in/chameleon.txt" <"$data/in/iguana.txt" \
	>"$work/out" 2>&1
grep -qx 'x <stdin>' "$work/out" && grep -q '^+   5' "$work/out"
result "standard input and a file"
sed 's/^/a;/' "$data/in/iguana.txt" | "$abrun" stat -d ';' -C 2 -n \
	>"$work/out" 2>&1
grep -q '^x   7            50' "$work/out"
result "another column"
echo "1..$n"
