# Sourced after verbs.sh: a pretend FreeBSD, as FreeBSD itself cannot be run
# here.  Its tools are small scripts on a PATH that holds nothing of Linux but
# what POSIX has; they print the shapes of captured outputs of real machines.
# What is proved is that the program reads those shapes, and no more.
# shellcheck shell=sh disable=SC2034,SC2154 # variables of whoever sources it

parts="hooks/os/common.sh hooks/os/freebsd.sh hooks/os/freebsd-boot.sh"
captures=tests/data/os/freebsd
posix="awk basename cat chmod chown cmp cp cut dirname echo env expr false find
getent grep head id kill ln ls mkdir mkfifo mktemp mv printf rm rmdir sed sleep sort
sync tail tee timeout touch tr true uniq wc cksum gzip df"

# ask VERB [ARG...]: as in verbs.sh, of the pretend machine.
ask()
{
	"$shell" hooks/os/freebsd.sh "$@" >"$work/answer" 2>"$work/noise"
	status=$?
}

# tool NAME: a program of the pretend machine, from standard input.
tool()
{
	rm -f "$FB/bin/$1"
	{
		echo '#!/bin/sh'
		cat
	} >"$FB/bin/$1"
	chmod 755 "$FB/bin/$1"
}

# says NAME TEXT: that program prints this.
says()
{
	printf '%s\n' "$2" >"$FB/$1.out"
	echo "cat '$FB/$1.out'" | tool "$1"
}

# captured NAME: without its first line.
captured()
{
	sed 1d "$captures/$1"
}

# oid NAME VALUE: what sysctl has of it.
oid()
{
	printf '%s\n' "$2" >"$FB/oid/$1"
}

# each_time NAME SCRIPT: what sysctl does before it tells that.
each_time()
{
	printf '#!/bin/sh\n%s\n' "$2" >"$FB/mode/$1.next"
	chmod 755 "$FB/mode/$1.next"
}

# oids CAPTURE: the same for a captured output of sysctl.
oids()
{
	captured "$1" | awk -v dir="$FB/oid" '
		/^[a-z0-9_]+(\.[A-Za-z0-9_%]+)+: / {
			name = $1
			sub(/:$/, "", name)
			sub(/^[^ ]* /, "")
		}
		{ print >(dir "/" name) }'
}

# booted CAPTURE: its boot messages.
booted()
{
	mkdir -p "$ABRUN_ROOT/var/run"
	captured "$1" >"$ABRUN_ROOT/var/run/dmesg.boot"
}

# pretend_machine: a fresh one, of a kernel that has a boot id and is up since
# an hour; every later ask is of it.
pretend_machine()
{
	FB=$work/fb
	export FB ABRUN_ROOT="$work/root" abrun_path="$FB/bin"
	[ -d "$work/fresh" ] || pretend_tools
	rm -rf "$FB" "$work/root"
	cp -a "$work/fresh" "$FB"
	mkdir -p "$work/root/etc"
	oid kern.boottime "{ sec = $(($(date +%s) - 3600)), usec = 740932 } Thu Jul  9 16:57:34 2020"
	oid kern.boot_id 'Format: Length:16 Dump:0x00112233445566778899aabbccddeeff'
}

# Made once, in $work/fresh.
pretend_tools()
{
	mkdir -p "$FB/bin" "$FB/oid" "$FB/mode" "$FB/kenv" "$FB/starts"
	for name in $posix; do
		ln -s "$(command -v "$name" | sed -e '/^\//!s,^,/usr/bin/,')" \
		    "$FB/bin/$name"
	done
	# FreeBSD's sh has job control without a terminal, as bash has.
	ln -s "$(command -v bash)" "$FB/bin/sh"
	pretend_sysctl
	pretend_clock
	pretend_files
	pretend_kenv
	pretend_processes
	pretend_starters
	pretend_loader
	for name in who zpool dmesg swapinfo freebsd-version sockstat ldconfig; do
		echo 'exit 1' | tool "$name"
	done
	mv "$FB" "$work/fresh"
}

# An opaque value is told with -x alone; a name may stand for all below it;
# after an unknown one the others are told all the same.
pretend_sysctl()
{
	tool sysctl <<'END'
[ ! -e "$FB/dying" ] || exit 0
bare='' hex='' failed=0
while :; do
	case $1 in
	-n) bare=yes ;;
	-x) hex=yes ;;
	*) break ;;
	esac
	shift
done
one()
{
	case $1=$hex in
	kern.boot_id=) return 0 ;;
	esac
	[ -n "$bare" ] || printf '%s: ' "$1"
	[ ! -x "$FB/mode/$1.next" ] || "$FB/mode/$1.next"
	while IFS= read -r line; do
		printf '%s\n' "$line"
	done <"$FB/oid/$1"
}
write()
{
	name=${1%%=*}
	case $(cat "$FB/mode/$name" 2>/dev/null) in
	tunable)
		echo "sysctl: oid '$name' is a read only tunable" >&2
		echo 'sysctl: Tunable values are set in /boot/loader.conf' >&2
		return 1
		;;
	fixed)
		echo "sysctl: oid '$name' is read only" >&2
		return 1
		;;
	esac
	old=$(cat "$FB/oid/$name")
	new=${1#*=}
	[ ! -x "$FB/mode/$name.clamp" ] || new=$("$FB/mode/$name.clamp" "$new")
	printf '%s\n' "$new" >"$FB/oid/$name"
	echo "$name: $old -> $new"
}
for name; do
	if [ ! -f "$FB/oid/${name%%=*}" ]; then
		below=no
		for file in "$FB/oid/$name".*; do
			[ -f "$file" ] || continue
			below=yes
			one "${file##*/}"
		done
		[ "$below" = no ] || continue
		echo "sysctl: unknown oid '${name%%=*}'" >&2
		failed=1
		continue
	fi
	case $name in
	*=*) write "$name" || failed=1 ;;
	*) one "$name" ;;
	esac
done
exit "$failed"
END
}

# date as up to 13, without nanoseconds; the clock is set by $FB/step, in
# seconds.
pretend_clock()
{
	echo 0 >"$FB/step"
	ln -s "$(command -v date)" "$FB/date"
	tool date <<'END'
step=$(cat "$FB/step")
case $1 in
+%s%N) [ ! -e "$FB/nanoseconds" ] && echo "$(($("$FB/date" +%s) + step))N" ||
    echo "$(($("$FB/date" +%s%N) + step * 1000000000))" ;;
+%s) echo "$(($("$FB/date" +%s) + step))" ;;
*) exec "$FB/date" "$@" ;;
esac
END
}

# stat by this machine's own, which has another language for formats.
pretend_files()
{
	ln -s "$(command -v stat)" "$FB/stat"
	ln -s "$(command -v readlink)" "$FB/bin/readlink"
	tool stat <<'END'
links=
[ "$1" != -L ] || { links=-L; shift; }
[ "$1" = -f ] || exit 64
format=$2
shift 2
[ "$1" != -- ] || shift
if [ $# -eq 0 ]; then
	[ ! -e "$FB/old-pipes" ] || { echo 0.000000000; exit; }
	step=$(cat "$FB/step")
	ns=$(($("$FB/date" +%s%N) + step * 1000000000))
	echo "${ns%?????????}.${ns#"${ns%?????????}"}"
	exit
fi
format=$(echo "$format" | sed -e 's/%Fm/%.9Y/g' -e 's/%Fc/%.9Z/g' \
    -e 's/%Lp/%a/g' -e 's/%Xd/%D/g' -e 's/%z/%s/g' -e 's/%m/%Y/g')
exec "$FB/stat" $links -c "$format" -- "$@"
END
	tool sha256 <<'END'
[ "$1" = -q ] || exit 64
exec /usr/bin/openssl dgst -sha256 -r | sed -e 's/ .*//'
END
}

# What is set lasts until the boot's end.
pretend_kenv()
{
	tool kenv <<'END'
quiet=
[ "$1" != -q ] || { quiet=yes; shift; }
case $1 in
-u) rm "$FB/kenv/$2" ;;
*=*)
	[ ! -e "$FB/no-root" ] || { echo 'kenv: unable to set' >&2; exit 1; }
	printf '%s\n' "${1#*=}" >"$FB/kenv/${1%%=*}"
	printf '%s="%s"\n' "${1%%=*}" "${1#*=}"
	;;
*)
	cat "$FB/kenv/$1" 2>/dev/null && exit
	[ -n "$quiet" ] || echo "kenv: unable to get $1" >&2
	exit 255
	;;
esac
END
}

# process PID COMM: one that is only told of, by files in $FB/proc/PID that
# hold what the tools say of it.
process()
{
	mkdir -p "$FB/proc/$1"
	echo "Is    1 Thu Jul  9 16:57:34 2020     $2" >"$FB/proc/$1/ps"
}

# Others are real ones of this machine, told of in the shapes of FreeBSD's
# tools.
pretend_processes()
{
	ln -s "$(command -v ps)" "$FB/ps"
	tool ps <<'END'
for last; do :; done
[ ! -d "$FB/proc/$last" ] || exec cat "$FB/proc/$last/ps"
case $* in
'-axo comm=')
	[ ! -e "$FB/comms" ] || exec cat "$FB/comms"
	exit 1
	;;
esac
# What stands behind a first = is the title of that column, commas and all.
case $* in
*=,*) exit 64 ;;
'-axS -o pid= -o ppid= -o time=')
	"$FB/ps" -ax -o pid= -o ppid= -o cputimes= |
	    sed -e 's/ \([0-9]*\)$/ 0:\1.00/'
	exit
	;;
esac
case $* in
'-ww -o stat= -o ppid= -o lstart= -o comm= -p '*) ;;
*) exec "$FB/ps" "$@" ;;
esac
# Linux's ps tells starts too early by up to a second, as the time of the boot
# that it counts from is cut off; FreeBSD's knows them.  Once told, it stays.
row=$("$FB/ps" "$@") || exit
stat=$(cat "/proc/$last/stat" 2>/dev/null) || exit
set -f
# shellcheck disable=SC2086 # words
set -- ${stat##*) }
shift 19
file=$FB/starts/$last.$1
if [ ! -e "$file" ]; then
	read -r up _ </proc/uptime
	second=$((($("$FB/date" +%s%N) / 1000000 -
	    (${up%.*}${up#*.} - $1) * 10 + 20) / 1000))
	TZ=UTC0 "$FB/date" -d "@$second" '+%a %b %e %T %Y' >"$file.$$"
	mv "$file.$$" "$file"
fi
# shellcheck disable=SC2086 # words
set -- $row
state=$1 parent=$2
shift 7
echo "$state $parent $(cat "$file") $*"
END
	tool procstat <<'END'
all='' bare=''
while :; do
	case $1 in
	-a) all=yes ;;
	-h) bare=yes ;;
	*) break ;;
	esac
	shift
done
what=$1 pid=${2-}
case $what in
penv | pargs)
	[ ! -e "$FB/old" ] || { echo 'usage: procstat [-h] ...' >&2; exit 1; } ;;
esac
[ ! -d "$FB/proc/$pid" ] || [ -n "$all" ] ||
    exec sh -c "cat '$FB/proc/$pid/$what' 2>&1"
row()
{
	read -r comm <"/proc/$1/comm" || return
	printf '%5d %-16s %s\n' "$1" "$comm" "$(tr '\000' ' ' <"$2")"
}
list()
{
	echo "$pid:  $(cat "/proc/$pid/comm")"
	n=0
	tr '\000' '\n' <"$2" | while IFS= read -r entry; do
		echo "$1[$n]: $entry"
		n=$((n + 1))
	done
}
if [ -n "$all" ]; then
	grep -l -z -s '^ABRUN_' /proc/[0-9]*/environ | while read -r file; do
		pid=${file%/environ}
		row "${pid##*/}" "$file"
	done
	exit
fi
[ -d "/proc/$pid" ] || { echo "procstat: sysctl: No such process" >&2; exit 1; }
case $what in
penv) list envp "/proc/$pid/environ" ;;
pargs) list argv "/proc/$pid/cmdline" ;;
-e) row "$pid" "/proc/$pid/environ" ;;
-c) row "$pid" "/proc/$pid/cmdline" ;;
-b) printf '%5d %-16s %8d %s\n' "$pid" "$(cat "/proc/$pid/comm")" 1402000 \
    "$(readlink "/proc/$pid/exe")" ;;
-S) sed -n -e 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/"$pid"/task/*/status |
    while read -r list; do
	printf '%5d %6d %-19s %-19s %3d %4d %s\n' "$pid" 100123 a b 1 2 "$list"
done ;;
-v) awk -v pid="$pid" '{
	split($1, ends, "-")
	printf "%5d %18s %18s %s    1    1   1   0 ----- %s %s\n", pid,
	    "0x" ends[1], "0x" ends[2], substr($2, 1, 3),
	    $6 ~ /^\// ? "vn" : "df", $6 ~ /^\// && $7 == "" ? $6 : ""
	}' "/proc/$pid/maps" ;;
esac
END
	tool fstat <<'END'
for pid; do :; done
[ ! -d "$FB/proc/$pid" ] || exec cat "$FB/proc/$pid/ids"
[ "$*" = "-n -m -p $pid" ] || exit 1
echo 'USER     CMD          PID   FD  DEV         INUM    MODE SZ|DV R/W'
comm=$(cat "/proc/$pid/comm")
"$FB/stat" -L -c "root     $comm $pid text 0x%D %i %a %s  r" "/proc/$pid/exe"
"$FB/stat" -L -c "root     $comm $pid mmap 0x%D %i %a %s  r" \
    /proc/"$pid"/map_files/* 2>/dev/null
exit 0
END
}

# What starts others: each as far as the program uses it.
pretend_starters()
{
	for name in setsid setpriv taskset time; do
		ln -s "/usr/bin/$name" "$FB/$name"
	done
	tool daemon <<'END'
exec "$FB/setsid" --fork "$@"
END
	tool chroot <<'END'
[ "$1$3$5$7" = -u-g-G/ ] || exit 64
user=$2 group=$4 groups=$6
shift 7
exec "$FB/setpriv" "--reuid=$user" "--regid=$group" "--groups=$groups" "$@"
END
	tool cpuset <<'END'
[ "$1" = -l ] || exit 64
list=$2
shift 2
exec "$FB/taskset" -c "$list" "$@"
END
	tool time <<'END'
[ "$1$2" = -l-o ] || exit 64
file=$3
shift 3
exec "$FB/time" -f '        0.50 real         0.10 user         0.10 sys
      %M  maximum resident set size' -o "$file" "$@"
END
}

# nextboot(8) of the generation in $FB/generation: 12 and 13, scripts; first, the
# first one in C; 15.  The pretend loader is next_boot; its file system is
# $FB/store: ufs; zfs, with a place beside it that the loader writes; zfs-old
# without.
pretend_loader()
{
	echo 13 >"$FB/generation"
	echo ufs >"$FB/store"
	tool mount <<'END'
[ "$1" = -p ] || exit 64
case $(cat "$FB/store") in
ufs) echo '/dev/mirror/root        /                       ufs     rw              1 1' ;;
*) echo 'zroot/ROOT/default      /                       zfs     rw              0 0' ;;
esac
echo 'devfs                   /dev                    devfs   rw              0 0'
END
	rm "$FB/bin/df"
	tool df <<'END'
echo 'Filesystem         1024-blocks     Used    Avail Capacity  Mounted on'
echo 'root                 102400000 40000000 62400000    39%    /'
END
	tool zfsbootcfg <<'END'
[ "$1$2$3$4" = '-zzroot-nfreebsd:nvstore' ] || exit 1
[ "$(cat "$FB/store")" = zfs ] || exit 1
case $5 in
-p) [ ! -e "$FB/nvstore" ] || echo "nextboot_enable=$(cat "$FB/nvstore")" ;;
-k) echo "$8" >"$FB/nvstore" ;;
esac
END
	tool nextboot <<'END'
generation=$(cat "$FB/generation") store=$(cat "$FB/store")
file=$ABRUN_ROOT/boot/nextboot.conf
if [ "$1" = -D ]; then
	if [ "$generation" = first ] && [ ! -e "$file" ]; then
		echo "nextboot: unlink $file: No such file or directory" >&2
		exit 1
	fi
	[ "$store" != zfs ] || rm -f "$FB/nvstore"
	exec rm -f "$file"
fi
text=
while [ $# -gt 0 ]; do
	case $1 in
	-k) text="${text}kernel=\"$2\"
" kernel=$2 ;;
	-e) text="$text${2%%=*}=\"${2#*=}\"
" ;;
	*)
		echo 'Usage: nextboot [-af] [-e variable=value] [-k kernel] [-o options]'
		echo '       nextboot -D'
		exit 1
		;;
	esac
	shift 2
done
[ ! -e "$FB/nextboot-fails" ] || { echo "Error: /boot/$kernel doesn't exist. Use -f to override."; exit 1; }
[ ! -e "$FB/nextboot-forgets" ] || text="kernel=\"$kernel\"
"
case $generation:$store in
12:zfs*)
	echo 'WARNING: loader(8) has only R/O support for ZFS' >&2
	echo 'nextboot.conf will NOT be reset in case of kernel boot failure' >&2
	;;
*:zfs*)
	zfsbootcfg -z zroot -n freebsd:nvstore -k nextboot_enable -v YES
	printf '%s' "$text" >"$file"
	exit 0
	;;
esac
printf 'nextboot_enable="YES"\n%s' "$text" >"$file"
END
}

# next_boot: what the loader does: into $booted the kernel that it boots; what
# else it was told comes into the environment of that.
next_boot()
{
	booted=kernel applied=
	file=$ABRUN_ROOT/boot/nextboot.conf
	[ -e "$file" ] || return 0
	chosen=$(sed -n -e 's/^kernel="\(.*\)"$/\1/p' "$file")
	case $(cat "$FB/store"):$(head -n 1 "$file") in
	ufs:'nextboot_enable="NO" ') return 0 ;;
	ufs:*)
		booted=$chosen applied=yes
		printf 'nextboot_enable="NO" ' |
		    dd of="$file" conv=notrunc 2>/dev/null
		;;
	zfs:*)
		[ "$(cat "$FB/nvstore" 2>/dev/null)" = YES ] || return 0
		booted=$chosen
		echo NO >"$FB/kenv/nextboot_enable"
		rm "$FB/nvstore"
		;;
	*) booted=$chosen ;;
	esac
	[ -z "$applied" ] || sed -n -e '/^kernel=/d' -e '/^nextboot_enable=/d' \
	    -e 's/^\([^=]*\)="\(.*\)"$/\1 \2/p' "$file" |
	    while read -r name value; do
		echo "$value" >"$FB/kenv/$name"
	done
	oid kern.bootfile "/boot/$booted/kernel"
}
