# shellcheck shell=sh
# A guest that really boots: GRUB, kernels, systemd, sshd and MariaDB in an
# emulated machine (qemu without KVM: its speed says nothing about kernels).
# Source sshd.sh, then this file, then
#
#     vm_make DIR        disk, ssh_config (alias guest) and known_hosts in DIR
#     vm_on DIR          switches it on; returns at once
#     vm_off DIR         pulls the plug
#     vm_is_on DIR
#     vm_wait DIR        until its sshd lets us in, for three minutes at most
#     vm_ssh DIR COMMAND...
#     vm_boots DIR       how often it began to boot
#     vm_kernels         its kernels' releases, the default's first
#
# The disk is an overlay on an image that vm_image.sh makes once; it is kept in
# ${XDG_CACHE_HOME:-/var/cache}/abrun-tests under the hash of its recipe.
#
# DIR/console has all that the guest wrote to its serial port.  qemu ends when
# the guest resets, and is started again by a supervisor, DIR/pid, unless the
# guest switched itself off: a second boot within one process takes up to four
# times as long.  The guest cannot tell.  qemu ends with its supervisor.

# shellcheck disable=SC2034 # who sources this file uses it

# Into $vm_image.
vm_image_find()
{
	_cache=${XDG_CACHE_HOME:-/var/cache}/abrun-tests
	vm_image=$_cache/vm-$(sha256sum <tests/lib/vm_image.sh | cut -c 1-16)
	[ ! -d "$vm_image" ] || return 0
	mkdir -p "$_cache" || return 1
	echo "# making the guest's disk, once: about two minutes"
	sh tests/lib/vm_image.sh "$vm_image"
}

vm_kernels()
{
	cat "$vm_image/kernels"
}

vm_make()
{
	vm_image_find || return 1
	mkdir -p "$1" || return 1
	qemu-img create -q -f qcow2 -b "$vm_image/base.qcow2" -F qcow2 \
		"$1/disk.qcow2" || return 1
	sshd_free_port >"$1/port" || return 1
	cp "$vm_image/user_key" "$vm_image/host_key.pub" "$1" || return 1
	: >"$1/console"
	: >"$1/boots"
	sshd_write_client "$1" "$(cat "$1/port")" guest || return 1
	# It takes an emulated guest seconds to compute what a login needs.
	printf '  User root\n  BatchMode yes\n  ConnectTimeout 20\n' \
		>>"$1/ssh_config"
}

vm_supervise()
{
	while :; do
		echo >>"$1/boots"
		setpriv --pdeathsig KILL qemu-system-x86_64 -name "${1##*/}" \
			-accel tcg -m 768 -smp 2 -nodefaults -display none \
			-no-hpet -no-reboot \
			-chardev "file,id=c,path=$1/console,append=on" \
			-serial chardev:c \
			-monitor "unix:$1/monitor,server=on,wait=off" \
			-drive "file=$1/disk.qcow2,if=virtio,cache=unsafe" \
			-netdev "user,id=n,restrict=on,hostfwd=tcp:127.0.0.1:$(cat "$1/port")-:22" \
			-device virtio-net-pci,netdev=n,romfile= \
			-device virtio-rng-pci || break
		! tail -c 400 "$1/console" | grep -q 'reboot: Power down' ||
			break
	done
	rm -f "$1/pid"
}

vm_on()
{
	! vm_is_on "$1" || return 0
	# shellcheck disable=SC2016 # the other shell's
	setsid sh -c '. tests/lib/vm.sh; echo $$ >"$1/pid"; vm_supervise "$1"' \
		vm "$1" >>"$1/qemu.log" 2>&1 </dev/null &
	until [ -s "$1/pid" ]; do sleep 0.1; done
}

vm_is_on()
{
	[ -s "$1/pid" ] && kill -0 "$(cat "$1/pid")" 2>/dev/null
}

vm_off()
{
	[ -s "$1/pid" ] || return 0
	kill -s KILL "$(cat "$1/pid")" 2>/dev/null
	rm -f "$1/pid"
	# Its port is free only when qemu is gone.
	_waits=0
	while ss -Htln "sport = :$(cat "$1/port")" | grep -q . &&
		[ "$_waits" -lt 100 ]; do
		_waits=$((_waits + 1))
		sleep 0.1
	done
}

vm_ssh()
{
	_vm=$1
	shift
	ssh -q -F "$_vm/ssh_config" guest "$@" </dev/null
}

# qemu takes a connection before the guest is there, and then says nothing.
vm_wait()
{
	_end=$(($(date +%s) + 180))
	until vm_ssh "$1" true 2>/dev/null; do
		[ "$(date +%s)" -lt "$_end" ] || return 1
		sleep 0.5
	done
}

vm_boots()
{
	wc -l <"$1/boots"
}
