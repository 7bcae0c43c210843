#!/bin/sh
# A BMC for an emulated guest (vm.sh), which ipmitool turns off and on: ipmi_sim
# speaks IPMI 2.0 on loopback, and this script is its relay.  No more of a real
# BMC is there: no console, no sensors, no habits of vendors.
#
#     vm_bmc.sh start DIR PORT    for the guest of DIR, on 127.0.0.1, udp; user
#                                 abrun, password test; its pid in DIR/bmc/pid
#     vm_bmc.sh stop DIR
#     vm_bmc.sh relay DIR get NAME... | set NAME VALUE...
#                                 what ipmi_sim calls; each order it was given
#                                 is a line of DIR/bmc/ledger

set -u
self=$(readlink -f "$0")
cd "$(dirname "$self")/../.." || exit 1
# shellcheck source=tests/lib/vm.sh
. tests/lib/vm.sh

bmc_start()
{
	mkdir -p "$1/bmc" || return 1
	cat >"$1/bmc/lan.conf" <<-END
		name "guest"
		set_working_mc 0x20
		  startlan 1
		    addr 127.0.0.1 $2
		    priv_limit admin
		    allowed_auths_callback none md2 md5 straight
		    allowed_auths_user none md2 md5 straight
		    allowed_auths_operator none md2 md5 straight
		    allowed_auths_admin none md2 md5 straight
		    guid ab000000000040008000000000000001
		  endlan
		  chassis_control "sh $self relay $1"
		  user 1 true "" "test" user 10 none md2 md5 straight
		  user 2 true "abrun" "test" admin 10 none md2 md5 straight
	END
	cat >"$1/bmc/emu" <<-END
		mc_setbmc 0x20
		mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02
		mc_enable 0x20
	END
	: >"$1/bmc/ledger"
	setsid ipmi_sim -c "$1/bmc/lan.conf" -f "$1/bmc/emu" -s "$1/bmc" -n \
		>"$1/bmc/log" 2>&1 </dev/null &
	echo $! >"$1/bmc/pid"
}

bmc_stop()
{
	[ ! -s "$1/bmc/pid" ] || kill -s KILL "$(cat "$1/bmc/pid")" 2>/dev/null
	rm -f "$1/bmc/pid"
}

bmc_get()
{
	_guest=$1
	shift
	for _name; do
		if [ "$_name" = power ] && vm_is_on "$_guest"; then
			echo power:1
		else
			echo "$_name:0"
		fi
	done
}

bmc_set()
{
	_guest=$1
	shift
	while [ $# -ge 2 ]; do
		echo "$1 $2" >>"$_guest/bmc/ledger"
		case "$1 $2" in
		'power 0') vm_off "$_guest" ;;
		'power 1') vm_on "$_guest" >/dev/null 2>&1 ;;
		esac
		shift 2
	done
}

order=$1
dir=$2
shift 2
case $order in
start) bmc_start "$dir" "$1" ;;
stop) bmc_stop "$dir" ;;
relay)
	order=$1
	shift
	case $order in
	get) bmc_get "$dir" "$@" ;;
	set) bmc_set "$dir" "$@" ;;
	esac
	;;
esac
