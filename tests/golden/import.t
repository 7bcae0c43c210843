#!/bin/sh
# abrun import: a table becomes a run directory, whose post says that nothing
# of it is proved; what is no table leaves nothing behind.
# shellcheck source=tests/lib/commands.sh
. tests/lib/commands.sh

# says NAME TEXT FILE...: the words, wherever lines end.
says()
{
	_name=$1
	_text=$2
	shift 2
	tr -s ' \n' ' ' <"$1" | grep -qF "$_text"
	ok $? "$_name"
}

table=tests/data/import/ule-vs-4bsd.csv
run "the 2007 post is imported" 0 import --reports "$work/reports" \
	--title "ULE vs 4BSD" $table
directory=$(cat "$work/out")
[ "$(ls -A "$work/reports")" = "${directory##*/}" ]
ok $? "it is told where"
cmp -s $table "$directory/imported.csv"
ok $? "the table lies in it"
run "its post" 0 post "$directory"
cmp -s "$work/out" "$directory/post.txt"
ok $? "is the one that lies there"
says "what was found" "update-select: ULE is 27.90 % slower than 4BSD (27.41 \
to 28.38) and libthr is 10.0 % faster than libpthread (9.2 to 10.7); effects \
depend on each other: libthr gives +7.8 % with 4BSD, +12.1 % with ULE." \
	"$work/out"
says "nothing is proved" "PROVED Nothing: imported, not proved." "$work/out"
says "its subject says so" "(40 runs, imported, not proved)" "$work/out"
says "and how it was compared" "between units, not within rounds (Welch); \
each interval stands for itself. The unit is the cell's run for kernel and \
threadlib." "$work/out"
! grep -qE 'seed|reboots|n/a' "$work/out" &&
	awk 'length > 72 { wide = 1 } END { exit wide }' "$work/out"
ok $? "and no word of a night that nobody saw"
run "its state" 0 status "$directory"

printf 'kernel,load,metric,run,value\r\nA,l,tps,1,1\r\nB,l,tps,1,"1,5"\r\n' \
	>"$work/bad.csv"
run "a decimal comma" 2 import --reports "$work/none" "$work/bad.csv"
grep -q "^abrun: $work/bad.csv:3: value \"1,5\" is no number" "$work/error" &&
	[ ! -e "$work/none" ]
ok $? "is told with its line, and nothing is there"
run "a table that is not there" 2 import "$work/nowhere.csv"
run "a margin of 100" 2 import --margin 100 $table
echo "1..$n"
