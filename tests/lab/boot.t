#!/bin/sh
# A reboot of a pretended FreeBSD, and all that it may come to.
# src/target/boot.c; every end is also judged in unit/target_boot.c.

# shellcheck source=tests/lib/freebsd_reboot.sh
. tests/lib/freebsd_reboot.sh

# It still answers after it was asked, says nothing in the end, is away, and
# answers again while rc(8) is not over.
fb_fault linger 2
fb_fault empty
fb_fault down 1
fb_fault busy 1
boot ULE 60000 hw.test=7
it_is "A1, A12: the kernel that was chosen runs" ULE "ready: build "
is "with what the loader was told" "$(cat "$FB/kenv/hw.test")" 7
[ ! -e "$ABRUN_ROOT/boot/nextboot.conf" ]
result "nothing is left chosen"
fb_mend linger empty down busy
boot kernel 60000
it_is "the default is booted without a choice" kernel "ready: build "

boot none 60000
it_is "a kernel that is not there" "" \
	"BOOT_FAILED: boot_once: there is no /boot/none"
fb_fault dies ULE
boot ULE 60000
it_is "A14: one that panics" "ULE kernel" "FELL_BACK: "
fb_mend dies
fb_fault panics ULE
boot ULE 60000
it_is "one that panics after its first login" "ULE kernel" "FELL_BACK: "
fb_mend panics
fb_fault wrong old
boot ULE 60000
it_is "A12: another than was chosen" old \
	"WRONG_KERNEL: asked to boot kernel ULE, but old is running"
fb_mend wrong
fb_fault stuck
boot ULE 60000
it_is "A16: a choice that stays" ULE "ONCE_STUCK: "
[ ! -e "$ABRUN_ROOT/boot/nextboot.conf" ]
result "and is taken back all the same"
fb_mend stuck
fb_fault hang
boot ULE 2000
it_is "A9: a shutdown that does not end" "" "HUNG_SHUTDOWN: "
fb_mend hang
wait_for test -s "$FB/ledger"
wait_for sshd_answers "$(cat "$lab/port")"
fb_fault machine
boot ULE 60000
it_is "another machine at its address" ULE "WRONG_HOST: "
fb_mend machine
fb_fault loop 0
boot ULE 60000
says "BOOT_LOOP: asked for one boot, it has booted 3 times"
result "A17: a loop"
fb_mend loop
fb_fault never ULE
boot ULE 2000
it_is "A5: a kernel that does not come up" ULE \
	"BOOT_TIMEOUT: asked to boot kernel ULE, it did not come back"
fb_mend never
fb_reset
wait_for sshd_answers "$(cat "$lab/port")"
fb_fault key
boot ULE 60000
it_is "A28: another host key" ULE "HOST_KEY: after a reboot its host key"
night_plan
