#!/bin/sh
# What abrun must know of Linux, as verbs of one POSIX sh program.
#
# By hand:     sh linux.sh VERB [ARG...]         (alone: the list of verbs)
# From abrun:  fed to "/bin/sh -s" with abrun_fed=yes before it and calls of
#              abrun_call behind it; see abrun-hooks(7).
#
# The program answers and does not decide.  Every value passes say or
# say_stream; a verb ends by returning 0 or by failed, absent or unknown.
# Tools are called by name through PATH.  Set before the program, if at all:
# abrun_path (PATH of the tools) and ABRUN_ROOT (a directory that stands for /
# where /proc, /sys and /etc are read: for tests).
#
# "A && B || C" is meant as it stands, ls is read for its numbers only, and
# variables are shared by subshells on purpose one way only.
# shellcheck disable=SC1003,SC2010,SC2015,SC2030,SC2031

abrun_protocol=1
root=${ABRUN_ROOT-}
cpus_dir=$root/sys/devices/system/cpu
tmp=${TMPDIR:-/tmp}
tab='	'
nl='
'
cr=$(printf '\r')
PATH=${abrun_path:-/sbin:/bin:/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin}
LC_ALL=C
export PATH LC_ALL
unset CDPATH POSIXLY_CORRECT GREP_OPTIONS BLOCK_SIZE TIME
umask 077

# --- answering -------------------------------------------------------------

# say KEY VALUE: a line of the answer.  \ TAB LF CR become \\ \t \n \r.
say()
{
	case $2 in
	*[\\"$tab$nl$cr"]*) escape "$2" ;;
	*) escaped=$2 ;;
	esac
	printf '%s\t%s\n' "$1" "$escaped"
}

escape()
{
	escaped=
	rest=$1
	while :; do
		clean=${rest%%[\\"$tab$nl$cr"]*}
		escaped=$escaped$clean
		rest=${rest#"$clean"}
		case $rest in
		'') return 0 ;;
		\\*) escaped=$escaped'\\' ;;
		"$tab"*) escaped=$escaped'\t' ;;
		"$nl"*) escaped=$escaped'\n' ;;
		*) escaped=$escaped'\r' ;;
		esac
		rest=${rest#?}
	done
}

# say_stream KEY: the same for what standard input holds, of any size; NUL
# bytes are left out.  The x tells a last line with newline from one without.
say_stream()
{
	printf '%s\t' "$1"
	{ cat; echo x; } | tr -d '\000' | sed -e 's/\\/\\\\/g' \
	    -e "s/$tab/\\\\t/g" -e "s/$cr/\\\\r/g" \
	    -e "\$!s/\$/\\\\n/" -e "\$s/x\$//" | tr -d '\n'
	printf '\n'
}

# say_if KEY VALUE: nothing for an empty value.
say_if()
{
	[ -z "$2" ] || say "$1" "$2"
}

# Exit codes of a verb that the shell itself does not use by accident.
failed()
{
	say error "$1"
	exit 41
}

absent()
{
	exit 42
}

unknown()
{
	say error "$1"
	exit 43
}

# --- small means -----------------------------------------------------------

# number TEXT WHAT: fails unless TEXT is a decimal number.
number()
{
	case $1 in
	'' | *[!0-9]* | ?????????????????*) failed "$2 is not a number: $1" ;;
	esac
}

# first FILE: its first line into $line; false when it cannot be read.
first()
{
	line=
	{ IFS= read -r line || [ -n "$line" ]; } 2>/dev/null <"$1"
}

# whole FILE: all of it, without the last newline, into $text.  For small
# files: some shells read byte by byte.
whole()
{
	text=
	{
		while IFS= read -r part; do
			text=$text$part$nl
		done
		text=$text$part
	} 2>/dev/null <"$1" || return 1
	text=${text%"$nl"}
}

# at_once FILE: the same by one read.  A number below /proc/sys is given to the
# first read alone, and some shells ask for one byte.
at_once()
{
	text=$(cat -- "$1" 2>/dev/null && echo x) || return 1
	text=${text%x}
	text=${text%"$nl"}
}

# choice TEXT: of "always [madvise] never" the word in brackets, else TEXT.
choice()
{
	chosen=$1
	case $1 in
	*"$nl"* | *\[*\[* | *\]*\]*) return 0 ;;
	\[*\] | \[*\]\ * | *\ \[*\] | *\ \[*\]\ *) ;;
	*) return 0 ;;
	esac
	chosen=${1#*\[}
	chosen=${chosen%%\]*}
}

# words TEXT: its words with single blanks between them into $joined.
words()
{
	set -f
	# shellcheck disable=SC2086 # splitting is the purpose
	set -- $1
	set +f
	joined=$*
}

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

# find_tool NAME: its path into $found; false when PATH does not hold it.
find_tool()
{
	found=$1
	case $1 in
	*/*) [ -f "$1" ] && [ -x "$1" ]; return ;;
	esac
	rest=$PATH:
	while [ -n "$rest" ]; do
		found=${rest%%:*}/$1
		rest=${rest#*:}
		[ -f "$found" ] && [ -x "$found" ] && return 0
	done
	return 1
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

# nap MS
nap()
{
	set -- $(($1 / 1000)) $((1000 + $1 % 1000))
	sleep "$1.${2#1}" 2>/dev/null || sleep $(($1 + 1))
}

# --- the host --------------------------------------------------------------

verb_hello()
{
	say protocol "$abrun_protocol"
	say os linux
	say uid "$(id -u)"
	say user "$(id -un)"
	say tmp "$tmp"
}

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

# --- processes -------------------------------------------------------------

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
	any=
	for inode in $inodes; do
		any="$any${any:+|}$inode"
	done
	ls -ln /dev/null "$root"/proc/[0-9]*/fd 2>/dev/null |
	    grep -E -e "(/fd:|socket:\\[($any)\\])\$" | while IFS= read -r line; do
		case $line in
		*/fd:)
			pid=${line%/fd:}
			pid=${pid##*/}
			;;
		*)
			printf '%s\n' "$pid"
			;;
		esac
	done | uniq
}

# read_entries FILE: what NUL ends becomes one line of $entries, newlines in it
# \001; where that byte is in use nothing can be told.  False when it is empty.
read_entries()
{
	soh=$(printf '\001')
	if grep -q -e "$soh" "$1" 2>/dev/null; then
		unknown "$1 holds bytes of value 1"
	fi
	# The x keeps empty entries at the end.
	entries=$({ tr '\n\000' '\001\n' && echo x; } 2>/dev/null <"$1") ||
	    unknown "$1 cannot be read"
	case $entries in
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

# --- libraries -------------------------------------------------------------

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

# --- files -----------------------------------------------------------------

verb_hash()
{
	for path in "$@"; do
		sha256 "$path" || sum=missing
		say path "$path"
		say sha256 "$sum"
	done
}

verb_which()
{
	find_tool "$1" || absent
	say path "$found"
	sha256 "$found" || unknown "$found cannot be read"
	say sha256 "$sum"
}

verb_workdir()
{
	dir=$(mktemp -d "$tmp/abrun.XXXXXX") ||
	    failed "no directory can be made in $tmp"
	say dir "$dir"
}

verb_put()
{
	case $2 in
	[0-7][0-7][0-7] | 0[0-7][0-7][0-7]) ;;
	*) failed "not a file mode: $2" ;;
	esac
	[ ! -d "$1" ] || failed "$1 is a directory"
	new=$1.abrun$$
	rm -f -- "$new" || failed "$new is in the way"
	# A subshell: a redirection that fails must not end the verb.
	(printf '%s' "$3" >"$new") && chmod "$2" "$new" && mv -f -- "$new" "$1" || {
		rm -f -- "$new"
		failed "$1 cannot be written"
	}
	sha256 "$1" || failed "$1 cannot be read back"
	say sha256 "$sum"
}

verb_remove_workdir()
{
	dir=$1
	while :; do
		case $dir in
		?*/) dir=${dir%/} ;;
		*) break ;;
		esac
	done
	case $dir in
	/*) ;;
	*) failed "refused to remove $1: not a whole path" ;;
	esac
	case ${dir##*/} in
	abrun.?*) ;;
	*) failed "refused to remove $1: not a directory of abrun's" ;;
	esac
	[ ! -h "$dir" ] || failed "refused to remove $1: it is a link"
	rm -rf -- "$dir" || failed "$1 cannot be removed"
}

# --- knobs -----------------------------------------------------------------

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

verb_get()
{
	knob_read "$1" "${2-}"
	say value "$value"
}

# Blanks count as one: the kernel writes tabs where blanks were written.
verb_set()
{
	knob_read "$1" "$2"
	say old "$value"
	took=yes
	knob_write "$1" "$2" "$3" || took=no
	knob_read "$1" "$2"
	say new "$value"
	words "$value"
	value=$joined
	words "$3"
	case $1=$joined in
	governor=*=*) ;;
	governor=*) value=$(printf '%s' " $value" | sed -e 's/ [0-9]*=/ /g' |
	    tr ' ' '\n' | sort -u | tr -d '\n') ;;
	esac
	[ "$took" = yes ] || failed "the kernel refused $3 for $1 $2"
	[ "$value" = "$joined" ] ||
	    failed "wrote $3 to $1 $2, but it reads back as $value"
}

# --- what is started -------------------------------------------------------

# check_variables N ENV1...ENVN COMMAND
check_variables()
{
	number "$1" 'the number of variables'
	[ $# -eq $(($1 + 2)) ] || failed "$1 variables and a command are wanted"
	shift
	while [ $# -gt 1 ]; do
		case ${1%%=*} in
		"$1" | '' | [0-9]* | *[!A-Za-z0-9_]*)
			failed "not NAME=VALUE: $1"
			;;
		esac
		shift
	done
}

# home_of ACCOUNT: into $home; of the login for an empty one.
home_of()
{
	home=${HOME:-/}
	if [ -n "$1" ]; then
		home=$(getent passwd "$1" | cut -d : -f 6)
		[ -n "$home" ] || failed "there is no account $1"
	fi
}

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

# gone_within MS: waits until process $pid is no more the one of $life.
gone_within()
{
	uptime_ticks
	end=$((ticks + ($1 + 9) / 10))
	while look "$pid" && [ "$start" = "$life" ]; do
		uptime_ticks
		[ "$ticks" -lt "$end" ] || return 1
		nap 20
	done
	return 0
}

verb_server_stop()
{
	pid=$1 life=$2
	number "$3" 'the time limit'
	if ! look "$pid" || [ "$start" != "$life" ]; then
		say ended gone
		return 0
	fi
	kill -s TERM "$pid" 2>/dev/null || ! look "$pid" ||
	    failed "process $pid cannot be signalled"
	if gone_within "$3"; then
		say ended term
		return 0
	fi
	kill -s KILL "$pid"
	if gone_within 5000; then
		say ended kill
		failed "it did not end within $3 ms of TERM and was killed"
	fi
	failed "it did not end within $3 ms of TERM, nor by KILL"
}

# What server_start left running in DIR, if it lives.
verb_server_left()
{
	[ -f "$1/server.pid" ] || absent
	same_life "$1/server.pid" || absent
	say pid "$pid"
	say start "$life"
}

verb_server_log()
{
	number "$2" 'the number of bytes'
	[ -f "$1/server.log" ] || absent
	tail -c "$2" "$1/server.log" | say_stream log
}

# --- the load --------------------------------------------------------------

# Of each output stream at most twice this is kept on the disk.
load_kept=8388608

# The keeper of one load: a program and session of its own, so that it
# outlives the channel.  Files of the run directory: pid ("PID START"), out
# and err (the first bytes), *.tail and *.size (where there were more),
# times, timed_out, and status, written last and at once.
keeper_program()
{
	cat <<'EOF'
# sh keeper RUN TIMEOUT_MS KEPT_BYTES CAP_BYTES COMMAND ARG...
run=$1 timeout_ms=$2 kept=$3 cap=$4
shift 4
umask 022

# keep NAME: descriptor 7 into the file NAME; beyond its first bytes only the
# last ones are kept, and all are counted.
keep()
{
	child=
	trap 'kill "$child" 2>/dev/null; exit' TERM
	# shellcheck disable=SC2086 # words
	$unbuffered head -c "$kept" >"$1" <&7 &
	child=$!
	wait "$child"
	if [ -s "$1" ] && [ "$(wc -c <"$1")" -ge "$kept" ]; then
		mkfifo "$1.more"
		wc -c <"$1.more" >"$1.size" &
		counter=$!
		tee "$1.more" <&7 | tail -c "$kept" >"$1.tail" &
		child=$!
		wait "$child"
		wait "$counter"
		rm -f "$1.more"
	fi
	: >"$1.done"
}

# Nanoseconds of the wall clock, and $ticks of 10 ms of one that is never set.
clocks()
{
	nanoseconds=$(date +%s%N)
	IFS=' ' read -r ticks _ </proc/uptime
	ticks=${ticks%.*}${ticks#*.}
}

# milliseconds 1m2.345678s: into $ms
milliseconds()
{
	seconds=${1#*m}
	seconds=${seconds%s}
	case $seconds in
	*.*) fraction=${seconds#*.}000 ;;
	*) fraction=000 ;;
	esac
	fraction=${fraction%"${fraction#???}"}
	ms=$((${1%%m*} * 60000 + ${seconds%.*} * 1000 + 1$fraction - 1000))
}

# CPU time of all children that were waited for, into $user and $sys.
children()
{
	times >./times
	{
		read -r _ _
		read -r user sys
	} <./times
	milliseconds "$user"
	user=$ms
	milliseconds "$sys"
	sys=$ms
}

# life PID: "PID START" into $lived, so that nobody is taken for it later.
life()
{
	IFS= read -r stat <"/proc/$1/stat"
	# shellcheck disable=SC2086 # numbers
	set -- "$1" ${stat##*) }
	lived="$1 ${21}"
}

# Who lives in the load's group or session; a zombie does not.
members()
{
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v group="$pid" '{
		who = $1
		sub(/.*\) /, "")
		if (($3 == group || $4 == group) && $1 !~ /[ZXx]/)
			print who
	}'
}

# A group that ignores TERM is killed a second later.
end_group()
{
	kill -s TERM -- "-$pid" 2>/dev/null
	naps=0
	while [ "$naps" -lt 20 ] && [ -n "$(members)" ]; do
		sleep 0.05 || break
		naps=$((naps + 1))
	done
	kill -s KILL -- "-$pid" 2>/dev/null
}

# Kills what lives on in the load's group or session; counts in $leftover.
kill_leftover()
{
	leftover=0
	passes=0
	while [ "$passes" -lt 5 ]; do
		passes=$((passes + 1))
		rest=$(members)
		[ -n "$rest" ] || break
		for one in $rest; do
			kill -s KILL "$one" 2>/dev/null
			[ "$passes" -gt 1 ] || leftover=$((leftover + 1))
		done
	done
}

cd "$run" || exit 1
mkfifo out.pipe err.pipe || exit 1
# What there is of tools is tried once in a directory.  Without stdbuf head
# would keep the last words of what does not end to itself.
unbuffered='' tool=''
{ IFS=, read -r unbuffered tool; } 2>/dev/null <../.tools
if [ -z "$tool" ]; then
	tool=no
	stdbuf -o0 true 2>/dev/null && unbuffered='stdbuf -o0'
	env time -f %M -o rss true 2>/dev/null && tool=yes
	echo "$unbuffered,$tool" >tools.new && mv tools.new ../.tools
fi
keep out 7<out.pipe &
out_keeper=$!
keep err 7<err.pipe &
err_keeper=$!
exec 8>out.pipe 9>err.pipe
rm -f out.pipe err.pipe
[ "$tool" = no ] || set -- env time -f %M -o "$run/rss" "$@"
children
user_before=$user sys_before=$sys
clocks
ns_before=$nanoseconds ticks_before=$ticks
(
	cd .. && exec setsid "$@"
) </dev/null >&8 2>&9 8>&- 9>&- &
pid=$!
exec 8>&- 9>&-
interrupted=
trap 'interrupted=yes; end_group' TERM
(
	sleeper=
	trap 'kill "$sleeper" 2>/dev/null; exit' TERM
	fraction=$((1000 + timeout_ms % 1000))
	sleep "$((timeout_ms / 1000)).${fraction#1}" &
	sleeper=$!
	: >watchdog.set
	wait "$sleeper"
	: >timed_out
	end_group
) &
watchdog=$!
life "$pid"
echo "$lived" >pid
life "$watchdog"
echo "$lived" >watchdog
while wait "$pid"; code=$?; [ -n "$interrupted" ]; do
	interrupted=
done
clocks
children
trap '' TERM
timed_out=yes
if [ ! -e timed_out ]; then
	timed_out=no
	# A signal that comes before its trap is set may be lost: the shell
	# that was forked forgets it, or its sleep stays behind.
	naps=0
	until [ -e watchdog.set ] || [ "$naps" -ge 500 ]; do
		naps=$((naps + 1))
		sleep 0.01
	done
	kill -s TERM "$watchdog" 2>/dev/null
fi
wait "$watchdog"
kill_leftover
# A process that left our session may hold the pipes open for ever.
escaped=yes
naps=0
while [ "$naps" -lt 60 ]; do
	if [ -e out.done ] && [ -e err.done ]; then
		escaped=no
		break
	fi
	naps=$((naps + 1))
	if [ "$naps" -lt 20 ]; then
		sleep 0.005
	else
		sleep 0.05
	fi
done
kill -s TERM "$out_keeper" "$err_keeper" 2>/dev/null
wall_ms=$(((nanoseconds - ns_before) / 1000000))
slow_ms=$(((ticks - ticks_before) * 10))
# If the wall clock was set meanwhile, the coarse clock counts.
if [ "$wall_ms" -gt $((slow_ms + 50)) ] || [ "$wall_ms" -lt $((slow_ms - 50)) ]
then
	wall_ms=$slow_ms
fi
rss=
[ "$tool" = no ] || while IFS= read -r line; do
	rss=$line
done <rss
{
	echo "exit=$code"
	echo "timed_out=$timed_out"
	echo "wall_ms=$wall_ms"
	echo "user_ms=$((user - user_before))"
	echo "sys_ms=$((sys - sys_before))"
	[ -z "$rss" ] || echo "maxrss_kb=$rss"
	echo "leftover=$leftover"
	echo "escaped=$escaped"
	echo "cap=$cap"
} >status.new
mv status.new status
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

load_directory()
{
	case $dir in
	/*) ;;
	*) failed "not a whole path: $dir" ;;
	esac
	parent=$dir
	case ${dir##*/} in
	run.?*) parent=${dir%/*} ;;
	esac
	[ -d "$parent" ] || failed "there is no directory $parent"
	for old in "$parent"/run.*/status; do
		[ -f "$old" ] && rm -rf -- "${old%/status}"
	done
	if [ "$parent" = "$dir" ]; then
		run=$(mktemp -d "$dir/run.XXXXXX") || failed "$dir cannot be written"
	else
		run=$dir
		mkdir -m 700 -- "$run" || failed "$run cannot be made"
	fi
}

load_answer()
{
	say run "$run"
	first "$run/pid" && say pid "${line%% *}"
	cap=0
	while IFS='=' read -r key value; do
		case $key in
		cap) cap=$value ;;
		exit)
			say exit "$value"
			load_signal "$value"
			;;
		*) say_if "$key" "$value" ;;
		esac
	done <"$run/status"
	say_output out
	say_output err
}

# As every shell says it: 128 + N stands for signal N.
load_signal()
{
	[ "$1" -gt 128 ] || return 0
	name=$(kill -l $(($1 - 128)) 2>/dev/null) || return 0
	say_if signal "$name"
}

# say_output out|err: whole, or head and tail with a line between them.
say_output()
{
	if [ ! -s "$run/$1" ]; then
		say "$1_bytes" 0
		say "$1" ''
		return 0
	fi
	size=$(wc -c <"$run/$1")
	more=0
	if first "$run/$1.size"; then
		more=$line
	fi
	total=$((size + more))
	set -- "$1" "$run/$1"
	[ ! -f "$2.tail" ] || set -- "$1" "$2" "$2.tail"
	say "$1_bytes" "$total"
	key=$1
	shift
	if [ "$total" -le "$cap" ] && [ "$more" -le "$load_kept" ]; then
		cat "$@" | say_stream "$key"
		return 0
	fi
	half=$((cap / 2))
	[ "$half" -le "$load_kept" ] || half=$load_kept
	{
		head -c "$half" "$1"
		printf '\n[abrun: %s bytes cut]\n' $((total - 2 * half))
		cat "$@" | tail -c "$half"
	} | say_stream "$key"
}

# same_life FILE: does the process live that FILE names as "PID START"?  It is
# $pid then, of $life.
same_life()
{
	first "$1" || return 1
	pid=${line%% *}
	life=${line#* }
	case $pid in
	'' | *[!0-9]*) return 1 ;;
	esac
	look "$pid" && [ "$start" = "$life" ]
}

verb_load_collect()
{
	run=$1
	[ -d "$run" ] || absent
	if [ -f "$run/status" ]; then
		load_answer
		return 0
	fi
	if same_life "$run/keeper.pid"; then
		failed 'still running'
	fi
	unknown 'the load ended without a record, or its keeper did'
}

# load_kill DIR: ends every run in DIR that has not ended, by its keeper, or
# if that is gone itself.
verb_load_kill()
{
	for run in "$1"/run.*; do
		[ -d "$run" ] && [ ! -f "$run/status" ] || continue
		if same_life "$run/keeper.pid"; then
			kill -s TERM "$pid"
			if gone_within 5000; then
				say stopped "$run"
				continue
			fi
			kill -s KILL "$pid"
		fi
		same_life "$run/watchdog" && kill -s TERM "$pid"
		same_life "$run/pid" || continue
		kill -s KILL -- "-$pid"
		gone_within 5000 || failed "the load of $run does not end"
		say stopped "$run"
	done
}

# --- being called ----------------------------------------------------------

usage()
{
	cat <<-'EOF'
		usage: sh linux.sh VERB [ARG...]
		  hello
		  facts
		  boot_id
		  busy MS
		  process PID [IDENTITY]
		  owner socket PATH | tcp PORT
		  environ PID NAME...
		  cmdline PID
		  threads PID
		  libraries PID FILE...
		  resolve_library NAME
		  hash PATH...
		  which NAME
		  get sysctl|sysfs|thp|smt|governor|turbo NAME
		  set sysctl|sysfs|thp|smt|governor|turbo NAME VALUE
		  workdir
		  put PATH MODE TEXT
		  remove_workdir DIR
		  server_start DIR ACCOUNT CPUSET N ENV1...ENVN COMMAND
		  server_left DIR
		  server_stop PID START TIMEOUT_MS
		  server_log DIR BYTES
		  load_run DIR TIMEOUT_MS CAP_BYTES CPUSET N ENV1...ENVN COMMAND
		  load_collect RUN
		  load_kill DIR
	EOF
}

# abrun_call NONCE VERB [ARG...]: a verb in a subshell, in its frame.
abrun_call()
{
	abrun_nonce=$1 abrun_verb=$2
	shift 2
	printf 'BEGIN %s %s protocol=%s\n' "$abrun_nonce" "$abrun_verb" \
	    "$abrun_protocol"
	case $abrun_verb in
	hello | facts | boot_id | busy | process | owner | environ | \
	    cmdline | threads | libraries | resolve_library | hash | which | \
	    get | set | workdir | put | remove_workdir | server_start | \
	    server_left | server_stop | server_log | load_run | \
	    load_collect | load_kill)
		(
			"verb_$abrun_verb" "$@" && exit 40
		) </dev/null
		abrun_code=$?
		;;
	*)
		say error 'this program has no such verb'
		abrun_code=43
		;;
	esac
	case $abrun_code in
	40 | 41 | 42 | 43) abrun_code=$((abrun_code - 40)) ;;
	*)
		say error "the program itself failed with status $abrun_code"
		abrun_code=3
		;;
	esac
	printf 'END %s %s %s\n' "$abrun_nonce" "$abrun_verb" "$abrun_code"
	return "$abrun_code"
}

if [ -z "${abrun_fed-}" ]; then
	if [ $# -eq 0 ]; then
		usage
		exit 2
	fi
	abrun_call by-hand "$@"
	exit
fi
