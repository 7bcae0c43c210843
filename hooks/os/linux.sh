#!/bin/sh
# What abrun must know of Linux, as verbs of one POSIX sh program.
#
# By hand:     sh linux.sh VERB [ARG...]         (alone: the list of verbs)
# From abrun:  fed to "/bin/sh -s" behind common.sh, with abrun_fed=yes before
#              both and calls of abrun_call behind them; see abrun-hooks(7).
#
# ABRUN_ROOT is a directory that stands for / where /proc, /sys and /etc are
# read: for tests.
#
# "A && B || C" is meant as it stands, ls is read for its numbers only, and
# variables are shared with common.sh, with subshells on purpose one way only.
# shellcheck disable=SC2010,SC2012,SC2015,SC2030,SC2031,SC2034

if [ -z "${abrun_fed-}" ]; then
	case $0 in
	*/*) abrun_hooks=${0%/*} ;;
	*) abrun_hooks=. ;;
	esac
	# shellcheck source=hooks/os/common.sh
	. "$abrun_hooks/common.sh"
fi
system=linux
knob_kinds='sysctl|sysfs|thp|smt|governor|turbo'
lock_home=/var/lib/abrun
pin='taskset -c'
root=${ABRUN_ROOT-}
cpus_dir=$root/sys/devices/system/cpu

# --- small means -------------------------------------------------------------

# sha256 FILE: into $sum; false when it is no readable file.
sha256()
{
	sum=
	[ -f "$1" ] && [ -r "$1" ] || return 1
	sum=$(sha256sum 2>/dev/null <"$1") || return 1
	sum=${sum%% *}
}

# sha256_large FILE: the same for a file of many megabytes, which openssl reads
# three times as fast but takes longer to begin with.
sha256_large()
{
	sum=
	[ -f "$1" ] && [ -r "$1" ] || return 1
	sum=$(openssl dgst -sha256 -r 2>/dev/null <"$1") || sum=
	sum=${sum%% *}
	case $sum in
	*[!0-9a-f]*) ;;
	????????????????????????????????????????????????????????????????)
		return 0
		;;
	esac
	sha256 "$1"
}

# owner_and_mode FILE: "UID:GID MODE".
owner_and_mode()
{
	stat -c '%u:%g %a' -- "$1"
}

# copy_tree FROM TO: all that is in it, with owners, modes and times; blocks
# are shared where the file system can.
copy_tree()
{
	if cp --reflink=auto --version >/dev/null 2>&1; then
		cp -a --reflink=auto -- "$1/." "$2/"
	else
		cp -a -- "$1/." "$2/"
	fi
}

# identity FILE: into $identity what changes whenever the file or its contents
# do; empty where times are not told to the nanosecond.
identity()
{
	identity=$(stat -L -c '%d:%i:%s:%.9Y:%.9Z' -- "$1" 2>/dev/null) ||
	    identity=
	case $identity in
	*[!0-9:.]*) identity='' ;;
	esac
}

# look PID: $state, $parent, $start and $comm of a process; false when there is
# none, and a zombie is none.  The name may hold blanks, brackets and newlines.
look()
{
	case $1 in
	'' | *[!0-9]*) failed "not a process number: $1" ;;
	esac
	whole "$root/proc/$1/stat" && [ -n "$text" ] || return 1
	comm=${text#*\(}
	comm=${comm%\)*}
	# shellcheck disable=SC2086 # numbers
	set -- ${text##*\) }
	state=$1
	parent=${2-}
	start=${20-}
	case $state in
	Z | X | x) return 1 ;;
	esac
	[ -n "$start" ]
}

# centiseconds since boot into $ticks; of a clock that is never set.
uptime_ticks()
{
	first /proc/uptime
	ticks=${line%% *}
	ticks=${ticks%.*}${ticks#*.}
}

# --- the host ----------------------------------------------------------------

verb_boot_id()
{
	first "$root/proc/sys/kernel/random/boot_id" && [ -n "$line" ] ||
	    unknown 'the boot id cannot be read'
	say boot_id "$line"
}

# A line of os-release is NAME=value, "value" or 'value'; never sourced.
facts_distro()
{
	for file in "$root/etc/os-release" "$root/usr/lib/os-release"; do
		[ -r "$file" ] || continue
		while IFS= read -r line || [ -n "$line" ]; do
			case $line in
			PRETTY_NAME=*) ;;
			*) continue ;;
			esac
			line=${line#*=}
			case $line in
			\"*\") line=${line#?}; line=${line%?} ;;
			\'*\') line=${line#?}; line=${line%?} ;;
			esac
			say_if distro "$line"
			return 0
		done <"$file"
	done
	return 0
}

facts_kernel()
{
	line=$(uname -srvm) && {
		say os "${line%% *}"
		line=${line#* }
		say kernel "${line%% *}"
		line=${line#* }
		say kernel_version "${line% *}"
		say arch "${line##* }"
	}
	# The build id: two builds may have one version text.
	sha256 "$root/sys/kernel/notes" && say kernel_id "$sum"
	first "$root/proc/cmdline" && say cmdline "$line"
	first "$root/proc/sys/kernel/random/boot_id" && say_if boot_id "$line"
	first "$root/etc/machine-id" && say_if machine_id "$line"
	at_once "$root/proc/sys/kernel/tainted" && say_if tainted "$text"
}

# count_list 0-3,8: how many that are into $count.
count_list()
{
	count=0
	rest=$1,
	while [ -n "$rest" ]; do
		item=${rest%%,*}
		rest=${rest#*,}
		case $item in
		'' | *[!0-9-]*) count=0; return 1 ;;
		*-*) count=$((count + ${item#*-} - ${item%-*} + 1)) ;;
		*) count=$((count + 1)) ;;
		esac
	done
}

# lscpu: keys are indented since 2.37; 0 and - mean that it does not know;
# CPU(s) counts those that are off as well; of several kinds of cores each has
# a block of its own, so the counts in a block are not the machine's.
facts_cpu()
{
	cpus='' all='' model='' kinds=0 sockets='' cores='' threads='' nodes=''
	vendor=''
	while IFS= read -r line; do
		value=${line#*:}
		value=${value#"${value%%[! ]*}"}
		key=${line%%:*}
		key=${key#"${key%%[! ]*}"}
		case $key=$value in
		*=- | *=) ;;
		'CPU(s)='*) all=${all:-$value} ;;
		'On-line CPU(s) list='*) cpus=${cpus:-$value} ;;
		'Model name='*)
			model=${model:+$model + }$value
			kinds=$((kinds + 1))
			;;
		'Socket(s)='*) sockets=${sockets:-$value} ;;
		'Core(s) per socket='*) cores=${cores:-$value} ;;
		'Thread(s) per core='*) threads=${threads:-$value} ;;
		'NUMA node(s)='*) nodes=${nodes:-$value} ;;
		'Hypervisor vendor='*) vendor=${vendor:-$value} ;;
		esac
	done <<-EOF
		$(lscpu 2>/dev/null)
	EOF
	if [ -z "$model" ]; then
		model=$(sed -n -e 's/^model name[^:]*: *//p' \
		    "$root/proc/cpuinfo" 2>/dev/null | head -n 1)
	fi
	if [ -z "$cpus" ] && first "$cpus_dir/online"; then
		cpus=$line
	fi
	count_list "$cpus" && [ "$count" -gt 0 ] && all=$count
	say_if cpu_model "$model"
	say_count cpus "$all"
	say_count sockets "$sockets"
	facts_threads
	[ "$kinds" -gt 1 ] || say_count cores_per_socket "$cores"
	say_count numa_nodes "$nodes"
	facts_virt "$vendor"
}

# A core counts as many threads as are on, the largest core counts.  lscpu
# divides, so with one CPU off it says 1 where nearly all cores have 2.
facts_threads()
{
	most=0
	for file in "$cpus_dir"/cpu[0-9]*/topology/thread_siblings_list; do
		first "$file" && count_list "$line" || continue
		[ "$count" -le "$most" ] || most=$count
	done
	if [ "$most" -gt 0 ]; then
		say threads_per_core "$most"
		return 0
	fi
	case $all$threads$cores$sockets in
	*[!0-9]*) return 0 ;;
	esac
	if [ "$kinds" -gt 1 ] || [ "${all:-0}" -gt \
	    $((${threads:-0} * ${cores:-0} * ${sockets:-0})) ]; then
		return 0
	fi
	say_count threads_per_core "$threads"
}

# facts_virt VENDOR: systemd's word if it is there ("none" with status 1).
facts_virt()
{
	virt=$(systemd-detect-virt 2>/dev/null)
	if [ -z "$virt" ] && [ -n "$1" ]; then
		virt=$1
	fi
	say_if virt "$virt"
}

# /proc/meminfo counts in kB; /proc/swaps as well, behind a header.
facts_memory()
{
	while read -r key value _; do
		case $key in
		MemTotal:)
			say memory_kb "$value"
			break
			;;
		esac
	done 2>/dev/null <"$root/proc/meminfo"
	total=0
	used=0
	[ -r "$root/proc/swaps" ] || return 0
	while read -r _ _ size taken _; do
		case $size$taken in
		'' | *[!0-9]*) continue ;;
		esac
		total=$((total + size))
		used=$((used + taken))
	done <"$root/proc/swaps"
	say swap_total_kb "$total"
	say swap_used_kb "$used"
}

# governors_in_use: of all CPUs, each once, into $governors.
governors_in_use()
{
	governors=
	for file in "$cpus_dir"/cpu[0-9]*/cpufreq/scaling_governor; do
		first "$file" || continue
		case " $governors " in
		*" $line "*) ;;
		*) governors=${governors:+$governors }$line ;;
		esac
	done
}

facts_knobs()
{
	governors_in_use
	say_if governor "$governors"
	turbo_read && say turbo "$turbo"
	first "$cpus_dir/smt/control" && say_if smt "$line"
	if first "$root/sys/kernel/mm/transparent_hugepage/enabled"; then
		choice "$line"
		say_if thp "$chosen"
	fi
	clock=$root/sys/devices/system/clocksource/clocksource0
	first "$clock/current_clocksource" && say_if clocksource "$line"
}

verb_facts()
{
	first "$root/proc/sys/kernel/hostname" && say_if hostname "$line"
	facts_distro
	facts_kernel
	facts_cpu
	facts_memory
	facts_knobs
	first "$root/proc/uptime" && say_if uptime_s "${line%%.*}"
	say time "$(date +%s)"
}

# Stolen time is not idle time, waiting for disks is.
cpu_times()
{
	first "$root/proc/stat" || unknown 'the CPU times cannot be read'
	# shellcheck disable=SC2086 # numbers
	set -- $line
	[ "$1" = cpu ] && [ $# -ge 9 ] ||
	    unknown 'the CPU times cannot be read'
	idle=$(($5 + $6)) stolen=$9
	total=$(($2 + $3 + $4 + $5 + $6 + $7 + $8 + $9))
}

# --- what may disturb --------------------------------------------------------

# Raw values only: which of them is a hazard is known to abrun alone.

# Options of a kernel's configuration that cost time when they are y.
debug_options='KASAN KMSAN KCSAN UBSAN PROVE_LOCKING LOCK_STAT DEBUG_LOCK_ALLOC
DEBUG_SPINLOCK DEBUG_MUTEXES DEBUG_ATOMIC_SLEEP DEBUG_PAGEALLOC
DEBUG_PAGEALLOC_ENABLE_DEFAULT SLUB_DEBUG_ON DEBUG_OBJECTS DEBUG_KMEMLEAK
DEBUG_PREEMPT DEBUG_VM PAGE_POISONING DEBUG_LIST'

# The configuration that the running kernel was built with, if it is to be had;
# an empty list says that none of the options is set.
hazards_kernel()
{
	first "$root/proc/sys/kernel/osrelease" || line=none
	release=$line
	for file in "$root/proc/config.gz" "$root/boot/config-$release" \
	    "$root/lib/modules/$release/config"; do
		[ -r "$file" ] || continue
		text=$(
			case $file in
			*.gz) gzip -dc 2>/dev/null <"$file" ;;
			*) cat <"$file" ;;
			esac | awk -v names="$debug_options" '
				BEGIN {
					n = split(names, list)
					for (i = 1; i <= n; i++)
						wanted["CONFIG_" list[i] "=y"] = list[i]
				}
				/^CONFIG_/ { whole = 1 }
				$0 in wanted { found = found wanted[$0] " " }
				END { if (whole) print "x " found }'
		)
		[ -n "$text" ] || continue
		words "${text#x}"
		say kernel_config "${file#"$root"}"
		say debug_options "$joined"
		break
	done
	if [ -e "$root/proc/lockdep" ]; then
		say lockdep yes
	fi
}

# boot_messages: what the kernel has said since its boot, into $text.  Where
# the ring that holds it has wrapped, the boot's own lines are looked for in
# what was kept of them; $boot_log tells where it comes from.
boot_messages()
{
	ring=$(dmesg 2>/dev/null)
	text=$ring boot_log='ring'
	is_boot && return 0
	booted=$(sed -n -e 's/^btime //p' "$root/proc/stat" 2>/dev/null)
	for file in "$root/var/log/dmesg" "$root/var/log/boot.dmesg"; do
		# One of an earlier boot is of no use.
		written=$(stat -c %Y -- "$file" 2>/dev/null) || continue
		[ "$written" -ge "${booted:-$written}" ] || continue
		text=$(cat -- "$file") boot_log='file'
		is_boot && return 0
	done
	text=$(journalctl -k -b -q --no-pager -o short-monotonic 2>/dev/null |
	    head -n 5000)
	boot_log='journal'
	is_boot && return 0
	text=$ring boot_log='wrapped'
	[ -n "$text" ] || boot_log='unreadable'
}

is_boot()
{
	case $text in
	*'Linux version '*) return 0 ;;
	esac
	return 1
}

# What debug kernels tell when they start, with the second since boot: a module
# may use trace_printk later, and the kernel is none then.
hazards_boot()
{
	boot_messages
	say boot_log "$boot_log"
	[ -n "$text" ] || return 0
	text=$(printf '%s\n' "$text" | awk '
		function note(name) {
			if (name in seen)
				return
			seen[name] = 1
			second = "?"
			if (match($0, /\[ *[0-9]+\.[0-9]+\]/)) {
				second = substr($0, RSTART + 1, RLENGTH - 2)
				sub(/^ */, "", second)
				sub(/\..*/, "", second)
			}
			found = found name "@" second " "
		}
		/kasan: KernelAddressSanitizer initialized/ { note("kasan") }
		/Lock dependency validator/ { note("lockdep") }
		/trace_printk\(\) being used/ { note("trace_printk") }
		END { print found }')
	words "$text"
	say boot_marks "$joined"
}

hazards_cpu()
{
	text=
	for file in "$cpus_dir"/vulnerabilities/*; do
		first "$file" || continue
		text="$text${text:+$nl}${file##*/}=$line"
	done
	say_if vulnerabilities "$text"
	first "$cpus_dir/offline" && say_if cpus_off "$line"
	first "$cpus_dir/isolated" && say_if cpus_isolated "$line"
	first "$cpus_dir/nohz_full" && case $line in
	*null*) ;;
	*) say_if nohz_full "$line" ;;
	esac
	at_once "$root/proc/sys/kernel/numa_balancing" &&
	    say_if numa_balancing "$text"
	first "$root/sys/devices/system/clocksource/clocksource0/available_clocksource" &&
	    say_if clocksources "${line% }"
	line=$(sed -n -e 's/^microcode[^:]*: *//p' "$root/proc/cpuinfo" \
	    2>/dev/null | sort -u | tr '\n' ' ')
	say_if microcode "${line% }"
	words "$(cat "$cpus_dir"/cpu[0-9]*/cpufreq/energy_performance_preference \
	    2>/dev/null | sort -u)"
	say_if energy_preference "$joined"
}

hazards_memory()
{
	while read -r key value _; do
		case $key in
		MemAvailable:)
			say memory_available_kb "$value"
			break
			;;
		esac
	done 2>/dev/null <"$root/proc/meminfo"
	first "$root/proc/loadavg" && say load_average "${line%% *}"
	line=$(sed -n -e '/^md/h' -e '/\(resync\|recovery\|check\|reshape\) *=/{' \
	    -e 'g' -e 's/ .*//' -e 'p' -e '}' "$root/proc/mdstat" 2>/dev/null |
	    tr '\n' ' ')
	say_if raid_busy "${line% }"
	pools_busy
}

# By their names: what upgrades, checks or indexes, and who runs jobs.
hazards_programs()
{
	line=$(cat "$root"/proc/[0-9]*/comm 2>/dev/null | grep -x -E \
	    -e 'apt|apt-get|aptitude|dpkg|dnf|yum|rpm|zypper|pacman|updatedb.*' \
	    -e 'fstrim|e2scrub.*|xfs_scrub|fsck.*|mandb|debsums|aide|rkhunter' \
	    -e 'cron|crond|anacron|fcron|systemd-cron' | sort -u)
	cron=
	busy=
	for one in $line; do
		case $one in
		*cron | crond) cron=${cron:+$cron }$one ;;
		*) busy=${busy:+$busy }$one ;;
		esac
	done
	say maintenance "$busy"
	say cron "$cron"
	line=$(cat "$root/etc/crontab" "$root"/etc/cron.d/* \
	    "$root"/var/spool/cron/crontabs/* "$root"/var/spool/cron/tabs/* \
	    "$root"/var/spool/cron/* 2>/dev/null | grep -c '^[[:blank:]]*[0-9*@]')
	say cron_jobs "${line:-0}"
}

hazards_upgrades()
{
	line=$(cat "$root"/etc/apt/apt.conf.d/* 2>/dev/null | sed -n -e \
	    's/^[[:blank:]]*APT::Periodic::Unattended-Upgrade[[:blank:]]*"\([^"]*\)".*/\1/p' |
	    tail -n 1)
	say_if unattended_upgrades "$line"
	for file in "$root/run/reboot-required" "$root/var/run/reboot-required"; do
		[ -e "$file" ] || continue
		say reboot_required yes
		break
	done
}

# systemd's timers and when they are due, seconds since 1970: the columns
# differ, and dates hold blanks, so from both ends of the line.
hazards_timers()
{
	text=$(TZ=UTC systemctl list-timers --all --no-pager --no-legend \
	    2>/dev/null | awk '
		$1 ~ /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/ &&
		    $2 ~ /^[0-9]+-[0-9]+-[0-9]+$/ && $(NF - 1) ~ /\.timer$/ {
			print $(NF - 1), $2, $3, $4
		}')
	[ -n "$text" ] || return 0
	times=$(printf '%s\n' "$text" | cut -d ' ' -f 2- |
	    date -f - +%s 2>/dev/null) || return 0
	line=
	while read -r name _ && read -r second <&3; do
		line="$line${line:+ }$name=$second"
	done <<-EOF1 3<<-EOF2
		$text
	EOF1
		$times
	EOF2
	say timers "$line"
}

verb_hazards()
{
	hazards_kernel
	hazards_boot
	hazards_cpu
	hazards_memory
	space_of "$tmp" && say tmp_free_kb "$free"
	hazards_programs
	hazards_upgrades
	hazards_timers
	logged_in ${root:+"$root/run/utmp"}
}

# throttled FILE: the sum over all CPUs into $count; false where none counts.
throttled()
{
	count=
	for file in "$cpus_dir"/cpu[0-9]*/thermal_throttle/"$1"; do
		first "$file" || continue
		case $line in
		'' | *[!0-9]*) continue ;;
		esac
		count=$((${count:-0} + line))
	done
	[ -n "$count" ]
}

# What goes on counting, or should not change: looked at before the load and
# after it.
verb_watch()
{
	uptime_ticks
	say uptime_ms "$((ticks * 10))"
	line=$(date +%s%N)
	case $line in
	*[!0-9]* | ??????) ;;
	*) say time_ms "${line%??????}" ;;
	esac
	cpu_times
	say cpu_ticks "$total"
	say idle_ticks "$idle"
	say stolen_ticks "$stolen"
	throttled core_throttle_count && say throttled_core "$count"
	throttled package_throttle_count && say throttled_package "$count"
	while read -r key value; do
		case $key in
		pswpin) say swapped_in "$value" ;;
		pswpout) say swapped_out "$value" ;;
		oom_kill) say oom_kills "$value" ;;
		esac
	done <<-EOF
		$(grep -E -e '^(pswpin|pswpout|oom_kill) ' "$root/proc/vmstat" \
		    2>/dev/null)
	EOF
	clock=$root/sys/devices/system/clocksource/clocksource0
	first "$clock/current_clocksource" && say_if clocksource "$line"
	governors_in_use
	say_if governor "$governors"
	if first "$root/sys/kernel/sched_ext/state"; then
		state=$line
		first "$root/sys/kernel/sched_ext/root/ops" || line=
		say sched_ext "$state${line:+ $line}"
	fi
	for key in cpu memory io; do
		say_pressure "$key" "$root/proc/pressure/$key"
	done
	return 0
}

# Two short lines: the shell reads them sooner than another program.
say_pressure()
{
	[ -r "$2" ] || return 0
	while read -r line value; do
		value=${value##*total=}
		case $line,$value in
		some, | *,*[!0-9]*) ;;
		some,*) say "$1_pressure_us" "$value" ;;
		esac
	done <"$2"
}

# --- processes ---------------------------------------------------------------

# process PID [IDENTITY]: a program of that identity is not hashed again.
verb_process()
{
	look "$1" || absent
	say pid "$1"
	say start "$start"
	say state "$state"
	say comm "$comm"
	exe=$(readlink "$root/proc/$1/exe" 2>/dev/null) && say exe "$exe"
	identity "$root/proc/$1/exe"
	say_if exe_identity "$identity"
	if [ -z "$identity" ] || [ "$identity" != "${2-}" ]; then
		sha256_large "$root/proc/$1/exe" && say exe_sha256 "$sum"
	fi
	return 0
}

# The sockets that listen come from the kernel's tables, their owners from
# the descriptors of all processes: exact, and no tool's layout to read.
verb_owner()
{
	inodes=
	case $1 in
	socket) owner_unix "$2" ;;
	tcp) owner_tcp "$2" ;;
	*) failed "neither socket nor tcp: $1" ;;
	esac
	[ -n "$inodes" ] || absent
	owners=$(owner_pids)
	seen=0
	for pid in $owners; do
		look "$pid" || continue
		say pid "$pid"
		say start "$start"
		say comm "$comm"
		say parent "$parent"
		seen=$((seen + 1))
	done
	[ "$seen" -gt 0 ] ||
	    unknown 'there is a listener, but its process cannot be seen'
}

# Flags 00010000: it accepts connections.
owner_unix()
{
	[ -r "$root/proc/net/unix" ] || unknown '/proc/net/unix cannot be read'
	while read -r _ _ _ flags _ _ inode path; do
		if [ "$flags" = 00010000 ] && [ "$path" = "$1" ]; then
			inodes="$inodes $inode"
		fi
	done <<-EOF
		$(grep -F -e "$1" "$root/proc/net/unix")
	EOF
}

# State 0A: it listens.
owner_tcp()
{
	number "$1" port
	[ -r "$root/proc/net/tcp" ] || unknown '/proc/net/tcp cannot be read'
	port=$(printf '%04X' "$1")
	while read -r _ _ _ _ _ _ _ _ _ inode _; do
		inodes=$inodes${inode:+ $inode}
	done <<-EOF
		$(grep -h -e ":$port [0-9A-F]*:0000 0A " "$root/proc/net/tcp" \
		    "$root/proc/net/tcp6" 2>/dev/null)
	EOF
}

# /dev/null is there so that ls names the directory even if it is only one.
owner_pids()
{
	# shellcheck disable=SC2016 # awk's own
	ls -ln /dev/null "$root"/proc/[0-9]*/fd 2>/dev/null |
	    awk -v inodes="$inodes" '
		BEGIN {
			n = split(inodes, list, " ")
			for (i = 1; i <= n; i++)
				wanted["socket:[" list[i] "]"] = 1
		}
		/\/fd:$/ {
			pid = $0
			sub(/\/fd:$/, "", pid)
			sub(/.*\//, "", pid)
		}
		$NF in wanted && !told[pid]++ { print pid }'
}

# read_entries FILE: what NUL ends becomes one line of $entries, newlines in it
# \001 and that byte \002; where it is in use nothing can be told.  False when
# the file is empty.
read_entries()
{
	stx=$(printf '\002')
	# The x keeps empty entries at the end.
	entries=$({ tr '\n\000\001' '\001\n\002' && echo x; } 2>/dev/null <"$1") ||
	    unknown "$1 cannot be read"
	case $entries in
	*"$stx"*) unknown "$1 holds bytes of value 1 or 2" ;;
	x) return 1 ;;
	*"$nl"x) entries=${entries%"$nl"x} ;;
	*) entries=${entries%x} ;;
	esac
}

# The environment that the process was started with.  One that has ended
# meanwhile has none, which is no answer; nor has one that shows a title of
# its own, for which it uses that memory.
verb_environ()
{
	pid=$1
	shift
	look "$pid" || absent
	read_entries "$root/proc/$pid/environ" || entries=
	look "$pid" || absent
	case $entries in
	*=* | '') ;;
	*) unknown "the process has overwritten its environment, as those do \
that show a title of their own: turn that off (redis: set-proc-title no)" ;;
	esac
	say readable 1
	while IFS= read -r entry; do
		for name in "$@"; do
			case $entry in
			"$name="*)
				say_entry env "$entry"
				break
				;;
			esac
		done
	done <<-EOF
		$entries
	EOF
}

verb_cmdline()
{
	look "$1" || absent
	if read_entries "$root/proc/$1/cmdline"; then
		while IFS= read -r entry; do
			say_entry arg "$entry"
		done <<-EOF
			$entries
		EOF
	fi
	look "$1" || absent
}

verb_threads()
{
	look "$1" || absent
	pid=$1
	set -- "$root/proc/$pid/task"/[0-9]*
	lists=$(grep -h -e '^Cpus_allowed_list:' \
	    "$root/proc/$pid/task"/[0-9]*/status 2>/dev/null | sort -u)
	[ -n "$lists" ] || unknown 'the threads cannot be read'
	say threads $#
	while read -r _ list; do
		say cpus "$list"
	done <<-EOF
		$lists
	EOF
}

# --- libraries ---------------------------------------------------------------

# For each FILE: is it, by device and inode, mapped in the process?  A name
# proves nothing: the file behind it may have been replaced since.
verb_libraries()
{
	pid=$1
	shift
	look "$pid" || absent
	libraries_mapped
	for file in "$@"; do
		case $file in
		/*) ;;
		*) failed "a library needs a whole path: $file" ;;
		esac
		wanted=$(stat -L -c '%d:%i' -- "$file" 2>/dev/null) || wanted=
		if [ -n "$ids" ]; then
			library_by_link
		else
			library_by_maps
		fi
		say library "$file"
		say mapped "$mapped"
		say identity "$identity"
	done
}

# $rows: "RANGE MAJOR:MINOR INODE PATH" of each mapped file, once.  $ids:
# "DEV:INODE RANGE" by the links in map_files; empty if we may not follow
# them.  What is unmapped between the two looks is looked at again.
libraries_mapped()
{
	tries=0
	while :; do
		rows=$(awk '$6 ~ /^\// {
			path = substr($0, index($0, "/"))
			if (seen[$4, $5, path]++)
				next
			split($1, ends, "-")
			sub(/^0+/, "", ends[1])
			sub(/^0+/, "", ends[2])
			print ends[1] "-" ends[2], $4, $5, path
		}' "$root/proc/$pid/maps" 2>/dev/null)
		look "$pid" || absent
		[ -n "$rows" ] || unknown 'the mappings cannot be read'
		# Of a process that is gone, its links were followed while it ran.
		if [ -f "$root/proc/$pid/ids" ]; then
			ids=$(sed -n "s|\(/[^ ]*/map_files/[^ ]*\).*|$root\1|p" \
			    "$root/proc/$pid/ids")
			return 0
		fi
		set --
		while read -r range _; do
			set -- "$@" "$root/proc/$pid/map_files/$range"
		done <<-EOF
			$rows
		EOF
		ids=$(stat -L -c '%d:%i %n' "$@" 2>/dev/null) && return 0
		[ -n "$ids" ] || return 0
		tries=$((tries + 1))
		[ "$tries" -lt 5 ] || unknown 'the mappings keep changing'
	done
}

# row_is_file: does the path of a row name the wanted file?  $gone tells
# whether its file has been removed; a removed library counts by its name up
# to ".so", since an upgrade changes the rest.
row_is_file()
{
	gone=no
	case $path in
	*' (deleted)')
		gone=yes
		base=${path##*/}
		base=${base%' (deleted)'}
		for name in "$file" "$real"; do
			name=${name##*/}
			[ "${base%%.so*}" = "${name%%.so*}" ] && return 0
		done
		return 1
		;;
	esac
	[ "$path" = "$file" ] || [ "$path" = "$real" ]
}

library_by_link()
{
	mapped=no
	identity=${wanted:-missing}
	case $nl$ids in
	*"$nl$wanted "*)
		[ -z "$wanted" ] || mapped=yes
		;;
	esac
	[ "$mapped" = no ] || return 0
	real=$(readlink -f -- "$file" 2>/dev/null) || real=$file
	while read -r range _ _ path; do
		row_is_file || continue
		identity=${ids%%" $root/proc/$pid/map_files/$range"*}
		identity=${identity##*"$nl"}
		mapped=deleted
		[ "$gone" = yes ] ||
		    unknown "$file is mapped by name, but that file is another"
	done <<-EOF
		$rows
	EOF
}

# Without the right to follow the links: the device in maps may differ from
# stat's (btrfs, overlayfs), so only equality and no likeness at all are sure.
library_by_maps()
{
	mapped=no
	identity=${wanted:-missing}
	real=$(readlink -f -- "$file" 2>/dev/null) || real=$file
	if [ -n "$wanted" ]; then
		number=${wanted%:*}
		device=$(printf '%02x:%02x' \
		    $(((number >> 8 & 0xfff) | (number >> 32 & ~0xfff))) \
		    $(((number & 0xff) | (number >> 12 & 0xffffff00))))
	fi
	alike=
	while read -r _ dev inode path; do
		if [ -n "$wanted" ] && [ "$inode" = "${wanted#*:}" ]; then
			if [ "$dev" = "$device" ]; then
				mapped=yes
				identity=$wanted
				return 0
			fi
			alike=yes
		fi
		row_is_file || continue
		if [ "$gone" = yes ]; then
			mapped=deleted
			identity=$dev:$inode
		else
			alike=yes
		fi
	done <<-EOF
		$rows
	EOF
	[ -z "$alike" ] ||
	    unknown "whether $file is mapped: only root can compare the files"
}

listed_libraries()
{
	ldconfig -p 2>/dev/null | sed -n -e 's/^.* => //p'
}

library_places()
{
	echo "$root"/lib "$root"/lib64 "$root"/usr/lib "$root"/usr/lib64 \
	    "$root"/usr/local/lib "$root"/lib/*-linux-* \
	    "$root"/usr/lib/*-linux-* "$root"/usr/local/lib/*-linux-*
}

# --- knobs -------------------------------------------------------------------

# knob_file KIND NAME: the file behind a knob into $file.
knob_file()
{
	case $1 in
	sysctl)
		# As sysctl(8): the first separator tells which one it is.
		name=$2
		head=${name%%[./]*}
		case $name in
		"$head".*) name=$(printf '%s' "$name" | tr './' '/.') ;;
		esac
		file=proc/sys/$name
		;;
	sysfs)
		name=${2#/sys/}
		file=sys/$name
		;;
	thp)
		name=${2:-enabled}
		file=sys/kernel/mm/transparent_hugepage/$name
		;;
	smt)
		name=control
		file=sys/devices/system/cpu/smt/control
		;;
	*) failed "no such kind of knob: $1" ;;
	esac
	case /$name/ in
	*/../* | // | ///*) failed "not a name for $1: $2" ;;
	esac
	file=$root/$file
}

# knob_read KIND NAME: into $value.
knob_read()
{
	case $1 in
	governor)
		governor_read
		[ -n "$value" ] || absent
		return 0
		;;
	turbo)
		turbo_read || absent
		value=$turbo
		return 0
		;;
	esac
	knob_file "$1" "$2"
	[ -e "$file" ] || absent
	[ -f "$file" ] || failed "$1 $2 is not a value"
	at_once "$file" || unknown "$1 $2 cannot be read"
	value=$text
	case $1 in
	sysfs | thp)
		choice "$value"
		value=$chosen
		;;
	esac
}

# The shell's own words about a write that fails are noise.
write()
{
	(printf '%s\n' "$1" >"$2") 2>/dev/null
}

# knob_write KIND NAME VALUE: false when the kernel refused.
knob_write()
{
	case $1 in
	governor) governor_write "$3" ;;
	turbo) turbo_write "$3" ;;
	*)
		knob_file "$1" "$2"
		write "$3" "$file"
		;;
	esac
}

# All CPUs: they may differ, and a CPU that was off may come back otherwise.
governor_read()
{
	value=
	for file in "$cpus_dir"/cpu[0-9]*/cpufreq/scaling_governor; do
		first "$file" || continue
		cpu=${file%/cpufreq/*}
		value="$value${value:+ }${cpu##*/cpu}=$line"
	done
}

# One word for all CPUs, or the list that was read.
governor_write()
{
	good=0
	for file in "$cpus_dir"/cpu[0-9]*/cpufreq/scaling_governor; do
		[ -e "$file" ] || continue
		cpu=${file%/cpufreq/*}
		cpu=${cpu##*/cpu}
		case " $1 " in
		*=*)
			word=" $1 "
			word=${word#*" $cpu="}
			word=${word%% *}
			;;
		*) word=$1 ;;
		esac
		write "$word" "$file" || good=1
	done
	return "$good"
}

# Into $turbo: on or off.  Intel's driver counts the other way round.
turbo_read()
{
	turbo=
	turbo_file=$cpus_dir/intel_pstate/no_turbo
	turbo_on=0
	if ! first "$turbo_file"; then
		turbo_file=$cpus_dir/cpufreq/boost
		turbo_on=1
		first "$turbo_file" || return 1
	fi
	case $line in
	"$turbo_on") turbo=on ;;
	0 | 1) turbo=off ;;
	*) return 1 ;;
	esac
}

turbo_write()
{
	turbo_read || return 1
	case $1 in
	on) write "$turbo_on" "$turbo_file" ;;
	off) write $((1 - turbo_on)) "$turbo_file" ;;
	*) failed "turbo is on or off, not $1" ;;
	esac
}

# --- marks -------------------------------------------------------------------

# marked NAME=VALUE: processes that were started with it, as far as we may
# read their environment.
marked()
{
	grep -l -z -s -F -x -e "$1" "$root/proc"/[0-9]*/environ |
	    sed -e 's,/environ$,,' -e 's,.*/,,'
}

mark_of()
{
	mark=$(tr '\000' '\n' 2>/dev/null <"$root/proc/$1/environ" |
	    sed -n -e "s/^$2=//p" | head -n 1)
}

# Loads and servers of other directories than $dir; nobody touches them.
other_marks()
{
	grep -l -z -s -e '^ABRUN_LOAD=/' -e '^ABRUN_SERVER=/' \
	    "$root/proc"/[0-9]*/environ | while read -r file; do
		pid=${file%/environ}
		pid=${pid##*/}
		mark_of "$pid" 'ABRUN_[LS][A-Z]*'
		look "$pid" && [ -n "$mark" ] && [ "$mark" != "$dir" ] &&
		    say other "$pid $comm $mark"
	done
	return 0
}

# --- what is started ---------------------------------------------------------

# launch COMMAND ARG...: in a session of its own, as $account if that is another
# and on the CPUs of $cpus, both unless they are empty; into $pid.  What it
# says goes to $log.
launch()
{
	if [ -n "$account" ] && [ "$account" != "$(id -un)" ]; then
		find_tool setpriv || failed "setpriv is needed to become $account"
		set -- setpriv "--reuid=$account" "--regid=$(id -g "$account")" \
		    --init-groups "$@"
	fi
	# shellcheck disable=SC2086 # words
	[ -z "$cpus" ] || set -- $pin "$cpus" "$@"
	(
		cd / && umask 022 && exec setsid "$@"
	) </dev/null >"$log" 2>&1 &
	pid=$!
}

# With what it has ended, into $code.
launch_code()
{
	wait "$pid"
	code=$?
}

# Into $clock: now, as starts of processes are told.
start_clock()
{
	uptime_ticks
	clock=$ticks
}

# launch_keeper ARG...: the keeper of $run, into $keeper.
launch_keeper()
{
	setsid sh "$run/keeper" "$@" </dev/null >"$run/keeper.log" 2>&1 &
	keeper=$!
}

keeper_wait()
{
	wait "$keeper"
}

# --- services ----------------------------------------------------------------

# Settings of ours: a drop-in of systemd, which a reboot takes away, or of a
# script the mark that its environment is not its own.
service_files()
{
	service_dir=$root/run/systemd/system/$unit.d
	dropin=$service_dir/zz-abrun.conf
	[ "$manager" = systemd ] || dropin=$root/run/abrun.$unit.service
}

# service_find NAME: $manager, systemd or sysv, and $unit, the name that it
# has for it: aliases are resolved.
service_find()
{
	case $1 in
	'' | -* | *[!A-Za-z0-9:_.@\\-]*) failed "no name of a service: $1" ;;
	esac
	manager=systemd unit=$1
	if [ -d "$root/run/systemd/system" ] && find_tool systemctl; then
		case $unit in
		*.service) ;;
		*) unit=$unit.service ;;
		esac
		service_show
		case $load in
		loaded) ;;
		masked) failed "the unit $unit is masked" ;;
		*) manager=none ;;
		esac
	else
		manager=none
	fi
	if [ "$manager" = none ]; then
		[ -x "$root/etc/init.d/$1" ] ||
		    failed "there is neither a unit nor a script in /etc/init.d of the name $1"
		manager=sysv unit=$1
	fi
	service_files
}

# What systemd says of $unit, its true name with it.
service_show()
{
	load='' active='' main=0 invocation='' result='' restarts='' files=''
	while IFS='=' read -r key value; do
		case $key in
		Id) unit=$value ;;
		LoadState) load=$value ;;
		ActiveState) active=$value ;;
		MainPID) main=$value ;;
		InvocationID) invocation=$value ;;
		Result) result=$value ;;
		NRestarts) restarts=$value ;;
		EnvironmentFiles) files="$files${files:+, }${value% (*}" ;;
		esac
	done <<-EOF
		$(systemctl show -p Id -p LoadState -p ActiveState -p MainPID \
		    -p InvocationID -p Result -p NRestarts -p EnvironmentFiles \
		    -- "$unit" 2>&1)
	EOF
}

# $active of a script: its status.
service_status()
{
	if [ "$manager" = systemd ]; then
		service_show
	elif "$root/etc/init.d/$unit" status >/dev/null 2>&1; then
		active=active
	else
		active=inactive
	fi
}

# service NAME: what the host's service manager says of it.
verb_service()
{
	service_find "$1"
	service_status
	say manager "$manager"
	say id "$unit"
	case $active in
	active | activating | reloading) say was active ;;
	*) say was inactive ;;
	esac
	say state "$active"
	[ "$manager" = systemd ] || return 0
	say pid "$main"
	say_if invocation "$invocation"
	say_if restarts "$restarts"
	say_if environment_files "$files"
}

# quote_unit TEXT: as one word of a unit's Environment=; $quoted.
quote_unit()
{
	quoted=$(printf '%sx' "$1" | sed -e 's/[\\"]/\\&/g' -e 's/%/%%/g')
	quoted=${quoted%x}
	case $quoted in
	*"$nl"*) failed 'a variable of a service can hold no newline' ;;
	esac
	quoted="\"$quoted\""
}

# The options of a mysqld: units of MariaDB and MySQL document a variable.
service_options()
{
	[ -z "$1" ] || systemctl cat -- "$unit" 2>/dev/null |
	    grep -q 'MYSQLD_OPTS' ||
	    failed "the unit $unit takes no options: its ExecStart does not use \$MYSQLD_OPTS"
}

# The last lines that a unit has logged, for a reason.
service_said()
{
	set -- "$(journalctl -u "$unit" -n 8 -o cat --no-pager 2>/dev/null |
	    tail -c 1000)"
	[ -z "$1" ] || printf ': %s' "$1"
}

# service_start NAME LIMIT_MS CPUSET OPTIONS N ENV1...ENVN -: a service that is
# stopped, with these settings.
verb_service_start()
{
	service_find "$1"
	limit=$2 cpus=$3 options=$4
	shift 4
	number "$limit" 'the time limit'
	check_variables "$@"
	shift
	before=${invocation-}
	uptime_ticks
	say clock "$ticks"
	if [ "$manager" = systemd ]; then
		service_start_unit "$@"
	else
		service_start_script "$@"
	fi
	say manager "$manager"
	say id "$unit"
}

service_start_unit()
{
	service_options "$options"
	lines=
	while [ $# -gt 1 ]; do
		quote_unit "$1"
		lines="${lines}Environment=$quoted$nl"
		shift
	done
	if [ -n "$options" ]; then
		quote_unit "MYSQLD_OPTS=$options"
		lines="${lines}Environment=$quoted$nl"
	fi
	[ -z "$cpus" ] || lines="${lines}CPUAffinity=$cpus$nl"
	mkdir -p "$service_dir" && printf '%s\n[Service]\n%s' \
	    '# Made by abrun for one measurement, and removed after it.' \
	    "$lines" >"$dropin" || failed "$dropin cannot be written"
	systemctl daemon-reload || failed 'systemctl daemon-reload failed'
	systemctl reset-failed -- "$unit" 2>/dev/null
	timeout $(((limit + 999) / 1000)) systemctl start -- "$unit" 2>/dev/null
	code=$?
	service_show
	[ "$code" -eq 0 ] && [ "$active" = active ] ||
	    failed "$unit did not start: it is $active, result $result$(service_said)"
	[ -n "$invocation" ] && [ "$invocation" != "$before" ] ||
	    failed "$unit was started, but its invocation is still the one before: ${before:-none}"
	say invocation "$invocation"
	say pid "$main"
	say_if environment_files "$files"
}

service_start_script()
{
	log=$root/run/abrun.$unit.log
	home_of ''
	count=$#
	set -- "$@" env -i "PATH=$PATH" "HOME=$home" LANG=C
	while [ "$count" -gt 1 ]; do
		set -- "$@" "$1"
		shift
		count=$((count - 1))
	done
	shift
	# shellcheck disable=SC2086 # words
	set -- "$@" "$root/etc/init.d/$unit" start $options
	[ -z "$cpus" ] || set -- taskset -c "$cpus" "$@"
	: >"$dropin" || failed "$dropin cannot be written"
	(
		cd / && umask 022 &&
		    exec setsid timeout $(((limit + 999) / 1000)) "$@"
	) </dev/null >"$log" 2>&1 ||
	    failed "/etc/init.d/$unit start ended with status $?$(log_end)"
}

service_stop_it()
{
	limit=$((($1 + 999) / 1000))
	if [ "$manager" = systemd ]; then
		timeout $limit systemctl stop -- "$unit" 2>/dev/null
		service_show
	else
		(cd / && timeout $limit "$root/etc/init.d/$unit" stop) \
		    </dev/null >/dev/null 2>&1
		service_status
	fi
	case $active in
	inactive | failed) return 0 ;;
	esac
	failed "$unit does not stop: it is $active"
}

service_unset()
{
	rm -f "$dropin" && rmdir "$service_dir" 2>/dev/null
	[ "$manager" != systemd ] || systemctl daemon-reload ||
	    failed 'systemctl daemon-reload failed'
}

service_start_plain()
{
	limit=$((($1 + 999) / 1000))
	if [ "$manager" = systemd ]; then
		systemctl reset-failed -- "$unit" 2>/dev/null
		timeout $limit systemctl start -- "$unit" 2>/dev/null
	else
		(cd / && env -i "PATH=$PATH" LANG=C timeout $limit \
		    "$root/etc/init.d/$unit" start) </dev/null >/dev/null 2>&1
	fi
	service_status
	[ "$active" = active ] || failed "$unit is not running again: it is $active"
}

# --- the load ----------------------------------------------------------------

# What the keeper of a load needs of Linux: clocks sets $nanoseconds of the
# wall clock, $ticks of 10 ms of one that is never set, and $slack, the ticks
# within which the wall clock was read; life PID sets
# $lived to "PID START", so that nobody is taken for it later; members prints
# who lives in the group or session of $pid, and a zombie does not; marked who
# has $mark in the environment.
# peak_works tells whether the most memory that a process had can be measured
# here; detach becomes a command in a session of its own, measured so unless
# $tool is no; peak_read sets $peak to what was measured, in KB.  below PID
# sets $program to the first process from PID down that is no shell; peek PID
# DIR WHAT copies what /proc has of a process, whole or not at all, and is
# false for a program whose libraries are not there yet.
keeper_system()
{
	cat <<'EOF'
is_shell()
{
	for one in /bin/sh /bin/bash /bin/dash; do
		# shellcheck disable=SC3013 # dash and bash have it
		[ "/proc/$1/exe" -ef "$one" ] && return 0
	done
	return 1
}

below()
{
	program=$1
	while is_shell "$program"; do
		child=
		read -r child _ <"/proc/$program/task/$program/children"
		[ -n "$child" ] || return 1
		program=$child
	done
	[ -d "/proc/$program" ]
}

# The links below map_files tell files by what they are, not by their names;
# only root may follow them.  Few processes are started: the load runs.
peek()
{
	copy=$2/proc/$1
	mkdir -p "$copy/task/$1" && life "$1" || return 1
	begun=$lived
	echo "$stat" >"$copy/stat"
	cat "/proc/$1/environ" >"$copy/environ"
	maps=$(cat "/proc/$1/maps")
	echo "$maps" >"$copy/maps"
	grep -h '^Cpus_allowed_list:' "/proc/$1/task"/[0-9]*/status \
	    >"$copy/task/$1/status"
	readlink "/proc/$1/exe" >"$copy/program"
	stat -L -c '%d:%i %n %s:%.9Y:%.9Z' "/proc/$1/exe" \
	    "/proc/$1/map_files"/* >"$copy/ids"
	life "$1" && [ "$lived" = "$begun" ] || return 1
	# As long as its loader is there and the C library is not, more comes.
	case $3$maps in
	program*/ld-musl* | program*/libc[-.]*) ;;
	program*/ld[-.]*) return 1 ;;
	esac
	echo "$1 $3" >"$2/what"
} 2>/dev/null

clocks()
{
	IFS=' ' read -r slack _ </proc/uptime
	nanoseconds=$(date +%s%N)
	IFS=' ' read -r ticks _ </proc/uptime
	ticks=${ticks%.*}${ticks#*.}
	slack=$((ticks - ${slack%.*}${slack#*.}))
}

life()
{
	stat=
	IFS= read -r stat <"/proc/$1/stat"
	# shellcheck disable=SC2086 # numbers
	set -- "$1" ${stat##*) }
	lived="$1 ${21-}"
	case ${2-} in
	'' | [ZXx]) return 1 ;;
	esac
}

members()
{
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v group="$pid" '{
		who = $1
		sub(/.*\) /, "")
		if (($3 == group || $4 == group) && $1 !~ /[ZXx]/)
			print who
	}'
}

marked()
{
	[ -n "$mark" ] || return 0
	grep -l -z -s -F -x -e "$mark" /proc/[0-9]*/environ |
	    sed -e 's,/environ$,,' -e 's,.*/,,'
}

# Of all CPUs since boot, in ms by a clock of 100 Hz: stolen time is busy,
# waiting for disks is not.
cpu_now()
{
	IFS=' ' read -r _ in_user nice in_system idle iowait irq softirq stolen \
	    _ </proc/stat
	stolen=$((stolen * 10))
	busy=$(((in_user + nice + in_system + irq + softirq) * 10 + stolen))
	machine=$((busy + (idle + iowait) * 10))
}

# Of the server that server_start left in the same directory, with all that
# descends from it, since it began.
server_now()
{
	server='' leader='' born=''
	{ IFS=' ' read -r leader born; } 2>/dev/null <../server.pid
	[ -n "$leader" ] || return 0
	server=$(cat /proc/[0-9]*/stat 2>/dev/null |
	    awk -v leader="$leader" -v born="$born" '{
		who = $1
		sub(/.*\) /, "")
		parent[who] = $2
		cpu[who] = $12 + $13 + $14 + $15
		# One that has ended and nobody has waited for is gone.
		start[who] = $1 == "Z" ? "" : $20
	}
	END {
		if (start[leader] != born)
			exit
		for (who in cpu) {
			at = who
			for (i = 0; at != leader && at > 1 && i < 64; i++)
				at = parent[at]
			if (at == leader)
				sum += cpu[who]
		}
		print sum * 10
	}')
}

peak_works()
{
	env time -f %M -o rss true 2>/dev/null
}

detach()
{
	[ "$tool" = no ] || set -- env time -f %M -o "$run/rss" "$@"
	exec setsid "$@"
}

peak_read()
{
	while IFS= read -r line; do
		peak=$line
	done <rss
}

EOF
}

# seen_use COPIES PID: what is asked from here on is answered from them.
seen_use()
{
	root=$1
	seen_program "$root/proc/$2"
}

# seen_program COPY: its program as a link, where that file is still the one
# that was run.
seen_program()
{
	first "$1/program" && [ -n "$line" ] || return 0
	program=$line
	first "$1/ids" || return 0
	identity "$program"
	case $line in
	"${identity%:*:*:*} "*" ${identity#*:*:}") ln -s "$program" "$1/exe" ;;
	esac
	return 0
}

[ -n "${abrun_fed-}" ] || {
	# shellcheck source=hooks/os/linux-boot.sh
	[ ! -r "$abrun_hooks/linux-boot.sh" ] || . "$abrun_hooks/linux-boot.sh"
	by_hand "$@"
}
