# shellcheck shell=sh
# Two pretended hosts for nights of several targets: source this file after
# night.sh, instead of night_lab.  Each host, one and two, has files and a
# network of its own by namespaces; data of its server lie at the same path,
# $db, in each.  $work/ssh_config has both as aliases.
#
#     host_up NAME      the host runs
#     host_down NAME    it and all that runs on it is gone, as by a power cut

# shellcheck disable=SC2034,SC2154 # work, tmp, helpers, night are night.sh's
hosts_nap=$((400000 + $$))
db=$work/db
mkdir "$db" "$work/lab" "$work/lab/empty" "$tmp/one" "$tmp/two"
sandbox_database "$work/lab" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
sshd_need_run $$

host_up()
{
	unshare -m -n sh -c "ip link set lo up &&
		mount --bind '$work/db-$1' '$db' && echo >'$work/up-$1' &&
		exec sleep $hosts_nap" &
	helpers="$helpers $!"
	echo $! >"$work/host-$1"
	wait_for test -e "$work/up-$1"
	rm "$work/up-$1"
}
# Everything that runs in it: nothing of a host that is down already, and never
# what runs in the network of this machine itself.
host_processes()
{
	_net=$(readlink "/proc/$(cat "$work/host-$1")/ns/net") || return 0
	[ "$_net" != "$(readlink "/proc/$$/ns/net")" ] || return 0
	_net=${_net#*[} # net:[NUMBER]
	find /proc/[0-9]*/ns/net -maxdepth 0 -lname "net:?${_net%]}?" 2>/dev/null |
		cut -d / -f 3
}
host_down()
{
	# shellcheck disable=SC2046 # words
	kill -s KILL $(host_processes "$1") 2>/dev/null
	{ wait "$(cat "$work/host-$1")"; } 2>/dev/null
}
hosts_clean()
{
	[ -z "$night" ] || kill -s KILL "$night"
	host_down one
	host_down two
	sshd_leave_run $$
	night_clean
}
trap hosts_clean EXIT

: >"$work/ssh_config"
for name in one two; do
	cp -r "$work/lab" "$work/db-$name"
	cat >"$work/sh-$name" <<-END
		#!/bin/sh
		TMPDIR=$tmp/$name exec /bin/sh "\$@"
	END
	chmod 755 "$work/sh-$name"
	sshd_make "$work/sshd-$name" alias="$name" shell="$work/sh-$name" || exit 1
	cat >"$work/proxy-$name" <<-END
		#!/bin/sh
		kill -0 \$(cat "$work/host-$name") 2>/dev/null || {
			echo "$name is down" >&2
			exit 1
		}
		exec nsenter -t \$(cat "$work/host-$name") -m -n \
		    $(command -v sshd || echo /usr/sbin/sshd) -i \
		    -f "$work/sshd-$name/sshd_config" 2>>"$work/sshd.log"
	END
	chmod 755 "$work/proxy-$name"
	sed "s|^  Port .*|&\n  ProxyCommand $work/proxy-$name|" \
		"$work/sshd-$name/ssh_config" >>"$work/ssh_config"
	host_up "$name"
done
rm -rf "$work/lab"
