# shellcheck shell=sh
# A lab of one host on loopback, for the demo and for end to end tests: a real
# sshd and the data directory of a real mariadbd, all below one private
# directory.  Source tests/lib/sshd.sh, then this file, then
#
#     sandbox_up DIR [ALIAS]   makes DIR (must not exist) and starts sshd
#     sandbox_down DIR         ends all that runs there, removes DIR
#
# DIR then holds what sshd.sh puts there (ssh_config, known_hosts, keys) and
#
#     data/          of mariadbd, with an empty database "test"; root may log
#                    in on the socket without a password
#     tmp/           for its temporary tables
#     mysqld.sock    where the server is to listen
#
# Nothing is started for mariadbd: that is abrun's part.

# A path of a Unix socket holds 107 bytes at most.
sandbox_socket_bytes=107

sandbox_up()
{
	if [ "$(printf %s "$1/mysqld.sock" | wc -c)" -gt $sandbox_socket_bytes ]; then
		echo "sandbox.sh: $1 is too long for a socket's path" >&2
		return 1
	fi
	mkdir -m 700 "$1" || return 1
	sshd_make "$1" "alias=${2:-lab}" && sandbox_database "$1" &&
		sshd_start "$1"
}

sandbox_database()
{
	# At its start a mariadbd removes the temporary tables of all others that
	# have the same directory for them.
	mkdir -p "$1/tmp" || return 1
	if ! TMPDIR="$1/tmp" mariadb-install-db --no-defaults --user="$(id -un)" \
		--datadir="$1/data" --auth-root-authentication-method=normal \
		>"$1/install-db.log" 2>&1; then
		echo "sandbox.sh: mariadb-install-db failed:" >&2
		tail -n 5 "$1/install-db.log" >&2
		return 1
	fi
	mkdir -p "$1/data/test"
}

# The processes that have DIR in their arguments as a whole word's beginning,
# and are no shell or tool of ours: servers left over by a killed abrun.
sandbox_servers()
{
	for _proc in /proc/[0-9]*; do
		_exe=$(readlink "$_proc/exe" 2>/dev/null) || continue
		case $_exe in
		*/mariadbd | */mysqld)
			if tr '\0' '\n' <"$_proc/cmdline" |
				grep -q -F -x -e "--datadir=$1/data"; then
				echo "${_proc#/proc/}"
			fi
			;;
		esac
	done
}

sandbox_down()
{
	[ -d "$1" ] || return 0
	for _server in $(sandbox_servers "$1"); do
		kill -s TERM "$_server" 2>/dev/null
		_waits=0
		while [ -r "/proc/$_server/exe" ] && [ "$_waits" -lt 100 ] &&
			readlink "/proc/$_server/exe" >/dev/null 2>&1; do
			_waits=$((_waits + 1))
			sleep 0.1
		done
		kill -s KILL "$_server" 2>/dev/null
	done
	sshd_remove "$1"
}
