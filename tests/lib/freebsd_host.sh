# shellcheck shell=sh
# A pretended FreeBSD that boots, as FreeBSD itself cannot be run here: source
# this file after night.sh, instead of night_lab.  Its sshd is real and lives in
# a PID namespace, which is killed whole by a reboot or a pulled plug; its tools
# are those of freebsd.sh, simulated.  Kernels: kernel, the default; ULE; old.
#
#     fb_up               the machine is switched on
#     fb_ledger           the kernels that it has really booted, in one line
#     fb_fault NAME [X]   from now on; fb_mend NAME... ends them
#     fb_reset            the reset button, for a kernel that never boots
#
# Faults:
#
#     never K    the loader cannot load kernel K and waits until fb_reset
#     dies K     kernel K panics before it answers, and the machine boots again
#     wrong K    the loader boots K, whatever is chosen
#     loop N     boots after the Nth end at the second login
#     stuck      the loader cannot take a choice back
#     hang       the shutdown does not end
#     linger S   sshd answers for S seconds, and not 1, after it is to reboot
#     key        a boot has another host key
#     machine    a boot tells another machine id
#     busy S     rc(8) takes S seconds more

# shellcheck disable=SC2034,SC2154 # work, tmp, lab, helpers are night.sh's
FB=$work/fb
export FB ABRUN_ROOT="$work/root"
# shellcheck source=tests/lib/freebsd.sh
. tests/lib/freebsd.sh
# As in night.sh again: each is in what was said.
says()
{
	for _text in "$@"; do
		grep -qF -e "$_text" "$work/said" || return 1
	done
}

fb_make()
{
	pretend_machine
	mkdir -p "$FB/fault" "$ABRUN_ROOT/var/run" "$ABRUN_ROOT/boot"
	for _kernel in kernel ULE old; do
		mkdir -p "$ABRUN_ROOT/boot/$_kernel"
		echo "$_kernel" >"$ABRUN_ROOT/boot/$_kernel/kernel"
		touch -d '1 Jan 2020' "$ABRUN_ROOT/boot/$_kernel/kernel"
	done
	oids sysctl-14.4-1.txt
	oid kern.ostype FreeBSD
	oid kern.osrelease 14.4-RELEASE
	oid kern.hostname fb1
	oid kern.hostuuid 11111111-2222-3333-4444-555555555555
	: >"$FB/ledger"
	fb_tools
	cat >"$work/sh" <<-END
		#!/bin/sh
		export FB='$FB' ABRUN_ROOT='$ABRUN_ROOT'
		TMPDIR=$tmp abrun_path=$FB/bin exec /bin/sh "\$@"
	END
	chmod 755 "$work/sh"
	mkdir -p "$lab"
	sshd_make "$lab" alias=lab shell="$work/sh" || exit 1
	sshd_need_run $$
}

# What night.sh needs besides: a shutdown that is one, and rc(8) that is seen.
fb_tools()
{
	tool shutdown <<'END'
[ "$*" = '-r now' ] || { echo 'shutdown: bad time format' >&2; exit 1; }
echo 'Shutdown NOW!'
echo 'shutdown: [pid 590]' >&2
: >"$FB/shutdown"
END
	mv "$FB/bin/ps" "$FB/ps.tool"
	tool ps <<'END'
case $* in
'-axo args=')
	[ ! -e "$FB/starting" ] || echo 'sh /etc/rc autoboot'
	[ ! -e "$FB/shutdown" ] || echo '/bin/sh /etc/rc.shutdown'
	echo /usr/sbin/sshd
	exit
	;;
esac
exec "$FB/ps.tool" "$@"
END
}

fb_fault()
{
	echo "${2-}" >"$FB/fault/$1"
}
fb_mend()
{
	for _fault; do
		rm -f "$FB/fault/$_fault"
	done
}
fb_has()
{
	[ -e "$FB/fault/$1" ] && read -r fault <"$FB/fault/$1" &&
		[ "$fault" = "${2-$fault}" ]
}
fb_reset()
{
	: >"$FB/reset"
}
fb_ledger()
{
	tr '\n' ' ' <"$FB/ledger" | sed -e 's/ $//'
}

# Loader and kernel: into $booted; all that lives for one boot is new.
fb_boot()
{
	rm -rf "$FB/kenv" "$FB/shutdown" "$FB/starting"
	mkdir "$FB/kenv"
	_file=$ABRUN_ROOT/boot/nextboot.conf
	cp "$_file" "$FB/nextboot.kept" 2>/dev/null
	next_boot
	! fb_has stuck || cp "$FB/nextboot.kept" "$_file" 2>/dev/null
	rm -f "$FB/nextboot.kept"
	! fb_has wrong || booted=$fault
	echo "$booted" >>"$FB/ledger"
	oid kern.bootfile "/boot/$booted/kernel"
	oid kern.boot_id "Format: Length:16 Dump:0x$(od -An -tx1 -N16 \
		/dev/urandom | tr -d ' \n')"
	oid kern.boottime "{ sec = $(date +%s), usec = 0 } Thu"
	case $booted in
	ULE) oid kern.ident GENULE && oid kern.sched.name ULE ;;
	*) oid kern.ident GENERIC && oid kern.sched.name 4BSD ;;
	esac
	! fb_has machine ||
		oid kern.hostuuid 99999999-2222-3333-4444-555555555555
	if fb_has key; then
		rm -f "$lab/host_key" "$lab/host_key.pub"
		ssh-keygen -q -t ed25519 -N '' -f "$lab/host_key"
	fi
	! fb_has busy || : >"$FB/starting"
}

# Sleeps until a file is there.
fb_wait()
{
	until [ -e "$1" ]; do
		sleep 0.1
	done
}

fb_logins()
{
	grep -c Accepted "$lab/sshd.log"
}

# Until the kernel's life is over.
fb_wait_end()
{
	_logins=$(fb_logins)
	until [ -e "$FB/shutdown" ]; do
		if fb_has loop && [ "$(wc -l <"$FB/ledger")" -gt "$fault" ] &&
			[ "$(fb_logins)" -gt $((_logins + 1)) ]; then
			return
		fi
		sleep 0.1
	done
	while fb_has hang; do
		sleep 0.1
	done
	# shutdown(8) gives everybody two seconds.
	fb_has linger || fault=1
	sleep "$fault"
}

# One life of the kernel; ends when it is asked to, and does.
fb_live()
{
	unshare --pid --fork --kill-child --mount-proc \
		"$(command -v sshd || echo /usr/sbin/sshd)" -D -e \
		-f "$lab/sshd_config" 2>>"$lab/sshd.log" </dev/null &
	_life=$!
	echo "$_life" >"$FB/life"
	if fb_has busy; then
		sleep "$fault"
		rm -f "$FB/starting"
	fi
	fb_wait_end
	kill -s KILL "$_life"
	wait "$_life"
}

# The machine, from its switch on.
fb_run()
{
	trap 'kill -s KILL "$_life" 2>/dev/null; exit' TERM
	_life=
	while :; do
		fb_boot
		if fb_has never "$booted"; then
			fb_wait "$FB/reset"
			rm "$FB/reset"
		elif ! fb_has dies "$booted"; then
			fb_live 2>/dev/null
		fi
	done
}

fb_up()
{
	fb_run &
	fb_pid=$!
	_port=$(cat "$lab/port")
	wait_for sshd_answers "$_port"
}

fb_clean()
{
	[ -z "${fb_pid-}" ] || kill -s TERM "$fb_pid"
	[ ! -s "$FB/life" ] || kill -s KILL "$(cat "$FB/life")" 2>/dev/null
	sshd_leave_run $$
	night_clean
}
trap fb_clean EXIT

# As night.sh's, of this machine and without a server.
matrix_target()
{
	cat <<-END
		targets = ( { name = "box"; ssh = "lab"; os = "freebsd";
		    ssh_config = "$lab/ssh_config"; patience = "${fb_patience:-30s}"; } );
	END
}
matrix_server()
{
	:
}
fb_make
