#!/bin/sh
# Reboots of a pretended FreeBSD after which only its power helps.
# src/target/boot.c; every end is also judged in unit/target_boot.c.

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

# Its power is cut, whatever it does.
for fault in banner moved; do
	fb_fault $fault ULE
	boot ULE 2000
	it_is "one whose sshd is not to be spoken with ($fault)" ULE \
		"BOOT_TIMEOUT: asked to boot kernel ULE, it did not come back"
	fb_mend $fault
	fb_plug off
	wait_for test -e "$FB/dark"
	fb_plug on
	wait_for sshd_answers "$(cat "$lab/port")"
	is "its power is cut, and the default boots ($fault)" "$(fb_ledger)" \
		"ULE kernel"
done
fb_fault single
boot ULE 2000
it_is "one that ends in single-user mode" ULE \
	"BOOT_TIMEOUT: asked to boot kernel ULE, it did not come back"
fb_mend single
fb_reset
wait_for sshd_answers "$(cat "$lab/port")"
night_plan
