# shellcheck shell=sh
# For tests of what commands say that touch no host: source this file from the
# top directory.
#
#     $abrun, $work            the program; a directory, gone at the end
#     run NAME STATUS ARGUMENT...   a test of its exit status; what it says is
#                              in $work/out and $work/error
#     ok STATUS NAME           a line of TAP

B=${B:-build}
abrun=$(cd "$B" && pwd)/abrun
work=$(mktemp -d "${TMPDIR:-/tmp}/abrun-commands-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

n=0
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
