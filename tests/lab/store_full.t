#!/bin/sh
# A full disk: writing stops at the first failure and says so, all before it
# stays, and a directory that cannot be filled is not left behind.
set -u
B=${B:-build}
tool=$(realpath "$B/tests/lib/storetool") || exit 1

# The tiny file system is in a mount namespace of its own: nothing of the
# machine changes, and it is gone with the last process.
if [ "${1:-}" != inside ]; then
	dir=$(mktemp -d /tmp/abrun-store-XXXXXX) || exit 1
	trap 'rm -rf "$dir"' EXIT
	trap 'exit 1' HUP INT PIPE TERM
	unshare -m sh "$0" inside "$dir"
	exit
fi
dir=$2/full
mkdir "$dir" "$2/log" && mount -t tmpfs -o size=1m tmpfs "$dir" || exit 1
log=$2/log

echo "1..9"
test=0
ok() {
	test=$((test + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $test - $2"
	else
		echo "not ok $test - $2"
		sed 's/^/# /' "$log"/* | head -40
	fi
}
# Leaves N KiB free.
leave() {
	rm -f "$dir/ballast"
	room=$(df -k --output=avail "$dir" | tail -n 1)
	head -c $(((room - $1) * 1024)) /dev/zero >"$dir/ballast"
}

run=$("$tool" create "$dir") || exit 1
"$tool" write "$run" >"$log/said" 2>"$log/error"
[ $? -eq 4 ]
ok $? "a full disk ends the writer with a store error"
grep -q "cannot store .* in $run/run.db: the disk is full" "$log/error"
ok $? "which names the file, what was to be stored and the reason"
! grep -q 'stored after a failure\|another reason' "$log/said"
ok $? "after which nothing is stored, for that reason"
"$tool" list "$run" >"$log/stored" 2>"$log/error"
status=$?
grep -v '^stored\|^another' "$log/said" | sort >"$log/said.sorted"
sort "$log/stored" >"$log/stored.sorted"
[ $status -eq 0 ] && [ -s "$log/said.sorted" ] &&
    [ -z "$(comm -23 "$log/said.sorted" "$log/stored.sorted")" ]
ok $? "what was said is there, read while the disk is full"

mv "$run" "$2/moved"
"$tool" write "$2/moved" 20 >/dev/null 2>"$log/error" &&
    [ "$(sqlite3 "$2/moved/run.db" 'PRAGMA integrity_check')" = ok ]
ok $? "with room again, writing goes on"

# From no room at all to enough, in small steps.
bad=0
made=0
refused=0
for free in 0 4 8 12 16 24 32 48 64 96 128 160 192 224 256 320 384 448; do
	leave $free
	if new=$("$tool" create "$dir" 2>"$log/error"); then
		made=$((made + 1))
		rm -rf "$new"
	else
		refused=$((refused + 1))
		grep -q "cannot make a run directory below $dir: .*\(No space left\|the disk is full\)" \
		    "$log/error" ||
		    { bad=$((bad + 1)); sed "s/^/# $free KiB: /" "$log/error"; }
	fi
	[ "$(ls -A "$dir")" = "$(cd "$dir" && ls ballast)" ] || bad=$((bad + 1))
done
ok $bad "a directory that cannot be made is told and not left behind"
[ $refused -gt 3 ]
ok $? "some had no room ($refused)"
[ $made -gt 0 ]
ok $? "some had ($made)"

# The very first write of a process that opens a full one.
rm -f "$dir/ballast"
run=$("$tool" create "$dir") && leave 0 &&
    "$tool" write "$run" >"$log/said" 2>"$log/error"
[ $? -eq 4 ] && grep -q "disk is full\|No space left" "$log/error" &&
    [ ! -s "$log/said" ]
ok $? "opened on a full disk, the first write fails and says why"
sed 's/^/# /' "$log/error"
