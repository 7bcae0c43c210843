#!/bin/sh
# What commands say that touch no host.
B=${B:-build}
abrun=$(cd "$B" && pwd)/abrun
work=$(mktemp -d "${TMPDIR:-/tmp}/abrun-commands-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

n=0
# run NAME STATUS ARGUMENT...: what it says is in $work/out and $work/error.
run()
{
	_name=$1
	_wanted=$2
	shift 2
	"$abrun" "$@" >"$work/out" 2>"$work/error" </dev/null
	_status=$?
	[ $_status -eq "$_wanted" ]
	ok $? "$_name: $_wanted"
}
ok()
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$work/out" "$work/error"
	fi
}

run "a plan that cannot all be run" 0 plan matrices/ule-vs-4bsd.cfg
tail -n 1 "$work/out" | grep -q '^not yet: ' &&
	[ "$(tail -c 1 "$work/out" | od -An -tx1 | tr -d ' ')" = 0a ]
ok $? "its last line is a line"
run "a quiet plan" 0 plan -q matrices/demo.cfg
[ ! -s "$work/out" ] && [ ! -s "$work/error" ]
ok $? "says nothing of a good matrix"
run "a quiet dry run" 0 -nq matrices/demo.cfg
[ ! -s "$work/out" ] && [ ! -s "$work/error" ]
ok $? "says nothing either"
echo 'title = 1;' >"$work/bad.cfg"
run "a quiet plan of a bad matrix" 2 plan -q "$work/bad.cfg"
grep -q ':1: title: ' "$work/error"
ok $? "tells its mistakes"

mkdir "$work/reports"
for command in post report; do
	run "$command of a directory of run directories" 2 \
		"$command" "$work/reports"
	grep -q "^abrun: $work/reports is no run directory" "$work/error"
	ok $? "says so"
done
[ -z "$(ls -A "$work/reports")" ]
ok $? "and nothing was put there"

printf 'title = "a\033[2Jb";\n' >"$work/bad.cfg"
run "a matrix that would move the cursor" 2 plan "$work/bad.cfg"
grep -q . "$work/error" && ! grep -q "$(printf '\033')" "$work/error"
ok $? "does not"
cp matrices/demo.cfg "$work/-n"
(cd "$work" && cp -r "$OLDPWD/hooks" . && "$abrun" plan -- -n) \
	>"$work/out" 2>"$work/error"
ok $? "a matrix may be named like an option"

# Streams that are closed.
"$abrun" plan matrices/demo.cfg >&- 2>"$work/error"
[ $? -eq 4 ] && grep -q '^abrun: cannot write to standard output$' "$work/error"
ok $? "what nobody can read is not said to be done"
"$abrun" plan matrices/demo.cfg <&- 2>&- >"$work/out" && [ -s "$work/out" ]
ok $? "nobody to complain to and to ask is no reason to stop"
echo "1..$n"
