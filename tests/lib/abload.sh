# shellcheck shell=sh
# For the tests of abload against a real mariadbd: source this file in place of
# load_server.sh, which it sources.
#
#     try ARG...            abload, with the address: $status, $top/said,
#                           $top/err
#     complained REGEX      whether that was said on standard error
#     value KEY             the first value of KEY in the JSON of $top/said
#     run_and_watch ARG...  the same in the background, once its four clients
#                           are at work
#     finish                waits for its end: $status
#     told_invalid REGEX    whether all outputs say that the run is invalid, and
#                           why

# shellcheck source=tests/lib/load_server.sh
. tests/lib/load_server.sh
abload=$PWD/$B/abload
# shellcheck disable=SC2034 # who sources this file uses it
smacks=matrices/smacks
load=
abload_clean()
{
	[ -z "$load" ] || { kill "$load" && wait "$load"; } 2>/dev/null
	load_server_down
}
trap abload_clean EXIT

try()
{
	"$abload" --socket="$socket" --user=root "$@" >"$top/said" \
		2>"$top/err"
	status=$?
}
complained()
{
	grep -q -e "$1" "$top/err"
}
value()
{
	sed -n "s/^ *\"$1\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},\\{0,1\\}\$/\\1/p" \
		"$top/said" | head -n 1
}
run_and_watch()
{
	"$abload" --socket="$socket" --user=root "$@" >"$top/said" \
		2>"$top/err" &
	load=$!
	waits=0
	until [ "$(abload_clients)" -ge 4 ] || [ $waits -ge 200 ]; do
		waits=$((waits + 1))
		sleep 0.05
	done
}
abload_clients()
{
	sql -e "select count(*) from information_schema.processlist
		where db = 'test'" 2>/dev/null || echo 0
}
finish()
{
	wait "$load"
	status=$?
	load=
}
# The table and the JSON stand one behind the other with --output=both.
told_invalid()
{
	says "^INVALID: .*$1" && says '^ "valid": false,$' &&
		says "^ \"reason\": \".*$1" && complained "^abload: .*$1"
}
