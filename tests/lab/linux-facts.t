#!/bin/sh
# hooks/os/linux.sh by hand: the frame, and what it says about this machine
# against what other means say.

set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh

usage_names_every_verb()
{
	"$shell" hooks/os/linux.sh >"$work/usage"
	status=$?
	# shellcheck disable=SC2086 # words
	sed -n -e 's/^verb_\([a-z_]*\)()$/\1/p' $parts |
	    sort -u >"$work/verbs"
	sed -n -e 's/^  \([a-z_]*\).*/\1/p' "$work/usage" |
	    sort >"$work/named"
	ok 'alone it lists every verb' cmp -s "$work/verbs" "$work/named"
	is 'alone it is a wrong use' "$status" 2
	unknown=
	while read -r verb; do
		# Without tools, or this machine would be rebooted.
		abrun_path=$work/no-tools TMPDIR=$work \
		    "$shell" hooks/os/linux.sh "$verb" 2>/dev/null |
		    grep -q 'no such verb' && unknown="$unknown $verb"
	done <"$work/verbs"
	is 'every listed verb can be called' "$unknown" ''
}

the_frame_is_exact()
{
	ask boot_id
	is 'a frame is BEGIN, pairs, END' "$(cat "$work/answer")" \
	    "BEGIN by-hand boot_id protocol=1${nl}boot_id$tab$(
	    cat /proc/sys/kernel/random/boot_id)${nl}END by-hand boot_id 0"
	is 'a verb writes no noise' "$(cat "$work/noise")" ''
	(cd hooks/os && "$shell" linux.sh boot_id) >"$work/here"
	ok 'from its own directory it answers the same' \
	    cmp -s "$work/answer" "$work/here"
	ask no_such_verb
	is 'an unknown verb is status 3, not "absent"' "$status" 3
	ok 'an unknown verb says so' grep -q "^error$tab" "$work/answer"
}

# As ssh does it: through a pipe, with calls that would read the script.
fed_it_answers_the_same()
{
	{
		echo abrun_fed=yes
		# shellcheck disable=SC2086 # words
		cat $parts
		cat <<-'END'
			{
			abrun_call n1 hello
			abrun_call n1 hash '/etc/passwd' '/etc/hosts'
			abrun_call n1 no_such_verb
			abrun_call n1 boot_id
			exit 0
			}
		END
	} >"$work/script"
	ok 'the program is longer than a read block' \
	    [ "$(wc -c <"$work/script")" -gt 8192 ]
	# shellcheck disable=SC2002 # a pipe is wanted
	cat "$work/script" | "$shell" -s >"$work/fed" 2>&1
	for verb in hello 'hash /etc/passwd /etc/hosts' no_such_verb boot_id; do
		# shellcheck disable=SC2086 # words
		"$shell" hooks/os/linux.sh $verb | sed -e 's/ by-hand / n1 /'
	done >"$work/by-hand"
	ok 'fed to a shell it answers as by hand' \
	    cmp "$work/fed" "$work/by-hand"
}

odd_values_survive()
{
	odd=$(printf '%s/back\\slash\ttab\rcr\nnewline\\n' "$work")
	mkdir -p "$(dirname "$odd")"
	echo x >"$odd"
	ask hash "$odd"
	is 'backslash, tab, CR and newline survive' "$(value path)" "$odd"
	is 'such a value is one line' "$(grep -c "^path$tab" "$work/answer")" 1
	is 'such a file is read' "$(value sha256)" \
	    "$(sha256sum <"$odd" | cut -d ' ' -f 1)"
	is 'a trailing newline survives' "$(ask hash "a$nl" && all path)" 'a\n'
	is 'an empty value is a value' "$(ask hash '' && all path)" ''
	ok 'an empty value has its line' grep -q "^path$tab\$" "$work/answer"
	ask put "$work/empty" 600 ''
	is 'an empty text is written' \
	    "$(value sha256)" "$(printf '' | sha256sum | cut -d ' ' -f 1)"
}

hello_is_right()
{
	ask hello
	is 'hello: uid' "$(value uid)" "$(id -u)"
	is 'hello: user' "$(value user)" "$(whoami)"
	is 'hello: os' "$(value os)" linux
	is 'hello: protocol' "$(value protocol)" 1
	is 'hello: tmp' "$(TMPDIR=/var/tmp ask hello && value tmp)" /var/tmp
}

the_kernel_is_right()
{
	is 'facts: hostname' "$(value hostname)" "$(uname -n)"
	is 'facts: os' "$(value os)" "$(uname -s)"
	is 'facts: kernel' "$(value kernel)" "$(uname -r)"
	is 'facts: kernel_version' "$(value kernel_version)" "$(uname -v)"
	is 'facts: arch' "$(value arch)" "$(uname -m)"
	is 'facts: kernel_id' "$(value kernel_id)" \
	    "$(sha256sum /sys/kernel/notes | cut -d ' ' -f 1)"
	is 'facts: cmdline' "$(value cmdline)" "$(cat /proc/cmdline)"
	is 'facts: boot_id' "$(value boot_id)" \
	    "$(cat /proc/sys/kernel/random/boot_id)"
	is 'facts: machine_id' "$(value machine_id)" \
	    "$(cat /etc/machine-id 2>/dev/null)"
	is 'facts: tainted' "$(value tainted)" "$(cat /proc/sys/kernel/tainted)"
	is 'facts: distro' "$(value distro)" \
	    "$(. /etc/os-release && echo "$PRETTY_NAME")"
}

the_machine_is_right()
{
	topology='/sys/devices/system/cpu/cpu*/topology'
	is 'facts: cpus' "$(value cpus)" "$(grep -c '^cpu[0-9]' /proc/stat)"
	# shellcheck disable=SC2086 # a pattern
	is 'facts: sockets' "$(value sockets)" \
	    "$(cat $topology/physical_package_id | sort -u | wc -l)"
	is 'facts: threads_per_core' "$(value threads_per_core)" "$(lscpu -p |
	    sed -e '/^#/d' | cut -d , -f 2,3 | sort | uniq -c |
	    awk '$1 > most { most = $1 } END { print most }')"
	is 'facts: numa_nodes' "$(value numa_nodes)" \
	    "$(find /sys/devices/system/node -name 'node[0-9]*' | wc -l)"
	is 'facts: memory_kb' "$(value memory_kb)" \
	    "$(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo)"
	is 'facts: swap_total_kb' "$(value swap_total_kb)" \
	    "$(awk '$1 == "SwapTotal:" { print $2 }' /proc/meminfo)"
	is 'facts: virt' "$(value virt)" "$(systemd-detect-virt)"
	is 'facts: clocksource' "$(value clocksource)" "$(cat \
	    /sys/devices/system/clocksource/clocksource0/current_clocksource)"
	is 'facts: thp' "$(value thp)" "$(sed -e 's/.*\[//' -e 's/\].*//' \
	    /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)"
}

the_clocks_are_right()
{
	before=$(date +%s) up=$(cut -d . -f 1 /proc/uptime)
	ask facts
	after=$(date +%s) now_up=$(cut -d . -f 1 /proc/uptime)
	ok 'facts: time' [ "$(value time)" -ge "$before" ]
	ok 'facts: time is not ahead' [ "$(value time)" -le "$after" ]
	ok 'facts: uptime_s' [ "$(value uptime_s)" -ge "$up" ]
	ok 'facts: uptime_s is not ahead' [ "$(value uptime_s)" -le "$now_up" ]
}

busy_is_a_share()
{
	ask busy 100
	is 'busy: done' "$status" 0
	ok 'busy: at least 0' [ "$(value busy_permille)" -ge 0 ]
	ok 'busy: at most 1000' [ "$(value busy_permille)" -le 1000 ]
	ask busy soon
	is 'busy: a wrong number fails' "$status" 1
}

# All is below 1000; nothing is below 0 while this runs.
quiet_waits_and_ends()
{
	ask quiet 1000 2000
	is 'quiet: found' "$status $(value quiet)" '0 yes'
	ok 'quiet: in two seconds' [ "$(value waited_ms)" -ge 2000 ]
	(while :; do :; done) &
	burner=$!
	ask quiet 0 2500
	kill "$burner"
	is 'quiet: not found' "$status $(value quiet)" '0 no'
	ok 'quiet: and how busy it was' [ "$(value busy_permille)" -gt 0 ]
	ask quiet 10% 1000
	is 'quiet: a wrong number fails' "$status" 1
}

files_are_written_and_hashed()
{
	ask put "$work/file" 640 "two${nl}lines\\n"
	is 'put: done' "$status" 0
	is 'put: contents' "$(cat "$work/file")" "two${nl}lines\\n"
	is 'put: mode' "$(stat -c %a "$work/file")" 640
	is 'put: sha256' "$(value sha256)" \
	    "$(sha256sum "$work/file" | cut -d ' ' -f 1)"
	ln -s file "$work/link"
	ask put "$work/link" 0600 new
	is 'put: a link is replaced, not followed' \
	    "$(cat "$work/link") $(head -n 1 "$work/file")" 'new two'
	ask put "$work/nowhere/file" 600 x
	is 'put: a missing directory fails' "$status" 1
	ask put "$work" 600 x
	is 'put: a directory fails' "$status" 1
	ask put "$work/file" 9 x
	is 'put: a wrong mode fails' "$status" 1
	is 'put: no temporary file is left' \
	    "$(find "$work" -name '*.abrun*' | wc -l)" 0
	ask hash "$work/file" "$work/nowhere" "$work"
	is 'hash: what is no file is missing' "$(all sha256 | tail -n 2)" \
	    "missing${nl}missing"
	is 'hash: paths in step' "$(all path)" \
	    "$work/file$nl$work/nowhere$nl$work"
	rm -f "$work/file" "$work/link"
}

tools_are_found()
{
	mkdir -p "$work/bin"
	printf '#!/bin/sh\n' >"$work/bin/abrun-tool"
	chmod 755 "$work/bin/abrun-tool"
	ask which abrun-tool
	is 'which: not in PATH is absent' "$status" 2
	export abrun_path="$work/bin:/usr/bin:/bin"
	ask which abrun-tool
	is 'which: PATH can be given' "$(value path)" "$work/bin/abrun-tool"
	is 'which: sha256' "$(value sha256)" \
	    "$(sha256sum "$work/bin/abrun-tool" | cut -d ' ' -f 1)"
	chmod 644 "$work/bin/abrun-tool"
	ask which abrun-tool
	is 'which: a file that is no program is absent' "$status" 2
	unset abrun_path
	ask which "$work/bin/../bin"
	is 'which: a directory is absent' "$status" 2
}

work_directories_come_and_go()
{
	TMPDIR=$work
	export TMPDIR
	ask workdir
	unset TMPDIR
	made=$(value dir)
	is 'workdir: private' "$(stat -c '%a %u' "$made")" "700 $(id -u)"
	case $made in
	"$work"/abrun.*) pass 'workdir: named after abrun' ;;
	*) fail 'workdir: named after abrun' "$made" ;;
	esac
	mkdir -p "$made/sub dir"
	ask remove_workdir "$made/"
	is 'remove_workdir: done' "$status" 0
	ok 'remove_workdir: gone' [ ! -e "$made" ]
	ask remove_workdir "$made"
	is 'remove_workdir: again is done' "$status" 0
	mkdir -p "$work/abrun.x/data" "$work/other"
	ln -s "$work/other" "$work/abrun.link"
	program=$(pwd)/hooks/os/linux.sh
	for wrong in "$work/other" "$work/abrun.x/.." "$work/abrun." \
	    "$work/abrun.x/data" abrun.x "$work/abrun.link" / ''; do
		(cd "$work" && "$shell" "$program" remove_workdir "$wrong") \
		    >/dev/null 2>&1
		is "remove_workdir: refuses '${wrong#"$work"}'" $? 1
	done
	ok 'remove_workdir: nothing else is gone' \
	    [ -d "$work/other" -a -d "$work/abrun.x/data" ]
	rm -rf "$work/abrun.x" "$work/other" "$work/abrun.link"
}

for shell in dash bash; do
	usage_names_every_verb
	the_frame_is_exact
	fed_it_answers_the_same
	odd_values_survive
	hello_is_right
	ask facts
	the_kernel_is_right
	the_machine_is_right
	the_clocks_are_right
	busy_is_a_share
	quiet_waits_and_ends
	files_are_written_and_hashed
	tools_are_found
	work_directories_come_and_go
done
finish
