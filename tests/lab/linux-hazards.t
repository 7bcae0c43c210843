#!/bin/sh
# hooks/os/linux.sh: what may disturb a measurement, from captured outputs of
# real machines in trees that stand for them (ABRUN_ROOT), and from tools of
# that machine (abrun_path).

set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
data=tests/data/os/linux
usual=/sbin:/bin:/usr/sbin:/usr/bin

# A fresh tree and no tools but the usual; every later ask looks at it.
tree()
{
	rm -rf "$work/root" "${work:?}/bin"
	mkdir -p "$work/root/proc/sys" "$work/root/sys" "$work/bin"
	export ABRUN_ROOT="$work/root" abrun_path="$work/bin:$usual"
	for name in dmesg journalctl systemctl who zpool; do
		tool "$name" 'exit 1'
	done
}

# file PATH TEXT: in the tree.
file()
{
	mkdir -p "$(dirname "$work/root/$1")"
	printf '%s\n' "$2" >"$work/root/$1"
}

# tool NAME SCRIPT: a program of that machine.
tool()
{
	printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
	chmod 755 "$work/bin/$1"
}

# captured NAME: without its first line.
captured()
{
	sed 1d "$data/$1"
}

# capture NAME PATH: a captured file in the tree.
capture()
{
	mkdir -p "$(dirname "$work/root/$2")"
	captured "$1" >"$work/root/$2"
}

an_empty_machine_has_none()
{
	tree
	ask hazards
	is 'hazards: an empty tree is done' "$status" 0
	is 'hazards: an empty tree tells nothing it cannot know' "$(keys)" \
	    'boot_log tmp_free_kb maintenance cron cron_jobs '
	is 'hazards: no boot messages' "$(value boot_log)" unreadable
	is 'hazards: no noise' "$(cat "$work/noise")" ''
}

this_machine_is_told()
{
	unset ABRUN_ROOT abrun_path
	ask hazards
	is 'hazards: this machine' "$status $(value memory_available_kb |
	    grep -c '^[0-9]*$')" '0 1'
	is 'hazards: of this machine no noise' "$(cat "$work/noise")" ''
	ask watch
	is 'watch: this machine' "$status" 0
	ok 'watch: time goes on' [ "$(value uptime_ms)" -gt 0 ]
	ok 'watch: not all is idle' \
	    [ "$(value cpu_ticks)" -gt "$(value idle_ticks)" ]
	ask space "$work" "$work/not/yet"
	is 'space: of what is there and what will be' \
	    "$status $(all path | tr '\n' ' ')" "0 $work $work/not/yet "
	is 'space: as df has it' "$(value total_kb)" \
	    "$(df -Pk "$work" | tail -n 1 | awk '{ print $2 }')"
	ask space relative
	is 'space: needs a whole path' "$status" 1
}

debug_kernels_are_known_by_their_configuration()
{
	tree
	file proc/sys/kernel/osrelease 6.1.0-test
	file boot/config-6.1.0-test "CONFIG_KASAN=y
CONFIG_KASAN_INLINE=y
# CONFIG_LOCK_STAT is not set
CONFIG_UBSAN=m
CONFIG_PROVE_LOCKING=y
CONFIG_HZ=250"
	file boot/config-6.2.0 CONFIG_KMSAN=y
	ask hazards
	is 'debug_options: of the kernel that runs' "$(value debug_options)" \
	    'KASAN PROVE_LOCKING'
	is 'kernel_config: where it was read' "$(value kernel_config)" \
	    /boot/config-6.1.0-test
	echo 'CONFIG_DEBUG_VM=y' | gzip >"$work/root/proc/config.gz"
	ask hazards
	is "debug_options: the kernel's own word comes first" \
	    "$(value kernel_config) $(value debug_options)" \
	    '/proc/config.gz DEBUG_VM'
	gzip </dev/null >"$work/root/proc/config.gz"
	file boot/config-6.1.0-test CONFIG_HZ=250
	ask hazards
	is 'debug_options: none is an answer' \
	    "$(value kernel_config) $(all debug_options | wc -l)" \
	    '/boot/config-6.1.0-test 1'
	rm "$work/root/boot/config-6.1.0-test"
	ask hazards
	is 'debug_options: without configuration nothing is said' \
	    "$(all debug_options | wc -l)" 0
	file proc/lockdep ''
	ask hazards
	is 'lockdep: there' "$(value lockdep)" yes
}

# boot CAPTURE: its marks, after the banner that every boot begins with.
boot()
{
	{
		echo '[    0.000000] Linux version 6.1.0-test'
		captured "$1"
	} >"$work/log"
	tool dmesg "cat '$work/log'"
	ask hazards
	printf '%s %s' "$(value boot_log)" "$(value boot_marks)"
}

debug_kernels_are_known_by_what_they_say()
{
	tree
	is 'boot: lockdep, with the printing process in a second bracket' \
	    "$(boot dmesg-lockdep-2.txt)" 'ring lockdep@0'
	is 'boot: KASAN without time' "$(boot dmesg-kasan-1.txt)" 'ring kasan@?'
	is 'boot: KASAN of newer kernels' \
	    "$(boot dmesg-kasan-format-2.txt)" 'ring kasan@?'
	is 'boot: trace_printk of a module half a minute later' \
	    "$(boot dmesg-trace-printk-1.txt)" 'ring trace_printk@32'
	is 'boot: trace_printk of the kernel, with another prefix' \
	    "$(boot dmesg-trace-printk-2.txt)" 'ring trace_printk@0'
	is 'boot: an ordinary kernel' "$(boot dmesg-rhel7-1.txt)" 'ring '
}

# E79: the ring holds the last messages only.
what_the_ring_lost_is_looked_for()
{
	tree
	file proc/stat "cpu  1 1 1 1 1 1 1 1
btime 1000000"
	tool dmesg 'echo "[99999.000000] eth0: link is up"'
	ask hazards
	is 'E79: a ring that has wrapped is told' "$(value boot_log)" wrapped
	file var/log/dmesg "[    0.000000] Linux version 6.1.0-test
[    0.766985] Lock dependency validator: Copyright (c)"
	ask hazards
	is 'E79: the boot is read from what was kept' \
	    "$(value boot_log) $(value boot_marks)" 'file lockdep@0'
	touch -d @900000 "$work/root/var/log/dmesg"
	ask hazards
	is 'E79: but not if another boot was kept' \
	    "$(value boot_log) $(value boot_marks)" 'wrapped '
	tool journalctl 'cat <<-END
		[    0.000000] box kernel: Linux version 6.1.0-test
		[    0.001000] box kernel: kasan: KernelAddressSanitizer initialized
	END'
	ask hazards
	is 'E79: or from the journal' \
	    "$(value boot_log) $(value boot_marks)" 'journal kasan@0'
}

# timers CAPTURE: systemd's, as hazards tells them.
timers()
{
	tool systemctl "[ \"\$1\" = list-timers ] && [ \"\$TZ\" = UTC ] &&
	    sed 1d '$(pwd)/$data/$1'"
	ask hazards
	value timers
}

timers_are_read()
{
	tree
	is 'timers: Ubuntu 22.04, with n/a and "left"' \
	    "$(timers systemctl-list-timers-ubuntu2204-1.txt | tr ' ' '\n' |
		sed -n -e 1p -e '$p' -e '/^apt-daily/p' | xargs)" \
	    "snap.certbot.renew.timer=$(date -u -d '2024-01-10 14:06' +%s) \
apt-daily.timer=$(date -u -d '2024-01-11 04:56:39' +%s) \
apt-daily-upgrade.timer=$(date -u -d '2024-01-11 06:16:27' +%s) \
fstrim.timer=$(date -u -d '2024-01-15 00:47:18' +%s)"
	is 'timers: Ubuntu 24.04, with "-" and no "left"' \
	    "$(timers systemctl-list-timers-ubuntu2404-1.txt | wc -w)" 7
	is 'timers: of these the third' "$(value timers | cut -d ' ' -f 3)" \
	    "sysstat-summary.timer=$(date -u -d '2026-08-01 00:07' +%s)"
	is 'timers: Ubuntu 26.04; what is never due is left out' \
	    "$(timers systemctl-list-timers-ubuntu2604-1.txt |
		tr ' ' '\n' | sed 's/=.*//' | xargs)" \
	    'sysstat-collect.timer systemd-tmpfiles-clean.timer apt-daily-upgrade.timer apt-daily.timer'
	tool systemctl "sed -n '/list-timers/,/^rc/p' \
	    '$(pwd)/$data/systemctl-not-booted-debian12-1.txt' |
	    sed -e 1d -e '/^rc=/d' >&2; exit 1"
	ask hazards
	is 'timers: a machine without systemd has none' \
	    "$status $(all timers | wc -l)" '0 0'
}

cpus_are_read()
{
	tree
	cpus=sys/devices/system/cpu
	captured cpu-vulnerabilities-all-1.txt | while read -r name text; do
		file "$cpus/vulnerabilities/${name%:}" "$text"
	done
	ask hazards
	is 'vulnerabilities: all, with their colons' \
	    "$(value vulnerabilities)" \
	    "$(captured cpu-vulnerabilities-all-1.txt | grep . |
		sed 's/: /=/')"
	for number in 2 3 4 5; do
		rm -r "$work/root/$cpus/vulnerabilities"
		capture "cpu-vulnerabilities-rhel-$number.txt" \
		    "$cpus/vulnerabilities/mds"
		ask hazards
		is "vulnerabilities: capture $number" \
		    "$(value vulnerabilities)" "mds=$(captured \
			"cpu-vulnerabilities-rhel-$number.txt" | head -n 1)"
	done
	capture numa-balancing-debian12-1.txt proc/sys/kernel/numa_balancing
	file $cpus/isolated 2-3
	file $cpus/nohz_full ' (null)'
	file $cpus/offline 4-7
	file $cpus/cpu0/cpufreq/energy_performance_preference performance
	file $cpus/cpu1/cpufreq/energy_performance_preference balance_power
	file proc/cpuinfo "microcode	: 0xf0
model name	: x
microcode	: 0xf0"
	ask hazards
	is 'hazards: of the CPUs' "$(for key in numa_balancing cpus_isolated \
	    nohz_full cpus_off energy_preference microcode; do
		printf '%s|' "$(value $key)"
	done)" '0|2-3||4-7|balance_power performance|0xf0|'
}

what_runs_there_is_told()
{
	tree
	capture loadavg-debian12-1.txt proc/loadavg
	file proc/meminfo "MemTotal:       16334 kB
MemAvailable:     123 kB"
	for name in 1=systemd 20=cron 30=dpkg 31=apt-get 40=crontab \
	    50=updatedb.plocat 60=mysqld; do
		file "proc/${name%=*}/comm" "${name#*=}"
	done
	file etc/crontab "# m h dom
SHELL=/bin/sh
17 *	* * *	root	cd / && run-parts /etc/cron.hourly"
	file etc/cron.d/e2scrub "30 3 * * 0 root x
@reboot root y"
	file var/spool/cron/crontabs/me "*/5 * * * * backup"
	file etc/apt/apt.conf.d/20auto-upgrades \
	    'APT::Periodic::Unattended-Upgrade "1";'
	file var/run/reboot-required x
	file proc/mdstat "Personalities : [raid1]
md0 : active raid1 sdb1[1] sda1[0]
      1046528 blocks super 1.2 [2/2] [UU]
md1 : active raid1 sdb2[1] sda2[0]
      [=>...................]  resync =  8.1% (84608/1046528) finish=0.1min"
	tool who 'printf "%s\n" "ann pts/0 2026-11-30 10:00" "bob tty1 x" "ann pts/1 x"'
	tool zpool 'printf "%s\n" "  pool: tank" "  scan: scrub in progress since" "  pool: rest"'
	ask hazards
	is 'hazards: who and what runs there' "$(for key in \
	    memory_available_kb load_average maintenance cron cron_jobs \
	    unattended_upgrades reboot_required raid_busy zpool_busy users; do
		printf '%s|' "$(value $key)"
	done)" '123|0.01|apt-get dpkg updatedb.plocat|cron|4|1|yes|md1|tank|ann bob|'
}

what_counts_is_watched()
{
	tree
	file proc/stat "cpu  100 0 50 800 40 5 5 7 0 0"
	capture thermal-core-throttle-1.txt \
	    sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count
	capture thermal-core-throttle-1.txt \
	    sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count
	capture thermal-package-throttle-1.txt \
	    sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count
	capture scaling-governor-1.txt \
	    sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
	file proc/vmstat "pgpgin 5
pswpin 11
pswpout 12
oom_kill 1
pswpin_x 9"
	capture pressure-cpu-debian12-1.txt proc/pressure/cpu
	capture pressure-memory-1.txt proc/pressure/memory
	capture pressure-io-1.txt proc/pressure/io
	file sys/kernel/sched_ext/state enabled
	file sys/kernel/sched_ext/root/ops oreore_0.1.0_aarch64_unknown_linux_gnu
	ask watch
	is 'watch: done' "$status" 0
	is 'watch: counters' "$(for key in cpu_ticks idle_ticks stolen_ticks \
	    throttled_core throttled_package swapped_in swapped_out oom_kills \
	    governor cpu_pressure_us memory_pressure_us io_pressure_us \
	    sched_ext; do
		printf '%s|' "$(value $key)"
	done)" '1007|840|7|20168|34818|11|12|1|powersave|1959161288|15|15|enabled oreore_0.1.0_aarch64_unknown_linux_gnu|'
	tree
	file proc/stat "cpu  100 0 50 800 40 5 5 7 0 0"
	ask watch
	is 'watch: what is not there is not told' "$(keys)" \
	    'uptime_ms time_ms cpu_ticks idle_ticks stolen_ticks '
	rm "$work/root/proc/stat"
	ask watch
	is 'watch: without CPU times it cannot tell' "$status" 3
}

for shell in dash bash; do
	an_empty_machine_has_none
	this_machine_is_told
	debug_kernels_are_known_by_their_configuration
	debug_kernels_are_known_by_what_they_say
	what_the_ring_lost_is_looked_for
	timers_are_read
	cpus_are_read
	what_runs_there_is_told
	what_counts_is_watched
done
finish
