#!/bin/sh
# A database whose end is missing, as after a power cut: what comes before is
# read and written on, or it is said what is wrong; nothing is made up.
set -u
B=${B:-build}
# shellcheck source=tests/lib/seeded.sh
. tests/lib/seeded.sh
tool=$B/tests/lib/storetool
dir=$(mktemp -d /tmp/abrun-store-XXXXXX) || exit 1
pid=
cleanup()
{
	[ -z "$pid" ] || kill -s KILL "$pid" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT PIPE TERM

test=0
ok()
{
	test=$((test + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $test - $2"
	else
		echo "not ok $test - $2"
		sed 's/^/# /' "$dir/wrong" "$dir/error"
	fi
}

seeded 400
run=$("$tool" create "$dir") || exit 1
echo kept >"$run/raw/kept.txt"
# Killed, so that its log stays.
: >"$dir/said"
"$tool" write "$run" >"$dir/said" &
pid=$!
waits=0
while [ "$(wc -l <"$dir/said")" -lt 60 ] && [ "$waits" -lt 600 ]; do
	waits=$((waits + 1))
	sleep 0.05
done
kill -s KILL "$pid"
wait "$pid" 2>/dev/null
pid=
: >"$dir/wrong"
: >"$dir/error"
[ -s "$run/run.db-wal" ] && [ "$(wc -l <"$dir/said")" -ge 60 ]
ok $? "a killed writer leaves a log"

# cut FILE BYTES: a copy whose file ends there; what it lists in $dir/listed.
cut_copy()
{
	rm -rf "$dir/cut"
	cp -r "$run" "$dir/cut"
	rm -f "$dir/cut/run.db-shm"
	truncate -s "$2" "$dir/cut/$1"
	"$tool" list "$dir/cut" >"$dir/listed" 2>"$dir/error"
}
# What is listed are the first records, as they were said; but the last one
# may not have been said any more.
is_beginning()
{
	awk 'NR == FNR { said[$0] = 1; next }
	    $1 == "run" { n++; if ($2 != n) print "not in order: " $0
		if (!($0 in said)) { unsaid++; last = n } }
	    END { if (unsaid > 1 || (unsaid == 1 && last != n))
		print unsaid " records that nobody stored" }' \
		"$dir/said" "$dir/listed" >"$dir/wrong"
	[ ! -s "$dir/wrong" ]
}

size=$(wc -c <"$run/run.db-wal")
bad=0
last=-1
for at in 0 $(draw "$size" | sort -n) "$size"; do
	at=${at%.*}
	if ! cut_copy run.db-wal "$at" || ! is_beginning; then
		bad=$((bad + 1))
		echo "# log cut at $at"
		sed 's/^/# /' "$dir/wrong" "$dir/error" | head -n 5
	fi
	# What is longer holds no less.
	listed=$(grep -c '^run' "$dir/listed")
	[ "$listed" -ge "$last" ] || bad=$((bad + 1))
	last=$listed
done
ok $bad "E71: of a log cut at $count offsets the beginning is read"
said=$(grep -c '^run' "$dir/said")
[ "$last" -ge "$said" ]
ok $? "and all of a whole one"
cut_copy run.db-wal $((size - 1))
[ "$(grep -c '^run' "$dir/listed")" -ge $((said - 1)) ]
ok $? "one whose last byte is missing has lost one record at most"
"$tool" write "$dir/cut" 20 >"$dir/more" 2>"$dir/error" &&
	"$tool" list "$dir/cut" >"$dir/listed" && [ "$(grep -c '^run' "$dir/more")" = 20 ]
ok $? "and is written on"

size=$(wc -c <"$run/run.db")
bad=0
named=0
# shellcheck disable=SC2013 # one word a line
for at in 0 1 99 100 512 4096 $(draw $((size - 1))); do
	at=${at%.*}
	cut_copy run.db "$at"
	status=$?
	if [ "$status" -ne 0 ] && [ "$status" -lt 128 ] &&
		grep -q "$dir/cut/run.db" "$dir/error"; then
		named=$((named + 1))
	elif [ "$status" -ne 0 ] || ! is_beginning; then
		bad=$((bad + 1))
		echo "# database cut at $at: status $status"
		sed 's/^/# /' "$dir/wrong" "$dir/error" | head -n 5
	fi
	[ "$(cat "$dir/cut/raw/kept.txt")" = kept ] || bad=$((bad + 1))
done
ok $bad "E71: a database cut at $count offsets is named, or read all the same"
[ "$named" -gt 0 ]
ok $? "some were named ($named)"

for bytes in 4096 "$size"; do
	rm -rf "$dir/cut"
	cp -r "$run" "$dir/cut"
	rm -f "$dir/cut"/run.db-*
	head -c "$bytes" /dev/zero >"$dir/cut/run.db"
	! "$tool" write "$dir/cut" 1 >"$dir/listed" 2>"$dir/error" && grep -q \
		"$dir/cut/run.db: it is damaged" "$dir/error" &&
		[ "$(cat "$dir/cut/raw/kept.txt")" = kept ] &&
		[ "$(tr -d '\0' <"$dir/cut/run.db" | wc -c)" -eq 0 ]
	ok $? "E72: a database of $bytes NULs is refused by name and left alone"
done
echo "1..$test"
