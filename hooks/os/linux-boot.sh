# abrun-verbs: kernels kernel boot_state boot_once boot_clear boot_finished reboot
# What abrun must know of booting Linux, by GRUB 2 (with entries of its own or
# of the Boot Loader Specification) and by systemd-boot.
#
# linux.sh reads it by hand.  abrun feeds it behind linux.sh, and only if one of
# the verbs of its first line is asked for; see abrun-hooks(7).
#
# Entries are chosen by the name that the loader has for them, never by an
# index: what has index 2 is another after an upgrade.
#
# "A && B || C" is meant as it stands, and variables are shared with common.sh
# and linux.sh.
# shellcheck shell=sh
# shellcheck disable=SC2015,SC2016,SC2034,SC2154

# The entry that is made for a kernel with settings.
own_entry=abrun-once
own_begin='### BEGIN abrun: booted once, and removed again ###'
own_end='### END abrun ###'

# --- the loader --------------------------------------------------------------

# efi_text NAME: a variable of the loader interface into $text, its four bytes
# of attributes and its zeros left out; false where there is none.
efi_text()
{
	text=
	efi=$root/sys/firmware/efi/efivars/$1-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f
	[ -r "$efi" ] || return 1
	text=$(tail -c +5 -- "$efi" 2>/dev/null | tr -d '\000')
	[ -n "$text" ]
}

# loader_find: $loader, grub or systemd-boot, by which this boot came; what
# bootctl prints names systemd-boot on machines that GRUB has booted.
loader_find()
{
	loader=grub
	efi_text LoaderInfo
	case $text in
	'' | GRUB*) ;;
	systemd-boot*)
		loader=systemd-boot
		find_tool bootctl ||
		    unknown "bootctl is not in PATH, which is $PATH"
		return 0
		;;
	*) unknown "this loader is not known here: $text" ;;
	esac
	for config in "$root/etc/grub2-efi.cfg" "$root/boot/grub2/grub.cfg" \
	    "$root/boot/grub/grub.cfg"; do
		[ -d "$root/sys/firmware/efi" ] ||
		    [ "$config" != "$root/etc/grub2-efi.cfg" ] || continue
		[ ! -s "$config" ] || break
		# What root alone may look into.
		[ -x "${config%/*}" ] || [ ! -d "${config%/*}" ] ||
		    unknown "${config%/*} cannot be read"
	done
	[ -s "$config" ] ||
	    unknown 'there is neither systemd-boot nor a grub.cfg of GRUB 2'
	config=$(readlink -f -- "$config")
	[ -r "$config" ] || unknown "$config cannot be read"
	# Beside the configuration that is read, links followed.
	grubenv=$(readlink -f -- "${config%/*}/grubenv")
	custom=${config%/*}/custom.cfg
	for editenv in grub-editenv grub2-editenv; do
		! find_tool "$editenv" || break
	done
}

# menu_read: the entries that boot a Linux, one a line, into $menu, and where
# the loader keeps them.  Fields, with $soh between them:
#   name      by which the loader is told to boot it
#   title     titles of its menus and itself, with > between them
#   image     as the loader names it
#   options   of the kernel, blanks as they are
#   index     its place, to know the default by where it is an index; for
#             systemd-boot 0 is the default
#   version   of the kernel, as far as names tell
#   source    its file
#   from, to  the lines of that
menu_read()
{
	case $loader in
	systemd-boot)
		menu=$(bootctl --no-pager list 2>/dev/null | menu_bootctl)
		return
		;;
	esac
	set -- "$config"
	# GRUB reads it behind its own, where that says so.
	[ ! -r "$custom" ] || set -- "$@" "$custom"
	menu=$(menu_grub "$@")
	first_row=${menu%%"$nl"*}
	menu=${menu#"$first_row"}
	menu=${menu#"$nl"}
	IFS=$soh read -r default_word reads_next saves_next is_bls \
	    sources_custom lacks_write is_signed has_env_block waits <<END
$first_row
END
	[ "$is_bls" = no ] ||
	    menu=$menu${menu:+$nl}$(menu_bls "$root"/boot/loader/entries/*.conf)
}

# menu_grub FILE...: what they are at large, and then their entries.  GRUB takes
# the first of several of one id, so that those can be told by title only: the
# ids of RHEL 7 are of the first kernel that was installed.
menu_grub()
{
	awk -v own="$own_entry" -v depth=0 '
	# The next word of what is left of the line.
	function word(    out, c, quote) {
		sub(/^[ \t]+/, "", left)
		while (left != "") {
			c = substr(left, 1, 1)
			left = substr(left, 2)
			if (quote != "" && c == quote)
				quote = ""
			else if (c == "\\" && quote != "\047") {
				out = out substr(left, 1, 1)
				left = substr(left, 2)
			} else if (quote != "")
				out = out c
			else if (c == "\"" || c == "\047")
				quote = c
			else if (c == " " || c == "\t")
				break
			else
				out = out c
		}
		return out
	}
	# The header of a menu or an entry: title and id.
	function header(    next_word) {
		left = $0
		word()
		title = word()
		id = title
		while (left ~ /[^ \t]/) {
			next_word = word()
			if (next_word == "{")
				break
			if (next_word == "--id" ||
			    next_word == "$menuentry_id_option")
				id = word()
			else if (next_word ~ /^--id=/)
				id = substr(next_word, 6)
		}
		# In a path > stands between names.
		gsub(/>/, ">>", title)
		gsub(/>/, ">>", id)
	}
	function close_entry() {
		to[n] = FNR
		if (image[n] == "" || image[n] ~ /memtest/ || entry_id == own)
			n--
		depth--
	}
	function open(kind) {
		depth++
		kinds[depth] = kind
		ids[depth] = ids[depth - 1]
		titles[depth] = titles[depth - 1]
		places[depth] = places[depth - 1]
		count[depth] = 0
	}
	FNR == 1 && NR > 1 {
		if (kinds[depth] == "entry")
			close_entry()
		depth = 0
	}
	/^[ \t]*(menuentry|submenu)[ \t]/ {
		# Entries hold no entries: its end was not in a line.
		if (kinds[depth] == "entry")
			close_entry()
		header()
		place = places[depth] count[depth]++
		if ($1 == "submenu") {
			open("menu")
			ids[depth] = ids[depth] id ">"
			titles[depth] = titles[depth] title ">"
			places[depth] = place ">"
			next
		}
		n++
		entry_id = id
		before[n] = ids[depth]
		entry[n] = id
		name[n] = title
		path[n] = titles[depth] title
		where[n] = place
		source[n] = FILENAME
		from[n] = FNR
		image[n] = ""
		many[ids[depth] id]++
		many_titles[ids[depth] title]++
		open("entry")
		next
	}
	/^[ \t]*[}]/ {
		if (kinds[depth] == "entry")
			close_entry()
		else if (depth > 0)
			depth--
		next
	}
	kinds[depth] == "entry" && image[n] == "" &&
	    /^[ \t]*linux(16|efi)?[ \t]/ {
		left = $0
		word()
		image[n] = word()
		sub(/^[ \t]+/, "", left)
		options[n] = left
	}
	kinds[depth] == "" && /^[ \t]*set[ \t]+default=/ {
		left = $0
		sub(/^[ \t]*set[ \t]+default=/, "", left)
		value = word()
		if (value ~ /next_entry/)
			reads = "yes"
		else
			standard = value
	}
	/save_env.*next_entry/ { saves = "yes" }
	/^[ \t]*blscfg/ { bls = "yes" }
	/^[ \t]*(source|configfile).*custom\.cfg/ { custom = "yes" }
	/GRUB lacks write support/ { lacks = "yes" }
	/check_signatures=enforce/ { signed = "yes" }
	/env_block/ { env_block = "yes" }
	/^[ \t]*if .*recordfail.*then/ { failed_before = 1 }
	/^[ \t]*(else|fi)/ { failed_before = 0 }
	failed_before && /set timeout=-1/ { waits = "yes" }
	/[{][ \t]*$/ { open("other"); kinds[depth] = kinds[depth - 1] "other" }
	function no(flag) { return flag == "" ? "no" : flag }
	END {
		while (kinds[depth] == "entry")
			close_entry()
		OFS = "\001"
		print standard, no(reads), no(saves), no(bls), no(custom),
		    no(lacks), no(signed), no(env_block), no(waits)
		for (i = 1; i <= n; i++) {
			if (many[before[i] entry[i]] == 1)
				told = entry[i]
			else if (many_titles[before[i] name[i]] == 1)
				told = name[i]
			else
				continue
			# A number would be an index.
			if (told ~ /^[0-9]+$/)
				continue
			version = image[i]
			sub(/^.*\//, "", version)
			if (!sub(/^[^-]*-/, "", version))
				version = ""
			print before[i] told, path[i], image[i], options[i],
			    where[i], version, source[i], from[i], to[i]
		}
	}' "$@"
}

# menu_bls FILE...: entries of the Boot Loader Specification.  GRUB's id for one
# is the name of its file.
menu_bls()
{
	[ -r "$1" ] || return 0
	awk -v OFS="$soh" -v own="$own_entry" '
	function tell() {
		if (file == "" || value["linux"] == "" || id == own)
			return
		image = value["linux"]
		sub(/[ \t].*/, "", image)
		print id, value["title"], image, value["options"], "",
		    value["version"], file, "", ""
	}
	FNR == 1 {
		tell()
		split("", value)
		file = FILENAME
		id = file
		sub(/^.*\//, "", id)
		sub(/\.conf$/, "", id)
	}
	/^[ \t]*[a-z]/ {
		key = $1
		sub(/^[ \t]*[^ \t]+[ \t]*/, "")
		value[key] = value[key] (value[key] == "" ? "" : " ") $0
	}
	END { tell() }' "$@"
}

# What bootctl list prints, whose continuation lines have no key.
menu_bootctl()
{
	awk -v OFS="$soh" -v own="$own_entry.conf" -v root="$root" '
	function tell() {
		if (value["id"] != "" && value["linux"] != "" &&
		    value["id"] != own)
			print value["id"], value["title"], value["linux"],
			    value["options"], standard, value["version"],
			    root value["source"], "", ""
		split("", value)
		standard = ""
	}
	/^[ \t]*$/ {
		tell()
		next
	}
	/^ *[a-z-]+: / {
		key = $1
		sub(/:$/, "", key)
		sub(/^ *[a-z-]+: /, "")
		if (key == "title") {
			if ($0 ~ / \(default\)/)
				standard = "0"
			while (sub(/ \((default|selected|not reported.*|reported.*)\)$/, ""))
				;
		}
		if (key == "source" || key == "linux") {
			sub(/ \(on the .*\)$/, "")
			gsub(/\/\/+/, "/")
		}
		value[key] = $0
	}
	END { tell() }'
}

# row LINE: its fields into $e_name and so on.
row()
{
	IFS=$soh read -r e_name e_title e_image e_options e_index e_version \
	    e_source e_from e_to <<END
$1
END
}

# entry_by WHAT WORD: the entry that it is by name, id (the last part of a name),
# title, version or index, into $e_...; false where there is none, or, with
# $several, where it is several that differ.  A version stands for the kernel as
# it is booted every day, and not for its recovery; an entry that has it in its
# id will have it after the next upgrade, too.
entry_by()
{
	found_row='' several=
	while IFS= read -r e_row; do
		row "$e_row"
		case $1 in
		name) [ "$e_name" = "$2" ] ;;
		id) [ "${e_name##*[!>]>}" = "$2" ] ;;
		title) [ "$e_title" = "$2" ] ;;
		index) [ "$e_index" = "$2" ] ;;
		version) [ "$e_version" = "$2" ] && is_daily ;;
		esac || continue
		words "$e_options"
		if [ -z "$found_row" ]; then
			found_row=$e_row
			found_what=$e_image$soh$joined
		elif [ "$found_what" != "$e_image$soh$joined" ]; then
			row "$found_row"
			several="$e_name and another"
			found_row=
			return 1
		elif [ "$1" = version ]; then
			case ${e_name##*>} in
			*"$2"*) found_row=$e_row ;;
			esac
		fi
	done <<END
$menu
END
	[ -n "$found_row" ] && row "$found_row"
}

is_daily()
{
	case "$e_name $e_options " in
	*-recovery-* | *rescue* | *' single '* | *' recovery '*) return 1 ;;
	esac
}

# entry_find NAME: what a person may call it.
entry_find()
{
	[ -n "$1" ] || return 1
	for way in name id title version; do
		entry_by "$way" "$1" && return 0
		[ -z "$several" ] ||
		    failed "$1 is the $way of several entries that differ: $several; name one of them by what the verb kernels prints"
	done
	return 1
}

# default_find: into $default; empty, with $default_why, where it cannot be told.
default_find()
{
	default='' default_why=
	if [ "$loader" = systemd-boot ]; then
		default_why='bootctl tells of no default that is a Linux'
		entry_by index 0 || return 0
		default=$e_name
		return
	fi
	word=$default_word
	case $word in
	*saved_entry*)
		env_read
		env_value saved_entry
		word=$value
		;;
	esac
	word=${word:-0}
	case $word in
	*[!0-9\>]*)
		for way in name title id; do
			entry_by "$way" "$word" && default=$e_name && return
		done
		default_why="the default, $word, is none of the entries"
		return
		;;
	esac
	default_why="the default is the entry of index $word, which is known for sure to GRUB alone"
	[ "$is_bls" = yes ] || ! entry_by index "$word" || default=$e_name
}

# one_name IMAGE WORDS: into $one, of the entries that boot this with these words
# the one that stands for all of them, since what runs does not tell which of
# them it was: the default, or one with the version in its id, or the first.
one_name()
{
	one='' one_is=
	while IFS= read -r e_row; do
		row "$e_row"
		words "$e_options"
		[ "${e_image#(*)}$soh$joined" = "$1$soh$2" ] || continue
		case $e_name in
		"$default") is=3 ;;
		*"${e_version:-/}"*) is=2 ;;
		*) is=1 ;;
		esac
		[ "$is" -le "${one_is:-0}" ] || one=$e_name one_is=$is
	done <<END
$menu
END
}

# running_find: the entry of the kernel that runs into $running, or none.
running_find()
{
	running=
	if [ "$loader" = systemd-boot ]; then
		efi_text LoaderEntrySelected || return 0
		running=$text
		ran_read
		[ "$running" != "$own_entry.conf" ] || running=$ran_name
		return
	fi
	first "$root/proc/cmdline" || return 0
	words "$line"
	line=${joined#BOOT_IMAGE=}
	[ "$line" != "$joined" ] || return 0
	line=${line#(*)}
	run_image=${line%% *}
	run_options=${line#"$run_image"}
	ran_read
	# Another entry may have these words of its own.
	if [ -n "$ran_words" ] && entry_by name "$ran_name"; then
		words "$e_options"
		[ "${e_image#(*)}${joined:+ $joined} $ran_words" != \
		    "$run_image$run_options" ] || {
			running=$ran_name
			return
		}
	fi
	exact=
	loose=
	while IFS= read -r e_row; do
		row "$e_row"
		[ "${e_image#(*)}" = "$run_image" ] || continue
		words "$e_options"
		if [ "$run_options" = "${joined:+ $joined}" ]; then
			exact=$exact$soh$e_name$soh
		else
			loose=$loose$soh$e_name$soh
		fi
	done <<END
$menu
END
	# Without its words it is not what was chosen.
	likely=$ran_name
	case "$run_options " in
	*" ${ran_words:+$ran_words }"*) ;;
	*) likely= ;;
	esac
	for known in "$likely" "$default"; do
		[ -n "$known" ] || continue
		case $exact${exact:-$loose} in
		*"$soh$known$soh"*)
			running=$known
			return
			;;
		esac
	done
	if [ -n "$exact" ]; then
		one_name "$run_image" "${run_options# }"
		running=$one
		return
	fi
	running=${loose#"$soh"}
	running=${running%%"$soh"*}
}

# --- what is booted next -----------------------------------------------------

# env_read: all of GRUB's environment into $env_text.  Asked for a file that is
# not there the tool would make one, and end with 0.
env_read()
{
	env_text=
	[ -e "$grubenv" ] || return 0
	[ -r "$grubenv" ] || unknown "$grubenv cannot be read"
	find_tool "$editenv" ||
	    unknown "$editenv is not in PATH, which is $PATH"
	env_text=$("$editenv" "$grubenv" list 2>&1) ||
	    unknown "$grubenv cannot be read: $env_text"
}

# env_value NAME: into $value.
env_value()
{
	value=
	case $nl$env_text in
	*"$nl$1="*) ;;
	*) return 0 ;;
	esac
	value=$nl$env_text
	value=${value##*"$nl$1="}
	value=${value%%"$nl"*}
}

# next_read: what the loader is told to boot once into $next, or nothing.  When
# it has done so it leaves the variable empty, or none.
next_read()
{
	if [ "$loader" = systemd-boot ]; then
		efi_text LoaderEntryOneShot
		next=$text
		return
	fi
	env_read
	env_value next_entry
	next=$value
}

# next_write NAME: no name takes it back.  False, with $said, on failure.
next_write()
{
	case $loader:$1 in
	systemd-boot:*) said=$(bootctl set-oneshot "$1" 2>&1) ;;
	*:) said=$("$editenv" "$grubenv" unset next_entry 2>&1) ;;
	*) said=$("$editenv" "$grubenv" set "next_entry=$1" 2>&1) ;;
	esac || return 1
	# GRUB reads the disk, and not what is still on its way there.
	[ "$loader" = systemd-boot ] || to_disk "$grubenv"
}

# mount_of PATH: $mount_point, $store (its type) and $device of the mount that
# it is on, $mount_source and $mount_numbers.
mount_of()
{
	mount_point='' store='' mount_source='' mount_numbers=
	{
		while read -r mount_id parent numbers above point flags more; do
			[ "$point" != / ] || point=
			case $1/ in
			"$point"/*) ;;
			*) continue ;;
			esac
			point=${point:-/}
			[ ${#point} -ge ${#mount_point} ] || continue
			mount_point=$point
			mount_numbers=$numbers
			more=${more#*- }
			store=${more%% *}
			more=${more#* }
			mount_source=${more%% *}
		done
	} 2>/dev/null <"$root/proc/self/mountinfo"
	[ -n "$mount_point" ]
}

# once_refusal: why what is chosen for one boot might be booted for ever, into
# $refusal; empty where the loader can take it back.
once_refusal()
{
	refusal=
	if [ "$loader" = systemd-boot ]; then
		efi_features
		case $features in
		'') refusal='systemd-boot does not tell whether it can boot an entry once' ;;
		*) [ $((features & 8)) -ne 0 ] ||
			refusal='this systemd-boot cannot boot an entry once' ;;
		esac
		return
	fi
	if [ "$reads_next" = no ] || [ "$saves_next" = no ]; then
		refusal="$config does not read next_entry and take it back"
	elif [ "$lacks_write" = yes ]; then
		refusal="$config says that GRUB lacks write support for its file system"
	elif [ "$is_signed" = yes ]; then
		refusal='GRUB takes signed files only, and its environment is not signed'
	elif [ ! -f "$grubenv" ]; then
		refusal="there is no $grubenv, which GRUB itself cannot make"
	elif [ "$(wc -c <"$grubenv")" -ne 1024 ]; then
		refusal="$grubenv is damaged: it is not of 1024 bytes"
	else
		store_refusal
	fi
}

# The first byte of what systemd-boot can do, into $features.
efi_features()
{
	features=
	[ -r "$root/sys/firmware/efi/efivars/LoaderFeatures-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f" ] ||
	    return 0
	features=$(od -A n -t u1 -j 4 -N 1 \
	    "$root/sys/firmware/efi/efivars/LoaderFeatures-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f")
	features=${features##* }
}

# GRUB writes by rewriting blocks in place: it cannot behind LVM or a RAID, nor
# where blocks have sums or are copied when they are written.
store_refusal()
{
	mount_of "${grubenv#"$root"}" || {
		refusal='it is not known where the environment of GRUB is'
		return
	}
	block=$root/sys/dev/block/$mount_numbers
	kind=
	if [ -d "$block/dm" ]; then
		kind='the device mapper (LVM, LUKS)'
	elif [ -d "$block/md" ] || [ -d "$block/../md" ]; then
		kind='a RAID of md'
	fi
	case $mount_source in
	/dev/md*) kind='a RAID of md' ;;
	/dev/mapper/* | /dev/dm-*) kind='the device mapper (LVM, LUKS)' ;;
	esac
	if [ -n "$kind" ]; then
		refusal="the environment of GRUB is on $mount_source, of $kind, where GRUB cannot write: what is chosen for one boot would be booted for ever"
		return
	fi
	case $store in
	ext2 | ext3 | ext4 | xfs | vfat) return ;;
	btrfs)
		[ "$has_env_block" = no ] ||
		    ! grep -q -a '^env_block=' "$grubenv" || return
		;;
	esac
	refusal="the environment of GRUB is on $store, where GRUB cannot write: what is chosen for one boot would be booted for ever"
}

# record_read: what was chosen last, if by a verb: its $record_name,
# $record_next (what the loader was told), $record_words for the kernel, and
# $record_boot on which that was.
record_read()
{
	lock_place
	record_name='' record_next='' record_boot='' record_words=
	[ -e "$locks/boot" ] || return 0
	{
		IFS= read -r record_boot
		IFS= read -r record_name
		IFS= read -r record_next
		IFS= read -r record_words
	} <"$locks/boot" || unknown "$locks/boot is torn"
}

# ran_read: what this boot was chosen to be, $ran_name with $ran_words: as the
# record of an earlier boot says, or as it said before it was cleared in this
# very boot.  A record of this boot is about the next.
ran_read()
{
	ran_name='' ran_words=
	first "$root/proc/sys/kernel/random/boot_id" && [ -n "$line" ] || return 0
	ran_boot=$line
	if [ -n "$record_name" ] && [ "$record_boot" != "$ran_boot" ]; then
		ran_name=$record_name ran_words=$record_words
		return
	fi
	[ -r "$locks/ran" ] || return 0
	{
		IFS= read -r line && [ "$line" = "$ran_boot" ] || return 0
		IFS= read -r ran_name
		IFS= read -r ran_words
	} <"$locks/ran"
}

# ran_keep: the record goes; what it says of this boot stays.
ran_keep()
{
	record_read
	first "$root/proc/sys/kernel/random/boot_id"
	if [ -z "$record_name" ]; then
		[ ! -e "$locks/ran" ] || {
			first "$locks/ran"
			ran_boot=$line
			first "$root/proc/sys/kernel/random/boot_id"
			[ "$line" = "$ran_boot" ] || rm -f "$locks/ran"
		}
	elif [ "$record_boot" != "$line" ]; then
		printf '%s\n' "$line" "$record_name" "$record_words" \
		    >"$locks/ran.$$" && mv -f "$locks/ran.$$" "$locks/ran" ||
		    failed "$locks/ran cannot be written"
	fi
	rm -f "$locks/boot"
}

# record_write BOOT NAME NEXT WORDS
record_write()
{
	(printf '%s\n' "$@" >"$locks/boot.$$") 2>/dev/null &&
	    to_disk "$locks/boot.$$" &&
	    mv -f "$locks/boot.$$" "$locks/boot" || {
		rm -f "$locks/boot.$$"
		own_remove
		failed "$locks/boot cannot be written"
	}
}

# state_read: $armed and $once.  The loader itself forgets what it has booted;
# that it did so is known by what was kept of the choice.
state_read()
{
	record_read
	next_read
	first "$root/proc/sys/kernel/random/boot_id"
	armed=none once=
	if [ -n "$next" ]; then
		armed=$next
		[ "$next" != "$record_next" ] || armed=$record_name
		once_refusal
		once=yes
		# It should have been taken back when this boot began.
		[ -z "$refusal" ] && { [ "$next" != "$record_next" ] ||
		    [ "$record_boot" = "$line" ]; } || once=no
	elif [ -n "$record_name" ] && [ "$record_boot" != "$line" ]; then
		armed=$record_name
		once=consumed
	fi
}

# --- an entry of our own -----------------------------------------------------

# check_settings SETTING...: their words into $settings; a word that a loader or
# the kernel reads otherwise is refused.
check_settings()
{
	words "$*"
	settings=$joined
	case $settings in
	*[!\ -~]* | *[\"\'\\\$]*)
		failed "a loader cannot be given these words for a kernel: $settings" ;;
	esac
	case " $settings " in
	*' -- '* | *' --- '*)
		failed "what is behind -- is for init and not for the kernel: $settings" ;;
	esac
}

# own_make: an entry as the one in $e_..., with $settings; $own_name is the
# loader's name for it.
own_make()
{
	case $loader:$e_source in
	grub:*.conf | systemd-boot:*.conf)
		own_name=$own_entry
		[ "$loader" = grub ] || own_name=$own_entry.conf
		own_file=${e_source%/*}/$own_entry.conf
		own_bls <"$e_source" >"$own_file.abrun" &&
		    chmod 644 "$own_file.abrun" &&
		    mv -f "$own_file.abrun" "$own_file" && to_disk "$own_file" && return
		rm -f "$own_file.abrun"
		failed "$own_file cannot be written"
		;;
	systemd-boot:*)
		failed "$e_name has its command line within itself, so that nothing can be added" ;;
	esac
	[ "$sources_custom" = yes ] ||
	    failed "$config does not read $custom, where an entry with $settings would be"
	own_name=$own_entry
	own_grub >"$custom.abrun" || {
		rm -f "$custom.abrun"
		failed "$custom cannot be written"
	}
	custom_put
}

# Without version and sort-key, by which it could become the first of all.
own_bls()
{
	awk -v settings="$settings" -v own="$own_entry" '
	$1 == "options" {
		sub(/^[ \t]*options[ \t]*/, "")
		options = options (options == "" ? "" : " ") $0
		next
	}
	$1 ~ /^(title|version|sort-key|machine-id|id)$/ { next }
	{ print }
	END {
		print "title " own
		print "options " options (options == "" ? "" : " ") settings
	}'
}

# Before all that is there, so that what is behind it stays as it was.
own_grub()
{
	echo "$own_begin"
	# Words in '' are read as they are.
	sed -n -e "$e_from,${e_to}p" "$e_source" | awk -v own="$own_entry" \
	    -v settings="$settings" '
	NR == 1 {
		line = "menuentry \047" own "\047 --id \047" own "\047"
		print line (/--unrestricted/ ? " --unrestricted" : "") " {"
		if (/}[ \t]*$/)
			exit 1
		next
	}
	!done && /^[ \t]*linux(16|efi)?[ \t]/ {
		count = split(settings, words, " ")
		for (i = 1; i <= count; i++)
			$0 = $0 " \047" words[i] "\047"
		done = 1
	}
	{ print }' || return 1
	echo "$own_end"
	[ ! -e "$custom" ] || cat "$custom"
}

# custom_put: $custom.abrun instead of $custom, with its owner and mode.
custom_put()
{
	if [ -e "$custom" ]; then
		chown "$(stat -c %u:%g -- "$custom")" "$custom.abrun" &&
		    chmod "$(stat -c %a -- "$custom")" "$custom.abrun"
	else
		chmod 644 "$custom.abrun"
	fi && mv -f "$custom.abrun" "$custom" && to_disk "$custom" || {
		rm -f "$custom.abrun"
		failed "$custom cannot be written"
	}
}

# own_remove: no entry of ours is left.
own_remove()
{
	case $loader in
	systemd-boot)
		for own_file in "$(bootctl -x 2>/dev/null)" \
		    "$(bootctl -p 2>/dev/null)"; do
			[ -n "$own_file" ] || continue
			own_file=$root${own_file#"$root"}/loader/entries/$own_entry.conf
			own_unlink
		done
		return
		;;
	esac
	own_file=$root/boot/loader/entries/$own_entry.conf
	own_unlink
	[ -e "$custom" ] && grep -q -x -F -e "$own_begin" "$custom" || return 0
	sed -e "/^### BEGIN abrun:/,/^### END abrun ###\$/d" "$custom" \
	    >"$custom.abrun" || failed "$custom cannot be written"
	if [ -s "$custom.abrun" ]; then
		custom_put
	else
		rm -f "$custom.abrun" "$custom"
	fi
}

own_unlink()
{
	[ -e "$own_file" ] || return 0
	rm -f "$own_file" && [ ! -e "$own_file" ] ||
	    failed "$own_file cannot be removed"
}

# --- kernels -----------------------------------------------------------------

verb_kernels()
{
	loader_find
	menu_read
	while IFS= read -r e_row; do
		[ -z "$e_row" ] || say kernel "${e_row%%"$soh"*}"
	done <<END
$menu
END
	record_read
	default_find
	say_if default "$default"
	running_find
	say_if running "$running"
}

# image_find: the file that the loader names, into $file.  It names it from the
# top of a file system, on btrfs with the subvolume in front.
image_find()
{
	file=${e_image#(*)}
	[ "$loader" != systemd-boot ] || {
		file=$root$file
		return
	}
	mount_of /boot || mount_point=/
	[ "$mount_point" != /boot ] || set -- "/boot$file"
	set -- "$@" "$file" "/boot$file"
	part=$file
	while :; do
		case $part in
		/*/*) ;;
		*) break ;;
		esac
		part=${part#/*}
		part=/${part#*/}
		set -- "$@" "$part"
	done
	file=
	for candidate; do
		[ ! -f "$root$candidate" ] || {
			file=$root$candidate
			return
		}
	done
	return 1
}

verb_kernel()
{
	loader_find
	menu_read
	name=$1
	default_find
	if [ "$name" = default ]; then
		[ -n "$default" ] || unknown "$default_why"
		name=$default
	fi
	entry_find "$name" || absent "the loader has no entry for $name"
	if [ "$loader" = grub ]; then
		words "$e_options"
		one_name "${e_image#(*)}" "$joined"
		entry_by name "$one"
	fi
	say id "$e_name"
	say options "$e_options"
	image_find || unknown "the file $e_image of $e_name is not there"
	say path "${file#"$root"}"
	sha256 "$file" || unknown "$file cannot be read"
	say sha256 "$sum"
	image_version
	say_if build_id "$(readelf -n -- "$file" 2>/dev/null |
	    sed -n -e 's/^.*Build ID: *\([0-9a-f]*\).*$/\1/p' | head -n 1)"
}

# What the kernel will call itself, from the head that a bzImage has: at 514 its
# mark, at 526 where the text is, less 512.
image_version()
{
	[ "$(tail -c +515 -- "$file" | head -c 4 | tr -d '\000')" = HdrS ] || return 0
	at=$(od -A n -t u1 -j 526 -N 2 -- "$file")
	# shellcheck disable=SC2086 # two numbers
	set -- $at
	at=$(($1 + $2 * 256))
	[ "$at" -gt 0 ] || return 0
	line=$(tail -c +$((at + 513)) -- "$file" | head -c 400 |
	    tr '\000' '\n' | head -n 1)
	say_if kernel "${line%% *}"
	case $line in
	*'#'*) say kernel_version "#${line#*#}" ;;
	esac
}

# --- boots -------------------------------------------------------------------

verb_boot_state()
{
	loader_find
	menu_read
	state_read
	default_find
	say_if default "$default"
	say armed "$armed"
	say_if once "$once"
	running_find
	say_if running "$running"
	first "$root/proc/cmdline" && say cmdline "$line"
	first "$root/proc/sys/kernel/panic" && [ "$line" = 0 ] &&
	    say hazard 'a kernel that panics stays there: kernel.panic is 0'
	watchdog=no
	for file in "$root"/sys/class/watchdog/*/state; do
		first "$file" && [ "$line" = active ] && watchdog=yes
	done 2>/dev/null
	say watchdog "$watchdog"
	[ "$loader" = systemd-boot ] || [ "$waits" = no ] ||
	    say hazard 'after a boot that failed GRUB waits for a key: GRUB_RECORDFAIL_TIMEOUT is not set'
}

# choice_clear: nothing is chosen, and nothing of ours is left; false, with
# $said, if it cannot be taken back.
choice_clear()
{
	next_read
	if [ -n "$next" ]; then
		next_write '' || return 1
		next_read
		said="$next is still chosen"
		[ -z "$next" ] || return 1
	fi
	own_remove
	ran_keep
}

verb_boot_clear()
{
	loader_find
	lock_place
	choice_clear || failed "the choice cannot be taken back: $said"
}

# boot_once KERNEL [SETTING...]
verb_boot_once()
{
	loader_find
	lock_place
	wanted=$1
	shift
	check_settings "$@"
	choice_clear || failed "an earlier choice cannot be taken back: $said"
	menu_read
	once_refusal
	[ -z "$refusal" ] || failed "refused: $refusal"
	default_find
	[ "$wanted" != default ] || wanted=$default
	entry_find "$wanted" ||
	    failed "the loader has no entry for ${wanted:-the default: $default_why}"
	image_find && [ -f "$file" ] ||
	    failed "the file $e_image of $e_name is not there"
	name=$e_name next=$e_name
	[ -z "$settings" ] || {
		own_ready
		next=$own_name
	}
	first "$root/proc/sys/kernel/random/boot_id" && [ -n "$line" ] || {
		own_remove
		unknown 'the boot id cannot be read'
	}
	record_write "$line" "$name" "$next" "$settings"
	choose "$next"
	say armed "$name"
	say once yes
}

# own_ready: makes our entry, unless it could be booted as the default, too.
own_ready()
{
	[ -n "$default" ] ||
	    failed "refused: an entry with $settings could become the default, as $default_why"
	before=$default
	own_make
	if [ "$own_name" = "$own_entry" ] && [ "${e_source%.conf}" = "$e_source" ] &&
	    { find_tool grub-script-check || find_tool grub2-script-check; }; then
		said=$("$found" "$custom" 2>&1) || {
			own_remove
			failed "GRUB cannot read an entry with $settings: $said"
		}
	fi
	menu_read
	default_find
	[ "$default" = "$before" ] || {
		own_remove
		failed "refused: an entry with $settings would become the default"
	}
}

# choose NAME: tells the loader, and reads back what it was told.
choose()
{
	why=
	if next_write "$1"; then
		next_read
		[ "$next" = "$1" ] || why="$1 was to be chosen, and ${next:-nothing} is"
	else
		why="the loader cannot be told: $said"
	fi
	[ -n "$why" ] || return 0
	choice_clear || why="$why; and it cannot be taken back: $said"
	failed "$why"
}

# boot_finished: is the boot over, and no other begun?
verb_boot_finished()
{
	finished=yes
	if [ -d "$root/run/systemd/system" ]; then
		finished_systemd
	else
		finished_scripts
	fi
	for file in "$root/run/nologin" "$root/etc/nologin"; do
		[ ! -e "$file" ] || {
			finished=no
			say why "${file#"$root"} is there"
		}
	done
	say finished "$finished"
}

# Its status is that of the worst unit, too: the word tells.
finished_systemd()
{
	line=$(systemctl is-system-running 2>/dev/null)
	case $line in
	running | degraded) ;;
	initializing | starting | stopping | maintenance)
		finished=no
		say why "systemd is $line"
		;;
	*) unknown "systemd does not tell whether it is running: $line" ;;
	esac
	line=$(systemctl --no-pager --no-legend list-jobs 2>/dev/null) ||
	    unknown 'the jobs of systemd cannot be read'
	while read -r job unit kind state more; do
		case $state in
		running | waiting)
			finished=no
			say why "systemd has to $kind $unit ($state)"
			;;
		esac
	done <<END
$line
END
}

# Where init runs scripts: they have ended.
finished_scripts()
{
	line=$(ps -e -o args= 2>/dev/null) && [ -n "$line" ] ||
	    unknown 'processes cannot be read'
	while IFS= read -r args; do
		case " $args " in
		*' /etc/init.d/rc '* | *' /etc/rc.d/rc '* | *' /etc/init.d/rcS '* | \
		    *' /sbin/rc '* | *' /sbin/openrc '* | *' openrc '*)
			finished=no
			say why "$args has not ended"
			;;
		*' shutdown '* | *' /sbin/shutdown '*)
			finished=no
			say why 'it is shutting down'
			;;
		esac
	done <<END
$line
END
}

# reboot: by the firmware and the loader.  A kernel that kexec has loaded would
# be started past both, and nothing that was chosen would be taken back.
verb_reboot()
{
	[ $# -eq 0 ] || failed "reboot takes no $1"
	first "$root/sys/kernel/kexec_loaded" && [ "$line" = 1 ] &&
	    failed 'refused: kexec has loaded a kernel, which a reboot would start past the loader; kexec -u unloads it'
	grep -q -e '^LOAD_KEXEC="\{0,1\}true' "$root/etc/default/kexec" 2>/dev/null &&
	    failed 'refused: LOAD_KEXEC in /etc/default/kexec makes of each reboot one past the loader'
	if [ -d "$root/run/systemd/system" ]; then
		set -- systemctl --no-wall -i reboot
	elif find_tool shutdown; then
		set -- shutdown -r now
	else
		set -- reboot
	fi
	log=$tmp/abrun.reboot.$$
	(: >"$log") || failed "$log cannot be written"
	SYSTEMCTL_SKIP_AUTO_KEXEC=1 SYSTEMCTL_SKIP_AUTO_SOFT_REBOOT=1 \
	    "$@" </dev/null >"$log" 2>&1
	code=$?
	said=$(cat "$log")
	rm -f "$log"
	[ "$code" -eq 0 ] || failed "$1 failed: $said"
	say issued yes
}
