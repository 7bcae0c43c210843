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

# look PID: $state, $start and $comm of a process; false when there is none,
# and a zombie is none.  The name may hold blanks, brackets and newlines.
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

say_count()
{
	case $2 in
	'' | 0 | *[!0-9]*) ;;
	*) say "$1" "$2" ;;
	esac
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

facts_knobs()
{
	governors=
	for file in "$cpus_dir"/cpu[0-9]*/cpufreq/scaling_governor; do
		first "$file" || continue
		case " $governors " in
		*" $line "*) ;;
		*) governors=${governors:+$governors }$line ;;
		esac
	done
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

# busy MS: of all CPUs; stolen time is not idle time, waiting for disks is.
verb_busy()
{
	number "$1" milliseconds
	cpu_times
	idle_before=$idle total_before=$total
	nap "$1"
	cpu_times
	[ "$total" -gt "$total_before" ] || unknown 'no time has passed'
	say busy_permille $((1000 - 1000 * (idle - idle_before) /
	    (total - total_before)))
}

cpu_times()
{
	first "$root/proc/stat" || unknown 'the CPU times cannot be read'
	# shellcheck disable=SC2086 # numbers
	set -- $line
	[ "$1" = cpu ] && [ $# -ge 9 ] ||
	    unknown 'the CPU times cannot be read'
	idle=$(($5 + $6))
	total=$(($2 + $3 + $4 + $5 + $6 + $7 + $8 + $9))
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
	soh=$(printf '\001')
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

# say_entry KEY ENTRY: with its newlines.
say_entry()
{
	value=
	rest=$2
	while :; do
		case $rest in
		*"$soh"*) ;;
		*) break ;;
		esac
		value=$value${rest%%"$soh"*}$nl
		rest=${rest#*"$soh"}
	done
	say "$1" "$value$rest"
}

# The environment that the process was started with.  One that has ended
# meanwhile has none, which is no answer.
verb_environ()
{
	pid=$1
	shift
	look "$pid" || absent
	read_entries "$root/proc/$pid/environ" || entries=
	look "$pid" || absent
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

verb_resolve_library()
{
	case $1 in
	/*)
		[ -f "$1" ] || absent
		say path "$(readlink -f -- "$1")"
		return 0
		;;
	'' | *[!A-Za-z0-9._+-]*) failed "not a library's name: $1" ;;
	esac
	reals=
	while IFS= read -r path; do
		resolve_candidate "$1" "$path"
	done <<-EOF
		$(ldconfig -p 2>/dev/null | sed -n -e 's/^.* => //p' |
		    grep -F -e "$1")
	EOF
	for dir in "$root"/lib "$root"/lib64 "$root"/usr/lib "$root"/usr/lib64 \
	    "$root"/usr/local/lib "$root"/lib/*-linux-* \
	    "$root"/usr/lib/*-linux-* "$root"/usr/local/lib/*-linux-*; do
		for path in "$dir/$1"* "$dir/lib$1".so*; do
			resolve_candidate "$1" "$path"
		done
	done
	[ -n "$reals" ] || absent
}

# A whole name stands for itself, a name without .so for every version.
resolve_candidate()
{
	[ -f "$2" ] || return 0
	case $1 in
	*.so.*) case ${2##*/} in "$1") ;; *) return 0 ;; esac ;;
	*.so) case ${2##*/} in "$1" | "$1".[0-9]*) ;; *) return 0 ;; esac ;;
	*)
		case ${2##*/} in
		"lib$1.so" | "lib$1.so".[0-9]*) ;;
		"$1.so" | "$1.so".[0-9]*) ;;
		*) return 0 ;;
		esac
		;;
	esac
	real=$(readlink -f -- "$2") || return 0
	case $nl$reals$nl in
	*"$nl$real$nl"*) return 0 ;;
	esac
	reals=$reals$nl$real
	say path "$real"
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

# --- what is started ---------------------------------------------------------

# The server starts from a clean environment: PATH, HOME, LANG=C and the
# cell's variables; what this login has does not leak in.  Everything execs,
# so the process started is the server itself, and only it sees a preload.
verb_server_start()
{
	dir=$1 account=$2 cpus=$3
	shift 3
	check_variables "$@"
	home_of "$account"
	[ -d "$dir" ] || failed "there is no directory $dir"
	(: >"$dir/server.log") || failed "$dir/server.log cannot be written"
	count=$1
	shift
	set -- "$@" env -i "PATH=$PATH" "HOME=$home" LANG=C
	while [ "$count" -gt 0 ]; do
		set -- "$@" "$1"
		shift
		count=$((count - 1))
	done
	command=$1
	shift
	set -- sh -c "exec \"\$@\" $command" sh "$@"
	if [ -n "$account" ] && [ "$account" != "$(id -un)" ]; then
		find_tool setpriv || failed "setpriv is needed to become $account"
		set -- setpriv "--reuid=$account" "--regid=$(id -g "$account")" \
		    --init-groups "$@"
	fi
	[ -z "$cpus" ] || set -- taskset -c "$cpus" "$@"
	(
		cd / && umask 022 && exec setsid "$@"
	) </dev/null >"$dir/server.log" 2>&1 &
	pid=$!
	if ! look "$pid"; then
		failed "it ended at once: $(tail -c 1000 "$dir/server.log")"
	fi
	printf '%s %s\n' "$pid" "$start" >"$dir/server.pid" ||
	    failed "$dir/server.pid cannot be written"
	say pid "$pid"
	say start "$start"
}

# --- the load ----------------------------------------------------------------

# What the keeper of a load needs of Linux: clocks sets $nanoseconds of the
# wall clock and $ticks of 10 ms of one that is never set; life PID sets
# $lived to "PID START", so that nobody is taken for it later; members prints
# who lives in the group or session of $pid, and a zombie does not.
# peak_works tells whether the most memory that a process had can be measured
# here; detach becomes a command in a session of its own, measured so unless
# $tool is no; peak_read sets $peak to what was measured, in KB.
keeper_system()
{
	cat <<'EOF'
clocks()
{
	nanoseconds=$(date +%s%N)
	IFS=' ' read -r ticks _ </proc/uptime
	ticks=${ticks%.*}${ticks#*.}
}

life()
{
	IFS= read -r stat <"/proc/$1/stat"
	# shellcheck disable=SC2086 # numbers
	set -- "$1" ${stat##*) }
	lived="$1 ${21}"
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

# The load starts from a clean environment like the server, with ABRUN_RUN,
# in DIR.  If DIR's last part is run.NAME, that is the run directory, so that
# a caller knows it even if the link breaks; it must not exist.  Runs that
# ended before in the same place are removed: the disk stays bounded.
verb_load_run()
{
	dir=$1 timeout=$2 cap=$3 cpus=$4
	shift 4
	number "$timeout" 'the time limit'
	number "$cap" 'the number of bytes'
	check_variables "$@"
	home_of ''
	load_directory
	count=$1
	shift
	set -- "$@" env -i "PATH=$PATH" "HOME=$home" LANG=C "ABRUN_RUN=$run"
	while [ "$count" -gt 0 ]; do
		set -- "$@" "$1"
		shift
		count=$((count - 1))
	done
	command=$1
	shift
	set -- "$@" sh -c "$command"
	[ -z "$cpus" ] || set -- taskset -c "$cpus" "$@"
	keeper_program >"$run/keeper" || failed "$run cannot be written"
	setsid sh "$run/keeper" "$run" "$timeout" "$load_kept" "$cap" "$@" \
	    </dev/null >"$run/keeper.log" 2>&1 &
	keeper=$!
	# Whoever ends this call on purpose ends the load; a lost link does not.
	trap 'kill -s TERM "$keeper" 2>/dev/null; exit 43' TERM INT
	look "$keeper" && echo "$keeper $start" >"$run/keeper.pid"
	wait "$keeper"
	[ -f "$run/status" ] || unknown \
	    "the load's keeper left no status: $(tail -c 1000 "$run/keeper.log")"
	load_answer
}

[ -n "${abrun_fed-}" ] || by_hand "$@"
