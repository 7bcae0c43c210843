#!/bin/sh
# A writer killed at any moment loses nothing that it said was stored, and
# leaves a directory that can be read and written on.
set -u
B=${B:-build}
tool=$B/tests/lib/storetool
# shellcheck source=tests/lib/seeded.sh
. tests/lib/seeded.sh
seeded 100
kills=$count
dir=$(mktemp -d /tmp/abrun-store-XXXXXX) || exit 1
pid=
cleanup() {
	[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT PIPE TERM

echo "1..$((kills * 2 + 2))"
test=0
ok() {
	test=$((test + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $test - $2"
	else
		echo "not ok $test - $2"
	fi
}

run=$("$tool" create "$dir") || exit 1
: >"$dir/said"
for delay in $(draw 0.3); do
	"$tool" write "$run" >>"$dir/said" 2>"$dir/error" &
	pid=$!
	sleep "$delay"
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	pid=
	"$tool" list "$run" >"$dir/stored" 2>>"$dir/error" &&
	    sort "$dir/said" >"$dir/said.sorted" &&
	    sort "$dir/stored" >"$dir/stored.sorted" &&
	    comm -23 "$dir/said.sorted" "$dir/stored.sorted" >"$dir/lost" &&
	    [ ! -s "$dir/lost" ] && [ ! -s "$dir/error" ]
	ok $? "killed after $delay s, all that was said is stored"
	sed 's/^/# /' "$dir/lost" "$dir/error"
done
said=$(wc -l <"$dir/said")
[ "$said" -gt "$kills" ]
ok $? "the writers said something ($said records)"
[ "$(sqlite3 "$run/run.db" 'PRAGMA integrity_check')" = ok ]
ok $? "E71: the database is whole"

# Making a directory: what has its name has its plan.
i=0
for delay in $(draw 0.06); do
	i=$((i + 1))
	"$tool" create "$dir/new$i" >/dev/null 2>&1 &
	pid=$!
	sleep "$delay"
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	pid=
	status=0
	for made in "$dir/new$i"/small-*; do
		[ -d "$made" ] || continue
		"$tool" write "$made" 3 >/dev/null || status=1
	done
	ok $status "killed after $delay s, a named directory can be used"
done
