#!/bin/sh
# hooks/os/linux-boot.sh against trees that stand for other machines: what is
# booted by GRUB and by systemd-boot, once, with words for the kernel, and when
# it is refused.  The loaders are simulated, GRUB's environment is GRUB's own.

# shellcheck disable=SC2016 # $ as it is
set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
. tests/lib/linux_boot.sh

# next: what GRUB's own tool says is chosen.
next()
{
	grub-editenv "$grub/grubenv" list | sed -n -e 's/^next_entry=//p'
}

# state: what boot_state says, in one row.
state()
{
	ask boot_state
	echo "$(value armed) $(value once)"
}

kernels_of_grub_are_named()
{
	debian
	ask kernels
	is 'kernels: entries of menus, by their ids' "$status $(all kernel | tr '\n' ' ')" \
	    "0 gnulinux-simple-$uuid $menu>gnulinux-6.12.1-amd64-advanced-$uuid $menu>gnulinux-6.12.1-amd64-recovery-$uuid $menu>gnulinux-6.1.0-9-amd64-advanced-$uuid $menu>gnulinux-6.1.0-9-amd64-recovery-$uuid "
	is 'kernels: an index is told by its id' \
	    "$(value default) $(value running)" \
	    "gnulinux-simple-$uuid gnulinux-simple-$uuid"
	ask kernel 6.1.0-9-amd64
	is 'kernel: by version' "$(value id) $(value path)" \
	    "$menu>gnulinux-6.1.0-9-amd64-advanced-$uuid /boot/vmlinuz-6.1.0-9-amd64"
	is 'kernel: what its entry gives it' "$(value options)" \
	    "root=UUID=$uuid ro quiet"
	is 'kernel: its file' "$(value sha256)" \
	    "$(sha256sum <"$ABRUN_ROOT/boot/vmlinuz-6.1.0-9-amd64" | cut -d ' ' -f 1)"
	is 'kernel: what it will call itself' \
	    "$(value kernel) $(value kernel_version)" \
	    '6.1.0-9-amd64 #1 SMP Debian'
	ask kernel "gnulinux-6.1.0-9-amd64-recovery-$uuid"
	is 'kernel: by id' "$(value id)" \
	    "$menu>gnulinux-6.1.0-9-amd64-recovery-$uuid"
	ask kernel 6.12.1-amd64
	is 'kernel: the default stands for another that is the same' \
	    "$(value id)" "gnulinux-simple-$uuid"
	ask kernel default
	is 'kernel: default' "$(value id)" "gnulinux-simple-$uuid"
	for name in 6.1 1 '1>2' ''; do
		ask kernel "$name"
		is "kernel: $name is none" "$status" 2
	done
	sed -i -e '/advanced.*{/,/}/s/quiet/quiet nosmt/' "$grub/grub.cfg"
	ask kernel 6.12.1-amd64
	is 'kernel: a version of two that differ' "$status" 1
	rm "$ABRUN_ROOT/boot/vmlinuz-6.12.1-amd64"
	ask kernel default
	is 'kernel: its file is gone' "$status" 3
}

menus_of_other_machines_are_read()
{
	debian
	sed 1d "$data/grub.cfg-opensuse-tw-1.txt" >"$grub/grub.cfg"
	ask kernels
	is 'openSUSE: a hotkey between title and id' "$(all kernel)" \
	    gnulinux-simple-7a4b1692-72b2-a6ea-1a1e-e364eb201a6b
	sed 1d "$data/grub.cfg-ubuntu-1.txt" >"$grub/grub.cfg"
	ask kernels
	is 'Ubuntu: a memory test is no kernel' "$(all kernel | wc -l)" 3
	ask boot_state
	is 'Ubuntu: a failed boot waits for a key' "$(all hazard)" \
	    'after a boot that failed GRUB waits for a key: GRUB_RECORDFAIL_TIMEOUT is not set'
	echo 0 >"$ABRUN_ROOT/proc/sys/kernel/panic"
	ask boot_state
	is 'boot_state: a panic that does not end is told, too' \
	    "$(all hazard | head -n 1)" \
	    'a kernel that panics stays there: kernel.panic is 0'
	is 'boot_state: no watchdog' "$(value watchdog)" no
	mkdir -p "$ABRUN_ROOT/sys/class/watchdog/watchdog0"
	echo active >"$ABRUN_ROOT/sys/class/watchdog/watchdog0/state"
	ask boot_state
	is 'boot_state: a watchdog that runs' "$(value watchdog)" yes
	sed 1d "$data/grub.cfg-rhel7-2.txt" >"$grub/grub.cfg"
	ask kernels
	is 'RHEL 7: entries that share an id have titles' \
	    "$(all kernel | head -n 1)" \
	    'Red Hat Enterprise Linux Server (3.10.0-229.el7.x86_64) 7.0 (Maipo)'
	sed 1d "$data/grub.cfg-rhel7-1.txt" >"$grub/grub.cfg"
	printf '%s\n' 'menuentry "a > b" {' 'linux /vmlinuz-1 quiet' '}' \
	    'menuentry 7 {' 'linux /vmlinuz-2' '}' >>"$grub/grub.cfg"
	ask kernels
	is 'titles: > is doubled, and a number would be an index' \
	    "$(all kernel | sed 1,2d)" 'a >> b'
	debian_with "\${saved_entry}"
	grub-editenv "$grub/grubenv" set \
	    'saved_entry=Advanced options>Debian GNU/Linux, with Linux 6.1.0-9-amd64'
	ask kernel default
	is 'default: a path of titles' "$(value id)" \
	    "$menu>gnulinux-6.1.0-9-amd64-advanced-$uuid"
	advanced="$menu>gnulinux-6.12.1-amd64-advanced-$uuid"
	for name in 6.12.1-amd64 "gnulinux-simple-$uuid" "$advanced"; do
		ask kernel "$name"
		is "kernel: of two that are the same, by $name" "$(value id)" \
		    "$advanced"
	done
	ask kernels
	is 'kernels: the same of the two is the one that runs' \
	    "$(value running)" "$advanced"
	grub-editenv "$grub/grubenv" set 'saved_entry=1>2'
	ask kernel default
	is 'default: a path of indexes' "$(value id)" \
	    "$menu>gnulinux-6.1.0-9-amd64-advanced-$uuid"
	grub-editenv "$grub/grubenv" set saved_entry=gone
	ask kernel default
	is 'default: none of the entries is unknown' "$status" 3
	runs "BOOT_IMAGE=(hd0,gpt1)/boot/vmlinuz-6.1.0-9-amd64 root=UUID=$uuid ro single quiet"
	ask kernels
	is 'running: by its whole line, a device in front' "$(value running)" \
	    "$menu>gnulinux-6.1.0-9-amd64-recovery-$uuid"
	rm "$grub/grub.cfg"
	sed 1d "$data/grub.conf-legacy-rhel5-1.txt" >"$grub/grub.conf"
	ask kernels
	is 'GRUB of old is unknown' "$status" 3
	efi LoaderInfo 'Limine 9.3'
	ask kernels
	is 'another loader is unknown' "$status" 3
}

grub_boots_once()
{
	debian
	is 'GRUB: nothing is chosen' "$(state)" 'none '
	ask boot_once 6.1.0-9-amd64
	is 'GRUB: chosen for once' "$status $(value armed) $(value once)" \
	    "0 $menu>gnulinux-6.1.0-9-amd64-advanced-$uuid yes"
	is 'GRUB: as its own tool reads it' "$(next)" \
	    "$menu>gnulinux-6.1.0-9-amd64-advanced-$uuid"
	is 'GRUB: as it stands there' "$(state)" \
	    "$menu>gnulinux-6.1.0-9-amd64-advanced-$uuid yes"
	grub_boots
	ask boot_state
	is 'GRUB: and was for that boot' \
	    "$(value once) $(value armed) $(value running)" \
	    "consumed $menu>gnulinux-6.1.0-9-amd64-advanced-$uuid $menu>gnulinux-6.1.0-9-amd64-advanced-$uuid"
	grub-editenv "$grub/grubenv" unset next_entry
	ask boot_state
	is 'GRUB: absent is consumed, too' "$(value once)" consumed
	ask boot_once default
	ask boot_once "gnulinux-6.1.0-9-amd64-advanced-$uuid"
	ask boot_clear
	is 'GRUB: taken back' "$status $(next) $(state)" '0  none '
	ask boot_clear
	is 'GRUB: which may be said twice' "$status" 0
	grub_boots
	is 'GRUB: the default is booted' "$booted" "gnulinux-simple-$uuid"
	grub-editenv "$grub/grubenv" set "next_entry=gnulinux-simple-$uuid"
	is 'GRUB: what others chose is told' "$(state)" \
	    "gnulinux-simple-$uuid yes"
	ask boot_clear
	ask boot_once 6.1.0-9-amd64
	STICKY=yes grub_boots
	is 'GRUB: what the boot has not taken back stays' "$(state)" \
	    "$menu>gnulinux-6.1.0-9-amd64-advanced-$uuid no"
}

words_are_added_once()
{
	debian
	printf '# mine' >"$grub/custom.cfg"
	ask boot_once 6.1.0-9-amd64 mitigations=off 'isolcpus=1,2 nosmt' a=1\;2
	is 'words: chosen' "$status $(value armed) $(next)" \
	    "0 $menu>gnulinux-6.1.0-9-amd64-advanced-$uuid abrun-once"
	ok 'words: GRUB can read it' grub-script-check "$grub/custom.cfg"
	ask kernels
	is 'words: our entry is none of the kernels' "$(all kernel | wc -l)" 5
	grub_boots
	is 'words: they are booted' "$(cat "$ABRUN_ROOT/proc/cmdline")" \
	    "BOOT_IMAGE=/boot/vmlinuz-6.1.0-9-amd64 root=UUID=$uuid ro quiet mitigations=off isolcpus=1,2 nosmt a=1;2"
	ask boot_state
	is 'words: and were for that boot' "$(value once) $(value running)" \
	    "consumed $menu>gnulinux-6.1.0-9-amd64-advanced-$uuid"
	ask boot_clear
	is 'words: what was there is there' "$status $(cat "$grub/custom.cfg")" \
	    '0 # mine'
	ask boot_state
	is 'words: what runs is known for all of its boot' \
	    "$(value armed) $(value running)" \
	    "none $menu>gnulinux-6.1.0-9-amd64-advanced-$uuid"
	is 'words: the line of the running kernel' "$(value cmdline)" \
	    "$(cat "$ABRUN_ROOT/proc/cmdline")"
	grub_boots
	ask boot_clear
	ask boot_state
	is 'words: and for that boot alone' \
	    "$(value running) $(ls "$ABRUN_LOCKS")" "gnulinux-simple-$uuid "
	rm "$grub/custom.cfg"
	ask boot_once 6.12.1-amd64 nosmt
	grub-editenv "$grub/grubenv" set next_entry=
	grub_boots
	ask boot_state
	is 'words: without them the default has run, and not the choice' \
	    "$(value once) $(value running)" \
	    "consumed gnulinux-simple-$uuid"
	ask boot_once default nosmt
	ask boot_once 6.1.0-9-amd64
	is 'words: another choice removes them' \
	    "$(ls "$grub") $(next)" \
	    "grub.cfg${nl}grubenv $menu>gnulinux-6.1.0-9-amd64-advanced-$uuid"
	for word in 'a="b c"' 'x=$y' "it's" 'a\b' 'nosmt -- single'; do
		ask boot_once default "$word"
		is "words: $word is refused" "$status" 1
	done
	sed -i -e 's/custom.cfg/other.cfg/' "$grub/grub.cfg"
	ask boot_once default nosmt
	is 'words: where GRUB would not read them' "$status $(ls "$grub")" \
	    "1 grub.cfg${nl}grubenv"
}

# what_runs: what boot_state says that runs.
what_runs()
{
	ask boot_state
	value running
}

# The lab itself has an entry that is another with the same words.
words_may_make_another_entry()
{
	debian
	older=gnulinux-6.1.0-9-amd64-advanced-$uuid
	entry 6.1.0-9-amd64 advanced | sed -e "s/'$older'/'lab-nosmt'/" \
	    -e '/linux/s/quiet/quiet nosmt/' >>"$grub/grub.cfg"
	ask boot_once "$older" nosmt
	grub_boots
	is 'words that make another entry: what was chosen runs' \
	    "$(what_runs) $(value once)" "$menu>$older consumed"
	ask boot_clear
	is 'words that make another entry: for all of that boot' \
	    "$(what_runs)" "$menu>$older"
	ask boot_once lab-nosmt
	grub_boots
	is 'words that make another entry: that is itself' "$(what_runs)" lab-nosmt
	ask boot_once "$older" nosmt=force
	grub_boots
	is 'words that make another entry: and no others' "$(what_runs)" \
	    "$menu>$older"
	ask boot_clear
	runs "BOOT_IMAGE=/boot/vmlinuz-6.12.1-amd64 root=UUID=$uuid ro quiet nosmt"
	is 'words that make another entry: of another image' "$(what_runs)" \
	    "gnulinux-simple-$uuid"
	fedora
	sed -i -e 's/ *\$tuned_params//' "$entries/$second.conf"
	sed -e '/^options/s/$/ nosmt/' "$entries/$second.conf" \
	    >"$entries/lab-nosmt.conf"
	ask boot_once "$second" nosmt
	runs "BOOT_IMAGE=(hd0,gpt1)$(sed -n -e 's/^linux //p' \
		"$entries/abrun-once.conf") $(sed -n -e 's/^options //p' \
		"$entries/abrun-once.conf")"
	grub-editenv "$grub/grubenv" unset next_entry
	next_life
	is 'words that make another entry: BLS' "$(what_runs)" "$second"
}

# What was chosen after a boot had begun does not run in it.
a_choice_does_not_run_yet()
{
	debian
	recovery=gnulinux-6.1.0-9-amd64-recovery-$uuid
	ask boot_once "$recovery" nosmt
	grub_boots
	is 'a new choice: an old one runs' "$(what_runs)" "$menu>$recovery"
	ask boot_once "gnulinux-6.1.0-9-amd64-advanced-$uuid"
	is 'a new choice: it still does' "$status $(what_runs) $(value once)" \
	    "0 $menu>$recovery yes"
	ask boot_clear
	is 'a new choice: taken back' "$(what_runs)" "$menu>$recovery"
	arch bootctl-list-arch-1.txt
	sed -e 's/Arch Linux.*/LTS/' -e 's/10-arch/20-lts/' \
	    "$work/bootctl.list" >"$work/lts"
	{
		echo
		cat "$work/lts"
	} >>"$work/bootctl.list"
	sed -e 's/Arch Linux/LTS/' "$entries/10-arch.conf" \
	    >"$entries/20-lts.conf"
	ask boot_once 20-lts.conf nosmt
	rm "$EFI"
	efi LoaderEntrySelected abrun-once.conf
	next_life
	is 'a new choice: systemd-boot' "$(what_runs)" 20-lts.conf
	ask boot_once 10-arch.conf nosmt
	is 'a new choice: systemd-boot still runs the old one' \
	    "$status $(what_runs) $(value armed)" '0 20-lts.conf 10-arch.conf'
	rm "$EFI"
	next_life
	is 'a new choice: systemd-boot runs it then' "$(what_runs)" 10-arch.conf
}

# refused NAME: boot_once fails, and nothing is chosen.
refused()
{
	ask boot_once 6.1.0-9-amd64
	is "refused: $1" "$status $(next)" '1 '
}

# on TYPE DEVICE: a Debian on that.
on()
{
	debian
	: >"$ABRUN_ROOT/proc/self/mountinfo"
	mounted '254:2 / /' "$1 $2"
}

what_would_stick_is_refused()
{
	on ext4 /dev/mapper/vg-root
	refused LVM
	grub-editenv "$grub/grubenv" set next_entry=0
	is 'refused: what others chose there is for good' "$(state)" '0 no'
	on xfs /dev/md126p1
	refused md
	on ext4 /dev/vda2
	mkdir "$ABRUN_ROOT/sys/dev/block/254:2/dm"
	refused 'the device mapper by another name'
	on btrfs /dev/vda2
	refused btrfs
	on zfs rpool/ROOT
	refused ZFS
	on btrfs /dev/vda2
	grub-editenv "$grub/grubenv" set env_block=512+1
	refused 'btrfs, with a place of which the configuration knows nothing'
	echo 'if [ "${env_block}" ] ; then save_env -f "${env_block}" next_entry' \
	    >>"$grub/grub.cfg"
	ask boot_once 6.1.0-9-amd64
	is 'btrfs with a place beside it: chosen' "$status" 0
	debian
	head -c 500 "$grub/grubenv" >"$work/short"
	cp "$work/short" "$grub/grubenv"
	refused 'an environment that was cut'
	rm "$grub/grubenv"
	ask boot_state
	is 'boot_state: makes no environment' "$status $(ls "$grub")" '0 grub.cfg'
	ask boot_once 6.1.0-9-amd64
	is 'refused: no environment' "$status" 1
	: >"$grub/grubenv"
	ask boot_state
	is 'boot_state: an empty environment is unknown' "$status" 3
	debian
	sed -i -e '/save_env/d' "$grub/grub.cfg"
	refused 'a configuration that takes nothing back'
	debian
	sed -i -e 's/next_entry/other_entry/' "$grub/grub.cfg"
	refused 'a configuration that reads nothing'
	debian
	echo '  # GRUB lacks write support for lvm, so recordfail support is disabled.' \
	    >>"$grub/grub.cfg"
	refused 'a configuration that says it'
	debian
	rm "$ABRUN_ROOT/boot/vmlinuz-6.1.0-9-amd64"
	refused 'a kernel whose file is gone'
	debian
	echo 'exit 0' | tool grub-editenv
	ask boot_once 6.1.0-9-amd64
	is 'refused: a tool that ends with 0 and writes nothing' "$status" 1
	is 'refused: and then nothing of it is kept' "$(ls "$ABRUN_LOCKS")" ''
}

environments_of_other_machines_are_read()
{
	debian_with "\${saved_entry}"
	for file in debian12 ubuntu; do
		sed 1d "$data/grubenv-file-$file-1.txt" >"$grub/grubenv"
		is "grubenv of $file" "$(state)" 'none '
	done
	debian
	sed 1d "$data/grub-editenv-list-ubuntu-consumed-1.txt" >"$work/listed"
	echo "cat '$work/listed'" | tool grub-editenv
	is 'an empty variable is no choice' "$(state)" 'none '
	echo "next_entry=a (b) > c" >"$work/listed"
	is 'a title with blanks is one' "$(state)" 'a (b) > c yes'
	echo "echo 'grub-editenv: error: invalid environment block.' >&2; exit 1" |
	    tool grub-editenv
	ask boot_state
	is 'an error is unknown' "$status" 3
}

bls_boots_once()
{
	fedora
	ask kernels
	is 'BLS: the names of files' "$(all kernel | tr '\n' ' ')$(value default)" \
	    "$first $second $first"
	ask kernel 5.14.0-427.el9.x86_64
	is 'BLS: by version, from the top of /boot' "$(value id) $(value path)" \
	    "$second /boot/vmlinuz-5.14.0-427.el9.x86_64"
	ask boot_once 5.14.0-427.el9.x86_64
	is 'BLS: chosen' "$status $(next)" "0 $second"
	ask boot_once 5.14.0-427.el9.x86_64 nosmt
	is 'BLS: with words' "$status $(next) $(value armed)" \
	    "0 abrun-once $second"
	is 'BLS: our entry' "$(cat "$entries/abrun-once.conf")" \
	    "$(sed -e '/^title/d' -e '/^version/d' -e '/^options/d' \
		"$entries/$second.conf")
title abrun-once
$(grep ^options "$entries/$second.conf" | sed -e 's/ *$//') nosmt"
	ask boot_clear
	is 'BLS: removed' "$status $(find "$entries" -name 'abrun*')" '0 '
	grub-editenv "$grub/grubenv" unset saved_entry
	ask boot_once 5.14.0-427.el9.x86_64 nosmt
	is 'BLS: ours could be the first, which is the default' \
	    "$status $(find "$entries" -name 'abrun*')" '1 '
	ask kernel default
	is 'BLS: an index is unknown' "$status" 3
	rm "$entries"/*
	sed 1d "$data/loader-entry-fedora37-btrfs-1.txt" >"$entries/f37.conf"
	kernel 5.19.9-300.fc37.x86_64
	ask kernel f37
	is 'BLS: a subvolume is in front' "$(value path)" \
	    /boot/vmlinuz-5.19.9-300.fc37.x86_64
}

systemd_boot_boots_once()
{
	arch bootctl-list-arch-1.txt
	ask kernels
	is 'systemd-boot: entries' \
	    "$status $(all kernel) $(value default) $(value running)" \
	    '0 10-arch.conf 10-arch.conf 10-arch.conf'
	ask kernel linux
	is 'systemd-boot: a path' "$status $(value path)" '2 '
	ask kernel 'Arch Linux'
	is 'systemd-boot: by title' "$(value id) $(value path)" \
	    '10-arch.conf /boot/vmlinuz-linux'
	ask boot_once 10-arch.conf
	is 'systemd-boot: chosen' "$status $(state)" '0 10-arch.conf yes'
	rm "$EFI"
	next_life
	is 'systemd-boot: it was for that boot' "$(state)" \
	    '10-arch.conf consumed'
	ask boot_once 10-arch.conf nosmt
	is 'systemd-boot: with words' "$status $(state)" '0 10-arch.conf yes'
	is 'systemd-boot: our entry' "$(cat "$entries/abrun-once.conf")" \
	    'linux /vmlinuz-linux
initrd /amd-ucode.img
initrd /initramfs-linux.img
title abrun-once
options root=PARTUUID=f99072de rw nosmt'
	efi LoaderEntrySelected abrun-once.conf
	ask boot_state
	is 'systemd-boot: ours runs as what it stands for' \
	    "$(value running)" 10-arch.conf
	next_life
	ask boot_clear
	is 'systemd-boot: removed' "$status $(state) $(ls "$entries")" \
	    '0 none  10-arch.conf'
	ask boot_state
	is 'systemd-boot: ours still runs' "$(value running)" 10-arch.conf
	features 7
	ask boot_once 10-arch.conf
	is 'systemd-boot: one that cannot' "$status" 1
	arch bootctl-list-arch-2.txt
	ask kernel 7.1.8-arch1-3
	is 'systemd-boot: where its file is, is not in its name' "$(value id)" \
	    a4ab047ce4c2c492bf126e08c8e118d5-7.1.8-arch1-3.conf
	arch bootctl-list-cachyos-1.txt
	ask kernels
	is 'systemd-boot: Windows is no kernel' \
	    "$(all kernel | head -n 1) $(value default)" \
	    'linux-cachyos-lts-lto.conf linux-cachyos-lts-lto.conf'
}

boots_end()
{
	machine
	tool systemctl <<'END'
case $* in
is-system-running) cat "$ABRUN_ROOT/../is"; exit 1 ;;
*list-jobs) cat "$ABRUN_ROOT/../jobs" ;;
esac
END
	: >"$work/jobs"
	for word in running:yes degraded:yes starting:no stopping:no \
	    maintenance:no; do
		echo "${word%:*}" >"$work/is"
		ask boot_finished
		is "boot_finished: ${word%:*}" "$(value finished)" "${word#*:}"
	done
	for word in offline unknown ''; do
		echo "$word" >"$work/is"
		ask boot_finished
		is "boot_finished: $word is unknown" "$status" 3
	done
	echo running >"$work/is"
	sed 1d "$data/systemctl-list-jobs-ubuntu1804-1.txt" >"$work/jobs"
	ask boot_finished
	is 'boot_finished: jobs' "$(value finished) $(all why | wc -l)" 'no 3'
	: >"$work/jobs"
	touch "$ABRUN_ROOT/run/nologin"
	ask boot_finished
	is 'boot_finished: nobody may log in' "$(value finished)" no
	machine
	rmdir "$ABRUN_ROOT/run/systemd/system"
	echo "cat '$work/ps'" | tool ps
	printf 'init [2]\n/usr/sbin/sshd -D\n' >"$work/ps"
	ask boot_finished
	is 'boot_finished: without systemd' "$(value finished)" yes
	echo '/bin/sh /etc/init.d/rc 2' >>"$work/ps"
	ask boot_finished
	is 'boot_finished: its scripts run' "$(value finished)" no
	: >"$work/ps"
	ask boot_finished
	is 'boot_finished: a ps that says nothing is unknown' "$status" 3
}

reboots_are_asked_for()
{
	machine
	for name in systemctl shutdown; do
		printf '%s\n' "echo \"$name \$* \$SYSTEMCTL_SKIP_AUTO_KEXEC\" >>\"\$LEDGER\"" \
		    'echo "Failed to connect to bus" >&2; sleep 9 & exit 0' |
		    tool "$name"
	done
	ask reboot
	is 'reboot: asked for, and not waited for' \
	    "$status $(value issued) $(cat "$LEDGER")" \
	    '0 yes systemctl --no-wall -i reboot 1'
	mkdir -p "$ABRUN_ROOT/sys/kernel"
	echo 1 >"$ABRUN_ROOT/sys/kernel/kexec_loaded"
	ask reboot
	is 'reboot: past the loader is refused' "$status" 1
	echo 0 >"$ABRUN_ROOT/sys/kernel/kexec_loaded"
	mkdir -p "$ABRUN_ROOT/etc/default"
	echo 'LOAD_KEXEC=true' >"$ABRUN_ROOT/etc/default/kexec"
	ask reboot
	is 'reboot: past the loader by a script is refused' \
	    "$status $(wc -l <"$LEDGER")" '1 1'
	rm "$ABRUN_ROOT/etc/default/kexec"
	rmdir "$ABRUN_ROOT/run/systemd/system"
	ask reboot
	is 'reboot: without systemd' "$(sed 1d "$LEDGER")" 'shutdown -r now 1'
	echo 'echo "must be superuser" >&2; exit 1' | tool shutdown
	ask reboot
	is 'reboot: refused' "$status $(value error)" \
	    '1 shutdown failed: must be superuser'
}

kernels_of_grub_are_named
menus_of_other_machines_are_read
grub_boots_once
words_are_added_once
words_may_make_another_entry
a_choice_does_not_run_yet
what_would_stick_is_refused
environments_of_other_machines_are_read
bls_boots_once
systemd_boot_boots_once
boots_end
reboots_are_asked_for
# Where sh is bash.
shell=bash
words_are_added_once
words_may_make_another_entry
a_choice_does_not_run_yet
finish
