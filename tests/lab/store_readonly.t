#!/bin/sh
# A run directory on a file system that cannot be written, as in an archive:
# it is read, whether its writer ended or was killed.
set -u
B=${B:-build}
tool=$(realpath "$B/tests/lib/storetool") || exit 1

# The read-only mount is in a mount namespace of its own.
if [ "${1:-}" != inside ]; then
	dir=$(mktemp -d /tmp/abrun-store-XXXXXX) || exit 1
	trap 'rm -rf "$dir"' EXIT
	trap 'exit 1' HUP INT PIPE TERM
	unshare -m sh "$0" inside "$dir"
	exit
fi
dir=$2

echo 1..5
test=0
ok()
{
	test=$((test + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $test - $2"
	else
		echo "not ok $test - $2"
		sed 's/^/# /' "$dir/out"
	fi
}

mkdir "$dir/reports" || exit 1
ended=$("$tool" create "$dir/reports") || exit 1
"$tool" write "$ended" 5 >/dev/null || exit 1
killed=$("$tool" create "$dir/reports") || exit 1
: >"$dir/said"
"$tool" write "$killed" >>"$dir/said" &
pid=$!
while [ "$(wc -l <"$dir/said")" -lt 5 ]; do
	sleep 0.01
done
kill -9 "$pid"
wait "$pid" 2>/dev/null
[ -s "$killed/run.db-wal" ]
ok $? "the killed writer left its log"
mount --bind "$dir/reports" "$dir/reports" &&
	mount -o remount,ro,bind "$dir/reports" || exit 1

"$tool" list "$ended" >"$dir/out" 2>&1 && [ "$(grep -c run "$dir/out")" -eq 5 ]
ok $? "what has ended is read"
"$tool" list "$killed" >"$dir/out" 2>&1 &&
	sort "$dir/said" >"$dir/a" && sort "$dir/out" >"$dir/b" &&
	[ -z "$(comm -23 "$dir/a" "$dir/b")" ]
ok $? "what was killed is read, with all that was said"
"$tool" write "$ended" 1 >"$dir/out" 2>&1
[ $? -eq 4 ] && grep -q "cannot lock $ended: .*Read-only file system" "$dir/out"
ok $? "writing is refused with the reason"
"$tool" create "$dir/reports" >"$dir/out" 2>&1
[ $? -eq 4 ] &&
	grep -q "cannot make a run directory below $dir/reports: Read-only" "$dir/out"
ok $? "and so is a new one"
