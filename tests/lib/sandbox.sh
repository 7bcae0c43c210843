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

# sandbox_install DIR: makes DIR/data, with DIR/tmp for temporary tables.
sandbox_install()
{
	mkdir -p "$1/tmp" || return 1
	if ! TMPDIR="$1/tmp" mariadb-install-db --no-defaults --user="$(id -un)" \
		--datadir="$1/data" --auth-root-authentication-method=normal \
		--innodb-log-file-size=8M >"$1/install-db.log" 2>&1; then
		echo "sandbox.sh: mariadb-install-db failed:" >&2
		tail -n 5 "$1/install-db.log" >&2
		return 1
	fi
	mkdir -p "$1/data/test"
}

# What mariadb-install-db makes is the same each time: where the variable
# sandbox_template names a directory it is made once for each version, there,
# and then copied.  Of two that make it at once the first one's stays.
sandbox_database()
{
	# At its start a mariadbd removes the temporary tables of all others that
	# have the same directory for them.
	mkdir -p "$1/tmp" || return 1
	if [ -z "${sandbox_template-}" ]; then
		sandbox_install "$1"
		return
	fi
	_template=$sandbox_template-$(mariadbd --version | cksum | tr ' ' -)
	if [ ! -d "$_template" ]; then
		sandbox_install "$_template.$$" || return 1
		mv -T "$_template.$$" "$_template" 2>/dev/null ||
			rm -rf "$_template.$$"
	fi
	cp -a "$_template/data" "$1/data"
}

# The processes that have DIR in their arguments as a whole word's beginning,
# and are no shell or tool of ours: servers left over by a killed abrun.
sandbox_servers()
{
	find /proc/[0-9]*/exe -maxdepth 0 \
		\( -lname '*/mariadbd' -o -lname '*/mysqld' \) 2>/dev/null |
		while IFS=/ read -r _ _ _pid _; do
			if tr '\0' '\n' <"/proc/$_pid/cmdline" |
				grep -q -F -x -e "--datadir=$1/data"; then
				echo "$_pid"
			fi
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
