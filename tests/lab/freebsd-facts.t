#!/bin/sh
# hooks/os/freebsd.sh on a simulated FreeBSD: what it tells of a machine, from
# captured outputs of real ones.

set -u
work=$(mktemp -d /tmp/abrun-freebsd.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
. tests/lib/freebsd.sh

usage_names_every_verb()
{
	"$shell" hooks/os/freebsd.sh >"$work/usage"
	# shellcheck disable=SC2086 # words
	sed -n -e 's/^verb_\([a-z_]*\)()$/\1/p' $parts |
	    sort -u >"$work/verbs"
	sed -n -e 's/^  \([a-z_]*\).*/\1/p' "$work/usage" |
	    sort >"$work/named"
	is 'no verb that it has is left out of the list' \
	    "$(comm -23 "$work/verbs" "$work/named")" ''
}

boots_have_an_id()
{
	pretend_machine
	ask boot_id
	is 'boot_id: of a kernel that has one' "$status $(all boot_id)" \
	    '0 00112233445566778899aabbccddeeff'
	is 'boot_id: no noise' "$(cat "$work/noise")" ''
	touch "$FB/dying"
	ask boot_id
	is 'boot_id: nothing said is unknown, not changed' "$status" 3
	rm "$FB/dying"
	oid kern.boot_id 'Format: Length:16 Dump:0x0011'
	ask boot_id
	is 'boot_id: half of one is unknown' "$status" 3
	echo 'echo "sysctl: kern.boot_id: Device not configured" >&2; exit 1' |
	    tool sysctl
	ask boot_id
	is 'boot_id: before the random device is seeded unknown' "$status" 3
}

# Up to 12 there is none, and the time of the boot moves with the clock.
old_kernels_are_given_one()
{
	pretend_machine
	rm "$FB/oid/kern.boot_id"
	sec=$(sed -e 's/^{ sec = //' -e 's/,.*//' -e q "$FB/oid/kern.boottime")
	ask boot_id
	is 'boot_id: of an old kernel' "$status $(all boot_id)" \
	    "0 boottime-$sec.740932"
	before=$(all boot_id)
	oid kern.boottime "{ sec = $((sec + 7200)), usec = 1 } Thu"
	ask boot_id
	is 'boot_id: the clock is set, and it stays' "$(all boot_id)" "$before"
	rm "$FB/kenv/abrun.boot_id"
	ask boot_id
	ok 'boot_id: another boot has another' [ "$(all boot_id)" != "$before" ]
	rm "$FB/kenv/abrun.boot_id"
	touch "$FB/no-root"
	ask boot_id
	is 'boot_id: who is not root cannot keep one' "$status" 3
	rm "$FB/no-root"
	rm "$FB/oid/kern.boottime"
	ask boot_id
	is 'boot_id: without any time it is unknown' "$status" 3
}

# fact KEY VALUE: of the last answer.
fact()
{
	is "facts of $machine: $1" "$(value "$1")" "$2"
}

a_machine_of_12_is_told()
{
	machine='12.1'
	pretend_machine
	oids sysctl-12.1-1.txt
	oids sysctl-conftxt-12.1-1.txt
	rm "$FB/oid/kern.boot_id"
	captured swapinfo-12-1.txt >"$FB/swap"
	echo "cat '$FB/swap'" | tool swapinfo
	says freebsd-version 12.1-RELEASE-p10
	ask facts
	is "facts of $machine: done" "$status" 0
	is "facts of $machine: no noise" "$(cat "$work/noise")" ''
	fact hostname lab1
	fact os FreeBSD
	fact distro 'FreeBSD 12.1-RELEASE-p10'
	fact kernel 12.1-RELEASE
	fact kernel_version 'FreeBSD 12.1-RELEASE r354233 GENERIC'
	fact arch amd64
	fact ident GENERIC
	fact bootfile /boot/kernel/kernel
	fact sched ULE
	fact hz 100
	fact cpu_model 'Intel(R) Core(TM) i5-8279U CPU @ 2.40GHz'
	fact cpus 1
	fact threads_per_core 1
	fact virt vmware
	fact memory_kb 2057708
	fact swap_total_kb 6291456
	fact swap_used_kb 0
	fact clocksource TSC-low
	fact boot_id boottime-1594339054.740932
}

a_machine_of_8_is_told()
{
	machine='8.2'
	pretend_machine
	oids sysctl-8.2-1.txt
	ask facts
	fact kernel_version "FreeBSD 8.2-RELEASE #0: Fri Feb 18 02:24:46 UTC 2011 root@build1.example.org:/usr/obj/usr/src/sys/GENERIC"
	fact sched ULE
	is "facts of $machine: what it does not tell is left out" \
	    "$(all cpus)$(all memory_kb)$(all swap_total_kb)" ''
}

a_machine_of_14_is_told()
{
	machine='14.4'
	pretend_machine
	oids sysctl-14.4-1.txt
	captured swapinfo-14.4-1.txt >"$FB/swap"
	echo "cat '$FB/swap'" | tool swapinfo
	oid kern.build_id 0123456789abcdef0123456789abcdef01234567
	printf '%s\n' 'init            ' 'powerd++        ' >"$FB/comms"
	ask facts
	fact cpu_model 'Intel(R) Atom(TM) CPU D525 @ 1.80GHz'
	fact cpus 4
	fact memory_kb 4149276
	fact swap_total_kb 4194300
	fact kernel_id 0123456789abcdef0123456789abcdef01234567
	fact governor powerd++
	captured swapinfo-used-13-1.txt >"$FB/swap"
	ask facts
	fact swap_used_kb 16056
}

# Two builds of one version, and none that is told wrong.
kernels_without_build_id_are_hashed()
{
	machine='an old kernel'
	pretend_machine
	oid kern.bootfile /boot/ULE/kernel
	mkdir -p "$ABRUN_ROOT/boot/ULE"
	echo kernel >"$ABRUN_ROOT/boot/ULE/kernel"
	touch -d '2 hours ago' "$ABRUN_ROOT/boot/ULE/kernel"
	ask facts
	fact kernel_id "$(echo kernel | sha256sum | cut -d ' ' -f 1)"
	touch "$ABRUN_ROOT/boot/ULE/kernel"
	ask facts
	fact kernel_id ''
}

the_scheduler_is_told()
{
	machine='a kernel without kern.sched.name'
	pretend_machine
	oids sysctl-conftxt-12.1-1.txt
	ask facts
	fact sched ULE
	oid kern.conftxt "options${tab}SCHED_4BSD"
	ask facts
	fact sched 4BSD
	machine='a kernel with both'
	oid kern.sched.name 4BSD
	oid kern.sched.available 'ULE,4BSD,'
	ask facts
	fact sched 4BSD
	fact schedulers 'ULE,4BSD,'
	pretend_machine
	machine='a silent kernel'
	ask facts
	fact sched ''
}

# cores CPUS LINE: sockets, cores and threads by a line of the boot messages.
cores()
{
	pretend_machine
	oid hw.ncpu "$1"
	mkdir -p "$ABRUN_ROOT/var/run"
	printf 'Copyright (c) 1992-2025 The FreeBSD Project.\n%s\n' "$2" \
	    >"$ABRUN_ROOT/var/run/dmesg.boot"
	ask facts
	printf '%s %s %s' "$(value sockets)" "$(value cores_per_socket)" \
	    "$(value threads_per_core)"
}

cores_and_threads_are_counted()
{
	is 'topology: hardware threads' "$(cores 2 \
	    'FreeBSD/SMP: 1 package(s) x 1 core(s) x 2 hardware threads')" \
	    '1 1 2'
	is 'topology: SMT threads, up to 10' "$(cores 16 \
	    'FreeBSD/SMP: 2 package(s) x 4 core(s) x 2 SMT threads')" '2 4 2'
	is 'topology: without threads' "$(cores 2 \
	    'FreeBSD/SMP: 2 package(s) x 1 core(s)')" '2 1 1'
	is 'topology: groups before the cores' "$(cores 32 \
	    'FreeBSD/SMP: 1 package(s) x 4 groups x 4 core(s) x 2 hardware threads')" \
	    '1 16 2'
	is 'topology: cache groups' "$(cores 16 \
	    'FreeBSD/SMP: 1 package(s) x 2 cache groups x 4 core(s) x 2 hardware threads')" \
	    '1 8 2'
	is 'topology: hyper-threading off' "$(cores 4 \
	    "FreeBSD/SMP: 1 package(s) x 4 core(s) x 2 hardware threads
FreeBSD/SMP Online: 1 package(s) x 4 core(s)")" '1 4 1'
	is 'topology: what is not uniform is not told' "$(cores 12 \
	    'FreeBSD/SMP: Non-uniform topology')" '  '
	is 'topology: what does not add up is not told' "$(cores 6 \
	    'FreeBSD/SMP: 1 package(s) x 4 core(s) x 2 hardware threads')" \
	    '  '
}

# The same by what the kernel tells while it runs.
threads_are_counted_without_messages()
{
	for mask in 8to12:24 13:4 14plus:12; do
		machine="topology ${mask%:*}"
		pretend_machine
		oid hw.ncpu "${mask#*:}"
		captured "topology-${mask%:*}-1.txt" |
		    sed -e '/^kern/d' >"$FB/oid/kern.sched.topology_spec"
		ask facts
		fact threads_per_core 2
	done
	pretend_machine
	oid hw.ncpu 8
	oid kern.smp.cores 4
	oid machdep.hyperthreading_allowed 1
	machine='kern.smp.cores'
	ask facts
	fact threads_per_core 2
	fact smt on
	oid hw.ncpu 4
	oid machdep.hyperthreading_allowed 0
	ask facts
	fact threads_per_core 1
	fact smt off
}

# up FROM: whether facts tells an uptime of so many seconds, or a few more.
up()
{
	ask facts
	[ "$(value uptime_s)" -ge "$1" ] && [ "$(value uptime_s)" -le $(($1 + 300)) ]
}

clocks_are_not_set()
{
	pretend_machine
	ok 'uptime: an hour' up 3599
	# The clock is set two hours on, and the time of the boot with it.
	echo 7200 >"$FB/step"
	sec=$(sed -e 's/^{ sec = //' -e 's/,.*//' -e q "$FB/oid/kern.boottime")
	oid kern.boottime "{ sec = $((sec + 7200)), usec = 740932 } Thu"
	ok 'uptime: the clock is set, and it goes on' up 3599
	touch "$FB/old-pipes"
	ok 'uptime: by seconds alone' up 3599
	touch "$FB/nanoseconds"
	ok 'uptime: by nanoseconds' up 3599
}

# As FreeBSD's sh is one of dash's family, what differs in others is not told.
shell=dash
usage_names_every_verb
boots_have_an_id
old_kernels_are_given_one
a_machine_of_12_is_told
a_machine_of_8_is_told
a_machine_of_14_is_told
kernels_without_build_id_are_hashed
the_scheduler_is_told
cores_and_threads_are_counted
threads_are_counted_without_messages
clocks_are_not_set
finish
