#!/bin/sh
# hooks/os/linux.sh: what is seen of a load that is itself the subject.

set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
end()
{
	"$shell" hooks/os/linux.sh load_kill "$work/dir" >/dev/null 2>&1
	rm -rf "$work"
}
trap end EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh

mkdir "$work/dir"
chmod 755 "$work"
printf 'int count;\n' >"$work/lib.c"
cat >"$work/nap.c" <<'END'
#include <unistd.h>
int main(void) { return (int)sleep(1); }
END
for name in one two; do
	cc -shared -fPIC -o "$work/lib$name.so" "$work/lib.c" || exit 1
done
cc -o "$work/nap" "$work/nap.c" && cc -static -o "$work/static" "$work/nap.c" &&
    cp "$work/nap" "$work/setuid" && chown 65534 "$work/setuid" &&
    chmod 4755 "$work/setuid" || exit 1

# prove COMMAND [ENV...]: runs it with libone.so before all and looks.
prove()
{
	command=$1
	shift
	ask load_prove "$work/dir" 20000 1000 "${cpus-}" $(($# + 1)) "$@" \
	    "LD_PRELOAD=$work/libone.so" "$command"
	ended="$status $(value exit)"
	run=$(value run)
	ask load_seen "$run" X LD_PRELOAD "$work/libone.so" "$work/libtwo.so"
}

programs_are_seen()
{
	prove "exec $work/nap" 'X=a b'
	is 'exec: it ends well' "$ended" '0 0'
	is 'exec: the program is seen' "$status $(value subject)" '0 program'
	is 'exec: the process that the shell became' \
	    "$(value comm) $(value pid)" "nap $(cat "$run/held")"
	is 'exec: its variables' "$(all env)" "X=a b
LD_PRELOAD=$work/libone.so"
	is 'exec: its libraries, by device and inode' \
	    "$(all mapped) $(all identity)" "yes
no $(stat -c %d:%i "$work/libone.so" "$work/libtwo.so")"
	is 'exec: its binary' "$(value exe_sha256)" \
	    "$(sha256sum <"$work/nap" | cut -d ' ' -f 1)"
	is 'exec: its CPUs are those of this shell' "$(value cpus)" \
	    "$(sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status)"

	cpus=$(sed -n 's/^Cpus_allowed_list:.\([0-9]*\).*/\1/p' /proc/self/status)
	prove "$work/nap; echo done"
	is 'nobody looks on when it is over' "$(pgrep -f "keeper $run ")" ''
	is 'a program below the shell is seen' \
	    "$(value subject) $(value comm)" 'program nap'
	is 'with its library' "$(all mapped)" "yes
no"
	is 'and its CPUs' "$(value cpus)" "$cpus"
	cpus=
	prove "X=c; export X; LD_PRELOAD=$work/libtwo.so exec $work/nap" X=a
	is 'what the command itself sets is seen' "$(all env | sort) $(all mapped)" \
	    "LD_PRELOAD=$work/libtwo.so
X=c no
yes"
}

# The loader of these passes LD_PRELOAD over, and says nothing.
programs_without_the_library_are_caught()
{
	prove "exec $work/static"
	is 'a static program has no library' \
	    "$ended $(value subject) $(value comm) $(all mapped)" \
	    "0 0 program static no
no"
	is 'though its environment has it' "$(all env)" \
	    "LD_PRELOAD=$work/libone.so"
	prove "exec $work/setuid"
	is 'nor has one that changes its user' \
	    "$ended $(value comm) $(all mapped)" "0 0 setuid no
no"
	prove "$work/static; :"
	is 'nor a static one below the shell' \
	    "$(value subject) $(all mapped)" "program no
no"
}

short_loads_are_told()
{
	prove ':' X=1
	case $(value subject) in
	held | shell) pass 'short: no program was seen' ;;
	*) fail 'short: no program was seen' "$(value subject)" ;;
	esac
	is 'short: it was given its variables' "$(all env)" "X=1
LD_PRELOAD=$work/libone.so"
	cpus=4095
	prove 'exec sleep 1'
	cpus=
	ok 'a load that is not given its CPUs fails' [ "$ended" != '0 0' ]
	is 'and there is nothing to see' "$status" 2
	ask load_seen "$work/dir/run.none" X
	is 'load_seen: no such run' "$status" 2
}

# While the load is held, too.
limits_are_kept()
{
	ask load_prove "$work/dir" 300 1000 '' 0 'echo begun; exec sleep 3067'
	is 'deadline: told' "$status $(value timed_out) $(value out)" \
	    '0 yes begun'
	is 'deadline: all are gone' "$(pgrep -f 'sleep 3067$')" ''
	"$shell" hooks/os/linux.sh load_prove "$work/dir/run.cut" 20000 1000 '' \
	    0 'exec sleep 3067' >"$work/cut" 2>&1 &
	call=$!
	until_true [ -e "$work/dir/run.cut/keeper.pid" ]
	ask load_kill "$work/dir"
	is 'load_kill: ends it at any time' "$status" 0
	wait "$call"
	is 'load_kill: gone' "$(pgrep -f 'sleep 3067$')" ''
	is 'a load of load_run is not held' "$(
		"$shell" hooks/os/linux.sh load_run "$work/dir" 20000 1000 '' 0 \
		    "ls \"\$ABRUN_RUN\"" | grep -c 'gate\|held')" 0
}

for shell in dash bash; do
	programs_are_seen
	programs_without_the_library_are_caught
	short_loads_are_told
	limits_are_kept
done
finish
