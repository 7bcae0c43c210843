# shellcheck shell=sh
# A real sshd for tests and for the demo: source this file, then
#
#     sshd_make DIR [KEY=VALUE...]   keys, ssh_config, known_hosts in DIR
#     sshd_start DIR                 starts it, waits until it answers
#     sshd_stop DIR                  ends it and all its sessions
#     sshd_remove DIR                the same, and removes DIR
#
# DIR is private to one server and becomes 0700.  It then holds
#
#     port, pid              of the listening sshd
#     host_key, user_key     with .pub; ed25519
#     known_hosts            the host's key, as 127.0.0.1 and the port
#     ssh_config             aliases (see alias=) with all of the above
#     home/                  what the login sees as HOME: empty, so that no
#                            shell start-up file of this machine is read
#     locks/                 the lock of the host, kept there by abrun
#     sshd_config, sshd.log
#
# KEY=VALUE of sshd_make:
#
#     alias="lab lab_1"   names in ssh_config (default: lab)
#     shell=/usr/bin/csh  the login shell that is pretended: the command goes
#                         through SHELL -c, as sshd does it
#     config="LINE"       one more line of sshd_config; may be repeated
#
# Nothing outside DIR is changed but /run/sshd, which sshd insists on; it is
# made where missing and removed again by the one that made it.  Several
# servers may run at once, each in a DIR of its own.

# A TCP port on loopback that nobody listens on now.  Ports below the range
# that the kernel gives to outgoing connections, so that none is taken away.
sshd_free_port()
{
	_tries=0
	while [ "$_tries" -lt 200 ]; do
		_tries=$((_tries + 1))
		_port=$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')
		_port=$((10000 + _port % 20000))
		if ! ss -Htln "sport = :$_port" | grep -q .; then
			echo "$_port"
			return 0
		fi
	done
	echo "sshd.sh: no free port" >&2
	return 1
}

sshd_make()
{
	_dir=$1
	shift
	_aliases=lab
	_shell=
	mkdir -p "$_dir/home" && chmod 700 "$_dir" || return 1
	_dir=$(cd "$_dir" && pwd) || return 1
	: >"$_dir/sshd_extra"
	for _word in "$@"; do
		case $_word in
		alias=*) _aliases=${_word#alias=} ;;
		shell=*) _shell=${_word#shell=} ;;
		config=*) echo "${_word#config=}" >>"$_dir/sshd_extra" ;;
		*)
			echo "sshd.sh: what is $_word?" >&2
			return 1
			;;
		esac
	done
	for _key in host_key user_key; do
		rm -f "$_dir/$_key" "$_dir/$_key.pub"
		ssh-keygen -q -t ed25519 -N '' -C "$_key" -f "$_dir/$_key" ||
			return 1
	done
	cp "$_dir/user_key.pub" "$_dir/authorized_keys" || return 1
	_port=$(sshd_free_port) || return 1
	echo "$_port" >"$_dir/port"
	sshd_write_config "$_dir" "$_port" "$_shell" &&
		sshd_write_client "$_dir" "$_port" "$_aliases"
}

# sshd_config, and the pretended login shell.
sshd_write_config()
{
	cat >"$1/sshd_config" <<-END
		Port $2
		ListenAddress 127.0.0.1
		HostKey $1/host_key
		PidFile none
		AuthorizedKeysFile $1/authorized_keys
		StrictModes no
		UsePAM no
		PasswordAuthentication no
		KbdInteractiveAuthentication no
		PermitRootLogin yes
		MaxStartups 1000
		MaxSessions 100
		LoginGraceTime 60
		PrintMotd no
		PrintLastLog no
		SetEnv HOME=$1/home ABRUN_LOCKS=$1/locks
	END
	[ -z "$3" ] || sshd_force "$1" "$3" >>"$1/sshd_config"
	cat "$1/sshd_extra" >>"$1/sshd_config"
	rm -f "$1/sshd_extra"
}

# sshd has the login's own shell start what is forced; where that is no Bourne
# shell, a script of one.
sshd_force()
{
	_force="SHELL=$2 exec $2 -c \"\$SSH_ORIGINAL_COMMAND\""
	case $(getent passwd "$(id -u)") in
	*/sh | */bash | */dash | */zsh) echo "ForceCommand $_force" ;;
	*)
		printf '#!/bin/sh\n%s\n' "$_force" >"$1/shell"
		chmod 755 "$1/shell"
		echo "ForceCommand exec $1/shell"
		;;
	esac
}

# ssh_config and known_hosts.
sshd_write_client()
{
	echo "[127.0.0.1]:$2 $(cut -d' ' -f1,2 "$1/host_key.pub")" \
		>"$1/known_hosts"
	cat >"$1/ssh_config" <<-END
		Host $3
		  HostName 127.0.0.1
		  Port $2
		  User $(id -un)
		  IdentityFile $1/user_key
		  IdentitiesOnly yes
		  UserKnownHostsFile $1/known_hosts
	END
}

# sshd insists on /run/sshd, also at every login.  Who makes it leaves a mark;
# each server has a token there, and the last one to go takes all away.
sshd_need_run()
{
	# An sshd of a common user does not separate, and needs no directory.
	[ "$(id -u)" -eq 0 ] || return 0
	(
		flock 9
		if [ ! -d /run/sshd ]; then
			mkdir -m 755 /run/sshd || exit 1
			: >/run/sshd/.abrun
		fi
		: >"/run/sshd/.abrun.$1"
	) 9</run
}

sshd_leave_run()
{
	[ "$(id -u)" -eq 0 ] || return 0
	(
		flock 9
		for _token in /run/sshd/.abrun.*; do
			_owner=${_token##*.}
			if [ "$_owner" = "$1" ] ||
				! kill -0 "$_owner" 2>/dev/null; then
				rm -f "$_token"
			fi
		done
		set -- /run/sshd/.abrun.*
		if [ ! -e "$1" ] && [ -e /run/sshd/.abrun ]; then
			rm -f /run/sshd/.abrun
			rmdir /run/sshd
		fi
	) 9</run
}

sshd_answers()
{
	ssh-keyscan -T 2 -p "$1" 127.0.0.1 2>/dev/null | grep -q .
}

sshd_start()
{
	_dir=$(cd "$1" && pwd) || return 1
	_port=$(cat "$_dir/port")
	sshd_need_run $$ || return 1
	"$(command -v sshd || echo /usr/sbin/sshd)" -D -e \
		-f "$_dir/sshd_config" 2>>"$_dir/sshd.log" </dev/null &
	echo $! >"$_dir/pid"
	sshd_need_run $! && sshd_leave_run $$
	_tries=0
	while ! sshd_answers "$_port"; do
		_tries=$((_tries + 1))
		if [ "$_tries" -gt 50 ] ||
			! kill -0 "$(cat "$_dir/pid")" 2>/dev/null; then
			echo "sshd.sh: sshd does not answer on port $_port:" >&2
			tail -n 5 "$_dir/sshd.log" >&2
			return 1
		fi
		sleep 0.1
	done
}

# The processes of the sessions of this sshd: its children and theirs.
sshd_sessions()
{
	_found=$(ps -A -o pid= -o ppid= | awk -v p="$(cat "$1/pid")" '
		{ parent[$1] = $2 }
		END {
			for (c in parent)
				for (q = c; q in parent; q = parent[q])
					if (parent[q] == p) { print c; break }
		}')
	echo "$_found"
}

sshd_stop()
{
	[ -s "$1/pid" ] || return 0
	_all="$(sshd_sessions "$1")"
	_pid=$(cat "$1/pid")
	rm -f "$1/pid"
	# A stopped process must go on to be able to end.
	for _one in $_pid $_all; do
		kill -s CONT "$_one" 2>/dev/null
		kill -s KILL "$_one" 2>/dev/null
	done
	wait "$_pid" 2>/dev/null
	sshd_leave_run "$_pid"
}

sshd_remove()
{
	[ -d "$1" ] || return 0
	sshd_stop "$1"
	rm -rf "$1"
}
