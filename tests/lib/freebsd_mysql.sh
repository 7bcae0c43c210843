# shellcheck shell=sh
# A mysqld on the pretended FreeBSD, as a service of rc(8): source this file
# after freebsd_host.sh, before fb_up.  The server is a real mariadbd and its
# environment and maps are real; what is simulated is rc(8), the tools that
# tell of them, and FreeBSD's linker: by LD_LIBMAP, and by libmap.conf(5) where
# it names mysqld, one of two libraries is chosen, which then is mapped in it.
# A load is an abload that measures nothing: its figure is made of the kernel
# that runs and of the library that is mapped.
#
#     fb_kernels NAME...   kernels besides those of freebsd_host.sh
#     fb_root              each file that must be as it was after a night
#
# Faults, besides those of freebsd_host.sh:
#
#     mysql_not_restarted   rc(8) has lost the server that runs, and starts none
#     mysql_old_env         the service is started without its settings
#     mysql_wrong_lib       the linker takes the other library
#     service_rc0_noop      service(8) starts nothing and ends with 0

# shellcheck disable=SC2034,SC2154 # night.sh and freebsd_host.sh have the rest

fb_port=$(sshd_free_port) || exit 1

fb_kernels()
{
	for _kernel; do
		mkdir -p "$ABRUN_ROOT/boot/$_kernel"
		echo "$_kernel" >"$ABRUN_ROOT/boot/$_kernel/kernel"
		touch -d '1 Jan 2020' "$ABRUN_ROOT/boot/$_kernel/kernel"
	done
}

fb_root()
{
	(cd "$ABRUN_ROOT" && find . -path ./var/run -prune -o -type f -print |
		sort | xargs cksum)
}

# fb_library FILE: a library that has nothing and, once it was mapped, stays.
fb_library()
{
	mkdir -p "${1%/*}"
	echo "const char *name = \"${1##*/}\";" |
		gcc -shared -fPIC -Wl,-z,nodelete -x c -o "$1" - || exit 1
}

fb_mysql()
{
	sandbox_database "$work/db" >"$work/said" 2>&1 || exit 1
	fb_library "$ABRUN_ROOT/lib/libthr.so.3"
	fb_library "$ABRUN_ROOT/usr/lib/libpthread.so.2"
	# mariadbd puts .so behind a name, and takes none with a slash.
	mkdir -p "$FB/linker"
	ln -s "$ABRUN_ROOT/lib/libthr.so.3" "$FB/linker/libthr.so.3.so"
	ln -s "$ABRUN_ROOT/usr/lib/libpthread.so.2" \
		"$FB/linker/libpthread.so.2.so"
	mkdir -p "$ABRUN_ROOT/usr/local/etc/rc.d" "$ABRUN_ROOT/etc/rc.conf.d"
	echo 'includedir /usr/local/etc/libmap.d' >"$ABRUN_ROOT/etc/libmap.conf"
	echo 'hostname="fb1"' >"$ABRUN_ROOT/etc/rc.conf"
	printf '#!/bin/sh\nname=mysql\nrcvar=mysql_enable\n: %s\n' \
		"\${mysql_args}" >"$ABRUN_ROOT/usr/local/etc/rc.d/mysql-server"
	chmod 755 "$ABRUN_ROOT/usr/local/etc/rc.d/mysql-server"
	fb_service
	fb_sockstat
	fb_abload
}

# mysqld of 6.x is linked with libpthread.
fb_service()
{
	tool service <<END
db=$work/db port=$fb_port
END
	cat >>"$FB/bin/service" <<'END'
[ "$1" = mysql-server ] || exit 1
pid=$(cat "$FB/mysql.pid" 2>/dev/null)
runs()
{
	[ -n "$pid" ] && read -r _ _ state _ 2>/dev/null <"/proc/$pid/stat" &&
		[ "$state" != Z ]
}
# mapped LINES: what stands for libpthread.so.2 there.
mapped()
{
	printf '%s\n' "$1" | sed -n -e 's/^libpthread\.so\.2[= ]//p' | tail -n 1
}
# The environment is told behind the file, and wins.
library()
{
	file=$(cat "$ABRUN_ROOT"/usr/local/etc/libmap.d/*.conf 2>/dev/null |
		sed -n -e '/^\[mariadbd]$/,$p')
	found=$(mapped "$file")
	for word in $mysql_env; do
		case $word in
		LD_LIBMAP=*) found=$(mapped "$(echo "${word#*=}" |
			tr ',' '\n')") ;;
		esac
	done
	if [ -e "$FB/fault/mysql_wrong_lib" ]; then
		[ -n "$found" ] && found='' || found=libthr.so.3
	fi
	echo "${found:-libpthread.so.2}"
}
start()
{
	mysql_env=
	[ -e "$FB/fault/mysql_old_env" ] ||
		[ ! -e "$ABRUN_ROOT/etc/rc.conf.d/mysql" ] ||
		. "$ABRUN_ROOT/etc/rc.conf.d/mysql"
	library=$(library)
	rm -f "$FB/mysql.pid"
	# shellcheck disable=SC2086
	env -i HOME=/ PATH=/usr/sbin:/usr/bin:/bin $mysql_env "$FB/setsid" \
		--fork sh -c 'echo $$ >"$1"; shift; exec "$@"' sh \
		"$FB/mysql.pid" mariadbd --no-defaults --user=root \
		--datadir="$db/data" --tmpdir="$db/tmp" --port="$port" \
		--bind-address=127.0.0.1 --socket="$db/sock" \
		--innodb-buffer-pool-size=16M --innodb-log-file-size=8M \
		--innodb-flush-log-at-trx-commit=0 --key-buffer-size=1M \
		--aria-pagecache-buffer-size=1M --plugin-dir="$FB/linker" \
		--plugin-load-add="$library" </dev/null >"$db/log" 2>&1
	until [ -s "$FB/mysql.pid" ]; do
		sleep 0.05
	done
}
case $2 in
rcvar) printf '# mysql\n#\nmysql_enable="NO"\n#   (default: "")\n' ;;
onestatus)
	if runs && [ ! -e "$FB/fault/mysql_not_restarted" ]; then
		echo "mysql is running as pid $pid."
	else
		echo 'mysql is not running.'
		exit 1
	fi
	;;
onestart)
	if [ -e "$FB/fault/service_rc0_noop" ]; then
		echo "Cannot 'start' mysql. Set mysql_enable to YES in /etc/rc.conf or use 'onestart' instead of 'start'."
		exit 0
	fi
	if [ -e "$FB/fault/mysql_not_restarted" ]; then
		:
	elif runs; then
		echo "mysql already running?  (pid=$pid)." >&2
		exit 1
	else
		start
	fi
	echo 'Starting mysql.'
	;;
onestop)
	if ! runs || [ -e "$FB/fault/mysql_not_restarted" ]; then
		echo 'mysql not running? (check /var/db/mysql/fb1.pid).' >&2
		exit 1
	fi
	echo 'Stopping mysql.'
	echo "Waiting for PIDS: $pid."
	kill -s TERM "$pid"
	while runs; do
		sleep 0.05
	done
	;;
esac
END
}

fb_sockstat()
{
	ln -sf "$(command -v ss)" "$FB/ss"
	tool sockstat <<'END'
[ "$1$2$3$4$5$6" = -4-6-l-Ptcp-p ] || exit 64
echo 'USER     COMMAND    PID   FD  PROTO  LOCAL ADDRESS         FOREIGN ADDRESS'
"$FB/ss" -Htlnp "sport = :$7" | sed -n -e \
    's/^LISTEN  *[0-9]*  *[0-9]*  *\([^ ]*\) .*users:(("\([^"]*\)",pid=\([0-9]*\),fd=\([0-9]*\).*/root     \2   \3 \4  tcp4   \1       *:*/p'
END
}

# In the shape of abload's own JSON.
fb_abload()
{
	tool abload <<END
FB=$FB
sql()
{
	/usr/bin/mariadb --no-defaults -h 127.0.0.1 -P $fb_port -u root test -e "\$1"
}
END
	cat >>"$FB/bin/abload" <<'END'
case " $* " in
*' --version '*) echo 'abload 0 (pretended)' ;;
*' --prepare '*)
	sql 'CREATE OR REPLACE TABLE http_auth (username char(25) PRIMARY KEY,
	    pass char(25)); INSERT INTO http_auth VALUES ("a", "x"), ("b", "y")'
	;;
*' --cleanup '*) sql 'DROP TABLE IF EXISTS http_auth' ;;
*)
	echo "$*" >>"$FB/abload.ran"
	rate=20000
	case $* in
	*update-select*) rate=8000 ;;
	esac
	[ "$(cat "$FB/oid/kern.sched.name")" = 4BSD ] || rate=$((rate * 9 / 10))
	! grep -q libthr "/proc/$(cat "$FB/mysql.pid")/maps" ||
		rate=$((rate * 5 / 4))
	case $* in
	*--seed=*[02468]' '*) rate=$((rate + 40)) ;;
	esac
	cat <<-OUT
		{
		 "valid": true,
		 "total_queries": $((rate / 20)),
		 "total_q_per_s": $((rate / 20 * 20)),
		 "window_s": 0.05,
		 "kinds": [
		  {
		   "connected": 10,
		  }
		 ],
		 "cpu": {
		  "client_us_per_query": 12.5,
		 }
		}
	OUT
	;;
esac
END
}
fb_mysql
