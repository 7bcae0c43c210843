# shellcheck shell=sh
# For the tests of single reboots of a pretended FreeBSD, by targettool: source
# this file.  The host is up when it returns.
#
#     boot KERNEL LIMIT_MS [SETTING...]   $status, and what came of it in said
#     it_is NAME LEDGER TEXT              what it said, and what was booted

# shellcheck disable=SC2034,SC2154 # B, lab, work: night.sh's

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
cat hooks/os/common.sh hooks/os/freebsd.sh hooks/os/freebsd-boot.sh >"$work/program"
fb_up

# boot KERNEL LIMIT_MS [SETTING...]
boot()
{
	_kernel=$1
	_limit=$2
	shift 2
	: >"$FB/ledger"
	status=0
	"$B/tests/lib/targettool" --ssh lab --config "$lab/ssh_config" \
		--program "$work/program" --kernel "$_kernel" \
		--timeout "$_limit" -- kernel "$@" >"$work/said" 2>&1 || status=$?
}
# it_is NAME LEDGER TEXT
it_is()
{
	_ledger=$(fb_ledger)
	says "$3" && [ "$_ledger" = "$2" ]
	result "$1: $2"
	[ "$_ledger" = "$2" ] || echo "# ledger: $_ledger"
}
