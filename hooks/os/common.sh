# What abrun asks of every system: the answers, the call, and the verbs that
# plain POSIX sh can do.  The program of a system, linux.sh and the like, has
# the rest; see abrun-hooks(7).
#
# abrun feeds this file and then that program to one shell; by hand the
# program reads this file itself.  It gives the name of the system in $system,
# the kinds of its knobs in $knob_kinds, in $pin the program and its option that
# bind a command to CPUs, the verbs that are not here, and
#
#   sha256 FILE    its sum into $sum; false when it is no readable file
#   look PID       $state, $start and $comm of a process; false when there is
#                  none, and a zombie is none
#   uptime_ticks   10 ms since boot into $ticks, of a clock that is never set
#   cpu_times      CPU time of all CPUs since boot into $total, and what of it
#                  was idle into $idle, in any unit
#   listed_libraries  prints the paths of all that the linker knows
#   library_places    prints the directories where others may be
#   knob_read KIND NAME          into $value; or absent, failed, unknown
#   knob_write KIND NAME VALUE   false when the kernel refused; why may stand
#                                in $refusal
#   launch COMMAND ARG...   starts it in a session of its own, as $account and
#                  on the CPUs of $cpus, its output in $log; into $pid
#   launch_code    with what it has ended, into $code
#   start_clock    into $clock, now, as starts of processes are told
#   launch_keeper ARG...    starts the keeper of $run, into $keeper
#   keeper_wait    waits for its end
#   seen_use DIR PID        what was seen of that process is in DIR
#   service_find, service_status, service_stop_it MS, service_start_plain MS and
#                  service_unset, for the services of linux.sh
#   keeper_system  what the keeper of a load needs of the system, as text
#   marked MARK    prints the processes that have that in their environment
#   mark_of PID NAME   the value of a variable of its environment into $mark
#   other_marks    says what other abruns have running here
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
soh=$(printf '\001')
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

# say_entry KEY ENTRY: with its newlines, for which $soh stands.
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

# say_if KEY VALUE: nothing for an empty value.
say_if()
{
	[ -z "$2" ] || say "$1" "$2"
}

# say_count KEY VALUE: nothing for what is no number above zero.
say_count()
{
	case $2 in
	'' | 0 | *[!0-9]*) ;;
	*) say "$1" "$2" ;;
	esac
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
	other_marks
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

# --- what the host is busy with ----------------------------------------------

# busy MS: of all CPUs.
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

# quiet PERMILLE WAIT_MS: waits until in two seconds, one after the other, not
# more than that was busy; for so long at most, but for two seconds.
verb_quiet()
{
	number "$1" 'the limit'
	number "$2" 'the time limit'
	uptime_ticks
	begun=$ticks
	calm=0
	cpu_times
	while :; do
		idle_before=$idle total_before=$total
		nap 1000
		cpu_times
		[ "$total" -gt "$total_before" ] || unknown 'no time has passed'
		part=$((1000 - 1000 * (idle - idle_before) /
		    (total - total_before)))
		calm=$((calm + 1))
		[ "$part" -le "$1" ] || calm=0
		uptime_ticks
		waited=$(((ticks - begun) * 10))
		[ "$calm" -lt 2 ] || break
		# What is left must be enough to find it quiet.
		[ $((waited + 1000 * (2 - calm))) -le "$2" ] ||
		    [ "$waited" -lt 1500 ] || break
	done
	if [ "$calm" -ge 2 ]; then
		say quiet yes
	else
		say quiet no
	fi
	say waited_ms "$waited"
	say busy_permille "$part"
}

# space_of PATH: of the file system that holds it, or will hold it, in kB into
# $size and $free.  Its name may hold blanks, what is counted may not.
space_of()
{
	there=$1
	until [ -e "$there" ]; do
		there=${there%/*}
		there=${there:-/}
	done
	line=$(df -P -k -- "$there" 2>/dev/null | sed -n -e \
	    '2s/^.* \([0-9][0-9]*\)  *[0-9][0-9]*  *\([0-9][0-9]*\)  *[0-9-][0-9]*%* .*$/\1 \2/p')
	size=${line%% *}
	free=${line##* }
	[ -n "$line" ]
}

verb_space()
{
	for path in "$@"; do
		case $path in
		/*) ;;
		*) failed "not a whole path: $path" ;;
		esac
		space_of "$path" ||
		    unknown "the free space of $path cannot be read"
		say path "$path"
		say total_kb "$size"
		say free_kb "$free"
	done
}

# What a pool is at: scrubbed, or rebuilt.
pools_busy()
{
	find_tool zpool || return 0
	line=$(zpool status 2>/dev/null | sed -n \
	    -e '/^ *pool: /{' -e 's///' -e h -e '}' \
	    -e '/scan: .* in progress/{' -e 'g' -e 'p' -e '}' |
	    tr '\n' ' ')
	say_if zpool_busy "${line% }"
}

# logged_in [FILE]: at a terminal; this login has none and is none of them.
logged_in()
{
	line=$(who "$@" 2>/dev/null) || return 0
	words "$(printf '%s\n' "$line" | cut -d ' ' -f 1 | sort -u)"
	say users "$joined"
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

# --- the lock of the host ----------------------------------------------------

# One abrun at a time uses a host.  $locks holds a file lock.N for each time
# that it was locked; the highest N counts, so that of two who would follow it
# one alone can make N + 1.  It stays when the lock is given back.  Lines are
# "key<TAB>value", as in an answer.

# lock_place: makes $locks.  It must outlive a boot, as what it holds is for the
# time after one.
lock_place()
{
	locks=${ABRUN_LOCKS-}
	if [ -z "$locks" ] && [ "$(id -u)" -eq 0 ]; then
		locks=${lock_home:-/var/db/abrun}
	elif [ -z "$locks" ]; then
		home_of ''
		locks=${home%/}/.abrun
	fi
	[ ! -h "$locks" ] || failed "refused: $locks is a link"
	# What is made is private by the umask.
	[ -d "$locks" ] || mkdir -p -- "$locks" ||
	    failed "$locks cannot be made"
}

# lock_latest: $generation, the highest N; 0 where there is none.
lock_latest()
{
	generation=0
	for old in "$locks"/lock.[1-9]*; do
		old=${old##*.}
		case $old in
		*[!0-9]* | ????????????????*) continue ;;
		esac
		[ "$old" -le "$generation" ] || generation=$old
	done
}

# lock_says KEY: its value in lock.$generation into $value, still escaped.
lock_says()
{
	value=
	while IFS=$tab read -r key word; do
		[ "$key" != "$1" ] || value=$word
	done 2>/dev/null <"$locks/lock.$generation"
}

# What there is, for abrun to judge.
lock_tell()
{
	verb_boot_id
	uptime_ticks
	say now "$ticks"
	say place "$locks"
	say generation "$generation"
	[ "$generation" -eq 0 ] || say_stream lock <"$locks/lock.$generation"
}

# lock_write N LEASE_S: a file for the holder, with the arguments of
# lock_hold behind them.
lock_write()
{
	uptime_ticks
	until=$((ticks + $2 * 100))
	look $$ || start=
	{
		verb_boot_id
		say until "$until"
		say holder "$$ $start"
		say token "$3"
		say controller "$4"
		say user "$5"
		say pid "$6"
		say run "$7"
		say since "$(date -u '+%Y-%m-%d %H:%M:%S')"
	} >"$locks/new.$$" || failed "$locks cannot be written"
	ln "$locks/new.$$" "$locks/lock.$1" 2>/dev/null
	made=$?
	rm -f "$locks/new.$$"
	return "$made"
}

verb_lock_show()
{
	lock_place
	lock_latest
	lock_tell
}

# lock_hold OLD LEASE_S TOKEN CONTROLLER USER PID RUN: takes the lock if it is
# free, or is still the one of generation OLD.  Then abrun_call keeps it until
# the end of standard input.
verb_lock_hold()
{
	number "$1" 'the generation'
	number "$2" 'the lease'
	[ $# -eq 7 ] || failed 'lock_hold wants 7 arguments'
	lock_place
	lock_latest
	[ "$generation" -eq 0 ] || lock_says released
	if [ "$generation" -ne 0 ] && [ "$generation" -ne "$1" ] &&
	    [ "$value" != yes ]; then
		lock_tell
		failed 'the host is locked'
	fi
	next=$((generation + 1))
	shift
	lock_write "$next" "$@" || {
		lock_latest
		[ "$generation" -ge "$next" ] ||
		    failed "$locks cannot be written"
		lock_tell
		failed 'the host was locked a moment ago'
	}
	# Who began to count before others had gone on is too late.
	lock_latest
	if [ "$generation" -ne "$next" ]; then
		rm -f "$locks/lock.$next"
		lock_tell
		failed 'the host was locked a moment ago'
	fi
	lock_end_before
	generation=$next
	lock_tell
}

# lock_end_before: of lock.$next.  Its holder, if it lives, was cut off from its
# controller; files before it are of no more use.
lock_end_before()
{
	generation=$((next - 1))
	lock_says holder
	pid=${value%% *} life=${value#* }
	lock_says boot_id
	if [ "boot_id$tab$value" = "$(verb_boot_id)" ] && [ -n "$life" ] &&
	    look "$pid" && [ "$start" = "$life" ]; then
		kill -s TERM "$pid" 2>/dev/null
	fi
	for old in "$locks"/lock.[1-9]*; do
		case ${old##*.} in
		*[!0-9]*) continue ;;
		esac
		[ "${old##*.}" -ge "$generation" ] || rm -f "$old"
	done
}

# lock_change SED: edits lock.$held, unless there is one behind it.
lock_change()
{
	lock_latest
	[ "$generation" -eq "$held" ] &&
	    sed -e "$1" "$locks/lock.$held" >"$locks/edit.$held" &&
	    mv -f "$locks/edit.$held" "$locks/lock.$held"
}

# lock_give_back: in the holder.
lock_give_back()
{
	trap '' TERM HUP INT
	kill -s TERM "$renewer" "$reader" 2>/dev/null
	lock_change "s/^until$tab.*/released${tab}yes/"
	exit 0
}

# lock_keep OLD LEASE_S ...: the holder, with the arguments of lock_hold.  It
# wakes three times in a lease; its controller is gone at end of file.
lock_keep()
{
	lease=$2
	lock_place
	lock_latest
	held=$generation
	(
		sleeper=
		trap 'kill "$sleeper" 2>/dev/null; exit' TERM
		trap '' HUP INT
		while :; do
			sleep $(((lease + 2) / 3)) &
			sleeper=$!
			wait "$sleeper"
			uptime_ticks
			lock_change "s/^until$tab.*/until$tab$((ticks + lease * 100))/" &&
			    continue
			[ "$generation" -eq "$held" ] || break
		done
		kill -s TERM $$
	) </dev/null >/dev/null 2>&1 &
	renewer=$!
	exec 3<&0
	cat <&3 >/dev/null 2>&1 &
	reader=$!
	trap lock_give_back TERM HUP INT
	wait "$reader"
	lock_give_back
}

# --- what is to be undone ----------------------------------------------------

# $locks/undo.RUN/ROW holds a row of abrun's journal, put there before the change
# that it undoes is made, so that any controller can undo it.

# journal_place RUN: $journal, the directory of that run.
journal_place()
{
	case $1 in
	'' | *[!A-Za-z0-9-]*) failed "not the name of a run: $1" ;;
	esac
	lock_place
	journal=$locks/undo.$1
}

# to_disk FILE: what it holds survives a power cut; old tools sync all.
to_disk()
{
	sync "$1" 2>/dev/null || sync
}

# A call whose journal_put fails does nothing more: see abrun_call.  What a boot
# takes away need not outlive one.
verb_journal_put()
{
	journal_place "$1"
	number "$2" 'the row'
	[ "$3" = disk ] || to_disk=true
	[ ! -h "$journal" ] && { [ -d "$journal" ] || mkdir -- "$journal"; } ||
	    failed "$journal cannot be made"
	(printf '%s' "$4" >"$journal/new.$$") 2>/dev/null &&
	    ${to_disk-to_disk} "$journal/new.$$" &&
	    mv -f "$journal/new.$$" "$journal/$2" &&
	    ${to_disk-to_disk} "$journal" || {
		rm -f "$journal/new.$$"
		failed "$journal/$2 cannot be written"
	}
}

# journal_keep RUN [ROW...]: all other rows of the run are removed.
verb_journal_keep()
{
	journal_place "$1"
	shift
	[ -d "$journal" ] || return 0
	for old in "$journal"/*; do
		case " $* " in
		*" ${old##*/} "*) ;;
		*) rm -f -- "$old" || failed "$old cannot be removed" ;;
		esac
	done
	[ $# -gt 0 ] || rmdir -- "$journal" ||
	    failed "$journal cannot be removed"
}

verb_journal_list()
{
	lock_place
	for old in "$locks"/undo.*/*; do
		[ -f "$old" ] && [ ! -h "$old" ] || continue
		number "${old##*/}" 'the row'
		journal=${old%/*}
		say run "${journal##*/undo.}"
		say row "${old##*/}"
		say_stream text <"$old"
	done
}

# --- libraries ---------------------------------------------------------------

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
		$(listed_libraries | grep -F -e "$1")
	EOF
	# shellcheck disable=SC2046 # directories without blanks
	set -- "$1" $(library_places)
	name=$1
	shift
	for dir in "$@"; do
		for path in "$dir/$name"* "$dir/lib$name".so*; do
			resolve_candidate "$name" "$path"
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
	took=yes refusal=
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
	[ "$took" = yes ] ||
	    failed "the kernel refused $3 for $1 $2${refusal:+: $refusal}"
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

# The server starts from a clean environment: PATH, HOME, LANG=C and the
# cell's variables, and ABRUN_SERVER, the mark by which it is found again;
# what this login has does not leak in.  Everything execs,
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
	set -- "$@" env -i "PATH=$PATH" "HOME=$home" LANG=C "ABRUN_SERVER=$dir"
	while [ "$count" -gt 0 ]; do
		set -- "$@" "$1"
		shift
		count=$((count - 1))
	done
	command=$1
	shift
	set -- sh -c "exec \"\$@\" $command" sh "$@"
	log=$dir/server.log
	launch "$@"
	if ! look "$pid"; then
		failed "it ended at once: $(tail -c 1000 "$dir/server.log")"
	fi
	printf '%s %s\n' "$pid" "$start" >"$dir/server.pid" ||
	    failed "$dir/server.pid cannot be written"
	say pid "$pid"
	say start "$start"
}

# server_run DIR start|stop|ready LIMIT_MS CPUSET N ENV1...ENVN COMMAND: a
# command of the user's own around a server, in a session of its own and from
# the same clean environment.  It must end, what it started may live on.
verb_server_run()
{
	dir=$1 what=$2 limit=$3 cpus=$4
	shift 4
	number "$limit" 'the time limit'
	check_variables "$@"
	home_of ''
	[ -d "$dir" ] || failed "there is no directory $dir"
	case $what in
	start) log=$dir/server.log ;;
	stop | ready) log=$dir/$what.log ;;
	*) failed "neither start, stop nor ready: $what" ;;
	esac
	(: >"$log") || failed "$log cannot be written"
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
	set -- "$@" sh -c "$command"
	start_clock
	say clock "$clock"
	account=
	launch "$@"
	if look "$pid"; then
		life=$start
		if ! gone_within "$limit"; then
			kill -s TERM -- "-$pid" 2>/dev/null
			gone_within 1000 || kill -s KILL -- "-$pid"
			say timed_out yes
			failed "it did not end within $limit ms$(log_end)"
		fi
	fi
	launch_code
	say exit "$code"
	[ "$code" -eq 0 ] || failed "it ended with status $code$(log_end)"
}

# The end of $log, for a reason.
log_end()
{
	set -- "$(tail -c 1000 "$log")"
	[ -z "$1" ] || printf ': %s' "$1"
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

# end_marked MARK MS: what has that mark is ended by TERM, and by KILL after that
# time.  Each is told as left; a process may start others meanwhile.
end_marked()
{
	told=' '
	uptime_ticks
	mark_end=$((ticks + $2 / 10))
	while :; do
		rest=$(marked "$1")
		[ -n "$rest" ] || return 0
		uptime_ticks
		[ "$ticks" -lt $((mark_end + 500)) ] ||
		    failed "what has the mark $1 does not end: $rest"
		for one in $rest; do
			look "$one" || continue
			case $told in
			*" $one "*) ;;
			*)
				say left "$one $comm"
				told="$told$one "
				;;
			esac
			signal=TERM
			[ "$ticks" -lt "$mark_end" ] || signal=KILL
			kill -s "$signal" "$one" 2>/dev/null
		done
		nap 50
	done
}

# The server may be a script, or have started others: what has its mark ends
# with it.
# What a server that was killed has left; another one's stays.
remove_socket()
{
	[ -S "$1" ] || return 0
	(verb_owner socket "$1") >/dev/null 2>&1
	[ $? -ne 42 ] || rm -f "$1"
}

verb_server_stop()
{
	pid=$1 life=$2
	number "$3" 'the time limit'
	if ! look "$pid" || [ "$start" != "$life" ]; then
		say ended gone
		return 0
	fi
	mark_of "$pid" ABRUN_SERVER
	kill -s TERM "$pid" 2>/dev/null || ! look "$pid" ||
	    failed "process $pid cannot be signalled"
	if gone_within "$3"; then
		[ -z "$mark" ] || end_marked "ABRUN_SERVER=$mark" "$3"
		say ended term
		return 0
	fi
	kill -s KILL "$pid"
	if gone_within 5000; then
		[ -z "$mark" ] || end_marked "ABRUN_SERVER=$mark" 0
		remove_socket "${4-}"
		say ended kill
		failed "it did not end within $3 ms of TERM and was killed"
	fi
	failed "it did not end within $3 ms of TERM, nor by KILL"
}

# What was told to end by other means is waited for, and killed in the end.
verb_server_gone()
{
	pid=$1 life=$2
	number "$3" 'the time limit'
	if gone_within "$3"; then
		say ended gone
		return 0
	fi
	kill -s KILL "$pid"
	if gone_within 5000; then
		say ended kill
		failed "it still lived $3 ms after its stop and was killed"
	fi
	failed "it still lived $3 ms after its stop, and KILL did not end it"
}

# What server_start left running in DIR, if it lives; of a server that is gone
# what it has started, by its mark.
verb_server_left()
{
	[ -f "$1/server.pid" ] || absent
	if ! same_life "$1/server.pid"; then
		pid=$(marked "ABRUN_SERVER=$1" | head -n 1)
		[ -n "$pid" ] && look "$pid" || absent
		life=$start
	fi
	say pid "$pid"
	say start "$life"
}

verb_server_log()
{
	number "$2" 'the number of bytes'
	[ -f "$1/server.log" ] || absent
	tail -c "$2" "$1/server.log" | say_stream log
}

# --- services ----------------------------------------------------------------

# service_stop NAME LIMIT_MS: whatever state it is in.
verb_service_stop()
{
	service_find "$1"
	number "$2" 'the time limit'
	service_stop_it "$2"
	say state "$active"
}

# service_restore NAME active|inactive LIMIT_MS: its own settings again, and
# running or not.  Nothing is done where all is so.
verb_service_restore()
{
	service_find "$1"
	number "$3" 'the time limit'
	service_status
	if [ -e "$dropin" ]; then
		# Stopped first: what would be cut off here is seen next time.
		service_stop_it "$3"
		service_unset
		service_status
	fi
	now=inactive
	[ "$active" != active ] || now=active
	case $2/$now in
	active/inactive) service_start_plain "$3" ;;
	inactive/active) service_stop_it "$3" ;;
	esac
	say state "$active"
}

# --- the load ----------------------------------------------------------------

# Of each output stream at most twice this is kept on the disk.
load_kept=8388608

# The keeper of one load: a program and session of its own, so that it
# outlives the channel; the system's part comes first.  Files of the run
# directory: pid ("PID START"), out and err (the first bytes), *.tail and
# *.size (where there were more), times, timed_out, and status, written last
# and at once.  With gate, a pipe, the load is held until it has been looked
# at: held (its pid), seen.N (what was seen, the last counts).
keeper_program()
{
	# For systems that do not tell.
	cat <<'EOF'
# shellcheck disable=SC2317 # another of that name may follow
cpu_now() { machine='' busy='' stolen=''; }
server_now() { server=''; }
group_on() { :; }
group_off() { :; }
EOF
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
	exec 8>&- 9>&-
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

# CPU time of all children that were waited for, into $user and $sys; with
# the keeper's own into $ours.
children()
{
	times >./times
	{
		read -r own_user own_sys
		read -r user sys
	} <./times
	milliseconds "$own_user"
	ours=$ms
	milliseconds "$own_sys"
	ours=$((ours + ms))
	milliseconds "$user"
	user=$ms
	milliseconds "$sys"
	sys=$ms
	ours=$((ours + user + sys))
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

# Kills what lives on in the load's group or session, or has its mark; counts
# in $leftover.
kill_leftover()
{
	leftover=0
	passes=0
	while [ "$passes" -lt 5 ]; do
		passes=$((passes + 1))
		rest=$({ members; marked; } | sort -u)
		[ -n "$rest" ] || break
		for one in $rest; do
			kill -s KILL "$one" 2>/dev/null
			[ "$passes" -gt 1 ] || leftover=$((leftover + 1))
		done
	done
}

# What becomes the load stands at the gate, a shell that has all the load
# will have, and is looked at.  Should it not get there it ends by itself.
hold()
{
	subject=
	naps=0
	until { read -r subject; } 2>/dev/null <held || [ "$naps" -ge 1000 ]; do
		naps=$((naps + 1))
		if [ $((naps % 20)) -eq 0 ] && [ -z "$(members)" ]; then
			return
		fi
		sleep 0.01 || break
	done
	if [ -n "$subject" ] && peek "$subject" seen.0 held; then
		subject_life=$lived
	else
		subject=
	fi
}

# Looks at the load while it runs, soon and then seldom, until what was held
# has become a program; while it is a shell, at the program that it runs.
look_on()
{
	looks=0
	nap=
	trap 'kill "$nap" 2>/dev/null; exit' TERM
	for pause in 0.01 0.02 0.05 0.1 0.3 1 3; do
		sleep "$pause" &
		nap=$!
		wait "$nap" || return
		life "$subject" && [ "$lived" = "$subject_life" ] || return
		looks=$((looks + 1))
		if ! below "$subject"; then
			peek "$subject" "seen.$looks" shell
		elif peek "$program" "seen.$looks" program &&
		    [ "$program" = "$subject" ]; then
			return
		fi
	done
}

# It may be in a pause as the load ends; it has our arguments, and would be
# taken for us.
end_looker()
{
	[ -n "$looker" ] && life "${looker% *}" && [ "$lived" = "$looker" ] &&
	    kill -s TERM "${looker% *}"
}

# The looker is no child of ours: its CPU time is not the load's.  A command
# substitution would wait for its end.
open_gate()
{
	if [ -n "$subject" ]; then
		(
			look_on 6>&- </dev/null >/dev/null 2>&1 &
			echo "$!" >./looker
		)
		looker=
		read -r looker <./looker
		life "$looker" && looker=$lived || looker=
	fi
	children
	user_before=$user sys_before=$sys
	clocks
	ns_before=$nanoseconds ticks_before=$ticks slack_before=$slack
	echo >&6
}

# ABRUN_LOAD=DIR among the load's variables marks it and all that it starts,
# wherever they go.
mark=
for word; do
	case $word in
	ABRUN_LOAD=*) mark=$word ;;
	esac
done
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
# Nobody waits for another to open its end: who did would wait for ever if we
# were ended meanwhile.
exec 8<>out.pipe 9<>err.pipe
exec 7<out.pipe
keep out &
out_keeper=$!
exec 7<err.pipe
keep err &
err_keeper=$!
exec 7<&- 8>out.pipe 9>err.pipe
rm -f out.pipe err.pipe
# Open for both, so that nobody waits for the other to open it.
[ ! -p gate ] || exec 6<>gate
server_now
server_before=$server
children
user_before=$user sys_before=$sys ours_before=$ours
cpu_now
machine_before=$machine busy_before=$busy stolen_before=$stolen
clocks
ns_before=$nanoseconds ticks_before=$ticks slack_before=$slack
group_on
(
	cd .. && detach "$@"
) </dev/null >&8 2>&9 6>&- 8>&- 9>&- &
pid=$!
group_off
exec 8>&- 9>&-
interrupted=
looker=
trap 'interrupted=yes; end_group' TERM
[ ! -p gate ] || hold
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
[ ! -p gate ] || open_gate
while wait "$pid"; code=$?; [ -n "$interrupted" ]; do
	interrupted=
done
clocks
cpu_now
children
server_now
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
end_looker
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
step_ms=$((wall_ms - slow_ms))
near_ms=$((50 + 10 * (slack_before + slack)))
if [ "$step_ms" -gt "$near_ms" ] || [ "$step_ms" -lt "-$near_ms" ]; then
	wall_ms=$slow_ms
else
	step_ms=0
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
	[ "$step_ms" -eq 0 ] || echo "clock_step_ms=$step_ms"
	if [ -n "$machine_before" ] && [ -n "$machine" ]; then
		echo "cpu_ms=$((machine - machine_before))"
		echo "busy_ms=$((busy - busy_before))"
		[ -z "$stolen" ] ||
		    echo "stolen_ms=$((stolen - stolen_before))"
		echo "load_ms=$((ours - ours_before))"
	fi
	if [ -n "$server_before" ] && [ -n "$server" ]; then
		echo "server_ms=$((server - server_before))"
	fi
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
	if [ -n "${load_gate-}" ]; then
		mkfifo "$run/gate" || failed "$run cannot be written"
		set -- "$@" sh -c "$load_held" sh "$command"
	else
		set -- "$@" sh -c "$command"
	fi
	# shellcheck disable=SC2086 # words
	[ -z "$cpus" ] || set -- $pin "$cpus" "$@"
	keeper_program >"$run/keeper" || failed "$run cannot be written"
	launch_keeper "$run" "$timeout" "$load_kept" "$cap" "$@"
	if [ -n "${load_behind-}" ]; then
		look "$keeper" && echo "$keeper $start" >"$run/keeper.pid"
		load_begun
		return 0
	fi
	# Whoever ends this call on purpose ends the load; a lost link does not.
	trap 'kill -s TERM "$keeper" 2>/dev/null; exit 43' TERM INT
	look "$keeper" && echo "$keeper $start" >"$run/keeper.pid"
	keeper_wait
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

# What is not waited for has begun, or its keeper could not begin it.
load_begun()
{
	naps=0
	until first "$run/pid"; do
		naps=$((naps + 1))
		[ "$naps" -lt 250 ] ||
		    failed "it does not begin: $(tail -c 1000 "$run/keeper.log")"
		nap 20 || break
	done
	say run "$run"
	say pid "${line%% *}"
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

# load_wait MS: until $run has ended or its keeper is gone.  Seldom, since what
# is measured there still runs.
load_wait()
{
	# As of load_run: who ends this call on purpose ends the load.
	trap 'same_life "$run/keeper.pid" && kill -s TERM "$pid" 2>/dev/null
		exit 43' TERM INT
	uptime_ticks
	end=$((ticks + ($1 + 9) / 10))
	# Its keeper may not have got so far as to tell its name.
	named=$((ticks + 500))
	while [ ! -f "$run/status" ]; do
		same_life "$run/keeper.pid" ||
		    { [ ! -s "$run/keeper.pid" ] && [ "$ticks" -lt "$named" ]; } ||
		    break
		[ "$ticks" -lt "$end" ] || break
		nap 200
		uptime_ticks
	done
}

# load_collect RUN [WAIT_MS]
verb_load_collect()
{
	run=$1
	[ -d "$run" ] || absent
	if [ -n "${2-}" ]; then
		number "$2" 'the time limit'
		load_wait "$2"
	fi
	if [ -f "$run/status" ]; then
		load_answer
		return 0
	fi
	if same_life "$run/keeper.pid"; then
		failed 'still running'
	fi
	unknown 'the load ended without a record, or its keeper did'
}

# The same as load_run, and what the command becomes is looked at: first while
# it is held before its first step, then while it runs.
verb_load_prove()
{
	load_gate=yes
	verb_load_run "$@"
}

# In a run of load_prove, what becomes the load; sh -c SCRIPT sh COMMAND.  A
# keeper that dies closes the gate, and nothing is run.
# shellcheck disable=SC2016 # the shell's own
load_held='echo $$ >"$ABRUN_RUN/held" &&
    read -r _ <"$ABRUN_RUN/gate" && exec sh -c "$1"'

# What was seen of the load of load_prove: the answers of process, environ,
# threads and libraries, from copies of what they read.
verb_load_seen()
{
	run=$1
	shift
	[ -d "$run" ] || absent
	last=
	for seen in "$run"/seen.[0-9]; do
		[ -f "$seen/what" ] && last=$seen
	done
	[ -n "$last" ] || absent 'it ended before it could be looked at'
	first "$last/what" || unknown "$last cannot be read"
	subject=${line%% *}
	say subject "${line#* }"
	seen_use "$last" "$subject"
	verb_process "$subject"
	verb_threads "$subject"
	count=$# names=
	while [ "$count" -gt 0 ]; do
		count=$((count - 1))
		case $1 in
		/*) set -- "$@" "$1" ;;
		*) names="$names $1" ;;
		esac
		shift
	done
	# shellcheck disable=SC2086 # names of variables
	verb_environ "$subject" $names
	[ $# -eq 0 ] || verb_libraries "$subject" "$@"
}

# load_kill DIR: ends every run in DIR that has not ended, by its keeper, or
# if that is gone itself; and what has the mark of a load of DIR.
verb_load_kill()
{
	for run in "$1"/run.* "$1"/monitor.*/run.*; do
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
	end_marked "ABRUN_LOAD=$1" 1000
}

# --- monitors ----------------------------------------------------------------

# monitor_start DIR TIMEOUT_MS CAP_BYTES COMMAND: as load_run, but returns when
# it runs.
verb_monitor_start()
{
	set -- "$@" "$(mktemp -d "$1/monitor.XXXXXX")"
	[ -n "$5" ] || failed "$1 cannot be written"
	load_behind=yes
	verb_load_run "$5" "$2" "$3" '' 0 "$4"
}

# monitor_look RUN: does it live, and if not, how did it end?
verb_monitor_look()
{
	run=$1
	[ -n "$run" ] && [ -d "$run" ] || absent
	if same_life "$run/pid"; then
		say alive yes
		say pid "$pid"
		return 0
	fi
	say alive no
	naps=0
	until [ -f "$run/status" ] || [ "$naps" -ge 50 ]; do
		naps=$((naps + 1))
		nap 20 || break
	done
	[ ! -f "$run/status" ] || load_answer
}

# monitor_end RUN: ends it, unless it has ended by itself.
verb_monitor_end()
{
	run=$1
	[ -d "$run" ] || absent
	alone=yes
	if [ ! -f "$run/status" ]; then
		alone=no
		if same_life "$run/keeper.pid"; then
			kill -s TERM "$pid"
			gone_within 5000 || failed "the monitor of $run does not end"
		fi
	fi
	[ -f "$run/status" ] ||
	    unknown 'the monitor ended without a record, or its keeper did'
	say alone "$alone"
	load_answer
	rm -rf -- "${run%/*}"
}

# --- what not every system has -----------------------------------------------

verb_threadlib()
{
	absent 'this system has one thread library'
}

# Of a program that cannot choose what is booted.
no_boots='this program cannot choose what is booted'

verb_kernels()
{
	unknown "$no_boots"
}

verb_kernel()
{
	unknown "$no_boots"
}

verb_boot_state()
{
	unknown "$no_boots"
}

verb_boot_once()
{
	unknown "$no_boots"
}

verb_boot_clear()
{
	unknown "$no_boots"
}

verb_boot_finished()
{
	unknown "$no_boots"
}

verb_reboot()
{
	unknown "$no_boots"
}

# --- being called ------------------------------------------------------------

usage()
{
	cat <<-EOF
		usage: sh ${0##*/} VERB [ARG...]
		  hello
		  facts
		  hazards
		  watch
		  space PATH...
		  boot_id
		  busy MS
		  quiet PERMILLE WAIT_MS
		  process PID [IDENTITY]
		  owner socket PATH | tcp PORT
		  environ PID NAME...
		  cmdline PID
		  threads PID
		  libraries PID FILE...
		  resolve_library NAME
		  hash PATH...
		  which NAME
		  threadlib NAME
		  kernels
		  kernel NAME
		  boot_state
		  boot_once KERNEL [SETTING...]
		  boot_clear
		  boot_finished
		  reboot
		  get $knob_kinds NAME
		  set $knob_kinds NAME VALUE
		  workdir
		  put PATH MODE TEXT
		  remove_workdir DIR
		  datadir_copy FROM TO
		  datadir_remove TO
		  lock_show
		  lock_hold OLD LEASE_S TOKEN CONTROLLER USER PID RUN
		  journal_put RUN ROW SCOPE TEXT
		  journal_keep RUN ROW...
		  journal_list
		  server_start DIR ACCOUNT CPUSET N ENV1...ENVN COMMAND
		  server_left DIR
		  server_stop PID START TIMEOUT_MS [SOCKET]
		  server_run DIR start|stop|ready TIMEOUT_MS CPUSET N ENV1...ENVN COMMAND
		  server_gone PID START TIMEOUT_MS
		  service NAME
		  service_start NAME TIMEOUT_MS CPUSET OPTIONS N ENV1...ENVN -
		  service_stop NAME TIMEOUT_MS
		  service_restore NAME active|inactive TIMEOUT_MS
		  server_log DIR BYTES
		  load_run DIR TIMEOUT_MS CAP_BYTES CPUSET N ENV1...ENVN COMMAND
		  load_prove DIR TIMEOUT_MS CAP_BYTES CPUSET N ENV1...ENVN COMMAND
		  load_seen RUN NAME|FILE...
		  load_collect RUN [WAIT_MS]
		  load_kill DIR
		  monitor_start DIR TIMEOUT_MS CAP_BYTES COMMAND
		  monitor_look RUN
		  monitor_end RUN
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
	hello | facts | hazards | watch | space | boot_id | busy | quiet | \
	    process | owner | environ | cmdline | threads | libraries | \
	    threadlib | kernels | kernel | boot_state | boot_once | \
	    boot_clear | boot_finished | reboot | \
	    resolve_library | hash | which | get | set | workdir | put | \
	    remove_workdir | datadir_copy | \
	    datadir_remove | lock_show | lock_hold | journal_put | \
	    journal_keep | journal_list | server_start | server_left | \
	    server_stop | server_run | server_gone | server_log | \
	    load_run | service | service_start | service_stop | \
	    service_restore | \
	    load_prove | load_seen | load_collect | load_kill | \
	    monitor_start | monitor_look | monitor_end)
		(
			[ -z "${abrun_stopped-}" ] ||
			    failed 'not done: what would undo it could not be kept'
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
	case $abrun_verb$abrun_code in
	lock_hold0) lock_keep "$@" ;;
	journal_put0) ;;
	journal_put*) abrun_stopped=yes ;;
	esac
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
