# shellcheck shell=sh
# A pretended Linux that boots by systemd-boot: source this file after night.sh,
# instead of night_lab.  Its sshd and processes are real and live in a PID
# namespace, which a reboot kills whole; boot id, command line, loader, entries
# and systemctl are of the tree and the tools of linux_boot.sh, simulated.
# Entries: 10-arch.conf, the default, and 20-lts.conf.
#
#     lh_up       the machine is switched on
#     lh_ledger   the entries that it has really booted, in one line
#     lh_tree     each file that must be as it was after a night
#
# While $lin/dies is there, a kernel with words panics before it answers, and
# the machine boots again.

# shellcheck disable=SC2034,SC2154 # night.sh and linux_boot.sh have the rest
# shellcheck source=tests/lib/linux_boot.sh
. tests/lib/linux_boot.sh
lin=$work/lin

lh_make()
{
	mkdir -p "$lin" "$lab" "$work/bin"
	arch bootctl-list-arch-1.txt
	cat >"$work/bootctl.list" <<-'END'
		        title: Arch Linux (default)
		           id: 10-arch.conf
		       source: /boot//loader/entries/10-arch.conf
		        linux: /boot//vmlinuz-linux
		      options: root=PARTUUID=f99072de rw

		        title: Arch Linux LTS
		           id: 20-lts.conf
		       source: /boot//loader/entries/20-lts.conf
		        linux: /boot//vmlinuz-lts
		      options: root=PARTUUID=f99072de rw
	END
	sed -e 's/vmlinuz-linux/vmlinuz-lts/' "$entries/10-arch.conf" \
		>"$entries/20-lts.conf"
	echo lts >"$ABRUN_ROOT/boot/vmlinuz-lts"
	mkdir -p "$ABRUN_ROOT/sys/kernel" "$ABRUN_ROOT/etc"
	echo 0123456789abcdef0123456789abcdef >"$ABRUN_ROOT/etc/machine-id"
	tool systemctl <<-END
		case \$* in
		is-system-running) [ -e '$lin/shutdown' ] && echo stopping ||
			echo running ;;
		*list-jobs) ;;
		'--no-wall -i reboot') : >'$lin/shutdown' ;;
		*) exit 1 ;;
		esac
	END
	: >"$lin/ledger"
	cat >"$work/sh" <<-END
		#!/bin/sh
		export ABRUN_ROOT='$ABRUN_ROOT' LEDGER='$LEDGER' EFI='$EFI'
		TMPDIR=$tmp abrun_path=$abrun_path exec /bin/sh "\$@"
	END
	chmod 755 "$work/sh"
	sshd_make "$lab" alias=lab shell="$work/sh" || exit 1
	sshd_need_run $$
}

lh_ledger()
{
	tr '\n' ' ' <"$lin/ledger" | sed -e 's/ $//'
}

lh_tree()
{
	(cd "$ABRUN_ROOT" && find boot etc -type f | sort | xargs cksum)
}

# Loader and kernel; what is chosen is taken back before it is booted.
lh_boot()
{
	_entry=10-arch.conf
	if [ -e "$EFI" ]; then
		_entry=$(tail -c +5 "$EFI" | tr -d '\0')
		rm "$EFI"
	fi
	rm -f "$lin/shutdown"
	efi LoaderEntrySelected "$_entry"
	sed -n -e 's/^options //p' "$entries/$_entry" >"$lin/cmdline"
	sed -n -e 's/^linux //p' "$entries/$_entry" \
		>"$ABRUN_ROOT/sys/kernel/notes"
	cat /proc/sys/kernel/random/uuid >"$lin/boot_id"
	echo "$_entry $(cat "$lin/cmdline")" |
		sed -e 's/ root=.* rw//' >>"$lin/ledger"
}

# One life of the kernel, until it is asked to end.
lh_live()
{
	# shellcheck disable=SC2016 # the other shell's own
	unshare --pid --fork --kill-child --mount-proc sh -c '
		mount --bind /proc "$1/proc" &&
		mount --bind "$2/boot_id" "$1/proc/sys/kernel/random/boot_id" &&
		mount --bind "$2/cmdline" "$1/proc/cmdline" && shift 2 &&
		exec "$@"' sh "$ABRUN_ROOT" "$lin" \
		"$(command -v sshd || echo /usr/sbin/sshd)" -D -e \
		-f "$lab/sshd_config" 2>>"$lab/sshd.log" </dev/null &
	_life=$!
	echo "$_life" >"$lin/life"
	until [ -e "$lin/shutdown" ]; do
		sleep 0.1
	done
	sleep 1
	kill -s KILL "$_life"
	wait "$_life"
}

lh_run()
{
	trap 'kill -s KILL "$_life" 2>/dev/null; exit' TERM
	_life=
	while :; do
		lh_boot
		if [ ! -e "$lin/dies" ] || [ "$_entry" != abrun-once.conf ]; then
			lh_live 2>/dev/null
		fi
	done
}

lh_up()
{
	lh_run &
	lh_pid=$!
	wait_for sshd_answers "$(cat "$lab/port")"
}

lh_clean()
{
	[ -z "${lh_pid-}" ] || kill -s TERM "$lh_pid"
	[ ! -s "$lin/life" ] || kill -s KILL "$(cat "$lin/life")" 2>/dev/null
	sshd_leave_run $$
	night_clean
}
trap lh_clean EXIT

# As night.sh's, of this machine and without a server.
matrix_target()
{
	cat <<-END
		targets = ( { name = "box"; ssh = "lab"; os = "linux";
		    ssh_config = "$lab/ssh_config"; patience = "30s"; } );
	END
}
matrix_server()
{
	:
}
lh_make
