# abrun-verbs: kernels kernel boot_state boot_once boot_clear boot_finished reboot
# What abrun must know of booting FreeBSD.
#
# freebsd.sh reads it by hand.  abrun feeds it behind freebsd.sh, and only if one
# of the verbs of its first line is asked for; see abrun-hooks(7).
#
# "A && B || C" is meant as it stands, and variables are shared with common.sh
# and freebsd.sh.
# shellcheck shell=sh
# shellcheck disable=SC2015,SC2034,SC2154

nextboot_file=$root/boot/nextboot.conf

# The one that is booted when nothing is said, into $default.
default_kernel()
{
	default=$(cat "$root/boot/loader.conf" "$root"/boot/loader.conf.d/*.conf \
	    "$root/boot/loader.conf.local" 2>/dev/null | sed -n \
	    -e 's/^[[:blank:]]*kernel="\{0,1\}\([^"#]*\)"\{0,1\}.*$/\1/p' |
	    tail -n 1)
	default=${default%"${default##*[! ]}"}
	default=${default:-kernel}
}

# As the loader looks for them.  In the list of boot environments the one that
# runs and the one that is next may be two rows.
verb_kernels()
{
	for dir in "$root"/boot/*/; do
		[ -f "${dir}kernel" ] || continue
		dir=${dir%/}
		say kernel "${dir##*/}"
	done
	find_tool bectl && bectl list -H 2>/dev/null | while read -r name _; do
		say kernel "be:$name"
	done
	default_kernel
	say default "$default"
	oid kern.bootfile || return 0
	value=${value%/*}
	say running "${value##*/}"
}

# kernel_name NAME: fails unless it can be given to tools and files.
kernel_name()
{
	case $1 in
	'' | .* | -* | *[!A-Za-z0-9._+-]*) failed "not the name of a kernel: $1" ;;
	esac
}

verb_kernel()
{
	name=$1
	default_kernel
	[ "$name" != default ] || name=$default
	case $name in
	be:*)
		kernel_name "${name#be:}"
		bectl list -H 2>/dev/null | cut -f 1 |
		    grep -q -x -F -e "${name#be:}" ||
		    absent "there is no boot environment ${name#be:}"
		say id "$name"
		return 0
		;;
	esac
	kernel_name "$name"
	[ -f "$root/boot/$name/kernel" ] ||
	    absent "there is no /boot/$name/kernel"
	say id "$name"
	say path "/boot/$name/kernel"
	sha256 "$root/boot/$name/kernel" ||
	    unknown "/boot/$name/kernel cannot be read"
	say sha256 "$sum"
	say_if build_id "$(readelf -n "$root/boot/$name/kernel" 2>/dev/null |
	    sed -n -e 's/^.*Build ID: *\([0-9a-f]*\).*$/\1/p' | head -n 1)"
}

# boot_store: $store, the type of /boot's file system, and $pool.
boot_store()
{
	place=$(df -P -- "$root/boot" 2>/dev/null | sed -n -e '2s/^.*% *//p')
	line=$(mount -p 2>/dev/null | awk -v place="$place" '
		$2 == place { print $1, $3; exit }')
	store=${line##* }
	pool=${line%% *}
	pool=${pool%%/*}
	[ -n "$line" ]
}

# nextboot_state: $armed, the kernel that is chosen for the next boot or none,
# and $once: yes for that boot alone; consumed, it was for the last one; no, it
# would be for all from now on.  Of ZFS the loader can write a place beside
# the file system only, and where it has none the file stands for ever.
nextboot_state()
{
	armed=none once=yes
	[ -e "$nextboot_file" ] || return 0
	[ -r "$nextboot_file" ] || unknown '/boot/nextboot.conf cannot be read'
	armed=$(sed -n -e 's/^kernel="\(.*\)"$/\1/p' "$nextboot_file" |
	    tail -n 1)
	armed=${armed:-default}
	boot_store || unknown 'the file system of /boot is not known'
	first "$nextboot_file"
	case $store:$line in
	zfs:nextboot_enable=\"NO\"*) once=consumed ;;
	zfs:nextboot_enable=*) once=no ;;
	zfs:*)
		said=$(zfsbootcfg -z "$pool" -n freebsd:nvstore -p 2>/dev/null)
		case $said:$(kenv -q nextboot_enable 2>/dev/null) in
		*nextboot_enable=*YES*:*) once=yes ;;
		*:NO) once=consumed ;;
		*) once=no ;;
		esac
		;;
	*:nextboot_enable=\"NO\"*) once=consumed ;;
	esac
}

# rc_value NAME: what rc.conf(5) has for it, into $value.
rc_value()
{
	value=$(cat "$root/etc/defaults/rc.conf" "$root/etc/rc.conf" \
	    "$root/etc/rc.conf.local" 2>/dev/null | sed -n \
	    -e "s/^[[:blank:]]*$1=[\"']\{0,1\}\([^\"'#]*\).*\$/\1/p" |
	    tail -n 1)
	value=${value%"${value##*[! ]}"}
}

is_yes()
{
	case $1 in
	[Yy][Ee][Ss] | [Tt][Rr][Uu][Ee] | [Oo][Nn] | 1) return 0 ;;
	esac
	return 1
}

# What would keep it from coming back by itself.
boot_hazards()
{
	rc_value fsck_y_enable
	if boot_store && [ "$store" = ufs ] && ! is_yes "$value"; then
		say hazard 'a file system that needs repair ends a boot in single-user mode: fsck_y_enable is not YES in rc.conf'
	fi
	oid debug.debugger_on_panic && [ "$value" != 0 ] &&
	    say hazard 'a kernel that panics waits in its debugger: debug.debugger_on_panic is not 0'
	if oid kern.panic_reboot_wait_time; then
		case $value in
		-*) say hazard 'a kernel that panics stays there: kern.panic_reboot_wait_time is below 0' ;;
		esac
	fi
	rc_value watchdogd_enable
	is_yes "$value" && say watchdog yes || say watchdog no
}

verb_boot_state()
{
	default_kernel
	nextboot_state
	say default "$default"
	say armed "$armed"
	[ "$armed" = none ] || say once "$once"
	if oid kern.bootfile; then
		value=${value%/*}
		say running "${value##*/}"
	fi
	boot_hazards
}

# Its status differs from one generation to the next: the file tells.
nextboot_clear()
{
	nextboot -D >/dev/null 2>&1 </dev/null
	[ ! -e "$nextboot_file" ]
}

verb_boot_clear()
{
	nextboot_clear ||
	    failed 'nextboot -D leaves /boot/nextboot.conf where it is'
}

# boot_once KERNEL [NAME=VALUE...]: never with -a, which some generations of
# nextboot do not know and others spoil the file by; all in one call.
verb_boot_once()
{
	kernel_name "$1"
	name=$1
	shift
	[ -f "$root/boot/$name/kernel" ] ||
	    failed "there is no /boot/$name/kernel"
	find_tool nextboot || failed "nextboot is not in PATH, which is $PATH"
	count=$#
	while [ "$count" -gt 0 ]; do
		case ${1%%=*} in
		"$1" | '' | *[!A-Za-z0-9_.%-]*) failed "not NAME=VALUE: $1" ;;
		esac
		case $1 in
		*[\"\\"$nl$cr"]*) failed "the loader cannot be given $1" ;;
		esac
		set -- "$@" -e "$1"
		shift
		count=$((count - 1))
	done
	nextboot_clear ||
	    failed 'nextboot -D leaves /boot/nextboot.conf where it is'
	said=$(nextboot -k "$name" "$@" 2>&1 </dev/null) || {
		nextboot_clear
		failed "nextboot failed: $said"
	}
	while [ $# -gt 0 ]; do
		grep -q -x -F -e "${2%%=*}=\"${2#*=}\"" "$nextboot_file" || {
			nextboot_clear
			failed "nextboot has not written $2"
		}
		shift 2
	done
	nextboot_state
	[ "$armed:$once" = "$name:yes" ] || {
		nextboot_clear
		[ "$once" != no ] ||
		    failed "refused: on this host $name would be booted for good, since the loader cannot write to $store: $said"
		failed "nextboot was to choose $name, and $armed ($once) is chosen"
	}
	say armed "$armed"
	say once "$once"
}

# boot_finished: is the boot over, and no other begun?
verb_boot_finished()
{
	line=$(ps -axo args= 2>/dev/null) || unknown 'processes cannot be read'
	[ -n "$line" ] || unknown 'processes cannot be read'
	finished=yes
	case $nl$line in
	*"sh /etc/rc.shutdown"*)
		finished=no
		say why 'it is shutting down'
		;;
	*"sh /etc/rc "* | *"sh /etc/rc$nl"*)
		finished=no
		say why 'rc(8) has not ended'
		;;
	esac
	if [ -e "$root/var/run/nologin" ]; then
		finished=no
		say why '/var/run/nologin is there'
	fi
	say finished "$finished"
}

# reboot: cleanly, which reboot(8) is not up to 14.  It returns before anything
# is done, and what it leaves behind would hold our output open.
verb_reboot()
{
	[ ! -e "$root/var/run/noshutdown" ] ||
	    failed 'refused: /var/run/noshutdown is there'
	log=$tmp/abrun.reboot.$$
	(: >"$log") || failed "$log cannot be written"
	shutdown -r now </dev/null >"$log" 2>&1
	code=$?
	said=$(cat "$log")
	rm -f "$log"
	[ "$code" -eq 0 ] || failed "shutdown failed: $said"
	say issued yes
}
