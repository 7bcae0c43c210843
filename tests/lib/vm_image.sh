#!/bin/sh
# Makes the disk of a guest for tests/vm and `make demo-vm`: Debian 12 from the
# packages of this machine's own apt sources, with a real GRUB, three kernels,
# systemd, sshd, MariaDB and sysbench.  Needs root; about two minutes.
#
#     vm_image.sh DIR     DIR/base.qcow2, user_key, host_key (each with .pub),
#                         kernels (releases, the default's first)
#
# DIR is made, whole or not at all.  Two things are not as on a usual machine.
# GRUB is put on the disk by hand, since no loop device is to be had: boot.img
# wants core.img at sector 1, and core.img its rest at sector 2.  And update-grub
# needs the disk that / is on, so it runs in the guest, at the end of a first
# boot.  The rest of what is left out or masked only saves emulated instructions.
set -eu

suite=bookworm
kernels="linux-image-cloud-amd64 linux-image-6.12-cloud-amd64
    linux-image-rt-amd64"
packages="systemd-sysv udev kmod openssh-server mariadb-server sysbench
    iproute2 procps time openssl sqlite3 grub2-common grub-pc-bin
    initramfs-tools lz4 libjemalloc2 libglib2.0-0 libjansson4 r-mathlib
    libmariadb3 libssh-4 libconfig9"
# Of the root file system; GRUB's names of entries have it in them.
uuid=ab000000-0000-4000-8000-000000000001
disk_mb=3072
# no_timer_check: an emulated timer that the machine has no time for is taken
# for a broken one, and the kernel panics.
words="rw console=ttyS0 net.ifnames=0 no_timer_check tsc=reliable \
mitigations=off init_on_alloc=0 cryptomgr.notests audit=0 apparmor=0 \
nowatchdog rcupdate.rcu_expedited=1 ipv6.disable=1 quiet loglevel=4 \
systemd.show_status=0"
unwanted="drivers/gpu drivers/media drivers/net/wireless drivers/infiniband
    drivers/staging drivers/net/ethernet drivers/iio drivers/usb drivers/scsi
    sound"
masked="apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer
    e2scrub_reap.service fstrim.timer dpkg-db-backup.timer logrotate.timer
    systemd-timesyncd.service systemd-pstore.service getty@tty1.service
    getty-static.service systemd-random-seed.service
    systemd-journal-flush.service keyboard-setup.service
    console-setup.service dev-hugepages.mount sys-kernel-debug.mount
    sys-kernel-tracing.mount dev-mqueue.mount systemd-udev-settle.service
    systemd-update-utmp.service systemd-update-utmp-runlevel.service
    modprobe@.service sys-fs-fuse-connections.mount sys-kernel-config.mount
    systemd-networkd.service systemd-networkd.socket
    systemd-networkd-wait-online.service kmod-static-nodes.service
    systemd-binfmt.service"

# What mmdebstrap calls at its end: the root as the guest shall have it.
customize()
{
	cd "$1"
	echo guest >etc/hostname
	echo "127.0.0.1 localhost guest" >etc/hosts
	: >etc/fstab # / is writable by the kernel's own words
	mkdir -p root/.ssh
	chmod 700 root/.ssh
	cp "$new/user_key.pub" root/.ssh/authorized_keys
	rm -f etc/ssh/ssh_host_*
	cp "$new/host_key" etc/ssh/ssh_host_ed25519_key
	cp "$new/host_key.pub" etc/ssh/ssh_host_ed25519_key.pub
	printf '%s no\n' UseDNS GSSAPIAuthentication PrintMotd X11Forwarding \
		>etc/ssh/sshd_config.d/guest.conf
	cat >etc/systemd/system/guest-net.service <<-END
		[Unit]
		DefaultDependencies=no
		After=systemd-remount-fs.service
		Before=network.target shutdown.target
		Wants=network.target
		[Service]
		Type=oneshot
		RemainAfterExit=yes
		ExecStart=/bin/sh -c 'modprobe virtio_net; ip link set lo up; ip addr add 10.0.2.15/24 dev eth0; ip link set eth0 up; ip route add default via 10.0.2.2'
		[Install]
		WantedBy=sysinit.target
	END
	for _unit in $masked; do
		ln -sf /dev/null "etc/systemd/system/$_unit"
	done
	mkdir -p etc/systemd/system/ssh.service.d \
		etc/systemd/system/mariadb.service.d \
		etc/systemd/journald.conf.d etc/systemd/system.conf.d
	printf '[Service]\nExecStartPre=\n' \
		>etc/systemd/system/ssh.service.d/guest.conf
	cat >etc/systemd/system/mariadb.service.d/guest.conf <<-END
		[Service]
		ExecStartPre=
		ExecStartPre=/usr/bin/install -m 755 -o mysql -g root -d /run/mysqld
		ExecStartPost=
	END
	printf '[Journal]\nStorage=volatile\n' >etc/systemd/journald.conf.d/guest.conf
	printf '[Manager]\nDefaultTimeoutStopSec=15s\n' \
		>etc/systemd/system.conf.d/guest.conf
	cat >etc/mysql/mariadb.conf.d/99-guest.cnf <<-END
		[mysqld]
		innodb_buffer_pool_size=64M
		innodb_log_file_size=16M
		skip_name_resolve=1
	END
	chroot . systemctl -q enable guest-net.service
	customize_grub
	rm -rf var/cache/apt/* var/lib/apt/lists/* etc/apt/sources.list* \
		etc/resolv.conf
}

customize_grub()
{
	cat >etc/default/grub <<-END
		GRUB_DEFAULT=saved
		GRUB_TIMEOUT=0
		GRUB_TIMEOUT_STYLE=hidden
		GRUB_DISTRIBUTOR=Debian
		GRUB_CMDLINE_LINUX_DEFAULT=""
		GRUB_CMDLINE_LINUX="$words"
		GRUB_TERMINAL=serial
		GRUB_DISABLE_LINUX_UUID=true
		GRUB_DISABLE_OS_PROBER=true
	END
	for _image in $(find boot -name 'vmlinuz-*' | sort -V); do
		echo "${_image#boot/vmlinuz-}"
	done >"$new/kernels"
	_first=$(head -n 1 "$new/kernels")
	_second=$(sed -n 2p "$new/kernels")
	# Kernels that do not come up: one that reboots by itself, one that
	# stays where it is, and one that is not there.
	cat >etc/grub.d/40_custom <<-END
		#!/bin/sh
		exec tail -n +3 \$0
		menuentry 'guest: panics, and reboots' --id guest-panics {
			linux /boot/vmlinuz-$_second root=/dev/nonexistent ro console=ttyS0 no_timer_check panic=5
		}
		menuentry 'guest: panics, and stays' --id guest-stays {
			linux /boot/vmlinuz-$_second root=/dev/nonexistent ro console=ttyS0 no_timer_check panic=0
		}
	END
	cat >etc/systemd/system/guest-first.service <<-END
		[Unit]
		ConditionPathExists=!/boot/grub/guest-done
		After=mariadb.service ssh.service
		[Service]
		Type=oneshot
		ExecStart=/bin/sh -ec 'mariadb -e "CREATE DATABASE IF NOT EXISTS test"; update-grub; grub-set-default "gnulinux-advanced-$uuid>gnulinux-$_first-advanced-$uuid"; touch /boot/grub/guest-done; sync; systemctl --no-block poweroff'
		StandardOutput=journal+console
		[Install]
		WantedBy=multi-user.target
	END
	chroot . systemctl -q enable guest-first.service
	mkdir -p boot/grub
	grub-editenv boot/grub/grubenv create
	cat >boot/grub/grub.cfg <<-END
		serial
		terminal_input serial
		terminal_output serial
		set timeout=0
		menuentry first {
			linux /boot/vmlinuz-$_first root=/dev/vda1 $words
			initrd /boot/initrd.img-$_first
		}
	END
	cp -r /usr/lib/grub/i386-pc boot/grub/
}

# What apt reads here, as mmdebstrap's mirror: no host is named.
sources()
{
	for _file in /etc/apt/sources.list.d/debian.sources \
	    /etc/apt/sources.list; do
		if [ -s "$_file" ]; then
			echo "$_file"
			return 0
		fi
	done
	echo "vm_image.sh: no apt sources" >&2
	return 1
}

# In memory: dpkg writes each file through to the disk.
root_make()
{
	mkdir "$memory/root"
	chmod 755 "$memory" "$memory/root"
	_source=$(sources)
	set -- --mode=root --variant=minbase
	for _path in $unwanted; do
		set -- "$@" \
			--dpkgopt="path-exclude=/lib/modules/*/kernel/$_path/*"
	done
	for _path in doc man locale; do
		set -- "$@" --dpkgopt="path-exclude=/usr/share/$_path/*"
	done
	# shellcheck disable=SC2016,SC2086 # the hooks' $1, and a list of words
	TMPDIR=$memory mmdebstrap "$@" \
		--include="$(echo $packages $kernels | tr ' ' ,)" \
		--essential-hook='mkdir -p "$1/etc/initramfs-tools/conf.d" "$1/etc/default"' \
		--essential-hook='printf "MODULES=list\nCOMPRESS=lz4\nFSTYPE=ext4\n" >"$1/etc/initramfs-tools/conf.d/guest"' \
		--essential-hook='printf "%s\n" virtio_pci virtio_blk ext4 crc32c_generic crc32c_intel >"$1/etc/initramfs-tools/modules"' \
		--customize-hook="sh '$self' customize \"\$1\"" \
		$suite "$memory/root" "$_source"
}

disk_make()
{
	_raw=$memory/disk.raw
	truncate -s "${disk_mb}M" "$_raw"
	mke2fs -q -t ext4 -U "$uuid" -J size=16 -d "$memory/root" \
		-E offset=1048576,lazy_itable_init=0,lazy_journal_init=0 \
		"$_raw" "$((disk_mb - 2))M"
	printf 'label: dos\nstart=2048, type=83, bootable\n' | sfdisk -q "$_raw"
	grub-mkimage -O i386-pc -o "$memory/core.img" \
		-p '(hd0,msdos1)/boot/grub' \
		biosdisk part_msdos ext2 normal linux configfile loadenv test \
		echo serial terminal search search_fs_uuid search_fs_file \
		search_label gzio minicmd boot sleep reboot halt
	# What lies before the first partition must hold it.
	[ "$(stat -c %s "$memory/core.img")" -lt $((2047 * 512)) ]
	dd if=/usr/lib/grub/i386-pc/boot.img of="$_raw" bs=440 count=1 \
		conv=notrunc status=none
	dd if="$memory/core.img" of="$_raw" bs=512 seek=1 conv=notrunc \
		status=none
	timeout -k 5 900 qemu-system-x86_64 -accel tcg -m 768 -smp 2 -nodefaults \
		-display none -no-reboot -serial "file:$new/first.log" \
		-drive "file=$_raw,format=raw,if=virtio,cache=unsafe" \
		-device virtio-rng-pci
	grep -q 'Power down' "$new/first.log" || {
		echo "the guest did not end its first boot:"
		tail -n 20 "$new/first.log"
		return 1
	}
	qemu-img convert -c -O qcow2 -o compression_type=zstd "$_raw" \
		"$new/base.qcow2"
}

# By itself, so that the first command that fails ends it.
case $1 in
customize)
	customize "$2"
	exit
	;;
make)
	root_make
	disk_make
	exit
	;;
esac
self=$(readlink -f "$0")
dir=$1
new=$dir.$$
memory=$(mktemp -d /dev/shm/abrun-vm-XXXXXX)
export self new memory
trap 'rm -rf "$memory" "$new"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$new"
for key in user_key host_key; do
	ssh-keygen -q -t ed25519 -N '' -C "$key" -f "$new/$key"
done
sh "$self" make >"$new/build.log" 2>&1 || {
	tail -n 30 "$new/build.log" >&2
	exit 1
}
mv -T "$new" "$dir"
