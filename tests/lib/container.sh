# shellcheck shell=sh
# A machine with a real systemd, without a kernel of its own: a root made of
# Debian packages, started as process 1 of new namespaces.  Needs root.
# Source this file after night.sh, then
#
#     container_start         $container is its process 1; sshd, redis-server
#                             and mariadb run, ssh alias lab works from within
#                             its network
#     inside COMMAND ARG...   runs a command in it, as root
#     container_end           ends all of it; also by night_clean's trap
#
# With container_init=scripts process 1 is not systemd but a shell that starts
# the same services by their scripts in /etc/init.d, as sysvinit would.
#
# Its network is its own: loopback, and nothing else.  $B is replaced by a
# directory whose abrun is the real one in that network.
#
# The root is built once, by mmdebstrap from the packages that this machine's
# own apt sources give, and kept in ${XDG_CACHE_HOME:-/var/cache}/abrun-tests
# under the hash of its recipe.  What a test writes goes to an overlay in $work.

# shellcheck disable=SC2034,SC2154 # who sources this file uses or sets the rest

container=
container_init=systemd
container_packages=systemd-sysv,openssh-server,mariadb-server,iproute2,procps,\
libjemalloc2,redis-server,time
container_suite=bookworm

# What apt reads here, as mmdebstrap's mirror: no host is named.
container_sources()
{
	for _file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list
	do
		if [ -s "$_file" ]; then
			echo "$_file"
			return 0
		fi
	done
	echo "container.sh: no apt sources" >&2
	return 1
}

# Into $container_root; built where it is missing, in memory, and unpacked
# beside its place, so that what is there is whole.
container_build()
{
	_key=$(echo "1 $container_suite $container_packages" | sha256sum |
		cut -c 1-16)
	_cache=${XDG_CACHE_HOME:-/var/cache}/abrun-tests
	container_root=$_cache/root-$_key
	[ ! -d "$container_root" ] || return 0
	_sources=$(container_sources) || return 1
	mkdir -p "$_cache" || return 1
	_new=$(mktemp -d "$_cache/new-XXXXXX") || return 1
	_memory=$(mktemp -d /dev/shm/abrun-root-XXXXXX) || return 1
	echo "# building the container's root, once"
	TMPDIR=$_memory mmdebstrap --mode=root --variant=minbase --format=tar \
		--include=$container_packages \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		$container_suite "$_memory/root.tar" "$_sources" \
		>"$work/build.log" 2>&1 &&
		tar -x -p --numeric-owner -C "$_new" -f "$_memory/root.tar" &&
		chmod 755 "$_new" && mv -T "$_new" "$container_root"
	_built=$?
	rm -rf "$_memory" "$_new"
	[ -d "$container_root" ] && return 0
	sed 's/^/# /' "$work/build.log" | tail -n 20
	return $_built
}

# The first process of the namespaces, which becomes systemd.
container_program()
{
	cat <<'END'
set -e
root=$1 dir=$2
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$dir/over"
mkdir "$dir/over/upper" "$dir/over/work" "$dir/over/root"
cp -a "$dir/files/." "$dir/over/upper/"
new=$dir/over/root
mount -t overlay overlay \
	-o "lowerdir=$root,upperdir=$dir/over/upper,workdir=$dir/over/work" "$new"
mount -t proc proc "$new/proc"
mount -t sysfs -o ro sysfs "$new/sys"
mount -t cgroup2 cgroup2 "$new/sys/fs/cgroup"
mount -t tmpfs tmpfs "$new/run"
mount -t tmpfs tmpfs "$new/tmp"
mount -t tmpfs -o mode=755 tmpfs "$new/dev"
for node in null zero full random urandom tty; do
	: >"$new/dev/$node"
	mount --bind "/dev/$node" "$new/dev/$node"
done
mkdir "$new/dev/pts" "$new/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$new/dev/pts"
ln -s pts/ptmx "$new/dev/ptmx"
ln -s /proc/self/fd "$new/dev/fd"
ip link set lo up
cd "$new"
mkdir old
pivot_root . old
umount -l /old
exec env -i container=abrun PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	sh -c "$(cat /init.command)"
END
}

# What process 1 executes.  A shell that waits reaps whoever is left to it.
container_first()
{
	if [ "$container_init" = systemd ]; then
		echo 'exec /sbin/init --log-target=null --show-status=0'
		return
	fi
	cat <<'END'
mkdir -p /run/lock
for name in ssh redis-server mariadb; do
	"/etc/init.d/$name" start
done
: >/run/started
while :; do sleep 1; done
END
}

# Its own cgroup, of which it sees nothing but what is below.
container_outer()
{
	cat <<'END'
set -e
root=$1 dir=$2
mount --make-rprivate /
mount -t cgroup2 cgroup2 "$dir/cgroup"
mkdir "$dir/cgroup/${dir##*/}"
echo $$ >"$dir/cgroup/${dir##*/}/cgroup.procs"
exec unshare --mount --pid --fork --uts --ipc --cgroup --net \
	sh "$dir/program" "$root" "$dir"
END
}

# Files that this test gives it.
container_files()
{
	mkdir -p "$1/root/.ssh" "$1/etc/ssh/sshd_config.d" "$1/etc/systemd/system"
	ssh-keygen -q -t ed25519 -N '' -C abrun-test -f "$work/user_key" &&
		ssh-keygen -q -t ed25519 -N '' -C abrun-test \
			-f "$1/etc/ssh/ssh_host_ed25519_key" || return 1
	cp "$work/user_key.pub" "$1/root/.ssh/authorized_keys"
	chmod 700 "$1/root" "$1/root/.ssh"
	container_first >"$1/init.command"
	printf 'UseDNS no\nMaxStartups 100\n' >"$1/etc/ssh/sshd_config.d/lab.conf"
	echo "127.0.0.1 $(cut -d ' ' -f 1,2 \
		"$1/etc/ssh/ssh_host_ed25519_key.pub")" >"$work/known_hosts"
	# A title of its own would overwrite its environment.
	mkdir -p "$1/etc/redis"
	cp -p "$container_root/etc/redis/redis.conf" "$1/etc/redis/" &&
		chown --reference="$container_root/etc/redis" "$1/etc/redis" &&
		chmod --reference="$container_root/etc/redis" "$1/etc/redis" &&
		echo 'set-proc-title no' >>"$1/etc/redis/redis.conf"
	mkdir -p "$1/etc/mysql/mariadb.conf.d"
	printf '[mysqld]\ninnodb_buffer_pool_size=16M\nskip_name_resolve=1\n' \
		>"$1/etc/mysql/mariadb.conf.d/99-lab.cnf"
	# What waits for hardware, time or the world.
	for _unit in apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer \
		e2scrub_reap.service fstrim.timer dpkg-db-backup.timer \
		systemd-timesyncd.service systemd-udevd.service getty.target \
		systemd-pstore.service; do
		ln -s /dev/null "$1/etc/systemd/system/$_unit"
	done
}

inside()
{
	nsenter -t "$container" -m -p -n -u -i -C -- env -i \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"
}

container_is_up()
{
	if [ "$container_init" = systemd ]; then
		case $(inside systemctl is-system-running 2>/dev/null) in
		running | degraded) ;;
		*) return 1 ;;
		esac
	else
		inside test -e /run/started || return 1
	fi
	inside ss -Htln 'sport = :22' | grep -q .
}

container_start()
{
	container_build || return 1
	mkdir "$work/over" "$work/files" "$work/cgroup"
	container_files "$work/files" || return 1
	container_program >"$work/program"
	container_outer >"$work/outer"
	unshare --mount sh "$work/outer" "$container_root" "$work" \
		>"$work/boot.log" 2>&1 </dev/null &
	container_parent=$!
	_waits=0
	until container=$(pgrep -P "$container_parent") && [ -n "$container" ] &&
		container_is_up; do
		_waits=$((_waits + 1))
		if [ "$_waits" -ge 600 ] || ended "$container_parent"; then
			sed 's/^/# /' "$work/boot.log"
			[ "$container_init" != systemd ] ||
				inside systemctl --failed --no-legend 2>&1 |
				sed 's/^/# /'
			return 1
		fi
		sleep 0.1
	done
	cat >"$work/ssh_config" <<-END
		Host lab
			HostName 127.0.0.1
			User root
			IdentityFile $work/user_key
			IdentitiesOnly yes
			UserKnownHostsFile $work/known_hosts
	END
	mkdir "$work/b"
	cat >"$work/b/abrun" <<-END
		#!/bin/sh
		exec nsenter -t $container -n -- $(pwd)/$B/abrun "\$@"
	END
	chmod 755 "$work/b/abrun"
	B=$work/b
}

# With process 1 all others end; the cgroups are left and taken away.
container_end()
{
	[ -n "$container" ] || return 0
	kill -s KILL "$container" 2>/dev/null
	wait "$container_parent" 2>/dev/null
	# shellcheck disable=SC2016 # of the inner shell
	unshare --mount sh -c 'mount -t cgroup2 cgroup2 "$1/cgroup" &&
		find "$1/cgroup/${1##*/}" -depth -type d -exec rmdir {} +' sh "$work"
	container=
}
trap 'container_end; night_clean' EXIT
