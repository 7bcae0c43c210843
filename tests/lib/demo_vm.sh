#!/bin/sh
# `make demo-vm`: an emulated guest with two kernels, CFS and EEVDF, which abrun
# boots in turn; shows the post, takes the guest down.  Run from the top
# directory.  The first time it makes the guest's disk.
set -u
B=${B:-build}
lab=/var/lib/abrun-demo-vm

# shellcheck source=tests/lib/sshd.sh
. tests/lib/sshd.sh
# shellcheck source=tests/lib/vm.sh
. tests/lib/vm.sh

if [ "$(id -u)" -ne 0 ]; then
	echo "make demo-vm needs root: it makes a disk for its guest" >&2
	exit 1
fi
exec 8>/run/abrun-demo-vm.lock
if ! flock -n 8; then
	echo "another make demo-vm is running on this machine" >&2
	exit 1
fi

# shellcheck disable=SC2317 # called by the trap
down()
{
	vm_off "$lab"
	rm -rf "$lab"
}
trap down EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

down # of a demo that was killed
echo "Switching on a guest: an emulated machine with GRUB and three kernels."
vm_make "$lab" && vm_on "$lab" 8>&- && vm_wait "$lab"
up=$?
if [ "$up" -ne 0 ]; then
	tail -n 20 "$lab/console" 2>/dev/null
	echo "the guest did not come up" >&2
	exit 1
fi
cat >"$lab/demo-vm.cfg" <<END
# The guest boots each kernel three times.  It is emulated: what is measured on
# it says nothing about the kernels.
title = "CFS against EEVDF, in an emulated guest";
targets = ( { name = "guest"; ssh = "guest"; os = "linux";
    ssh_config = "$lab/ssh_config"; } );
server: { service = "mariadb"; socket = "/run/mysqld/mysqld.sock";
    user = "root"; db = "test"; };
factors: {
	kernel = ( { name = "CFS"; },
	    { name = "EEVDF"; kernel = "$(vm_kernels | tail -n 1)"; } );
};
loads = ( { use = "sysbench"; test = "oltp_point_select"; table_size = 1000;
    threads = 2; time = 5; } );
design: { rounds = 3; runs = 1; warmup = "1s"; quiet: { wait = "0s"; }; };
END
echo "Running: $B/abrun $lab/demo-vm.cfg  (about ten minutes), which is"
echo
sed 's/^/    /' "$lab/demo-vm.cfg"
echo
"$B/abrun" --reports reports --new "$lab/demo-vm.cfg" 8>&-
status=$?
[ "$status" -eq 0 ] || echo "abrun ended with exit status $status" >&2
exit "$status"
