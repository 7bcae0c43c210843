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
#     fb_plug on|off      its power
#     fb_bmc              gives it a BMC: an ipmitool in $work/bin, and that first
#                         on the PATH; fb_bmc_ledger tells what it was asked
#                         for, and the same again but once
#     $FB/console         what is printed on its console
#     fb_clock_step S     its clock goes S seconds on, and with it when it booted
#
# Faults:
#
#     never K    the loader cannot load kernel K and waits until fb_reset
#     single     each boot ends in single-user mode, without an sshd
#     dies K     kernel K panics before it answers, and the machine boots again
#     dies-with N  a kernel that was given the tunable N dies like that
#     panics K   kernel K panics a second after its first login
#     wrong K    the loader boots K, whatever is chosen
#     loop N     boots after the Nth end at the second login
#     stuck      the loader cannot take a choice back
#     hang       the shutdown does not end
#     hang once  so that only the power ends it, and no later one
#     wedge      the shutdown ends sshd, and not itself: only the power ends it,
#                once
#     linger S   sshd answers for S seconds, and not 1, after it is to reboot
#     empty      meanwhile sysctl(8) says nothing, and ends with 0
#     down S     the machine needs S seconds from one kernel to the next
#     banner K   of kernel K who listens lets connect, and never says a word
#     freeze     all processes stand still, connections and listener too, until
#                it is mended or the power is cut
#     moved K    kernel K's sshd listens on another port
#     no-id      a boot has no id, as up to 12
#     key        a boot has another host key
#     machine    a boot tells another machine id
#     busy S     rc(8) takes S seconds more
#
# And of the BMC:
#
#     bmc-dead       it does not answer
#     bmc-hangs V    command V of it never ends
#     bmc-refuses V  it does not do V, and says so
#     bmc-lies V     it does not do V, and does not say so
#     bmc-slow S     it does what it is told S seconds after it said so

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
	sshd_free_port >"$lab/port.moved"
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
fb_plug()
{
	case $1 in
	off) : >"$FB/off" ;;
	on) rm -f "$FB/off" ;;
	esac
}
fb_clock_step()
{
	_sec=$(sed -e 's/^{ sec = \([0-9]*\).*$/\1/' "$FB/oid/kern.boottime")
	oid kern.boottime "{ sec = $((_sec + $1)), usec = 0 } Thu"
	echo "$(($(cat "$FB/step") + $1))" >"$FB/step"
}
fb_bmc_ledger()
{
	uniq "$FB/bmc.ledger" | tr '\n' ' ' | sed -e 's/ $//'
}
fb_ledger()
{
	tr '\n' ' ' <"$FB/ledger" | sed -e 's/ $//'
}

# As ipmitool(1) speaks with a BMC; the power goes when the machine has noticed.
fb_bmc()
{
	mkdir -p "$work/bin"
	: >"$FB/bmc.ledger"
	{
		echo '#!/bin/sh'
		echo "FB='$FB'"
		cat <<'END'
host= user= file=
while getopts I:H:U:P:f: option; do
	case $option in
	I) [ "$OPTARG" = lanplus ] || exit 64 ;;
	H) host=$OPTARG ;;
	U) user=$OPTARG ;;
	P) [ -z "$OPTARG" ] || exit 64 ;;
	f) file=$OPTARG ;;
	*) exit 64 ;;
	esac
done
shift $((OPTIND - 1))
[ "$1 $2" = 'chassis power' ] && [ "$host" = box-bmc ] || exit 64
[ -z "$file" ] || [ "$user:$(cat "$file")" = bench:secret ] || {
	echo 'Error: Unable to establish IPMI v2 / RMCP+ session' >&2
	exit 1
}
echo "$3" >>"$FB/bmc.ledger"
has()
{
	[ -e "$FB/fault/$1" ] && read -r fault <"$FB/fault/$1" &&
		[ "$fault" = "${2-$fault}" ]
}
name()
{
	case $1 in
	on) echo Up/On ;;
	off) echo Down/Off ;;
	cycle) echo Cycle ;;
	reset) echo Reset ;;
	esac
}
later()
{
	if has bmc-slow; then
		setsid sh -c "sleep $fault; $1" >/dev/null 2>&1 </dev/null &
	else
		eval "$1"
	fi
}
has bmc-hangs "$3" && exec sleep 600
if has bmc-dead; then
	echo 'Error: Unable to establish IPMI v2 / RMCP+ session' >&2
	exit 1
fi
now=on
[ ! -e "$FB/dark" ] || now=off
case $3:$now in
status:*)
	echo "Chassis Power is $now"
	exit
	;;
cycle:off)
	echo 'Set Chassis Power Control to Cycle failed: Command not supported in present state' >&2
	exit 1
	;;
on:* | off:* | cycle:* | reset:*) ;;
*) exit 64 ;;
esac
if has bmc-refuses "$3"; then
	echo "Set Chassis Power Control to $(name "$3") failed: Command not supported in present state" >&2
	exit 1
fi
echo "Chassis Power Control: $(name "$3")"
has bmc-lies "$3" && exit
case $3:$now in
off:on) later ": >'$FB/off'" ;;
on:off) later "rm -f '$FB/off'" ;;
cycle:on) later ": >'$FB/off'; sleep 1; rm -f '$FB/off'" ;;
esac
END
	} >"$work/bin/ipmitool"
	chmod 755 "$work/bin/ipmitool"
	PATH=$work/bin:$PATH
	export PATH
}

# Loader and kernel: into $booted; all that lives for one boot is new.
fb_boot()
{
	rm -rf "$FB/kenv" "$FB/shutdown" "$FB/starting" "$FB/dying" \
		"$FB"/mysql.*
	mkdir "$FB/kenv"
	_file=$ABRUN_ROOT/boot/nextboot.conf
	cp "$_file" "$FB/nextboot.kept" 2>/dev/null
	next_boot
	! fb_has stuck || cp "$FB/nextboot.kept" "$_file" 2>/dev/null
	rm -f "$FB/nextboot.kept"
	! fb_has wrong || booted=$fault
	echo "loading $booted" >>"$FB/console"
	echo "$booted" >>"$FB/ledger"
	oid kern.bootfile "/boot/$booted/kernel"
	fb_has no-id || oid kern.boot_id "Format: Length:16 Dump:0x$(od -An \
		-tx1 -N16 /dev/urandom | tr -d ' \n')"
	oid kern.boottime "{ sec = $(($(date +%s) + $(cat "$FB/step"))), usec = 0 } Thu"
	case $booted in
	*ULE) oid kern.ident GENULE && oid kern.sched.name ULE ;;
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

# Sleeps until a file is there, or the power is gone.
fb_wait()
{
	until [ -e "$1" ] || [ -e "$FB/off" ]; do
		sleep 0.1
	done
}

# fb_pass SECONDS: likewise.
fb_pass()
{
	_left=$(awk -v s="$1" 'BEGIN { print int(10 * s) }')
	while [ "$_left" -gt 0 ] && [ ! -e "$FB/off" ]; do
		sleep 0.1
		_left=$((_left - 1))
	done
}

fb_logins()
{
	grep -c Accepted "$lab/sshd.log"
}

# fb_signal SIGNAL: to all that runs on the machine.
fb_signal()
{
	_first=$(pgrep -P "$_life") || return 0
	for _each in $(pgrep --ns "$_first" --nslist pid); do
		kill -s "$1" "$_each" 2>/dev/null
	done
}

# Whether it comes to its end without a shutdown.
fb_is_dying()
{
	[ ! -e "$FB/off" ] || return 0
	fb_logins_now=$(fb_logins)
	if fb_has panics "$booted" && [ "$fb_logins_now" -gt "$_logins" ]; then
		fb_pass 1
		return 0
	fi
	fb_has loop && [ "$(wc -l <"$FB/ledger")" -gt "$fault" ] &&
		[ "$fb_logins_now" -gt $((_logins + 1)) ]
}

# Until the kernel's life is over.
fb_wait_end()
{
	_logins=$(fb_logins)
	until [ -e "$FB/shutdown" ]; do
		! fb_is_dying || return 0
		! fb_has freeze || fb_stand_still
		sleep 0.1
	done
	echo 'shutting down' >>"$FB/console"
	! fb_has empty || : >"$FB/dying"
	while fb_has hang && [ ! -e "$FB/off" ]; do
		sleep 0.1
	done
	! fb_has hang once || fb_mend hang
	# shutdown(8) gives everybody two seconds.
	fb_has linger || fault=1
	fb_pass "$fault"
}

# What was begun since the last look stands still, too.
fb_stand_still()
{
	while fb_has freeze && [ ! -e "$FB/off" ]; do
		fb_signal STOP
		sleep 0.2
	done
	if fb_has freeze; then
		fb_mend freeze
	else
		fb_signal CONT
	fi
}

fb_dies_with()
{
	fb_has dies-with && [ -e "$FB/kenv/$fault" ]
}

# One life of the kernel; ends when it is asked to, and does.
fb_live()
{
	_port=$(cat "$lab/port")
	! fb_has moved "$booted" || _port=$(cat "$lab/port.moved")
	# shellcheck disable=SC2016 # perl's
	if fb_has banner "$booted"; then
		set -- perl -MIO::Socket::INET -e 'IO::Socket::INET->new(
			LocalAddr => "127.0.0.1:$ARGV[0]", Listen => 5,
			ReuseAddr => 1) or die; sleep' "$_port"
	else
		set -- "$(command -v sshd || echo /usr/sbin/sshd)" -D -e \
			-p "$_port" -f "$lab/sshd_config"
	fi
	unshare --pid --fork --kill-child --mount-proc "$@" \
		2>>"$lab/sshd.log" </dev/null &
	_life=$!
	echo "$_life" >"$FB/life"
	if fb_has busy; then
		fb_pass "$fault"
		rm -f "$FB/starting"
	fi
	fb_wait_end
	kill -s KILL "$_life"
	wait "$_life"
	while fb_has wedge && [ ! -e "$FB/off" ]; do
		sleep 0.1
	done
	fb_mend wedge
	! fb_has down || fb_pass "$fault"
}

# The machine, from its switch on.
fb_run()
{
	trap 'kill -s KILL "$_life" 2>/dev/null; exit' TERM
	_life=
	while :; do
		if [ -e "$FB/off" ]; then
			: >"$FB/dark"
			while [ -e "$FB/off" ]; do
				sleep 0.1
			done
			rm -f "$FB/dark"
		fi
		fb_boot
		if fb_has never "$booted" || fb_has single; then
			echo "can't load '$booted'" >>"$FB/console"
			fb_wait "$FB/reset"
			rm -f "$FB/reset"
		elif ! fb_has dies "$booted" && ! fb_dies_with; then
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

# As night.sh's, of this machine and without a server; $fb_keys are more of it.
matrix_target()
{
	cat <<-END
		targets = ( { name = "box"; ssh = "lab"; os = "freebsd";
		    ssh_config = "$lab/ssh_config"; patience = "${fb_patience:-30s}";
		    ${fb_keys-} } );
	END
}
matrix_server()
{
	:
}
fb_make
