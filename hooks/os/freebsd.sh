#!/bin/sh
# What abrun must know of FreeBSD, as verbs of one POSIX sh program.
#
# By hand:     sh freebsd.sh VERB [ARG...]       (alone: the list of verbs)
# From abrun:  fed to "/bin/sh -s" behind common.sh, with abrun_fed=yes before
#              both and calls of abrun_call behind them; see abrun-hooks(7).
#
# It was written by the manuals and sources of FreeBSD 12 to 15 and by outputs
# of 8 to 15 that others have captured, and was never run on FreeBSD: its tests
# have pretended tools.
#
# ABRUN_ROOT is a directory that stands for / where /etc, /var and /boot are
# read: for tests.
#
# "A && B || C" is meant as it stands, and variables are shared with common.sh,
# with subshells on purpose one way only.
# shellcheck disable=SC2015,SC2030,SC2031,SC2034,SC2154

if [ -z "${abrun_fed-}" ]; then
	case $0 in
	*/*) abrun_hooks=${0%/*} ;;
	*) abrun_hooks=. ;;
	esac
	# shellcheck source=hooks/os/common.sh
	. "$abrun_hooks/common.sh"
fi
system=freebsd
knob_kinds='sysctl|libmap'
pin='cpuset -l'
root=${ABRUN_ROOT-}
# Times of processes are told in it, and read here.
TZ=UTC0
export TZ

# --- small means -------------------------------------------------------------

# sha256 FILE: into $sum; false when it is no readable file.
sha256()
{
	sum=
	[ -f "$1" ] && [ -r "$1" ] || return 1
	# The tool of that name, not this function.
	sum=$(command sha256 -q 2>/dev/null <"$1") && [ -n "$sum" ]
}

# owner_and_mode FILE: "UID:GID MODE".
owner_and_mode()
{
	stat -f '%u:%g %Lp' -- "$1"
}

# copy_tree FROM TO: all that is in it, with owners, modes and times.
copy_tree()
{
	cp -a -- "$1/." "$2/"
}

# know NAME...: asks for all of these at once, which is quicker than one after
# the other; their values are single lines.  Unknown ones are left out by it.
know()
{
	known=" $* "
	oids=$nl$(sysctl "$@" 2>/dev/null)$nl
}
known='' oids=''

# oid NAME: what sysctl says of it into $value; false when there is no such
# thing.  An empty answer is none: so it answers shortly before a reboot.
oid()
{
	case $known in
	*" $1 "*)
		case $oids in
		*"$nl$1: "*) ;;
		*) return 1 ;;
		esac
		value=${oids#*"$nl$1: "}
		value=${value%%"$nl"*}
		[ -n "$value" ]
		return
		;;
	esac
	value=$(sysctl -n "$1" 2>/dev/null) && [ -n "$value" ]
}

# say_oid KEY NAME: nothing where there is no such thing.
say_oid()
{
	oid "$2" || return 0
	words "$value"
	say "$1" "$joined"
}

# What the keeper of a load, a program of its own, has as well.
shared()
{
	cat <<'EOF'
# microseconds since 1970 into $now_us.  Before 14 date knows seconds only; a
# new pipe has the time at which it was made.
now()
{
	now_us=$(date +%s%N)
	case $now_us in
	*[!0-9]*)
		now_us=$(: | stat -f %Fm 2>/dev/null)
		now_us=${now_us%%.*}$(printf %.9s "${now_us##*.}")
		;;
	esac
	case ${#now_us}$now_us in
	19*[!0-9]*) now_us=$(date +%s)000000000 ;;
	19*) ;;
	*) now_us=$(date +%s)000000000 ;;
	esac
	now_us=${now_us%???}
}

# boot_time: into $boot_s and $boot_us.  It is no identity of a boot: it moves
# whenever the clock is set, so that the time since boot goes on undisturbed.
boot_time()
{
	oid kern.boottime || return 1
	boot_s=${value#*sec = }
	boot_s=${boot_s%%,*}
	boot_us=${value#*usec = }
	boot_us=${boot_us%%[!0-9]*}
	case $boot_s$boot_us in
	*[!0-9]*) return 1 ;;
	esac
	[ -n "$boot_s" ] && [ -n "$boot_us" ]
}

# proc_tool PID WHAT: what a tool says of a process.
proc_tool()
{
	case $2 in
	ps) ps -ww -o stat= -o ppid= -o lstart= -o comm= -p "$1" ;;
	binary) procstat -h -b "$1" ;;
	maps) procstat -h -v "$1" ;;
	ids) fstat -n -m -p "$1" ;;
	threads) procstat -h -S "$1" ;;
	env | args)
		# Since 13; of older ones all is in one line, parted by blanks.
		if [ "$2" = env ]; then
			set -- "$1" penv -e
		else
			set -- "$1" pargs -c
		fi
		said=$(procstat "$2" "$1" 2>&1)
		case $said in
		"$1: "* | *"
$1: "*) echo "$said" ;;
		*) procstat -h "$3" "$1" ;;
		esac
		;;
	esac 2>&1
}

# epoch MONTH DAY HH:MM:SS YEAR: seconds since 1970 into $seconds.
epoch()
{
	seconds=JanFebMarAprMayJunJulAugSepOctNovDec
	seconds=${seconds%%"$1"*}
	# From March on, so that a leap day is the last of its year.
	month=$((${#seconds} / 3 - 2)) year=$4
	[ "$month" -ge 0 ] || month=$((month + 12)) year=$((year - 1))
	seconds=$((365 * year + year / 4 - year / 100 + year / 400 +
	    (153 * month + 2) / 5 + $2 - 719469))
	for part in ${3%%:*} "${3#*:}"; do
		case $part in
		*:*)
			seconds=$((seconds * 60 + 1${part%:*} - 100))
			part=${part#*:}
			seconds=$((seconds * 60 + 1$part - 100))
			;;
		*) seconds=$((seconds * 24 + 1$part - 100)) ;;
		esac
	done
}

# parse_life ROW: of what ps says of a process $state, $parent, $start and $comm;
# false when there is none, and a zombie is none.  The start is told to the
# second, by the clock; less the time of the boot it does not move when that is
# set, but for one second if its fraction does.
parse_life()
{
	set -f
	# shellcheck disable=SC2086 # words
	set -- $1
	set +f
	[ $# -ge 8 ] || return 1
	state=${1%"${1#?}"}
	parent=$2
	case $state$parent in
	Z* | ?*[!0-9]*) return 1 ;;
	esac
	epoch "$4" "$5" "$6" "$7"
	shift 7
	comm=$*
	start=
	boot_time || return 0
	start=$(((seconds - boot_s) * 100))
}
EOF
}
eval "$(shared)"

# centiseconds since boot into $ticks; of a clock that is never set.
uptime_ticks()
{
	boot_time || unknown 'kern.boottime cannot be read'
	now
	ticks=$(((now_us - boot_s * 1000000 - boot_us) / 10000))
}

# --- the host ----------------------------------------------------------------

# boot_id: into $boot_id; false with $reason.  Up to 12 the kernel has none, so
# one is kept in its environment (kenv), which ends with the boot: the time of
# the boot, as it was when first asked for.
boot_id()
{
	boot_id=$(sysctl -n -x kern.boot_id 2>&1)
	case $boot_id in
	*Dump:0x*)
		boot_id=${boot_id##*Dump:0x}
		case $boot_id in
		*[!0-9a-f]*) ;;
		????????????????????????????????) return 0 ;;
		esac
		reason='the boot id is not one'
		return 1
		;;
	*'unknown oid'*) ;;
	*)
		# Also before the random device is seeded, right after a boot.
		reason='the boot id cannot be read'
		return 1
		;;
	esac
	boot_id=$(kenv -q abrun.boot_id 2>/dev/null) && [ -n "$boot_id" ] &&
	    return 0
	reason='the time of the boot cannot be read'
	boot_time || return 1
	reason='this FreeBSD has no kern.boot_id, and only root can note one'
	kenv "abrun.boot_id=boottime-$boot_s.$boot_us" >/dev/null 2>&1 &&
	    boot_id=$(kenv -q abrun.boot_id 2>/dev/null) && [ -n "$boot_id" ]
}

verb_boot_id()
{
	boot_id || unknown "$reason"
	say boot_id "$boot_id"
}

# boot_messages: what the kernel said as it booted, into $text; $boot_log tells
# where it comes from.  The ring may have wrapped, the file is of this boot.
boot_messages()
{
	boot_log='file'
	text=$(cat "$root/var/run/dmesg.boot" 2>/dev/null)
	is_boot && return 0
	text=$(dmesg 2>/dev/null)
	boot_log='ring'
	is_boot && return 0
	boot_log='wrapped'
	[ -n "$text" ] || boot_log='unreadable'
}

is_boot()
{
	case $text in
	*'The FreeBSD Project.'* | *"${nl}FreeBSD/SMP:"* | *"${nl}real memory "*)
		return 0
		;;
	esac
	return 1
}

# scheduler: into $sched; false when nothing tells it.  Of kernels that have
# no kern.sched.name their configuration does.
scheduler()
{
	if oid kern.sched.name; then
		sched=$value
		return 0
	fi
	sched=$(sysctl -n kern.conftxt 2>/dev/null |
	    sed -n -e 's/^options[[:blank:]]*SCHED_\([A-Z0-9]*\)$/\1/p')
	case $sched in
	'' | *"$nl"*) return 1 ;;
	esac
}

# Two builds may have one version text.  Without a build id the file that was
# booted tells, if it has not been replaced since.
kernel_id()
{
	if oid kern.build_id; then
		sum=$value
		return 0
	fi
	oid kern.bootfile || return 1
	file=$root$value
	written=$(stat -f %m -- "$file" 2>/dev/null) && boot_time || return 1
	[ "$written" -le "$boot_s" ] && sha256 "$file"
}

facts_kernel()
{
	oid kern.hostname && say hostname "$value"
	oid kern.ostype && say os "$value"
	distro=$(freebsd-version -u 2>/dev/null)
	[ -z "$distro" ] || say distro "FreeBSD $distro"
	oid kern.osrelease && say kernel "$value"
	# Lines and an empty last one, up to 12: as uname -v has it.
	say_oid kernel_version kern.version
	say_oid arch hw.machine
	kernel_id && say kernel_id "$sum"
	boot_id && say boot_id "$boot_id"
	say_oid machine_id kern.hostuuid
	say_oid ident kern.ident
	say_oid bootfile kern.bootfile
	scheduler && say sched "$sched"
	say_oid schedulers kern.sched.available
	say_oid hz kern.hz
}

# The line is "FreeBSD/SMP: 1 package(s) x 4 core(s) x 2 hardware threads"; up
# to 10 "SMT threads"; with "N groups" or "N cache groups" before the cores, or
# without threads.  A second, "FreeBSD/SMP Online:", tells what is on.
facts_topology()
{
	line=$(printf '%s\n' "$text" | sed -n \
	    -e 's/^FreeBSD\/SMP\( Online\)*: \([0-9].*package.*core(s).*\)$/\2/p' |
	    tail -n 1)
	cores='' threads='' sockets=''
	if [ -n "$line" ]; then
		sockets=${line%% *}
		groups=1
		case $line in
		*groups*)
			groups=${line%%groups*}
			groups=${groups##*x }
			groups=${groups%% *}
			;;
		esac
		cores=${line%% core(s)*}
		cores=$((${cores##* } * groups))
		threads=1
		case $line in
		*core\(s\)\ x\ *) threads=${line##*core(s) x } ;;
		esac
		threads=${threads%% *}
		# What does not add up is not told.
		if [ "$((sockets * cores * threads))" != "$cpus" ]; then
			cores='' threads='' sockets=''
		fi
	fi
	if [ -z "$threads" ] && oid kern.smp.cores &&
	    [ "$value" -gt 0 ] && [ $((cpus % value)) -eq 0 ]; then
		threads=$((cpus / value))
	fi
	[ "$cpus" -gt 1 ] || threads=1
	[ -n "$threads" ] || topology_threads
	say_count sockets "$sockets"
	say_count cores_per_socket "$cores"
	say_count threads_per_core "$threads"
}

# What ULE knows of the machine: the largest group of threads.
topology_threads()
{
	oid kern.sched.topology_spec || return 0
	threads=$(printf '%s\n' "$value" | awk '
		/<cpu count=/ {
			count = $0
			sub(/.*<cpu count="/, "", count)
			sub(/".*/, "", count)
		}
		/<flag name="(THREAD|SMT|HTT)"/ && count + 0 > most + 0 {
			most = count
		}
		END { print most + 0 ? most : 1 }')
}

facts_cpu()
{
	cpus=
	say_oid cpu_model hw.model
	oid hw.ncpu && cpus=$value
	say_count cpus "$cpus"
	boot_messages
	case $cpus in
	'' | *[!0-9]*) ;;
	*) facts_topology ;;
	esac
	say_oid numa_nodes vm.ndomains
	oid kern.vm_guest && say virt "$value"
	if oid machdep.hyperthreading_allowed; then
		case $value:${threads:-1} in
		0:*) say smt off ;;
		*:1) ;;
		*) say smt on ;;
		esac
	fi
}

facts_memory()
{
	oid hw.physmem && say memory_kb $((value / 1024))
	line=$(swapinfo -k 2>/dev/null) || return 0
	total=0 used=0
	# Of several devices there is a last row of their sums.
	while read -r name size taken _; do
		[ "$name" != Total ] || continue
		case $size$taken in
		'' | *[!0-9]*) continue ;;
		esac
		total=$((total + size))
		used=$((used + taken))
	done <<-EOF
		$line
	EOF
	say swap_total_kb "$total"
	say swap_used_kb "$used"
}

# What sets the CPU's frequency, if anything does, into $governor.
governor_in_use()
{
	governor=$(ps -axo comm= 2>/dev/null |
	    sed -n -e 's/^\(powerd[+]*\)[[:blank:]]*$/\1/p' | head -n 1)
}

verb_facts()
{
	know kern.hostname kern.ostype kern.osrelease kern.ident kern.bootfile \
	    kern.sched.name kern.sched.available kern.hz kern.hostuuid \
	    kern.build_id kern.boottime kern.smp.cores kern.vm_guest \
	    kern.timecounter.hardware hw.machine hw.model hw.ncpu hw.physmem \
	    vm.ndomains machdep.hyperthreading_allowed
	facts_kernel
	facts_cpu
	facts_memory
	governor_in_use
	say_if governor "$governor"
	say_oid clocksource kern.timecounter.hardware
	if boot_time; then
		uptime_ticks
		say uptime_s $((ticks / 100))
	fi
	say time "$(date +%s)"
}

# Interrupts are not idle; there is no word for waiting for disks.
cpu_times()
{
	oid kern.cp_time || unknown 'the CPU times cannot be read'
	# shellcheck disable=SC2086 # numbers
	set -- $value
	[ $# -eq 5 ] || unknown 'the CPU times cannot be read'
	idle=$5
	total=$(($1 + $2 + $3 + $4 + $5))
}

# --- what may disturb --------------------------------------------------------

# Raw values only: which of them is a hazard is known to abrun alone.

# Options of a kernel's configuration that cost time, besides WITNESS and
# INVARIANTS, which have keys of their own.
debug_options='KASAN KCSAN KMSAN DIAGNOSTIC LOCK_PROFILING DEBUG_LOCKS
DEBUG_VFS_LOCKS DEBUG_MEMGUARD DEBUG_REDZONE MUTEX_DEBUG SOCKBUF_DEBUG'

# has_option NAME: is it in the configuration that is $options?
has_option()
{
	case $nl$options$nl in
	*"${nl}options$tab$1$nl"*) return 0 ;;
	esac
	return 1
}

hazards_kernel()
{
	boot_messages
	say boot_log "$boot_log"
	options=$(sysctl -n kern.conftxt 2>/dev/null)
	if [ -n "$options" ]; then
		say kernel_config kern.conftxt
		list=
		for one in $debug_options; do
			has_option "$one" && list="${list:+$list }$one"
		done
		say debug_options "$list"
	fi
	witness=no
	case $text in
	*'WARNING: WITNESS option enabled'*) witness=yes ;;
	esac
	if oid debug.witness.watch; then
		[ "$value" = 0 ] && witness=no || witness=yes
	elif has_option WITNESS; then
		witness=yes
	fi
	say witness "$witness"
	if oid kern.features.invariants && [ "$value" != 0 ] ||
	    has_option INVARIANTS; then
		say invariants yes
	elif [ -n "$options" ]; then
		say invariants no
	fi
	# What a debugging malloc of the base system is told.
	say_if malloc_conf "$(readlink "$root/etc/malloc.conf" 2>/dev/null)"
}

hazards_cpu()
{
	list=
	for one in vm.pmap.pti hw.ibrs_active hw.mds_disable_state \
	    hw.spec_store_bypass_disable_active machdep.mitigations.taa.state; do
		oid "$one" && list="$list${list:+$nl}$one=$value"
	done
	say_if vulnerabilities "$list"
	say_oid clocksources kern.timecounter.choice
	say_oid eventtimer kern.eventtimer.timer
	say_oid freq_levels dev.cpu.0.freq_levels
}

hazards_memory()
{
	if oid hw.pagesize; then
		size=$value pages=0
		for one in free inactive laundry; do
			oid "vm.stats.vm.v_${one}_count" &&
			    pages=$((pages + value))
		done
		# ZFS gives back what it caches.
		cache=0
		if oid kstat.zfs.misc.arcstats.size; then
			cache=$value
			oid kstat.zfs.misc.arcstats.c_min &&
			    cache=$((cache > value ? cache - value : 0))
		fi
		[ "$pages" -eq 0 ] ||
		    say memory_available_kb $(((pages * size + cache) / 1024))
	fi
	if oid vm.loadavg; then
		value=${value#*'{ '}
		say load_average "${value%% *}"
	fi
	pools_busy
}

hazards_programs()
{
	# Of all, or nothing: a plain user may be shown its own only.
	if [ "$(id -u)" -ne 0 ]; then
		oid security.bsd.see_other_uids && [ "$value" = 1 ] || return 0
	fi
	line=$(ps -axo comm= 2>/dev/null | sed -e 's/[[:blank:]]*$//' |
	    grep -x -E -e 'pkg|pkg-static|freebsd-update|portsnap|poudriere.*' \
	    -e 'periodic|fsck.*|locate\.updatedb|makewhatis|growfs' \
	    -e 'cron|anacron|fcron' | sort -u)
	cron=
	busy=
	for one in $line; do
		case $one in
		*cron) cron=${cron:+$cron }$one ;;
		*) busy=${busy:+$busy }$one ;;
		esac
	done
	say maintenance "$busy"
	say cron "$cron"
	line=$(cat "$root/etc/crontab" "$root"/etc/cron.d/* \
	    "$root"/usr/local/etc/cron.d/* "$root"/var/cron/tabs/* 2>/dev/null |
	    grep -c '^[[:blank:]]*[0-9*@]')
	say cron_jobs "${line:-0}"
}

# The kernel that is installed is not the one that runs.
hazards_upgrades()
{
	installed=$(freebsd-version -k 2>/dev/null)
	running=$(freebsd-version -r 2>/dev/null)
	[ -n "$installed" ] && [ -n "$running" ] &&
	    [ "$installed" != "$running" ] && say reboot_required yes
}

verb_hazards()
{
	know debug.witness.watch kern.features.invariants vm.pmap.pti \
	    hw.ibrs_active hw.mds_disable_state \
	    hw.spec_store_bypass_disable_active machdep.mitigations.taa.state \
	    kern.timecounter.choice kern.eventtimer.timer \
	    dev.cpu.0.freq_levels hw.pagesize vm.stats.vm.v_free_count \
	    vm.stats.vm.v_inactive_count vm.stats.vm.v_laundry_count \
	    kstat.zfs.misc.arcstats.size kstat.zfs.misc.arcstats.c_min \
	    vm.loadavg security.bsd.see_other_uids
	hazards_kernel
	hazards_cpu
	hazards_memory
	space_of "$tmp" && say tmp_free_kb "$free"
	hazards_programs
	hazards_upgrades
	logged_in "$@"
}

# What goes on counting, or should not change: looked at before the load and
# after it.
verb_watch()
{
	know kern.boottime kern.cp_time vm.stats.vm.v_swappgsin \
	    vm.stats.vm.v_swappgsout kern.timecounter.hardware
	uptime_ticks
	say uptime_ms "$((ticks * 10))"
	say time_ms "$((now_us / 1000))"
	cpu_times
	say cpu_ticks "$total"
	say idle_ticks "$idle"
	# With coretemp(4): 1 in each CPU's log that has been too hot.
	line=$(sysctl dev.cpu 2>/dev/null |
	    sed -n -e 's/^dev\.cpu\.[0-9]*\.coretemp\.throttle_log: //p')
	if [ -n "$line" ]; then
		total=0
		for one in $line; do
			total=$((total + one))
		done
		say throttled_core "$total"
	fi
	say_oid swapped_in vm.stats.vm.v_swappgsin
	say_oid swapped_out vm.stats.vm.v_swappgsout
	say_oid clocksource kern.timecounter.hardware
	governor_in_use
	say_if governor "$governor"
	return 0
}

# --- processes ---------------------------------------------------------------

# told PID WHAT: the same into $text; of a load that was looked at, as it was
# kept in $kept.
told()
{
	if [ -n "$kept" ]; then
		text=$(cat "$kept/$2" 2>/dev/null)
	else
		text=$(proc_tool "$1" "$2")
	fi
}
kept=

# look PID: $state, $parent, $start and $comm of a process; false when there is
# none.
look()
{
	case $1 in
	'' | *[!0-9]*) failed "not a process number: $1" ;;
	esac
	told "$1" ps
	parse_life "$text" || return 1
	[ -n "$start" ] || unknown 'kern.boottime cannot be read'
}

# file_id FILE: DEVICE:INODE of the file behind it, the device in hexadecimal,
# into $id; false when there is none.
file_id()
{
	id=$(stat -L -f '%Xd:%i' -- "$1" 2>/dev/null) && [ -n "$id" ]
}

# mapped_ids PID KIND...: the same of each file that is mapped (mmap) or of the
# program itself (text), as lines of $ids.  Names of users and commands may
# hold blanks.
mapped_ids()
{
	told "$1" ids
	shift
	ids=$(printf '%s\n' "$text" | awk -v kinds=" $* " '{
		for (i = 3; i + 2 <= NF; i++)
			if (index(kinds, " " $i " ") && $(i - 1) ~ /^[0-9]+$/ &&
			    $(i + 1) ~ /^0x[0-9a-f]+$/ &&
			    $(i + 2) ~ /^[0-9]+$/) {
				id = substr($(i + 1), 3) ":" $(i + 2)
				if (!seen[id]++)
					print id
				next
			}
	}')
	[ -n "$ids" ]
}

# identity FILE: into $identity what changes whenever the file or its contents
# do; empty where times are not told to the nanosecond.
identity()
{
	identity=$(stat -L -f '%Xd:%i:%z:%Fm:%Fc' -- "$1" 2>/dev/null) ||
	    identity=
	case $identity in
	*[!0-9a-f:.]*) identity='' ;;
	*:*.?????????:*.?????????) ;;
	*) identity='' ;;
	esac
}

# process PID [IDENTITY]: a program of that identity is not hashed again.  The
# name of the program is the kernel's memory of one: the file that has it now
# is looked at only if it is the one that runs.
verb_process()
{
	look "$1" || absent
	say pid "$1"
	say start "$start"
	say state "$state"
	say comm "$comm"
	told "$1" binary
	exe=$(printf '%s\n' "$text" | sed -n \
	    -e 's/^ *[0-9][0-9]* .* [0-9][0-9]* \(\/.*\)$/\1/p' | head -n 1)
	[ -n "$exe" ] || return 0
	say exe "$exe"
	file_id "$exe" && mapped_ids "$1" text && [ "$ids" = "$id" ] || return 0
	identity "$exe"
	say_if exe_identity "$identity"
	if [ -z "$identity" ] || [ "$identity" != "${2-}" ]; then
		sha256 "$exe" && say exe_sha256 "$sum"
	fi
	return 0
}

# Rows are USER COMMAND PID FD PROTO LOCAL FOREIGN, in two layouts and with
# blanks in the first two: read from the end.
verb_owner()
{
	case $1 in
	socket) owner_unix "$2" ;;
	tcp) owner_tcp "$2" ;;
	*) failed "neither socket nor tcp: $1" ;;
	esac
	if [ -z "$pids" ]; then
		[ "$(id -u)" -eq 0 ] || { oid security.bsd.see_other_uids &&
		    [ "$value" = 1 ]; } ||
		    unknown 'sockets of others can be seen by root only'
		absent
	fi
	seen=0
	for pid in $pids; do
		case $pid in
		*[!0-9]*) continue ;;
		esac
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

owner_unix()
{
	find_tool sockstat || unknown 'there is no sockstat'
	pids=$(sockstat -u -l 2>/dev/null | awk -v path="$1" '
		match($0, / (stream|seqpac) +\//) {
			rest = substr($0, RSTART)
			sub(/^ [a-z]* +/, "", rest)
			sub(/ +$/, "", rest)
			n = split(substr($0, 1, RSTART), part, " ")
			if (rest == path && !told[part[n - 1]]++)
				print part[n - 1]
		}')
}

owner_tcp()
{
	number "$1" port
	find_tool sockstat || unknown 'there is no sockstat'
	pids=$(sockstat -4 -6 -l -P tcp -p "$1" 2>/dev/null |
	    awk -v port=":$1" '
		$(NF - 2) ~ /^tcp/ && $NF == "*:*" && NF >= 7 &&
		    substr($(NF - 1), length($(NF - 1)) - length(port) + 1) == \
		    port && !told[$(NF - 4)]++ { print $(NF - 4) }')
}

# entries WORD: of "envp[0]: A=1" and so on in $text, each into a line of
# $entries with $soh for its newlines; false when $text is not of that form.
entries()
{
	case $text in
	*"$soh"*) unknown 'it holds bytes of value 1' ;;
	*"${nl}$1[0]: "*) ;;
	*"$nl-") entries= ; return 0 ;;
	*) return 1 ;;
	esac
	entries=$(printf '%s\n' "$text" | awk -v word="$1" -v soh="$soh" '
		BEGIN { n = -1 }
		index($0, word "[" n + 1 "]: ") == 1 {
			if (n++ >= 0)
				printf "\n"
			printf "%s", substr($0, length(word "[" n "]: ") + 1)
			next
		}
		n >= 0 { printf "%s%s", soh, $0 }
		END { printf "\n" }')
}

# The environment that the process was started with.  A "-" for it with words
# of an error is no answer, though the tool ends with 0.
verb_environ()
{
	pid=$1
	shift
	look "$pid" || absent
	told "$pid" env
	case $text in
	*procstat:*) unknown "${text%%"$nl"*}" ;;
	esac
	lined=yes
	entries envp || environ_row
	look "$pid" || absent
	say readable 1
	while IFS= read -r entry; do
		for name in "$@"; do
			case $entry in
			"$name="*)
				[ "$lined" = yes ] ||
				    [ "${entry%"$soh"*}" = "$entry" ] ||
				    unknown "where the value of $name ends cannot be told: it holds blanks, or what follows is no variable"
				say_entry env "$entry"
				break
				;;
			esac
		done
	done <<-EOF
		$entries
	EOF
}

# All in one row: a word that is no NAME=VALUE is a part of the one before it,
# or another entry, and marked by $soh.
environ_row()
{
	lined=no
	case $text in
	*"$soh"*) unknown 'it holds bytes of value 1' ;;
	*"$nl"*) unknown 'the environment cannot be read: it holds newlines' ;;
	esac
	row=${text#"${text%%[! ]*}"}
	case $row in
	"$pid "*) ;;
	*) unknown 'the environment cannot be read' ;;
	esac
	entries=$(printf '%s\n' "$row" | tr ' ' '\n' | awk -v soh="$soh" '
		/^[A-Za-z_][A-Za-z0-9_]*=/ {
			if (n++)
				printf "\n"
			printf "%s", $0
			next
		}
		n { printf "%s%s", soh, $0 }
		END { printf "\n" }')
	# What pads the row is no word, nor is the last one.
	entries=$(printf '%s\n' "$entries" | sed -e "\$s/$soh*\$//")
}

verb_cmdline()
{
	look "$1" || absent
	told "$1" args
	if entries argv; then
		while IFS= read -r entry; do
			say_entry arg "$entry"
		done <<-EOF
			$entries
		EOF
	else
		# Up to 12 parted by blanks, as if no argument held any.
		row=$(printf '%s\n' "$text" | sed -n \
		    -e "s/^ *$1 .\{16\} //p")
		words "$row"
		set -f
		for entry in $joined; do
			say arg "$entry"
		done
		set +f
	fi
	look "$1" || absent
}

# Of each thread a row, whose last word is its list of CPUs; -1 stands for the
# set of a thread that ends.
verb_threads()
{
	look "$1" || absent
	told "$1" threads
	lists=$(printf '%s\n' "$text" | awk -v pid="$1" '
		$1 == pid && $2 ~ /^[0-9]+$/ && NF >= 6 &&
		    $(NF - 1) ~ /^[0-9]+$/ && $NF ~ /^[0-9][0-9,-]*$/ {
			n++
			if (!seen[$NF]++)
				list = list "\n" $NF
		}
		END { print n + 0 list }')
	set -f
	# shellcheck disable=SC2086 # words
	set -- $lists
	set +f
	[ "$1" -gt 0 ] || unknown 'the threads cannot be read'
	say threads "$1"
	shift
	for list in "$@"; do
		say cpus "$list"
	done
}

# --- libraries ---------------------------------------------------------------

# For each FILE: is it, by device and inode, mapped in the process?  A name
# proves nothing: it is what the kernel remembers, and often nothing.
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
		file_id "$file" || id=missing
		library_judge
		say library "$file"
		say mapped "$mapped"
		say identity "$id"
	done
}

# $ids: of all mapped files.  $paths: their names, as far as they are known,
# once each.  $nameless: is there a program text without one?
libraries_mapped()
{
	told "$pid" maps
	paths=$(printf '%s\n' "$text" | awk '
		match($0, / vn +\//) {
			path = substr($0, RSTART)
			sub(/^ vn +/, "", path)
			if (!seen[path]++)
				print path
		}')
	nameless=$(printf '%s\n' "$text" | awk '
		$4 ~ /x/ && / vn *$/ { print "yes"; exit }')
	mapped_ids "$pid" mmap text || {
		look "$pid" || absent
		unknown 'which files are mapped cannot be read'
	}
}

library_judge()
{
	mapped=no
	case $nl$ids$nl in
	*"$nl$id$nl"*)
		mapped=yes
		return 0
		;;
	esac
	real=$(readlink -f -- "$file" 2>/dev/null) || real=$file
	case $nl$paths$nl in
	*"$nl$file$nl"* | *"$nl$real$nl"*)
		# It is another now; while it is there that is no removal.
		[ "$id" = missing ] ||
		    unknown "$file is mapped by name, but that file is another"
		mapped=deleted
		return 0
		;;
	esac
	[ -z "$nameless" ] || ! library_strays ||
	    unknown "whether $file is mapped: a library is that has no name any more, as those have that were replaced"
}

# Is a file mapped that is none of those with a name, nor one of a directory of
# libraries?
library_strays()
{
	set -f
	IFS=$nl
	# shellcheck disable=SC2086 # lines
	set -- $paths
	set +f
	unset IFS
	for place in $(library_places); do
		for one in "$place"/*.so*; do
			[ -f "$one" ] && set -- "$@" "$one"
		done
	done
	alive=$(stat -L -f '%Xd:%i' -- "$@" 2>/dev/null)
	for one in $ids; do
		case $nl$alive$nl in
		*"$nl$one$nl"*) ;;
		*) return 0 ;;
		esac
	done
	return 1
}

listed_libraries()
{
	ldconfig -r 2>/dev/null | sed -n -e 's/^.* => //p'
}

library_places()
{
	echo "$root"/lib "$root"/usr/lib "$root"/usr/local/lib \
	    "$root"/usr/local/lib/mysql "$root"/lib/casper
}

# --- marks -------------------------------------------------------------------

# marked NAME=VALUE: processes that were started with it, as far as their
# environment can be read; such values hold no blanks.
marked()
{
	procstat -a -h -e 2>/dev/null | awk -v mark="$1" '{
		for (i = 3; i <= NF; i++)
			if ($i == mark) {
				print $1
				next
			}
	}'
}

mark_of()
{
	mark=$(procstat -h -e "$1" 2>/dev/null | tr ' ' '\n' |
	    sed -n -e "s/^$2=//p" | head -n 1)
}

# Loads and servers of other directories than $dir; nobody touches them.
other_marks()
{
	procstat -a -h -e 2>/dev/null | awk -v own="$dir" '{
		for (i = 3; i <= NF; i++)
			if ($i ~ /^ABRUN_(LOAD|SERVER)=\//) {
				sub(/^[^=]*=/, "", $i)
				if ($i != own)
					print $1, $i
				next
			}
	}' | while read -r pid mark; do
		look "$pid" && say other "$pid $comm $mark"
	done
	return 0
}

# --- knobs -------------------------------------------------------------------

# A name that stands for others tells them, and not a value.
knob_read()
{
	case $1 in
	sysctl) ;;
	libmap)
		case $2 in
		'' | *[!A-Za-z0-9_./+-]*) failed "not a program: $2" ;;
		esac
		libmap_read "$2"
		return 0
		;;
	loader) ;;
	*) absent ;;
	esac
	case $2 in
	'' | *[!A-Za-z0-9_.%-]* | .* | -* | *.) failed "not a name for $1: $2" ;;
	esac
	if [ "$1" = loader ]; then
		value=$(kenv -q "$2" 2>/dev/null) || absent
		return 0
	fi
	value=$(sysctl "$2" 2>&1) || :
	case $value in
	"$2: "*) value=${value#"$2: "} ;;
	"$2:") value= ;;
	*'unknown oid'*) absent ;;
	'') unknown "$1 $2 cannot be read" ;;
	"$2".*) failed "$1 $2 is not a value" ;;
	*) unknown "$1 $2 cannot be read: ${value%%"$nl"*}" ;;
	esac
}

knob_write()
{
	[ "$1" != loader ] ||
	    failed 'the loader is told by boot_once, for one boot'
	if [ "$1" = libmap ]; then
		libmap_write "$2" "$3"
		return
	fi
	refusal=$(sysctl "$2=$3" 2>&1 >/dev/null) && refusal='' && return 0
	refusal=${refusal%%"$nl"*}
	return 1
}

# --- what is started ---------------------------------------------------------

# launch COMMAND ARG...: in a session of its own, as $account if that is another
# and on the CPUs of $cpus, both unless they are empty; into $pid.  What it
# says goes to $log.  daemon(8) makes the session, and what is no child of ours
# tells who it is and how it ended by files.
launch()
{
	if [ -n "$account" ] && [ "$account" != "$(id -un)" ]; then
		set -- chroot -u "$account" -g "$(id -g "$account")" \
		    -G "$(id -G "$account" | tr ' ' ',')" / "$@"
	fi
	# shellcheck disable=SC2086 # words
	[ -z "$cpus" ] || set -- $pin "$cpus" "$@"
	born=$dir/launched
	rm -f "$born" "$born.code"
	# shellcheck disable=SC2016 # the other shell's own
	(
		cd / && umask 022 && exec daemon sh -c 'born=$1 code=$2
			shift 2
			echo $$ >"$born.new" && mv "$born.new" "$born"
			[ -n "$code" ] || exec "$@"
			"$@"
			echo $? >"$code.new" && mv "$code.new" "$code"' \
		    sh "$born" "${launch_ends:+$born.code}" "$@"
	) </dev/null >"$log" 2>&1 || failed "daemon failed$(log_end)"
	naps=0
	until first "$born"; do
		naps=$((naps + 1))
		[ "$naps" -lt 500 ] || failed "it does not begin$(log_end)"
		nap 20
	done
	pid=$line
}

# With what it has ended, into $code; what was ended itself left nothing.
launch_code()
{
	code=255
	first "$born.code" && code=$line
}

# Into $clock: now, as starts of processes are told.
start_clock()
{
	launch_ends=yes
	uptime_ticks
	clock=$((now_us / 1000000 - boot_s))00
}

# launch_keeper ARG...: the keeper of $run, into $keeper.
launch_keeper()
{
	account='' cpus='' log=$run/keeper.log dir=$run launch_ends=''
	launch sh "$run/keeper" "$@"
	keeper=$pid
}

# It is no child of ours; seldom, since what is measured there runs.
keeper_wait()
{
	while [ ! -f "$run/status" ] && kill -0 "$keeper" 2>/dev/null; do
		nap 200
	done
}

# --- services ----------------------------------------------------------------

# A script of rc(8).  Its settings of ours are a file of its rc.conf.d, which a
# reboot does not take away: what another may have there is left alone.

# service_find NAME: $unit, its name, and $rc, the one that its variables in
# rc.conf begin with: mysql for mysql-server.
service_find()
{
	case $1 in
	'' | -* | *[!A-Za-z0-9:_.@-]*) failed "no name of a service: $1" ;;
	esac
	unit=$1 script=
	for dir in "$root/etc/rc.d" "$root/usr/local/etc/rc.d"; do
		[ -x "$dir/$unit" ] && [ -f "$dir/$unit" ] && script=$dir/$unit
	done
	[ -n "$script" ] || failed "there is no script $1 in /etc/rc.d or /usr/local/etc/rc.d"
	rc=$(service "$unit" rcvar 2>/dev/null </dev/null |
	    sed -n -e 's/^\([A-Za-z0-9_]*\)_enable=.*/\1/p' | head -n 1)
	rc=${rc:-$(sed -n -e 's/^name=["'\'']\{0,1\}\([A-Za-z0-9_]*\).*/\1/p' \
	    "$script" | head -n 1)}
	[ -n "$rc" ] || failed "the script $script does not tell its name"
	dropin=
	for dir in "$root/usr/local/etc/rc.conf.d" "$root/etc/rc.conf.d"; do
		if [ -d "$dir/$rc" ]; then
			dropin=$dir/$rc/zz-abrun
		elif service_is_ours "$dir/$rc" || [ ! -e "$dir/$rc" ]; then
			dropin=$dir/$rc
		fi
		! service_is_ours "$dropin" || return 0
	done
	[ -n "$dropin" ] ||
	    failed "there is no place for settings: $dir/$rc is not of abrun"
}

service_mark='# Made by abrun for one measurement, and removed after it.'

service_is_ours()
{
	[ -f "$1" ] && first "$1" && [ "$line" = "$service_mark" ]
}

# Into $active and $main.  The status alone proves nothing, nor does the text:
# abrun looks at the process itself.  With "one" it need not be enabled.
service_status()
{
	main=0
	text=$(service "$unit" onestatus 2>&1 </dev/null)
	code=$?
	case $text in
	*' is running as pid '*)
		main=${text##* is running as pid }
		main=${main%%[!0-9]*}
		;;
	esac
	active=inactive
	[ "$code" -ne 0 ] || active=active
}

# service NAME: what rc(8) says of it.
verb_service()
{
	service_find "$1"
	service_status
	say manager rc
	say id "$unit"
	say was "$active"
	say state "$active"
	say pid "$main"
}

# The value passes three shells on its way, in rc.subr and in su.
service_word()
{
	case $1 in
	*[!A-Za-z0-9_./:,=+@%-]*)
		failed "a service of FreeBSD can take letters, digits and _ . / : , = + @ % - only: $1"
		;;
	esac
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
	lines=
	while [ $# -gt 1 ]; do
		service_word "$1"
		lines="$lines${lines:+ }$1"
		shift
	done
	# What the host itself has set stays; the last of two counts.
	[ -z "$lines" ] ||
	    lines="${rc}_env=\"\${${rc}_env:+\$${rc}_env }$lines\"$nl"
	if [ -n "$options" ]; then
		grep -q -e "${rc}_args" "$script" ||
		    failed "the script $unit takes no options: it does not use ${rc}_args"
		for one in $options; do
			service_word "$one"
		done
		lines="$lines${rc}_args=\"\${${rc}_args:+\$${rc}_args }$options\"$nl"
	fi
	service_word "$cpus"
	if [ -z "$cpus" ]; then
		:
	elif grep -q -e '_cpuset' "$root/etc/rc.subr" 2>/dev/null; then
		lines="$lines${rc}_cpuset=\"$cpus\"$nl"
	else
		lines="$lines${rc}_prepend=\"$pin $cpus\"$nl"
	fi
	mkdir -p "${dropin%/*}" &&
	    (umask 022 && printf '%s\n%s' "$service_mark" "$lines" >"$dropin") ||
	    failed "$dropin cannot be written"
	start_clock
	say clock "$clock"
	service_start_plain "$limit"
	say manager rc
	say id "$unit"
}

# What it starts may hold our output open for ever: it goes to a file.
service_run()
{
	log=$root/var/run/abrun.$unit.log
	[ -d "${log%/*}" ] || log=$tmp/abrun.$unit.log
	(cd / && umask 022 && exec timeout $((($2 + 999) / 1000)) \
	    service "$unit" "$1") </dev/null >"$log" 2>&1
	code=$?
}

# It may end with 0 and have started nothing, or start later than it ends.
service_start_plain()
{
	uptime_ticks
	end=$((ticks + $1 / 10))
	service_run onestart "$1"
	started=$code
	while :; do
		service_status
		[ "$active" != active ] || break
		uptime_ticks
		[ "$ticks" -lt "$end" ] && [ "$started" -eq 0 ] ||
		    failed "$unit does not run: service $unit onestart ended with status $started$(log_end)"
		nap 200
	done
	case $(cat "$log") in
	*'already running?'*)
		failed "$unit was running and was not started anew$(log_end)"
		;;
	esac
}

service_stop_it()
{
	service_run onestop "$1"
	service_status
	[ "$active" = inactive ] ||
	    failed "$unit does not stop: it is $active$(log_end)"
}

service_unset()
{
	rm -f "$dropin" || failed "$dropin cannot be removed"
}

# --- the load ----------------------------------------------------------------

# As linux.sh has it, of FreeBSD.  The load is a job of the keeper's shell with
# a process group of its own (set -m), as there is no setsid(1).
keeper_system()
{
	cat <<'EOF'
# shellcheck disable=SC2317 # another of that name may follow
TZ=UTC0
export TZ
nl='
'
oid()
{
	value=$(sysctl -n "$1" 2>/dev/null) && [ -n "$value" ]
}

EOF
	shared
	cat <<'EOF'

group_on()
{
	set -m
}

group_off()
{
	set +m
}

is_shell()
{
	case $(proc_tool "$1" binary) in
	*/sh | */bash | */csh | */tcsh | */dash | */ksh) return 0 ;;
	esac
	return 1
}

below()
{
	program=$1
	while is_shell "$program"; do
		child=$(ps -ax -o pid= -o ppid= | awk -v parent="$program" '
			$2 == parent { print $1; exit }')
		[ -n "$child" ] || return 1
		program=$child
	done
	life "$program"
}

peek()
{
	mkdir -p "$2" && life "$1" || return 1
	begun=$lived
	for what in ps binary maps ids threads env args; do
		proc_tool "$1" "$what" >"$2/$what"
	done
	life "$1" && [ "$lived" = "$begun" ] || return 1
	# As long as its loader is there and the C library is not, more comes.
	maps=$(cat "$2/maps")
	case $3$maps in
	program*/libc.so*) ;;
	program*/ld-elf*) return 1 ;;
	esac
	echo "$1 $3" >"$2/what"
} 2>/dev/null

# The time since boot is told by the same reading of the clock, but goes on
# when that is set.
clocks()
{
	now
	boot_time
	nanoseconds=${now_us}000
	ticks=$(((now_us - boot_s * 1000000 - boot_us) / 10000))
	slack=0
}

life()
{
	parse_life "$(proc_tool "$1" ps)" || return 1
	lived="$1 $start"
}

members()
{
	ps -ax -o pid= -o pgid= -o stat= | awk -v group="$pid" '
		$2 == group && $3 !~ /^Z/ { print $1 }'
}

marked()
{
	[ -n "$mark" ] || return 0
	procstat -a -h -e 2>/dev/null | awk -v mark="$mark" '{
		for (i = 3; i <= NF; i++)
			if ($i == mark) {
				print $1
				next
			}
	}'
}

# Of all CPUs since boot, in ms by the statistics clock.  What a hypervisor
# took is not known.
cpu_now()
{
	machine='' busy='' stolen=''
	oid kern.clockrate || return
	rate=${value##*stathz = }
	rate=${rate%%[!0-9]*}
	oid kern.cp_time || return
	# shellcheck disable=SC2086 # numbers
	set -- $value
	busy=$((($1 + $2 + $3 + $4) * 1000 / rate))
	machine=$((($1 + $2 + $3 + $4 + $5) * 1000 / rate))
}

# Of the server that server_start left in the same directory, with all that
# descends from it, since it began.  Times are MINUTES:SECONDS.HUNDREDTHS.
server_now()
{
	server='' leader='' born=''
	{ IFS=' ' read -r leader born; } 2>/dev/null <../server.pid
	[ -n "$leader" ] && life "$leader" && [ "$start" = "$born" ] || return 0
	server=$(ps -axS -o pid= -o ppid= -o time= | awk -v leader="$leader" '{
		parent[$1] = $2
		n = split($3, part, ":")
		for (i = 1; i <= n; i++)
			cpu[$1] = cpu[$1] * 60 + part[i]
	}
	END {
		for (who in cpu) {
			at = who
			for (i = 0; at != leader && at > 1 && i < 64; i++)
				at = parent[at]
			if (at == leader)
				sum += cpu[who]
		}
		printf "%d\n", sum * 1000
	}')
}

peak_works()
{
	env time -l -o rss true 2>/dev/null
}

detach()
{
	[ "$tool" = no ] || set -- env time -l -o "$run/rss" "$@"
	exec "$@"
}

peak_read()
{
	peak=$(sed -n -e 's/^ *\([0-9]*\)  *maximum resident set size.*/\1/p' rss)
}

EOF
}

# seen_use COPIES PID: what is asked from here on is answered from them.
seen_use()
{
	kept=$1
}

# --- the thread library ------------------------------------------------------

# Those that FreeBSD has had; only where several are installed is there a
# choice.
thread_libraries='libthr libpthread libkse libc_r'

# thread_files NAME: what is installed of it into $files, links left out that
# lead to another's file.
thread_files()
{
	files=
	for place in $(library_places); do
		for file in "$place/$1".so.[0-9]*; do
			[ -f "$file" ] || continue
			real=$(readlink -f -- "$file") || continue
			case ${real##*/} in
			"$1".so.*) files="$files${files:+ }$file" ;;
			esac
		done
	done
}

# threadlib NAME: what makes a program use it, and what proves that it does.
verb_threadlib()
{
	case " $thread_libraries " in
	*" $1 "*) ;;
	*) absent "FreeBSD has no thread library $1" ;;
	esac
	thread_files "$1"
	[ -n "$files" ] || absent "$1 is not installed, or is another's name"
	mine=${files%% *}
	map=
	others=
	for other in $thread_libraries; do
		[ "$other" != "$1" ] || continue
		thread_files "$other"
		for file in $files; do
			map="$map${map:+,}${file##*/}=${mine##*/}"
			others="$others $file"
		done
		[ -z "$files" ] || map="$map,$other.so=$1.so"
	done
	say_if env "${map:+LD_LIBMAP=$map}"
	say library "$mine"
	sha256 "$mine" && say sha256 "$sum"
	for file in $others; do
		say absent "$file"
	done
}

# The same for a program whatever its environment: NAME is the program, as the
# linker compares it, and the value the library, or none.
libmap_file=$root/usr/local/etc/libmap.d/abrun.conf

libmap_read()
{
	value=none
	[ -e "$libmap_file" ] || return 0
	value=$(sed -n -e "2s,^# $1 uses ,,p" "$libmap_file")
	value=${value:-none}
}

libmap_write()
{
	if [ "$2" = none ]; then
		rm -f "$libmap_file"
		return
	fi
	refusal="/etc/libmap.conf does not include $libmap_file"
	grep -q -e '^[[:blank:]]*includedir[[:blank:]]*/usr/local/etc/libmap\.d' \
	    "$root/etc/libmap.conf" 2>/dev/null || return 1
	map=$(verb_threadlib "$2" | sed -n -e "s/^env${tab}LD_LIBMAP=//p")
	refusal="there is no choice of thread libraries here, or no $2"
	[ -n "$map" ] || return 1
	refusal="$libmap_file cannot be written"
	mkdir -p "${libmap_file%/*}" && (umask 022 && {
		echo "$service_mark"
		echo "# $1 uses $2"
		echo "[$1]"
		printf '%s\n' "$map" | tr ',' '\n' | tr '=' ' '
	} >"$libmap_file")
}

[ -n "${abrun_fed-}" ] || {
	# shellcheck source=hooks/os/freebsd-boot.sh
	[ ! -r "$abrun_hooks/freebsd-boot.sh" ] || . "$abrun_hooks/freebsd-boot.sh"
	by_hand "$@"
}
