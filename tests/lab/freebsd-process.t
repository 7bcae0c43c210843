#!/bin/sh
# hooks/os/freebsd.sh on a simulated FreeBSD: processes, their sockets,
# environments, threads and libraries; of captured outputs, and of processes of
# this machine told of in the same shapes.

set -u
work=$(mktemp -d /tmp/abrun-freebsd.XXXXXX) || exit 1
pids=
end()
{
	for pid in $pids; do
		kill -s KILL "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap end EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
. tests/lib/freebsd.sh

processes_are_told()
{
	pretend_machine
	oid kern.boottime '{ sec = 1594300000, usec = 1 } Thu'
	process 46620 'two words'
	captured procstat-b-12.1-1.txt | sed -n 2p >"$FB/proc/46620/-b"
	ask process 46620
	is 'process: told' "$status $(value pid) $(value start) $(value state)" \
	    '0 46620 1385400 I'
	is 'process: its name holds blanks' "$(value comm)" 'two words'
	is 'process: its program' "$(value exe)" /usr/local/bin/bash
	is 'process: what is not there is not hashed' "$(all exe_sha256)" ''
	is 'process: no noise' "$(cat "$work/noise")" ''
	# The clock is set by an hour: all that it tells moves alike.
	oid kern.boottime '{ sec = 1594303600, usec = 1 } Thu'
	sed -i -e 's/16:57/17:57/' "$FB/proc/46620/ps"
	ask process 46620
	is 'process: the clock is set, and it is the same' "$(value start)" \
	    1385400
	echo 'Z    1 Thu Jul  9 16:57:34 2020     <defunct>' \
	    >"$FB/proc/46620/ps"
	ask process 46620
	is 'process: a zombie is none' "$status" 2
	ask process 99999999
	is 'process: there is none' "$status" 2
	rm "$FB/oid/kern.boottime"
	process 46621 x
	ask process 46621
	is 'process: without the time of the boot it cannot tell' "$status" 3
}

# started WHEN: start of a process in seconds since 1970.
started()
{
	echo "S 1 Mon $1 sh" >"$FB/proc/7/ps"
	ask process 7
	echo "$(($(value start) / 100))"
}

times_are_read()
{
	pretend_machine
	oid kern.boottime '{ sec = 0, usec = 0 } Thu'
	process 7 sh
	for when in 'Jan  1 00:00:00 1970' 'Feb 29 23:59:59 2024' \
	    'Mar  1 00:00:00 2024' 'Dec 31 08:09:10 2026' \
	    'Aug 18 09:08:07 2100'; do
		is "process: started $when" "$(started "$when")" \
		    "$(date -u -d "$when" +%s)"
	done
}

# A process of this machine.
real_processes_are_hashed()
{
	pretend_machine
	cp "$(command -v sleep)" "$work/nap"
	"$work/nap" 60 &
	real=$!
	pids="$pids $real"
	until_true ps_shows nap
	ask process "$real"
	is 'process: a real one' "$(value comm) $(value exe)" "nap $work/nap"
	is 'process: the file that it runs' "$(value exe_sha256)" \
	    "$(sha256sum <"$work/nap" | cut -d ' ' -f 1)"
	identity=$(value exe_identity)
	ask process "$real" "$identity"
	is 'process: what is known is not hashed again' \
	    "$(value exe_identity) $(all exe_sha256)" "$identity "
	cp "$work/nap" "$work/nap.new"
	mv "$work/nap.new" "$work/nap"
	ask process "$real"
	is 'process: another file of that name is not its program' \
	    "$(all exe_sha256)$(all exe_identity)" ''
}

ps_shows()
{
	[ "$(ps -o comm= -p "$real")" = "$1" ]
}

# sockets CAPTURE: what sockstat says.
sockets()
{
	captured "$1" >"$FB/sockets"
	echo "cat '$FB/sockets'" | tool sockstat
}

owners_are_found()
{
	pretend_machine
	for pid in 1963 1155 749 656 2020 542; do
		process "$pid" "of $pid"
	done
	sockets sockstat-4-l-14-1.txt
	ask owner tcp 3306
	is 'owner: 14, right-justified' "$status $(all pid)" '0 1963'
	is 'owner: who it is' "$(value comm) $(value parent)" 'of 1963 1'
	ask owner tcp 33060
	is 'owner: tcp46 is TCP' "$(all pid)" 1963
	ask owner tcp 306
	is 'owner: a part of a port is none' "$status" 2
	sockets sockstat-mariadb-13-1.txt
	ask owner tcp 3306
	is 'owner: mariadbd of 13' "$(all pid)" 1155
	sockets sockstat-11-1.txt
	ask owner tcp 22
	is 'owner: once for both protocols, and no connection' "$(all pid)" 656
	sockets sockstat-13-1.txt
	ask owner socket /var/run/openldap/ldapi
	is 'owner: a socket' "$(all pid)" 542
	ask owner socket /var/run/openldap/lda
	is 'owner: nobody listens' "$status" 2
	rm -r "$FB/proc/542"
	process 542 x
	echo 'Z    1 Thu Jul  9 16:57:34 2020     x' >"$FB/proc/542/ps"
	ask owner socket /var/run/openldap/ldapi
	is 'owner: one that cannot be seen' "$status" 3
	printf 'echo 1001\n' | tool id
	ask owner tcp 1
	is 'owner: a plain user may be shown its own only' "$status" 3
	oid security.bsd.see_other_uids 1
	ask owner tcp 1
	is 'owner: unless all are shown' "$status" 2
}

environments_are_read()
{
	pretend_machine
	process 12 mysqld
	printf '%s\n' '12:  mysqld' 'envp[0]: PATH=/bin' \
	    'envp[1]: ODD=one' 'two envp[9]: X=1' 'envp[2]: EMPTY=' \
	    'envp[3]: LD_LIBMAP=libpthread.so.2=libthr.so.2' \
	    >"$FB/proc/12/penv"
	ask environ 12 ODD EMPTY LD_LIBMAP LD_PRELOAD X
	is 'environ: of 13 on' "$status $(all env | tr '\n' ' ')" \
	    "0 ODD=one\\ntwo envp[9]: X=1 EMPTY= LD_LIBMAP=libpthread.so.2=libthr.so.2 "
	printf '%s\n' '12:  mysqld' '-' >"$FB/proc/12/penv"
	ask environ 12 X
	is 'environ: none is an answer' "$status $(keys)" '0 readable '
	printf '%s\n' 'procstat: sysctl(kern.proc.env): Cannot allocate memory' \
	    '12:  mysqld' '-' >"$FB/proc/12/penv"
	ask environ 12 X
	is 'environ: what could not be read is unknown' "$status" 3
	process 41375 tposd
	touch "$FB/old"
	captured procstat-e-enomem-15.1-1.txt | sed 2d >"$FB/proc/41375/-e"
	ask environ 41375 X
	is 'environ: of 15.1 with its error, though all ends with 0' "$status" 3
	echo '   12 mysqld           A=1 LD_LIBMAP=a=b,c=d B=x y' \
	    >"$FB/proc/12/-e"
	ask environ 12 LD_LIBMAP A
	is 'environ: up to 12' "$status $(all env | tr '\n' ' ')" \
	    '0 A=1 LD_LIBMAP=a=b,c=d '
	ask environ 12 B
	is 'environ: where a value ends cannot be told' "$status" 3
	echo '   12 mysqld           -' >"$FB/proc/12/-e"
	ask environ 12 B
	is 'environ: up to 12 none' "$status $(keys)" '0 readable '
	rm "$FB/proc/12/-e"
	ask environ 12 B
	is 'environ: a tool that fails is unknown' "$status" 3
}

command_lines_are_read()
{
	pretend_machine
	process 12 mysqld
	printf '%s\n' '12:  mysqld' 'argv[0]: mysqld' 'argv[1]: --a=b c' \
	    >"$FB/proc/12/pargs"
	ask cmdline 12
	is 'cmdline: of 13 on' "$(all arg | tr '\n' ';')" 'mysqld;--a=b c;'
	process 1 init
	touch "$FB/old"
	captured procstat-args-12.1-1.txt | sed 1d >"$FB/proc/1/-c"
	ask cmdline 1
	is 'cmdline: up to 12' "$(all arg | tr '\n' ';')" '/sbin/init;--;'
}

threads_are_counted()
{
	pretend_machine
	process 12 mysqld
	cat >"$FB/proc/12/-S" <<-'END'
		   12 100123 mysqld              -                     1    2 0-3
		   12 100124 mysqld              ib io rd-1            -    2 0-3
		   12 100125 mysqld              worker 7              3    2 1,3
		   12 100126 mysqld              -                     3   -1 
	END
	ask threads 12
	is 'threads: how many, and where' \
	    "$(value threads) $(all cpus | tr '\n' ' ')" '3 0-3 1,3 '
	echo 'procstat: sysctl: kern.proc.pid: 12: No such process' \
	    >"$FB/proc/12/-S"
	ask threads 12
	is 'threads: what cannot be read is unknown' "$status" 3
}

# row TEXT: a mapping of process 12.
row()
{
	printf '   12     0x3fb796200000     0x3fb796c00000 %s\n' "$1" \
	    >>"$FB/proc/12/-v"
}

# mapped FILE...: what fstat tells of it.
mapped()
{
	echo 'USER     CMD          PID   FD  DEV         INUM    MODE SZ|DV R/W'
	echo 'mysql    my sqld       12   wd  0x1f    4 40755   10  r'
	stat -L -c 'mysql    my sqld       12 mmap 0x%D %i %a %s  r' "$@"
} >"$FB/proc/12/ids"

libraries_are_proved()
{
	pretend_machine
	process 12 mysqld
	lib=$ABRUN_ROOT/lib
	mkdir -p "$lib"
	for name in libthr.so.3 libc.so.7 libkse.so.3; do
		echo "$name" >"$lib/$name"
	done
	row 'r-x   37    0  12   6 C---- vn '"$lib/libthr.so.3"
	row 'r-x   37    0  12   6 C---- vn '"$lib/libc.so.7"
	row 'rw-   29   29   1   0 ----- sw '
	mapped "$lib/libthr.so.3" "$lib/libc.so.7"
	ask libraries 12 "$lib/libthr.so.3" "$lib/libkse.so.3" /no/such
	is 'libraries: one is, one is not, one is nowhere' \
	    "$status $(all mapped | tr '\n' ' ')" '0 yes no no '
	is 'libraries: identity' "$(all identity | tail -n 1)" missing
	ask libraries 12 libthr.so.3
	is 'libraries: a bare name fails' "$status" 1
	ln -s libthr.so.3 "$lib/libpthread.so"
	ask libraries 12 "$lib/libpthread.so"
	is 'libraries: by a link' "$(all mapped)" yes
	# The kernel does not remember the name.
	rm "$FB/proc/12/-v"
	row 'r-x   37    0  12   6 C---- vn '
	ask libraries 12 "$lib/libthr.so.3" "$lib/libkse.so.3"
	is 'libraries: a name that is not remembered' \
	    "$status $(all mapped | tr '\n' ' ')" '0 yes no '
	# Replaced by an upgrade: its file has no name.
	cp "$lib/libkse.so.3" "$lib/new"
	mapped "$lib/libthr.so.3" "$lib/new"
	rm "$lib/new"
	ask libraries 12 "$lib/libthr.so.3"
	is 'libraries: what is mapped is, whatever else' "$(all mapped)" yes
	ask libraries 12 "$lib/libkse.so.3"
	is 'libraries: what was replaced is unknown, not absent' "$status" 3
	row 'r-x   37    0  12   6 C---- vn '"$lib/libc.so.7"
	mapped "$lib/libthr.so.3"
	ask libraries 12 "$lib/libc.so.7"
	is 'libraries: by name alone is unknown' "$status" 3
	rm "$lib/libc.so.7"
	ask libraries 12 "$lib/libc.so.7"
	is 'libraries: removed since' "$(all mapped)" deleted
	: >"$FB/proc/12/ids"
	ask libraries 12 "$lib/libthr.so.3"
	is 'libraries: without fstat unknown' "$status" 3
}

# libmap.conf names them.
libraries_are_resolved()
{
	pretend_machine
	lib=$ABRUN_ROOT/lib
	mkdir -p "$lib" "$ABRUN_ROOT/usr/lib" "$ABRUN_ROOT/opt"
	echo x >"$lib/libthr.so.3"
	ln -s ../../lib/libthr.so.3 "$ABRUN_ROOT/usr/lib/libthr.so"
	ask resolve_library libthr
	is 'resolve_library: by its name' "$status $(all path)" \
	    "0 $lib/libthr.so.3"
	ask resolve_library libkse
	is 'resolve_library: absent' "$status" 2
	echo x >"$ABRUN_ROOT/opt/libkse.so.3"
	printf '%s\n' "$ABRUN_ROOT/var/run/ld-elf.so.hints:" \
	    '	search directories: /lib:/opt' \
	    "	0:-lkse.3 => $ABRUN_ROOT/opt/libkse.so.3" >"$FB/hints"
	echo "cat '$FB/hints'" | tool ldconfig
	ask resolve_library libkse.so.3
	is "resolve_library: by the linker's hints" "$(all path)" \
	    "$ABRUN_ROOT/opt/libkse.so.3"
	ask hash "$lib/libthr.so.3" "$lib"
	is 'hash' "$(all sha256 | tr '\n' ' ')" \
	    "$(echo x | sha256sum | cut -d ' ' -f 1) missing "
}

# As FreeBSD's sh is one of dash's family, what differs in others is not told.
shell=dash
processes_are_told
times_are_read
real_processes_are_hashed
owners_are_found
environments_are_read
command_lines_are_read
threads_are_counted
libraries_are_proved
libraries_are_resolved
finish
