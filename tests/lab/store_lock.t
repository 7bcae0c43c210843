#!/bin/sh
# Two processes and one run directory: one writes, the other is told who, and
# a reader works beside both.
set -u
B=${B:-build}
tool=$B/tests/lib/storetool
dir=$(mktemp -d /tmp/abrun-store-XXXXXX) || exit 1
pid=
cleanup() {
	[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT PIPE TERM

echo "1..6"
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
mkfifo "$dir/hold" "$dir/held" || exit 1
"$tool" hold "$run" <"$dir/hold" >"$dir/held" &
pid=$!
exec 3>"$dir/hold"
read -r word <"$dir/held"
[ "$word" = held ]
ok $? "one process holds the directory"

"$tool" write "$run" 1 >"$dir/out" 2>"$dir/error"
[ $? -eq 1 ] && [ ! -s "$dir/out" ]
ok $? "another is refused"
# Both the number of the process and the time it began are told.
grep -q "$run is in use by another abrun: process $pid of .* on .* since 2[0-9-]* [0-9:]* UTC" "$dir/error"
ok $? "and told who and since when"
sed 's/^/# /' "$dir/error"
"$tool" list "$run" >/dev/null
ok $? "a reader works beside it"

exec 3>&-
wait "$pid"
ok $? "the holder lets go"
pid=
"$tool" write "$run" 1 >/dev/null
ok $? "then the other may write"
