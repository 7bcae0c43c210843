#!/bin/sh
# hooks/os/linux.sh about living processes: who they are, what they listen to,
# their environment, arguments, threads and libraries.

set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
pids=
end()
{
	for pid in $pids; do
		kill -s KILL "$pid" 2>/dev/null
	done
	rm -rf "$work" /dev/shm/abrun-linux-$$.so.2
}
trap end EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
jemalloc=$(find /usr/lib /lib -name libjemalloc.so.2 | head -n 1)
jemalloc=$(readlink -f "$jemalloc")
tcmalloc=$(find /usr/lib /lib -name libtcmalloc_minimal.so.4 | head -n 1)

# started COMMAND...: $pid is the command itself, once it is executed.
started()
{
	"$@" </dev/null >"$work/started" 2>&1 &
	pid=$!
	pids="$pids $pid"
	until_true is_executed
}

is_executed()
{
	case $(readlink "/proc/$pid/exe") in
	*/dash | */bash | */env | */setpriv | */taskset | '') return 1 ;;
	esac
}

# start_of PID: field 22 of stat, its name taken out.
start_of()
{
	tr '\n' ' ' <"/proc/$1/stat" | sed -e 's/.*) //' | cut -d ' ' -f 20
}

processes_are_told()
{
	started sleep 60
	ask process "$pid"
	is 'process: pid' "$(value pid)" "$pid"
	is 'process: comm' "$(value comm)" "$(ps -o comm= -p "$pid")"
	is 'process: state' "$(value state)" S
	is 'process: start' "$(value start)" "$(start_of "$pid")"
	is 'process: exe' "$(value exe)" "$(readlink "/proc/$pid/exe")"
	is 'process: exe_sha256' "$(value exe_sha256)" \
	    "$(sha256sum "$(command -v sleep)" | cut -d ' ' -f 1)"
	kill -s KILL "$pid"
	wait "$pid" 2>/dev/null
	ask process "$pid"
	is 'process: gone is absent' "$status $(keys)" '2 '
	ask process "$pid x"
	is 'process: no number fails' "$status" 1
	odd="$work/a) S 1 (b${nl}c"
	cp "$(command -v sleep)" "$odd"
	started "$odd" 60
	ask process "$pid"
	is 'process: an odd name' "$(value comm)" "a) S 1 (b${nl}c"
	is 'process: start behind an odd name' \
	    "$(value start)" "$(start_of "$pid")"
	rm -f "$odd"
	ask process "$pid"
	is 'process: a replaced binary' "$(value exe)" "$odd (deleted)"
	is 'process: its sha256 is of what runs' "$(value exe_sha256)" \
	    "$(sha256sum "$(command -v sleep)" | cut -d ' ' -f 1)"
}

# A program that has not changed is not read again.
programs_have_an_identity()
{
	cp "$(command -v sleep)" "$work/program"
	started "$work/program" 60
	ask process "$pid"
	known=$(value exe_identity)
	sum=$(sha256sum <"$work/program" | cut -d ' ' -f 1)
	is 'process: identity' "$known" \
	    "$(stat -c '%d:%i:%s:%.9Y:%.9Z' "$work/program")"
	ask process "$pid" "$known"
	is 'process: the identity that is known is told' \
	    "$(value exe_identity)" "$known"
	is 'process: it is not hashed again' "$(keys)" \
	    'pid start state comm exe exe_identity '
	ask process "$pid" "${known}1"
	is 'process: of another identity it is hashed' \
	    "$(value exe_sha256)" "$sum"
	touch -d '2001-01-01' "$work/program"
	ask process "$pid" "$known"
	is 'process: it is hashed when a time has changed' \
	    "$(value exe_sha256)" "$sum"
	known=$(value exe_identity)
	cp "$work/program" "$work/copy"
	mv "$work/copy" "$work/program"
	ask process "$pid" "$known"
	is 'process: and when its name was given to another file' \
	    "$(value exe) $(value exe_sha256)" "$work/program (deleted) $sum"
	other_stat '%.9Y:%.9Z'
	ask_with_tools process "$pid" ''
	is 'process: no identity without fractions of a second' \
	    "$(keys)" 'pid start state comm exe exe_sha256 '
}

# other_stat TEXT: a stat that does not know how to tell fractions.
other_stat()
{
	rm -rf "$work/tools"
	mkdir "$work/tools"
	printf '#!/bin/sh\necho "1:2:3:%s"\n' "$1" >"$work/tools/stat"
	chmod 755 "$work/tools/stat"
}

# An openssl that says so.
other_openssl()
{
	rm -rf "$work/tools"
	mkdir "$work/tools"
	printf '#!/bin/sh\n%s\n' "$1" >"$work/tools/openssl"
	chmod 755 "$work/tools/openssl"
}

ask_with_tools()
{
	abrun_path=$work/tools:/usr/sbin:/usr/bin:/sbin:/bin
	export abrun_path
	ask "$@"
	unset abrun_path
}

programs_are_hashed_by_what_there_is()
{
	started sleep 60
	sum=$(sha256sum "$(command -v sleep)" | cut -d ' ' -f 1)
	same=$(printf '%064d' 7)
	other_openssl "echo '$same *stdin'"
	ask_with_tools process "$pid"
	is 'process: openssl hashes' "$(value exe_sha256)" "$same"
	for trouble in 'exit 1' "echo '$same'; exit 1" 'echo "Error: no"' \
	    "echo '${same}0 *stdin'" "echo 'x${same#0} *stdin'" 'exit 0'; do
		other_openssl "$trouble"
		ask_with_tools process "$pid"
		is "process: sha256sum does after openssl: $trouble" \
		    "$(value exe_sha256)" "$sum"
	done
	rm -rf "$work/tools"
	mkdir "$work/tools"
	for tool in sha256sum stat readlink "$shell"; do
		ln -s "$(command -v "$tool")" "$work/tools/$tool"
	done
	abrun_path=$work/tools
	export abrun_path
	ask process "$pid"
	unset abrun_path
	is 'process: and where there is no openssl' \
	    "$(value exe_sha256)" "$sum"
}

zombies_are_gone()
{
	started sh -c 'sleep 0 & echo $! >'"$work"'/zombie; exec sleep 60'
	zombie=$(cat "$work/zombie")
	until_true grep -q '^State:.Z' "/proc/$zombie/status"
	for verb in process environ cmdline threads libraries; do
		ask "$verb" "$zombie"
		is "$verb: a zombie is no process" "$status" 2
	done
}

# shellcheck disable=SC2016 # it is Perl
listener='
	use IO::Socket::INET; use IO::Socket::UNIX;
	my @held = map { m{^/}
	    ? IO::Socket::UNIX->new(Local => $_, Listen => 1)
	    : IO::Socket::INET->new(LocalAddr => $_, Listen => 1,
		ReuseAddr => 1) } @ARGV;
	$_ or die $! for @held;
	$| = 1; print "ready\n"; sleep 60;'

listening()
{
	started perl -e "$listener" "$@"
	until_true grep -q ready "$work/started"
}

# A port that nobody uses, below those given to outgoing connections.
free_port()
{
	port=$((10000 + $$ % 20000))
	while ss -Htln "sport = :$port" | grep -q .; do
		port=$((port + 1))
	done
}

owners_are_found()
{
	free_port
	ask owner tcp "$port"
	is 'owner: nobody on the port' "$status" 2
	ask owner socket "$work/$shell.sock"
	is 'owner: nobody on the socket' "$status" 2
	listening "127.0.0.1:$port" "$work/$shell.sock" "$work/$shell.sock2"
	first=$pid
	ask owner tcp "$port"
	is 'owner: of a port' "$(value pid) $(value start) $(value comm)" \
	    "$pid $(start_of "$pid") perl"
	is 'owner: only one' "$(all pid | wc -l)" 1
	is 'owner: its parent' "$(value parent)" "$$"
	ask owner socket "$work/$shell.sock"
	is 'owner: of a socket' "$(value pid) $(value start) $(value comm)" \
	    "$pid $(start_of "$pid") perl"
	ask owner socket "$work/$shell.soc"
	is 'owner: part of a path is another path' "$status" 2
	listening "127.0.0.2:$port"
	ask owner tcp "$port"
	is 'owner: another address of the port counts' \
	    "$(all pid | sort -n | tr '\n' ' ')" "$first $pid "
	rm "$work/$shell.sock"
	listening "$work/$shell.sock"
	ask owner socket "$work/$shell.sock"
	is 'owner: an old server behind an unlinked socket is seen' \
	    "$(all pid | sort -n | tr '\n' ' ')" "$first $pid "
	is 'owner: starts in step' "$(all start | wc -l)" 2
	ask owner udp 1
	is 'owner: of what is neither fails' "$status" 1
	rm -f "$work/$shell.sock" "$work/$shell.sock2"
}

environments_are_read()
{
	odd=$(printf 'two\nlines\ttab\\n\r=')
	started env -i PATH="$PATH" EMPTY= "ODD=$odd" LD_PRELOAD_X=1 \
	    "SECOND=last${nl}" sleep 60
	ask environ "$pid" EMPTY ODD LD_PRELOAD SECOND NOT_THERE
	is 'environ: done' "$status $(value readable)" '0 1'
	is 'environ: an empty variable is not absent' \
	    "$(all env | grep -c '^EMPTY=$')" 1
	is 'environ: an odd value' "$(printf '%b' "$(all env |
	    grep '^ODD=')")" "ODD=$odd"
	is 'environ: a newline at the end' "$(all env | grep '^SECOND')" \
	    'SECOND=last\n'
	is 'environ: a longer name is another name' \
	    "$(all env | grep -c LD_PRELOAD)" 0
	is 'environ: only what is there' "$(all env | wc -l)" 3
	started env -i LD_PRELOAD= sleep 60
	ask environ "$pid" LD_PRELOAD
	is 'environ: LD_PRELOAD= is there' "$(all env)" 'LD_PRELOAD='
	started env -i sleep 60
	ask environ "$pid" LD_PRELOAD
	is 'environ: nothing at all' "$status $(keys)" '0 readable '
	started env -i "X=$(printf 'a\001b')" sleep 60
	ask environ "$pid" X
	is 'environ: what cannot be told is unknown' "$status $(keys)" \
	    '3 error '
	started redis-server --port 0 --save '' --unixsocket "$work/title.sock"
	until_true test -S "$work/title.sock"
	ask environ "$pid" PATH
	is 'environ: what a title has overwritten is unknown' \
	    "$status $(value error | cut -c 1-47)" \
	    '3 the process has overwritten its environment, as'
}

arguments_are_read()
{
	started perl -e 'sleep 60' -- '' 'a b' "x${nl}y" '' ''
	ask cmdline "$pid"
	is 'cmdline: all arguments' "$(all arg | tr '\n' '|')" \
	    'perl|-e|sleep 60|--||a b|x\ny|||'
}

threads_are_counted()
{
	cpu=$(sed -n -e 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' \
	    /proc/self/status)
	all_cpus=$(sed -n -e 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)
	started taskset -c "$cpu" sleep 60
	ask threads "$pid"
	is 'threads: one' "$(value threads) $(all cpus)" "1 $cpu"
	started perl -Mthreads -e \
	    'async { sleep 60 } for 1 .. 3; $| = 1; print "up\n"; sleep 60'
	until_true grep -q up "$work/started"
	ask threads "$pid"
	is 'threads: all of them' "$(value threads)" 4
	is 'threads: one list if all agree' "$(all cpus)" "$all_cpus"
	for task in "/proc/$pid/task"/*; do :; done
	taskset -p -c "$cpu" "${task##*/}" >/dev/null
	ask threads "$pid"
	is 'threads: a thread that differs is seen' "$(all cpus | sort)" \
	    "$(printf '%s\n' "$cpu" "$all_cpus" | sort -u)"
}

# library: mapped and identity of the only file asked for.
library()
{
	printf '%s %s' "$(value mapped)" "$(value identity)"
}

libraries_are_compared()
{
	id=$(stat -L -c %d:%i "$jemalloc")
	started env LD_PRELOAD="$jemalloc" sleep 60
	ask libraries "$pid" "$jemalloc" "$tcmalloc" /nowhere/lib.so
	is 'libraries: three files in step' "$(all library | tr '\n' ' ')" \
	    "$jemalloc $tcmalloc /nowhere/lib.so "
	is 'libraries: yes, no, no' "$(all mapped | tr '\n' ' ')" 'yes no no '
	is 'libraries: identities' "$(all identity | tr '\n' ' ')" \
	    "$id $(stat -L -c %d:%i "$tcmalloc") missing "
	ln -sf "$jemalloc" "$work/alias.so"
	ask libraries "$pid" "$work/alias.so"
	is 'libraries: a link leads to the file' "$(library)" "yes $id"
	cp "$jemalloc" "$work/copy.so.2"
	ask libraries "$pid" "$work/copy.so.2"
	is 'libraries: a copy is another file' "$(value mapped)" no
	started env LD_PRELOAD="$tcmalloc" sleep 60
	ask libraries "$pid" "$tcmalloc" "$jemalloc"
	is 'libraries: the name in maps may be another' \
	    "$(all mapped | tr '\n' ' ')" 'yes no '
	ask libraries "$pid" lib.so
	is 'libraries: half a path fails' "$status" 1
}

# What is mapped of a file that was removed, replaced, or is only named so.
replaced_libraries_are_not_mapped()
{
	copy=$work/libcopy.so.2
	cp "$jemalloc" "$copy"
	id=$(stat -L -c %d:%i "$copy")
	started env LD_PRELOAD="$copy" sleep 60
	old=$pid
	ask libraries "$old" "$copy"
	is 'libraries: the copy is mapped' "$(library)" "yes $id"
	cp "$jemalloc" "$work/new"
	mv "$work/new" "$copy"
	ask libraries "$old" "$copy"
	is 'libraries: replaced on disk is deleted' "$(library)" "deleted $id"
	started env LD_PRELOAD="$copy" sleep 60
	ask libraries "$pid" "$copy"
	is 'libraries: a new process maps the new one' "$(library)" \
	    "yes $(stat -L -c %d:%i "$copy")"
	rm "$copy"
	ask libraries "$old" "$copy"
	is 'libraries: removed is deleted, not absent' "$(library)" "deleted $id"
}

# as_nobody VERB...: like ask, with the rights of another account.
as_nobody()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups \
	    "$shell" hooks/os/linux.sh "$@" >"$work/answer" 2>"$work/noise"
	status=$?
}

without_rights_it_is_unknown()
{
	chmod 755 "$work"
	started env LD_PRELOAD="$jemalloc" sleep 60
	as_nobody environ "$pid" PATH
	is 'not root: environ is unknown' "$status $(keys)" '3 error '
	as_nobody libraries "$pid" "$jemalloc"
	is 'not root: libraries are unknown' "$status $(keys)" '3 error '
	listening "$work/$shell.sock"
	as_nobody owner socket "$work/$shell.sock"
	is 'not root: an owner that cannot be seen is unknown' \
	    "$status $(keys)" '3 error '
	as_nobody process "$pid"
	is 'not root: the process is told' "$(value pid)" "$pid"
	is 'not root: its binary is left out' "$(keys)" 'pid start state comm '
	rm -f "$work/$shell.sock"
	chmod 700 "$work"
}

# Without root, device and inode in maps must do.
own_libraries_are_seen_without_root()
{
	cp "$jemalloc" /dev/shm/abrun-linux-$$.so.2
	started setpriv --reuid=65534 --regid=65534 --clear-groups env \
	    LD_PRELOAD="$jemalloc:/dev/shm/abrun-linux-$$.so.2" sleep 60
	as_nobody libraries "$pid" "$jemalloc" "$tcmalloc"
	is 'not root: own libraries' "$status $(all mapped | tr '\n' ' ')" \
	    '0 yes no '
	as_nobody libraries "$pid" "/dev/shm/abrun-linux-$$.so.2"
	is 'not root: on another device' "$(value mapped)" yes
	rm /dev/shm/abrun-linux-$$.so.2
	as_nobody libraries "$pid" "/dev/shm/abrun-linux-$$.so.2"
	is 'not root: deleted' "$(value mapped)" deleted
	as_nobody environ "$pid" LD_PRELOAD
	is 'not root: own environment' "$(value env)" \
	    "LD_PRELOAD=$jemalloc:/dev/shm/abrun-linux-$$.so.2"
}

libraries_are_resolved()
{
	for name in jemalloc libjemalloc.so.2 "$jemalloc"; do
		ask resolve_library "$name"
		is "resolve_library: $name" "$(all path)" "$jemalloc"
	done
	ask resolve_library libtcmalloc_minimal.so.4
	is 'resolve_library: to the file behind the link' "$(all path)" \
	    "$(readlink -f "$tcmalloc")"
	for name in jemallo libjemalloc.so.9 /nowhere/lib.so; do
		ask resolve_library "$name"
		is "resolve_library: $name is absent" "$status $(keys)" '2 '
	done
	ask resolve_library 'a/*'
	is 'resolve_library: a pattern fails' "$status" 1
}

for shell in dash bash; do
	processes_are_told
	programs_have_an_identity
	programs_are_hashed_by_what_there_is
	zombies_are_gone
	owners_are_found
	environments_are_read
	arguments_are_read
	threads_are_counted
	libraries_are_compared
	replaced_libraries_are_not_mapped
	without_rights_it_is_unknown
	own_libraries_are_seen_without_root
	libraries_are_resolved
done
finish
