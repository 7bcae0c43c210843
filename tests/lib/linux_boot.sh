# Sourced after verbs.sh: a tree that stands for a Linux machine, the loader that
# would read it, and tools that keep a ledger.  grub-editenv and
# grub-script-check are GRUB's own.
# shellcheck shell=sh disable=SC2034,SC2154 # variables of whoever sources it
# shellcheck disable=SC1003,SC2016,SC2059 # $ and \ as they are in other files

data=tests/data/os/linux
uuid=1ab00000-0000-4000-8000-00000000ab00
guid=4a67b082-0a4c-41cf-b6c7-440b29bb8c4f
menu=gnulinux-advanced-$uuid

export ABRUN_ROOT="$work/root" abrun_path="$work/bin:/usr/bin:/bin"
export ABRUN_LOCKS="$work/locks" LEDGER="$work/ledger"

# tool NAME: a program of the machine, from standard input.
tool()
{
	{
		echo '#!/bin/sh'
		cat
	} >"$work/bin/$1"
	chmod 755 "$work/bin/$1"
}

# machine: a fresh tree; every later ask looks at it.  Nothing that could end
# this machine is in PATH.
machine()
{
	rm -rf "$ABRUN_ROOT" "${work:?}/bin" "$ABRUN_LOCKS"
	mkdir -p "$work/root/proc/self" "$work/root/proc/sys/kernel/random" \
	    "$work/root/run/systemd/system" "$work/root/boot" "$work/bin" \
	    "$work/root/sys/dev/block/254:2"
	: >"$LEDGER"
	for name in systemctl shutdown reboot poweroff kexec bootctl; do
		echo 'echo "simulated: no such thing" >&2; exit 1' | tool "$name"
	done
	boots=0
	next_life
	mounted '254:2 / /' 'ext4 /dev/vda2'
}

next_life()
{
	boots=$((boots + 1))
	echo "00000000-0000-4000-8000-00000000000$boots" \
	    >"$ABRUN_ROOT/proc/sys/kernel/random/boot_id"
}

# mounted 'MAJOR:MINOR ROOT POINT' 'TYPE SOURCE': a row of mountinfo.
mounted()
{
	echo "29 1 $1 rw,relatime shared:1 - $2 rw" \
	    >>"$ABRUN_ROOT/proc/self/mountinfo"
}

# kernel VERSION: its file, with the head of a bzImage.
kernel()
{
	{
		head -c 514 /dev/zero
		printf 'HdrS\0\0\0\0\0\0\0\0\0\20'
		head -c 4080 /dev/zero
		printf '%s (simulated@build) #1 SMP Debian\0' "$1"
	} >"$ABRUN_ROOT/boot/vmlinuz-$1"
}

# entry VERSION KIND [WORD]: as update-grub of Debian writes it.
entry()
{
	cat <<END
	menuentry 'Debian GNU/Linux, with Linux $1${3:+ (recovery mode)}' --class debian \$menuentry_id_option 'gnulinux-$1-$2-$uuid' {
		load_video
		insmod ext2
		search --no-floppy --fs-uuid --set=root $uuid
		echo	'Loading Linux $1 ...'
		linux	/boot/vmlinuz-$1 root=UUID=$uuid ro${3:+ $3} quiet
		initrd	/boot/initrd.img-$1
	}
END
}

# grub_head DEFAULT
grub_head()
{
	cat <<END
if [ -s \$prefix/grubenv ]; then
  set have_grubenv=true
  load_env
fi
if [ "\${next_entry}" ] ; then
   set default="\${next_entry}"
   set next_entry=
   save_env next_entry
   set boot_once=true
else
   set default="$1"
fi
function load_video {
  insmod all_video
}
END
}

# debian: two kernels, the newer one first, of which it boots that.
debian()
{
	[ -d "$work/fresh" ] || {
		debian_with 0
		mkdir "$work/fresh"
		cp -a "$ABRUN_ROOT" "$work/bin" "$work/fresh/"
	}
	rm -rf "$ABRUN_ROOT" "${work:?}/bin" "$ABRUN_LOCKS"
	cp -a "$work/fresh/root" "$work/fresh/bin" "$work/"
	grub=$ABRUN_ROOT/boot/grub boots=1
}

# debian_with DEFAULT: made anew.
debian_with()
{
	machine
	kernel 6.12.1-amd64
	kernel 6.1.0-9-amd64
	grub=$ABRUN_ROOT/boot/grub
	mkdir -p "$grub"
	{
		grub_head "$1"
		entry 6.12.1-amd64 simple |
		    sed -e 's/gnulinux-[^ ]*simple/gnulinux-simple/' -e 's/, with Linux [^ ]*'"'/'/"
		echo "submenu 'Advanced options' \$menuentry_id_option '$menu' {"
		for version in 6.12.1-amd64 6.1.0-9-amd64; do
			entry "$version" advanced
			entry "$version" recovery single
		done
		printf '}\n%s\n  source ${config_directory}/custom.cfg\nfi\n' \
		    'if [ -f  ${config_directory}/custom.cfg ]; then'
	} >"$grub/grub.cfg"
	grub-editenv "$grub/grubenv" create
	runs "BOOT_IMAGE=/boot/vmlinuz-6.12.1-amd64 root=UUID=$uuid ro quiet"
}

runs()
{
	echo "$1" >"$ABRUN_ROOT/proc/cmdline"
}

# As GRUB would: $booted is the name of the entry, and its line is the running
# one.  STICKY stands for a disk that GRUB cannot write.
grub_boots()
{
	booted=$(grub-editenv "$grub/grubenv" list | sed -n -e 's/^next_entry=//p')
	[ -z "$booted" ] || [ -n "${STICKY-}" ] ||
	    grub-editenv "$grub/grubenv" set next_entry=
	booted=${booted:-gnulinux-simple-$uuid}
	cat "$grub/grub.cfg" "$grub/custom.cfg" 2>/dev/null | awk \
	    -v id="'${booted##*>}'" '
		/menuentry / { here = index($0, id) }
		here && $1 == "linux" {
			gsub(/\047/, "")
			sub(/^[ \t]*linux[ \t]*/, "BOOT_IMAGE=")
			print
			exit
		}' >"$ABRUN_ROOT/proc/cmdline"
	next_life
}

# fedora: entries of the Boot Loader Specification.
fedora()
{
	machine
	mounted '254:1 / /boot' 'xfs /dev/vda1'
	grub=$ABRUN_ROOT/boot/grub2
	entries=$ABRUN_ROOT/boot/loader/entries
	mkdir -p "$grub" "$entries"
	{
		grub_head '${saved_entry}'
		printf 'insmod blscfg\nblscfg\n'
	} >"$grub/grub.cfg"
	grub-editenv "$grub/grubenv" create
	first=7ff697f1807289e6d63e70c07776b6a0-5.14.0-362.18.1.el9_3.x86_64
	sed 1d "$data/loader-entry-rhel93-1.txt" >"$entries/$first.conf"
	second=7ff697f1807289e6d63e70c07776b6a0-5.14.0-427.el9.x86_64
	sed -e 's/362.18.1.el9_3/427.el9/' "$entries/$first.conf" \
	    >"$entries/$second.conf"
	kernel 5.14.0-362.18.1.el9_3.x86_64
	kernel 5.14.0-427.el9.x86_64
	grub-editenv "$grub/grubenv" set "saved_entry=$first"
}

# efi NAME TEXT: a variable of the loader, in UTF-16.
efi()
{
	mkdir -p "$ABRUN_ROOT/sys/firmware/efi/efivars"
	{
		printf '\6\0\0\0'
		printf '%s\0' "$2" | sed -e 's/./&\x00/g'
		printf '\0'
	} >"$ABRUN_ROOT/sys/firmware/efi/efivars/$1-$guid"
}

# features OCTAL: what systemd-boot says that it can do.
features()
{
	printf '\6\0\0\0\'"$1"'\0\0\0\0\0\0\0' \
	    >"$ABRUN_ROOT/sys/firmware/efi/efivars/LoaderFeatures-$guid"
}

# arch CAPTURE: a machine with systemd-boot, whose bootctl lists that, and an
# entry of ours if there is one.
arch()
{
	machine
	efi LoaderInfo 'systemd-boot 257.5-1-arch'
	efi LoaderEntrySelected 10-arch.conf
	features 17
	entries=$ABRUN_ROOT/boot/loader/entries
	mkdir -p "$entries"
	sed 1d "$data/$1" >"$work/bootctl.list"
	echo linux >"$ABRUN_ROOT/boot/vmlinuz-linux"
	printf '%s\n' 'title Arch Linux' 'linux /vmlinuz-linux' \
	    'initrd /amd-ucode.img' 'initrd /initramfs-linux.img' \
	    'options root=PARTUUID=f99072de rw' >"$entries/10-arch.conf"
	export EFI="$ABRUN_ROOT/sys/firmware/efi/efivars/LoaderEntryOneShot-$guid"
	tool bootctl <<'END'
echo "$*" >>"$LEDGER"
entries=$ABRUN_ROOT/boot/loader/entries
case $* in
-x | -p) echo /boot ;;
'--no-pager list')
	cat "$ABRUN_ROOT/../bootctl.list"
	[ ! -e "$entries/abrun-once.conf" ] || printf '\n%s\n%s\n%s\n%s\n' \
	    '        title: abrun-once' '           id: abrun-once.conf' \
	    '       source: /boot//loader/entries/abrun-once.conf' \
	    '        linux: /boot//vmlinuz-linux'
	;;
'set-oneshot ') rm -f "$EFI" ;;
set-oneshot\ *)
	{ printf '\6\0\0\0'; printf '%s\0' "$2" | sed -e 's/./&\x00/g'; printf '\0'; } >"$EFI"
	;;
*) exit 1 ;;
esac
END
}
