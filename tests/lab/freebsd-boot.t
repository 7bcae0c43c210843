#!/bin/sh
# hooks/os/freebsd.sh on a simulated FreeBSD: thread libraries, kernels, what is
# booted next and only once, with each generation of nextboot(8), and reboots.

set -u
work=$(mktemp -d /tmp/abrun-freebsd.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
. tests/lib/freebsd.sh

# A machine with the kernels kernel, ULE and 4BSD.
kernels_are_there()
{
	pretend_machine
	for kernel in kernel ULE 4BSD; do
		mkdir -p "$ABRUN_ROOT/boot/$kernel"
		echo "$kernel" >"$ABRUN_ROOT/boot/$kernel/kernel"
	done
	mkdir "$ABRUN_ROOT/boot/lua" "$ABRUN_ROOT/boot/kernel.old"
	oid kern.bootfile /boot/kernel/kernel
}

kernels_are_listed()
{
	kernels_are_there
	ask kernels
	is 'kernels: directories that hold one' \
	    "$status $(all kernel | tr '\n' ' ')" '0 4BSD ULE kernel '
	is 'kernels: the default and the running one' \
	    "$(value default) $(value running)" 'kernel kernel'
	printf '%s\n' 'kernel="4BSD" # for good' 'autoboot_delay="2"' \
	    >"$ABRUN_ROOT/boot/loader.conf"
	ask kernels
	is 'kernels: the default of loader.conf' "$(value default)" 4BSD
	echo 'kernel=ULE' >"$ABRUN_ROOT/boot/loader.conf.local"
	ask kernel default
	is 'kernel: the last word counts' "$(value id) $(value path)" \
	    'ULE /boot/ULE/kernel'
	is 'kernel: its file' "$(value sha256)" \
	    "$(echo ULE | sha256sum | cut -d ' ' -f 1)"
	ask kernel GENERIC
	is 'kernel: there is none' "$status" 2
	ask kernel kernel.old
	is 'kernel: a directory without one is none' "$status" 2
	ask kernel '../x'
	is 'kernel: not a name' "$status" 1
	captured bectl-14.0-1.txt | sed -e 1d |
	    awk -v OFS="$tab" '{ print $1, $2, $3, $4 }' >"$FB/bectl.out"
	echo "[ \"\$*\" = 'list -H' ] && cat '$FB/bectl.out'" | tool bectl
	ask kernels
	is 'kernels: and boot environments' "$(all kernel | grep -c '^be:')" 4
	ask kernel be:14.0-CURRENT-20230116.182721
	is 'kernel: one of them' "$(value id)" be:14.0-CURRENT-20230116.182721
	ask kernel be:14.0-CURRENT
	is 'kernel: a part of its name is none' "$status" 2
}

what_the_loader_was_told_is_read()
{
	kernels_are_there
	ask boot_once ULE hw.test=7
	next_boot
	ask get loader hw.test
	is 'get loader: as it was told' "$status $(value value)" '0 7'
	ask get loader hw.other
	is 'get loader: what it was not' "$status" 2
	ask set loader hw.test 8
	is 'set loader: for one boot alone' "$status $(value error)" \
	    '1 the loader is told by boot_once, for one boot'
}

# once GENERATION STORE: chosen, booted once, and no more.
once()
{
	kernels_are_there
	echo "$1" >"$FB/generation"
	echo "$2" >"$FB/store"
	ask boot_state
	is "$1 on $2: nothing is chosen" "$(value armed)" none
	ask boot_once ULE machdep.hyperthreading_allowed=0
	is "$1 on $2: chosen for once" \
	    "$status $(value armed) $(value once)" '0 ULE yes'
	ask boot_state
	is "$1 on $2: as it stands there" "$(value armed) $(value once)" \
	    'ULE yes'
	next_boot
	is "$1 on $2: it is booted" "$booted" ULE
	ask boot_state
	is "$1 on $2: and was for that boot" \
	    "$(value once) $(value running) $(value default)" \
	    'consumed ULE kernel'
	ask boot_once 4BSD
	is "$1 on $2: another is chosen" "$(value armed) $(value once)" \
	    '4BSD yes'
	ask boot_clear
	is "$1 on $2: and not any more" "$status" 0
	ask boot_clear
	is "$1 on $2: which may be said twice" "$status" 0
	next_boot
	is "$1 on $2: the default is booted" "$booted" kernel
}

each_generation_boots_once()
{
	for generation in 12 13 first 15; do
		once "$generation" ufs
	done
	once 13 zfs
	once 15 zfs
}

# What would keep a host from coming back by itself.
hazards_of_boots_are_told()
{
	kernels_are_there
	echo 'fsck_y_enable="NO"	# as it comes' >"$ABRUN_ROOT/etc/rc.conf"
	oid debug.debugger_on_panic 1
	oid kern.panic_reboot_wait_time -1
	ask boot_state
	is 'boot_state: all hazards' "$status $(value watchdog) $(all hazard)" \
	    '0 no a file system that needs repair ends a boot in single-user mode: fsck_y_enable is not YES in rc.conf
a kernel that panics waits in its debugger: debug.debugger_on_panic is not 0
a kernel that panics stays there: kern.panic_reboot_wait_time is below 0'
	printf '%s\n' 'fsck_y_enable="yes"' 'watchdogd_enable=YES # both' \
	    >>"$ABRUN_ROOT/etc/rc.conf"
	oid debug.debugger_on_panic 0
	oid kern.panic_reboot_wait_time 15
	ask boot_state
	is 'boot_state: none' "$status $(value watchdog) $(all hazard)" '0 yes '
	echo 'fsck_y_enable=NO' >"$ABRUN_ROOT/etc/rc.conf.local"
	ask boot_state
	is 'boot_state: the last word counts' "$(all hazard | wc -l)" 1
	echo zfs >"$FB/store"
	ask boot_state
	is 'boot_state: ZFS needs no fsck' "$(all hazard)" ''
}

# A16: of ZFS the loader cannot write what would end it.
what_would_stick_is_refused()
{
	for case in 12:zfs 12:zfs-old 13:zfs-old; do
		kernels_are_there
		echo "${case%:*}" >"$FB/generation"
		echo "${case#*:}" >"$FB/store"
		ask boot_once ULE
		is "sticky: $case is refused" "$status" 1
		next_boot
		is "sticky: $case leaves the default" "$booted" kernel
	done
	kernels_are_there
	echo zfs-old >"$FB/store"
	captured nextboot-conf-12-derived-1.txt >"$ABRUN_ROOT/boot/nextboot.conf"
	ask boot_state
	is 'sticky: what others left is told' "$(value armed) $(value once)" \
	    'ULE no'
	echo ufs >"$FB/store"
	ask boot_state
	is 'boot_state: the same on UFS is for once' \
	    "$(value armed) $(value once)" 'ULE yes'
	captured nextboot-conf-consumed-derived-1.txt \
	    >"$ABRUN_ROOT/boot/nextboot.conf"
	ask boot_state
	is 'boot_state: consumed' "$(value once)" consumed
	echo 'exit 1' | tool mount
	ask boot_state
	is 'boot_state: without a file system unknown' "$status" 3
}

# A11: what chooses the kernel fails, and nothing is rebooted.
choosing_may_fail()
{
	kernels_are_there
	ask boot_once GENERIC
	is 'boot_once: there is no such kernel' "$status" 1
	touch "$FB/nextboot-fails"
	ask boot_once ULE
	is 'boot_once: nextboot fails' "$status $(value error)" \
	    "1 nextboot failed: Error: /boot/ULE doesn't exist. Use -f to override."
	rm "$FB/nextboot-fails"
	touch "$FB/nextboot-forgets"
	ask boot_once ULE kern.sched.name=4BSD
	is 'boot_once: a variable is not written' "$status" 1
	next_boot
	is 'boot_once: then nothing is chosen' "$booted" kernel
	rm "$FB/nextboot-forgets"
	ask boot_once ULE 'a="b"'
	is 'boot_once: what the loader cannot read' "$status" 1
	ask boot_once -D
	is 'boot_once: an option is no kernel' "$status" 1
	echo 'exit 0' | tool nextboot
	ask boot_once ULE
	is 'boot_once: what ends with 0 and writes nothing' "$status" 1
}

boots_end()
{
	pretend_machine
	tool ps <<'END'
[ "$*" = '-axo args=' ] && cat "$FB/args"
END
	echo '/sbin/init --' >"$FB/args"
	ask boot_finished
	is 'boot_finished: it is' "$(value finished)" yes
	mkdir -p "$ABRUN_ROOT/var/run"
	touch "$ABRUN_ROOT/var/run/nologin"
	ask boot_finished
	is 'boot_finished: nobody may log in' "$(value finished)" no
	rm "$ABRUN_ROOT/var/run/nologin"
	echo '/bin/sh /etc/rc autoboot' >>"$FB/args"
	ask boot_finished
	is 'boot_finished: rc runs' "$(value finished)" no
	echo '/bin/sh /etc/rc.shutdown' >"$FB/args"
	ask boot_finished
	is 'boot_finished: it goes down' "$(value finished)" no
	: >"$FB/args"
	ask boot_finished
	is 'boot_finished: a ps that says nothing is unknown' "$status" 3
}

reboots_are_asked_for()
{
	pretend_machine
	captured shutdown-r-14-1.txt >"$FB/said"
	tool shutdown <<'END'
echo "$*" >"$FB/shutdown"
cat "$FB/said"
sleep 60 &
exit 0
END
	ask reboot
	is 'reboot: asked for, and not waited for' \
	    "$status $(value issued) $(cat "$FB/shutdown")" '0 yes -r now'
	printf 'echo "shutdown: NOT super-user" >&2; exit 1' | tool shutdown
	ask reboot
	is 'reboot: refused' "$status $(value error)" \
	    '1 shutdown failed: shutdown: NOT super-user'
	mkdir -p "$ABRUN_ROOT/var/run"
	touch "$ABRUN_ROOT/var/run/noshutdown"
	ask reboot
	is 'reboot: forbidden by the host' "$status" 1
}

thread_libraries_are_chosen()
{
	pretend_machine
	lib=$ABRUN_ROOT/lib
	mkdir -p "$lib" "$ABRUN_ROOT/etc"
	echo thr >"$lib/libthr.so.2"
	echo kse >"$lib/libpthread.so.2"
	ask threadlib libthr
	is 'threadlib: what chooses it' "$(all env)" \
	    'LD_LIBMAP=libpthread.so.2=libthr.so.2,libpthread.so=libthr.so'
	is 'threadlib: what proves it' "$(all library) $(all absent)" \
	    "$lib/libthr.so.2 $lib/libpthread.so.2"
	ask threadlib libpthread
	is 'threadlib: the other' "$(all env)" \
	    'LD_LIBMAP=libthr.so.2=libpthread.so.2,libthr.so=libpthread.so'
	ask set libmap mysqld libthr
	is 'libmap: it needs to be included' "$status $(value error)" \
	    "1 the kernel refused libthr for libmap mysqld: /etc/libmap.conf does not include $ABRUN_ROOT/usr/local/etc/libmap.d/abrun.conf"
	echo 'includedir /usr/local/etc/libmap.d' >"$ABRUN_ROOT/etc/libmap.conf"
	ask set libmap mysqld libthr
	is 'libmap: set' "$status $(value old) $(value new)" '0 none libthr'
	is 'libmap: its file' \
	    "$(sed -e 1,2d "$ABRUN_ROOT/usr/local/etc/libmap.d/abrun.conf")" \
	    '[mysqld]
libpthread.so.2 libthr.so.2
libpthread.so libthr.so'
	ask get libmap httpd
	is 'libmap: of that program alone' "$(value value)" none
	ask set libmap mysqld none
	is 'libmap: and back' "$status $(ls \
	    "$ABRUN_ROOT/usr/local/etc/libmap.d")" '0 '
	# As since 8: one library, and the other name is a link to it.
	rm "$lib/libpthread.so.2"
	ln -s libthr.so.2 "$lib/libpthread.so.2"
	ask threadlib libpthread
	is 'threadlib: a link to another is none' "$status" 2
	ask threadlib libthr
	is 'threadlib: the only one needs nothing' \
	    "$status $(all env)$(all absent)" '0 '
	ask threadlib liblinux
	is 'threadlib: unknown' "$status" 2
}

# As FreeBSD's sh is one of dash's family, what differs in others is not told.
shell=dash
kernels_are_listed
what_the_loader_was_told_is_read
each_generation_boots_once
hazards_of_boots_are_told
what_would_stick_is_refused
choosing_may_fail
boots_end
reboots_are_asked_for
thread_libraries_are_chosen
finish
