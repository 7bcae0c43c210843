#!/bin/sh
# hooks/os/freebsd.sh on a simulated FreeBSD: what may disturb a measurement,
# how busy the machine is and how full, from captured outputs of real ones.

set -u
work=$(mktemp -d /tmp/abrun-freebsd.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
. tests/lib/freebsd.sh

a_silent_machine_tells_what_it_can()
{
	pretend_machine
	ask hazards
	is 'hazards: done' "$status" 0
	is 'hazards: no noise' "$(cat "$work/noise")" ''
	is 'hazards: nothing that it cannot know' "$(keys)" \
	    'boot_log witness tmp_free_kb maintenance cron cron_jobs '
	is 'hazards: no boot messages' "$(value boot_log)" unreadable
}

debug_kernels_are_known()
{
	pretend_machine
	booted dmesg-15.0-witness-1.txt
	ask hazards
	is 'witness: it said so as it booted' \
	    "$(value boot_log) $(value witness)" 'file yes'
	oid debug.witness.watch 0
	ask hazards
	is 'witness: it was turned off since' "$(value witness)" no
	pretend_machine
	booted dmesg-14.0-witness-1.txt
	ask hazards
	is 'witness: of another machine' "$(value witness)" yes
	booted dmesg-15.0-1.txt
	ask hazards
	is 'witness: of a release none' "$(value witness)" no
	oids sysctl-conftxt-12.1-1.txt
	oids sysctl-features-12.1-1.txt
	ask hazards
	is 'options: of GENERIC none' \
	    "$(value kernel_config)=$(value debug_options)=$(value invariants)" \
	    'kern.conftxt==no'
	oid kern.conftxt "options${tab}DIAGNOSTIC
options${tab}INVARIANT_SUPPORT
options${tab}WITNESS_SKIPSPIN
options${tab}KASAN"
	ask hazards
	is 'options: each that costs, and no other' \
	    "$(value debug_options) $(value invariants) $(value witness)" \
	    'KASAN DIAGNOSTIC no no'
	oid kern.conftxt "options${tab}INVARIANTS
options${tab}WITNESS"
	ask hazards
	is 'options: with keys of their own' \
	    "$(value invariants) $(value witness)" 'yes yes'
	oid kern.conftxt "ident${tab}QUIET"
	oid kern.features.invariants 1
	ask hazards
	is 'invariants: the kernel tells of it' "$(value invariants)" yes
}

# E79: the ring of messages has wrapped, dmesg.boot has them.
first_messages_are_found()
{
	pretend_machine
	says dmesg 'pid 4711 (mysqld), jid 0, uid 88: exited on signal 9'
	ask hazards
	is 'boot_log: the ring has wrapped' "$(value boot_log)" wrapped
	booted dmesg-10.2-1.txt
	ask hazards
	is 'boot_log: the file has them' "$(value boot_log)" file
	rm "$ABRUN_ROOT/var/run/dmesg.boot"
	captured dmesg-12.2-1.txt >"$FB/dmesg.out"
	ask hazards
	is 'boot_log: the ring has them' "$(value boot_log)" ring
}

the_machine_is_looked_at()
{
	pretend_machine
	oids sysctl-12.1-1.txt
	oid hw.pagesize 4096
	oid vm.stats.vm.v_free_count 1000
	oid vm.stats.vm.v_inactive_count 500
	oid kstat.zfs.misc.arcstats.size 4194304
	oid kstat.zfs.misc.arcstats.c_min 1048576
	captured devcpu-12-1.txt | sed -n -e 's/^dev.cpu.0.freq_levels: //p' \
	    >"$FB/oid/dev.cpu.0.freq_levels"
	printf '%s\n' 'cron            ' 'pkg-static      ' >"$FB/comms"
	mkdir -p "$ABRUN_ROOT/var/cron/tabs"
	echo '0 3 * * * root backup' >"$ABRUN_ROOT/var/cron/tabs/root"
	ln -s 'abort:false,junk:false' "$ABRUN_ROOT/etc/malloc.conf"
	captured freebsd-version-mixed-1.txt >"$FB/versions"
	tool freebsd-version <<'END'
case $1 in
-k) sed -n 1p "$FB/versions" ;;
-r) sed -n 2p "$FB/versions" ;;
-u) sed -n 3p "$FB/versions" ;;
esac
END
	says who 'root   ttyv0   Dec  1 10:00'
	captured zpool-x-ok-1.txt >"$FB/zpool.out"
	echo "cat '$FB/zpool.out'" | tool zpool
	ask hazards
	is 'memory_available_kb: with what ZFS gives back' \
	    "$(value memory_available_kb)" 9072
	is 'load_average' "$(value load_average)" 0.33
	is 'clocksources' "$(value clocksources)" \
	    'ACPI-fast(900) i8254(0) HPET(950) TSC-low(1000) dummy(-1000000)'
	is 'freq_levels: turbo is the first' \
	    "$(value freq_levels | cut -d ' ' -f 1,2)" '2501/35000 2500/35000'
	is 'maintenance and cron' "$(value maintenance) $(value cron)" \
	    'pkg-static cron'
	is 'cron_jobs' "$(value cron_jobs)" 1
	is 'malloc_conf' "$(value malloc_conf)" 'abort:false,junk:false'
	is 'reboot_required: another kernel is installed' \
	    "$(value reboot_required)" yes
	is 'users' "$(value users)" root
	is 'zpool_busy: no pool is' "$(all zpool_busy)" ''
	captured freebsd-version-13.2-1.txt >"$FB/versions"
	captured sysctl-unknownoid-14.4-1.txt | grep -v '^sysctl' >"$FB/sysctl"
	rm "$FB/oid/dev.cpu.0.freq_levels"
	ask hazards
	is 'without cpufreq and after an upgrade nothing is told' \
	    "$(all freq_levels)$(all reboot_required)" ''
}

the_machine_is_watched()
{
	pretend_machine
	oids sysctl-14.4-1.txt
	oid kern.boottime "{ sec = $(($(date +%s) - 3600)), usec = 0 } Thu"
	captured devcpu-12-2.txt | while IFS=: read -r name text; do
		oid "$name" "${text# }"
		oid "$(echo "$name" | sed -e s/cpu.0/cpu.1/)" 1
	done
	oid vm.stats.vm.v_swappgsin 7
	oid vm.stats.vm.v_swappgsout 8
	ask watch
	is 'watch: done' "$status" 0
	is 'watch: CPU time' "$(value cpu_ticks) $(value idle_ticks)" \
	    '342429579 326340387'
	is 'watch: a CPU was too hot' "$(value throttled_core)" 1
	is 'watch: swap' "$(value swapped_in) $(value swapped_out)" '7 8'
	ok 'watch: uptime' [ "$(value uptime_ms)" -ge 3599000 ]
	ok 'watch: time' [ "$(value time_ms)" -ge 1700000000000 ]
	rm "$FB/oid/kern.cp_time"
	ask watch
	is 'watch: without CPU times it cannot tell' "$status" 3
}

how_busy_it_is_is_told()
{
	pretend_machine
	oid kern.cp_time '0 0 0 0 0'
	# shellcheck disable=SC2016 # that program's own
	each_time kern.cp_time 'read -r a b c d e <"$FB/oid/kern.cp_time"
echo "$((a + 10)) $b $((c + 10)) $((d + 5)) $((e + 75))" >"$FB/oid/kern.cp_time"'
	ask busy 10
	is 'busy: interrupts are' "$status $(value busy_permille)" '0 250'
	ask quiet 300 10000
	is 'quiet: below the limit' "$(value quiet) $(value busy_permille)" \
	    'yes 250'
	ask quiet 200 1000
	is 'quiet: above it' "$(value quiet) $(value busy_permille)" 'no 250'
	rm "$FB/mode/kern.cp_time.next"
	ask busy 10
	is 'busy: time that stands still is unknown' "$status" 3
}

space_is_told()
{
	pretend_machine
	tool df <<'END'
[ "$*" = '-P -k -- /' ] || exit 1
echo 'Filesystem         1024-blocks     Used    Avail Capacity  Mounted on'
echo 'zroot/ROOT/default   102400000 40000000 62400000    39%    /'
END
	ask space /no/such/place
	is 'space: of what will hold it' \
	    "$status $(value total_kb) $(value free_kb)" '0 102400000 62400000'
}

# As FreeBSD's sh is one of dash's family, what differs in others is not told.
shell=dash
a_silent_machine_tells_what_it_can
debug_kernels_are_known
first_messages_are_found
the_machine_is_looked_at
the_machine_is_watched
how_busy_it_is_is_told
space_is_told
finish
