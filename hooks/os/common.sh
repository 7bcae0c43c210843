# What abrun asks of every system: the answers, the call, and the verbs that
# plain POSIX sh can do.  The program of a system, linux.sh and the like, has
# the rest; see abrun-hooks(7).
#
# abrun feeds this file and then that program to one shell; by hand the
# program reads this file itself.  It gives the name of the system in $system,
# the kinds of its knobs in $knob_kinds, the verbs that are not here, and
#
#   sha256 FILE    its sum into $sum; false when it is no readable file
#   look PID       $state, $start and $comm of a process; false when there is
#                  none, and a zombie is none
#   uptime_ticks   10 ms since boot into $ticks, of a clock that is never set
#   knob_read KIND NAME          into $value; or absent, failed, unknown
#   knob_write KIND NAME VALUE   false when the kernel refused
#   keeper_system  what the keeper of a load needs of the system, as text
#
# The program answers and does not decide.  Every value passes say or
# say_stream; a verb ends by returning 0 or by failed, absent or unknown.
# Tools are called by name through PATH.  Set before the program, if at all:
# abrun_path (PATH of the tools).
#
# "A && B || C" is meant as it stands, and variables are shared with the
# program, with subshells on purpose one way only.
# shellcheck shell=sh
# shellcheck disable=SC1003,SC2015,SC2030,SC2031,SC2034,SC2154

abrun_protocol=1
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

# --- answering ---------------------------------------------------------------

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
	[ $# -eq 0 ] || say error "$1"
	exit 42
}

unknown()
{
	say error "$1"
	exit 43
}

# --- small means -------------------------------------------------------------

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

# nap MS
nap()
{
	set -- $(($1 / 1000)) $((1000 + $1 % 1000))
	sleep "$1.${2#1}" 2>/dev/null || sleep $(($1 + 1))
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

# --- the host and its files --------------------------------------------------

verb_hello()
{
	say protocol "$abrun_protocol"
	say os "$system"
	say uid "$(id -u)"
	say user "$(id -un)"
	say tmp "$tmp"
}

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
	find_tool "$1" || absent "it is not in PATH, which is $PATH"
	say path "$found"
	sha256 "$found" || unknown "$found cannot be read"
	say sha256 "$sum"
}

verb_workdir()
{
	find_tool mktemp || failed "mktemp is not in PATH, which is $PATH"
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

# --- a copy of a data directory ----------------------------------------------

# What abrun may empty and remove holds this file, whose first word is made or,
# with the owner and mode that it had, found.
data_mark=.abrun-datadir

# data_paths FROM TO: $from and $to without links and last slashes; neither is
# in the other.
data_paths()
{
	case $1$nl$2 in
	/*"$nl"/*) ;;
	*) failed "refused: $1 and $2 must be whole paths" ;;
	esac
	from=$(cd -- "$1" 2>/dev/null && pwd -P) ||
	    failed "there is no directory $1"
	data_target "$2"
	case $from/ in
	"${to%/}"/*) failed "refused: $1 is in $2" ;;
	esac
	case $to/ in
	"${from%/}"/*) failed "refused: $2 is in $1" ;;
	esac
	[ ! -e "$from/$data_mark" ] ||
	    failed "refused: $1 is itself a copy that abrun made"
}

data_target()
{
	to=$1
	while :; do
		case $to in
		?*/) to=${to%/} ;;
		*) break ;;
		esac
	done
	case $to in
	/) failed "refused: $1 is no place for data" ;;
	*/. | */..) failed "refused: $1 must end in a name" ;;
	/*) ;;
	*) failed "refused: $1 is not a whole path" ;;
	esac
	[ ! -h "$to" ] || failed "refused: $1 is a link"
	data_parent=$(cd -- "${to%/*}/" 2>/dev/null && pwd -P) ||
	    failed "there is no directory ${to%/*} for $1"
	to=${data_parent%/}/${to##*/}
}

data_is_ours()
{
	[ -f "$to/$data_mark" ] && [ ! -h "$to/$data_mark" ]
}

# Marks $to, which may not hold anything of others.
data_claim()
{
	data_is_ours && return
	if [ ! -e "$to" ]; then
		mkdir -m 700 -- "$to" || failed "$to cannot be made"
		data_was=made
	elif [ -d "$to" ]; then
		(ls -A -- "$to") >/dev/null || failed "$to cannot be read"
		[ -z "$(ls -A -- "$to")" ] ||
		    failed "refused: $to holds files that abrun did not put there: name a directory that is empty or does not exist"
		data_was="found $(owner_and_mode "$to")"
	else
		failed "refused: $to is no directory"
	fi
	printf '%s\n%s\n' "$data_was" \
	    'abrun empties this directory without asking.' \
	    >"$to/$data_mark" || failed "$to cannot be written"
}

# Takes all but the mark out of $to; what is mounted in there is an error.
data_empty()
{
	(
		cd -- "$to" || exit 1
		find . -xdev ! -type d ! -path "./$data_mark" \
		    -exec rm -f -- {} + &&
		    find . -xdev -depth -type d ! -name . \
			-exec rmdir -- {} +
	) || failed "$to cannot be emptied"
}

verb_datadir_copy()
{
	data_paths "$1" "$2"
	data_claim
	data_empty
	copy_tree "$from" "$to" || failed "$from cannot be copied to $to"
	say copy "$to"
}

verb_datadir_remove()
{
	data_target "$1"
	data_is_ours || absent "$to is no copy that abrun made"
	read -r data_was data_owner data_mode <"$to/$data_mark" ||
	    failed "$to/$data_mark cannot be read"
	data_empty
	rm -f -- "$to/$data_mark" || failed "$to cannot be emptied"
	if [ "$data_was" = made ]; then
		rmdir -- "$to" || failed "$to cannot be removed"
	else
		chown "$data_owner" "$to" && chmod "$data_mode" "$to" ||
		    failed "$to cannot be given back to $data_owner"
	fi
}

# --- knobs -------------------------------------------------------------------

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

# --- what is started ---------------------------------------------------------

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

# --- the load ----------------------------------------------------------------

# Of each output stream at most twice this is kept on the disk.
load_kept=8388608

# The keeper of one load: a program and session of its own, so that it
# outlives the channel; the system's part comes first.  Files of the run directory: pid ("PID START"), out
# and err (the first bytes), *.tail and *.size (where there were more),
# times, timed_out, and status, written last and at once.
keeper_program()
{
	keeper_system
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
	peak_works && tool=yes
	echo "$unbuffered,$tool" >tools.new && mv tools.new ../.tools
fi
keep out 7<out.pipe &
out_keeper=$!
keep err 7<err.pipe &
err_keeper=$!
exec 8>out.pipe 9>err.pipe
rm -f out.pipe err.pipe
children
user_before=$user sys_before=$sys
clocks
ns_before=$nanoseconds ticks_before=$ticks
(
	cd .. && detach "$@"
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
peak=
[ "$tool" = no ] || peak_read
{
	echo "exit=$code"
	echo "timed_out=$timed_out"
	echo "wall_ms=$wall_ms"
	echo "user_ms=$((user - user_before))"
	echo "sys_ms=$((sys - sys_before))"
	[ -z "$peak" ] || echo "maxrss_kb=$peak"
	echo "leftover=$leftover"
	echo "escaped=$escaped"
	echo "cap=$cap"
} >status.new
mv status.new status
EOF
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

# --- being called ------------------------------------------------------------

usage()
{
	cat <<-EOF
		usage: sh ${0##*/} VERB [ARG...]
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
		  get $knob_kinds NAME
		  set $knob_kinds NAME VALUE
		  workdir
		  put PATH MODE TEXT
		  remove_workdir DIR
		  datadir_copy FROM TO
		  datadir_remove TO
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
	    get | set | workdir | put | remove_workdir | datadir_copy | \
	    datadir_remove | server_start | \
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

# by_hand [VERB [ARG...]]: one verb, in its frame, for a person.
by_hand()
{
	if [ $# -eq 0 ]; then
		usage
		exit 2
	fi
	abrun_call by-hand "$@"
	exit
}
