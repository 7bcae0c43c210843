# shellcheck shell=sh
# For nights on an emulated guest: source night.sh, then this file.  Its disk is
# made where it is not kept yet, and it is on, with abload, before this returns.
#
#     $vm                  its directory (vm.sh)
#     $default, $other     releases of its default kernel and of another one
#     guest_matrix NAME    $work/NAME.cfg: head, then factors, loads and design
#                          from standard input
#     guest_kernel         the release that runs
#     guest_grubenv        what GRUB is to do at the next boot; GRUB itself
#                          leaves an empty choice behind, which is none
#     wait_long COMMAND... wait_for, for six minutes: boots are slow here

# shellcheck disable=SC2034,SC2154 # work, B: night.sh's; others are its user's

# shellcheck source=tests/lib/vm.sh
. tests/lib/vm.sh

vm=$work/guest
vm_clean()
{
	vm_off "$vm"
	night_clean
}
trap vm_clean EXIT

guest_matrix()
{
	{
		cat <<-END
			targets = ( { name = "guest"; ssh = "guest"; os = "linux";
			    ssh_config = "$vm/ssh_config"; } );
			server: { service = "mariadb";
			    socket = "/run/mysqld/mysqld.sock";
			    user = "root"; db = "test"; };
		END
		matrix_calm
	} >"$work/$1.cfg"
}

guest_kernel()
{
	vm_ssh "$vm" uname -r
}

guest_grubenv()
{
	vm_ssh "$vm" grub-editenv /boot/grub/grubenv list |
		grep -v '^next_entry=$'
}

wait_long()
{
	for _part in 1 2 3; do
		! wait_for "$@" || return 0
	done
	return 1
}

guest_up()
{
	vm_make "$vm" && vm_on "$vm" && vm_wait "$vm" || return 1
	_to=/usr/local/bin/abload
	ssh -q -F "$vm/ssh_config" guest "cat >$_to && chmod 755 $_to" \
		<"$B/abload"
}

guest_up || {
	tail -n 20 "$vm/console" "$vm/qemu.log" 2>/dev/null | sed 's/^/# /'
	echo "Bail out! no guest"
	exit 1
}
default=$(vm_kernels | head -n 1)
other=$(vm_kernels | tail -n 1)
