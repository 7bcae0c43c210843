#!/bin/sh
# Reboots of a pretended FreeBSD after which only its power helps.
# src/target/boot.c; every end is also judged in unit/target_boot.c.

# shellcheck source=tests/lib/freebsd_reboot.sh
. tests/lib/freebsd_reboot.sh

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
