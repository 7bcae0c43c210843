#!/bin/sh
# Changes of a host and their undoing, over a real ssh and the real OS
# program, on a directory that stands for the host's /proc and /sys.
set -u
B=${B:-build}
. tests/lib/sshd.sh
dir=$(mktemp -d /tmp/abrun-undo-XXXXXX) || exit 1
victim=
cleanup()
{
	sshd_remove "$dir/sshd"
	[ -z "$victim" ] || kill "$victim" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT PIPE TERM

root=$dir/root
vm=$root/proc/sys/vm
thp=$root/sys/kernel/mm/transparent_hugepage/enabled
boot=$root/proc/sys/kernel/random/boot_id
mkdir -p "$vm" "${thp%/*}" "${boot%/*}" "$root/sys/block/sda/queue" || exit 1

# The login shell gives the OS program its root.
# A directory of its own for work directories: other tests make theirs, too.
mkdir "$dir/tmp" || exit 1
cat >"$dir/shell" <<END
#!/bin/sh
ABRUN_ROOT=$root
TMPDIR=$dir/tmp
export ABRUN_ROOT TMPDIR
exec /bin/sh "\$@"
END
chmod 755 "$dir/shell"
sshd_make "$dir/sshd" shell="$dir/shell" && sshd_start "$dir/sshd" || exit 1

echo 1..58
test=0
ok()
{
	test=$((test + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $test - $2"
	else
		echo "not ok $test - $2"
		sed 's/^/# /' "$dir/out"
		sqlite3 "$run/run.db" 'SELECT * FROM undo' | sed 's/^/# /'
	fi
}

# A host as it was, and a run that has changed nothing.
fresh()
{
	echo 60 >"$vm/swappiness"
	echo 50 >"$vm/other"
	echo 'always [madvise] never' >"$thp"
	echo '[none] mq' >"$root/sys/block/sda/queue/scheduler"
	echo boot-one >"$boot"
	rm -f "$dir/log"
	run=$("$B/tests/lib/storetool" create "$dir/reports") || exit 1
}
undotool()
{
	what=$1
	shift
	"$B/tests/lib/undotool" "$what" "$run" "$dir/sshd/ssh_config" "$@" \
		>"$dir/out" 2>&1
}
is() # FILE VALUE
{
	[ "$(cat "$1")" = "$2" ]
}
said()
{
	grep -q "$1" "$dir/out"
}
# States of the rows in order of id: "done intended".
rows()
{
	[ "$(sqlite3 "$run/run.db" \
		"SELECT coalesce(group_concat(state, ' '), '') FROM
		(SELECT state FROM undo ORDER BY id)")" = "$1" ]
}
# What a killed process left: STATE NEW [NAME BOOT].
left_row()
{
	sqlite3 "$run/run.db" "INSERT INTO undo (target, kind, name,
		old_value, new_value, scope, boot_id, state, intended_at)
		VALUES (0, 'sysctl', 'vm.${3:-swappiness}', '60', '$2', 'boot',
		'${4:-boot-one}', '$1', 1e9)"
}

fresh
undotool apply sysctl:vm.swappiness=10 -sysctl:vm.other=1
ok $? "a cell's value is applied"
is "$vm/swappiness" 10 && is "$vm/other" 50
ok $? "to what the cell sets and nothing else"
rows 'done'
ok $? "and journalled"
said '^trips: 2$'
ok $? "in two round trips"
undotool apply sysctl:vm.swappiness=10 -sysctl:vm.other=1 && rows 'done' &&
	said '^trips: 1$'
ok $? "the same cell again needs one and no new row"
undotool apply sysctl:vm.swappiness=20 sysctl:vm.other=1 &&
	is "$vm/swappiness" 20 && is "$vm/other" 1
ok $? "another cell gets its own values"
[ "$(sqlite3 "$run/run.db" "SELECT group_concat(old_value) FROM undo
	WHERE state = 'done' ORDER BY id")" = 60,50 ]
ok $? "E84: and the old values are still those of the beginning"
undotool apply -sysctl:vm.swappiness=20 -sysctl:vm.other=1 &&
	is "$vm/swappiness" 60 && is "$vm/other" 50
ok $? "a cell that sets nothing finds what was there"
rows 'undone undone undone' && said '^trips: 2$'
ok $? "with nothing left open"
undotool prove sysctl vm.swappiness 60 && said '^proof: yes 60$'
ok $? "which proves that it is as it was"
undotool prove sysctl vm.swappiness 61 && said '^proof: no 60$'
ok $? "or that it is not"
undotool prove sysctl vm.unheard 1 && said '^proof: unknown what it was before$'
ok $? "or leaves unknown what was never looked at"

fresh
undotool apply thp:never sysfs:block/sda/queue/scheduler=mq &&
	is "$thp" never && is "$root/sys/block/sda/queue/scheduler" mq
ok $? "huge pages and sysfs are set"
undotool all && is "$thp" madvise &&
	is "$root/sys/block/sda/queue/scheduler" none
ok $? "and put back to the word that was in brackets"
undotool all && said '^trips: 0$' && rows 'undone undone'
ok $? "once: again there is nothing to do"

# Someone else.
fresh
undotool apply sysctl:vm.swappiness=10 sysctl:vm.other=1
echo 33 >"$vm/swappiness"
undotool apply -sysctl:vm.swappiness=10 -sysctl:vm.other=1
[ $? -eq 1 ] && said '^error 4: sysctl vm.swappiness: was 60, set to 10 and is 33 now: changed by someone else'
ok $? "a value that someone else wrote is told"
is "$vm/swappiness" 33 && rows 'foreign done'
ok $? "left alone and marked"
is "$vm/other" 1
ok $? "a cell that cannot be had is not half made"
undotool apply sysctl:vm.swappiness=10 -sysctl:vm.other=1
[ $? -eq 1 ] && said 'changed by someone else' && is "$vm/swappiness" 33
ok $? "a cell that sets it is refused as well"
undotool all && said '^left: sysctl vm.swappiness: .*changed by someone else' &&
	is "$vm/swappiness" 33 && is "$vm/other" 50 && rows 'foreign undone'
ok $? "at the end it is left, the rest is undone"
echo 60 >"$vm/swappiness"
undotool all && ! said left && rows 'undone undone'
ok $? "put back by hand, nothing is left"

fresh
undotool apply -sysctl:vm.swappiness=10
echo 33 >"$vm/swappiness"
undotool apply -sysctl:vm.swappiness=10
[ $? -eq 1 ] && said '^error 4: sysctl vm.swappiness: was 60 and is 33 now: changed by someone else'
ok $? "what no cell has set yet must not move either"
undotool apply sysctl:vm.swappiness=10
[ $? -eq 1 ] && is "$vm/swappiness" 33 && rows ''
ok $? "nor is it changed then"

# After kill -9.
fresh
left_row intended 10
undotool all && is "$vm/swappiness" 60 && rows undone
ok $? "killed before the change: nothing to undo"
fresh
left_row intended 10
echo 10 >"$vm/swappiness"
undotool all && is "$vm/swappiness" 60 && rows undone
ok $? "killed after the change: undone"
fresh
left_row 'done' 10
left_row intended 20
echo 10 >"$vm/swappiness"
undotool all && is "$vm/swappiness" 60 && rows 'undone undone'
ok $? "killed between two changes, before the second: undone"
fresh
left_row 'done' 10
left_row intended 20
echo 20 >"$vm/swappiness"
undotool all && is "$vm/swappiness" 60 && rows 'undone undone'
ok $? "killed between two changes, after the second: undone"
fresh
left_row intended 10
echo 10 >"$vm/swappiness"
undotool apply sysctl:vm.swappiness=10 && is "$vm/swappiness" 10 && rows 'done'
ok $? "the cell that was interrupted is taken up"
undotool all && is "$vm/swappiness" 60
ok $? "and what was there is still known"

# A reboot is its own undo.
fresh
undotool apply sysctl:vm.swappiness=10
echo boot-two >"$boot"
echo 55 >"$vm/swappiness"
undotool apply -sysctl:vm.swappiness=10 && is "$vm/swappiness" 55 && rows undone
ok $? "after a reboot nothing is written back"
undotool prove sysctl vm.swappiness 55 && said '^proof: yes 55$'
ok $? "and what was there is that of the new boot"
undotool apply sysctl:vm.swappiness=10 && undotool all && is "$vm/swappiness" 55
ok $? "also for what comes after"

# What the host refuses.
fresh
undotool apply sysctl:vm.nothing=1
[ $? -eq 1 ] && said '^error 3: sysctl vm.nothing: this system has none to be set to 1' && rows ''
ok $? "what the system does not have is told"
ln -s /proc/version "$vm/fixed"
undotool apply sysctl:vm.fixed=1 sysctl:vm.swappiness=10
[ $? -eq 1 ] && said '^error 3: sysctl vm.fixed: cannot be set to 1: .*refused'
ok $? "what the kernel refuses is told"
rows 'undone done' || rows 'done intended' || rows 'intended done'
ok $? "and what may have happened stays open"
undotool all && ! said left && is "$vm/swappiness" 60 && rows 'undone undone'
ok $? "until it is seen that it did not"
# The kernel makes 50000 of 0 here, and 80000 of 080000.
sleep 60 &
victim=$!
slack=/proc/$victim/timerslack_ns
ln -s "$slack" "$vm/slack"
echo 70000 >"$slack"
undotool apply sysctl:vm.slack=0
[ $? -eq 1 ] && is "$slack" 50000 && said 'cannot be set to 0: .*reads back'
ok $? "a value that the kernel changes is refused"
undotool all && ! said left && is "$slack" 70000
ok $? "and undone: it was no one else"
undotool apply sysctl:vm.slack=080000 && is "$slack" 80000 &&
	undotool apply sysctl:vm.slack=080000 && undotool all &&
	is "$slack" 70000
ok $? "a value that is written otherwise than it is read is the same"
kill "$victim"
wait "$victim" 2>/dev/null
victim=
rm "$vm/slack" "$vm/fixed"
mkdir "$vm/directory"
undotool apply -sysctl:vm.directory=1 sysctl:vm.swappiness=10
[ $? -eq 1 ] && said '^error 3: sysctl vm.directory: cannot be read' &&
	is "$vm/swappiness" 60
ok $? "what cannot be read fails the cell before anything is changed"

# Commands of the user's own.
on="echo on >>$dir/log"
off="echo off >>$dir/log"
fresh
undotool apply "command:$on|$off" sysctl:vm.swappiness=10 && is "$dir/log" on
ok $? "a command is applied"
rows 'done done'
ok $? "and journalled"
undotool apply "command:$on|$off" -sysctl:vm.swappiness=10 &&
	is "$dir/log" on && is "$vm/swappiness" 60
ok $? "once, while cells set it"
undotool apply "-command:$on|$off" && [ "$(tail -n 1 "$dir/log")" = off ]
ok $? "and undone for a cell that does not"
rows 'undone undone'
ok $? "with nothing left open"
undotool apply "command:$on|$off" && undotool all && undotool all &&
	[ "$(tr '\n' ' ' <"$dir/log")" = 'on off on off ' ]
ok $? "and at the end, once"

fresh
sqlite3 "$run/run.db" "INSERT INTO undo (target, kind, name, old_value,
	scope, boot_id, state, intended_at) VALUES (0, 'command', '$on',
	'$off', 'disk', 'boot-one', 'intended', 1e9)"
undotool apply "command:$on|$off" &&
	[ "$(tr '\n' ' ' <"$dir/log")" = 'off on ' ] && rows 'undone done'
ok $? "a command that may have run is undone and applied again"
echo boot-two >"$boot"
undotool all && [ "$(tr '\n' ' ' <"$dir/log")" = 'off on off ' ]
ok $? "a reboot does not undo a command"

fresh
undotool apply "command:$on; echo oops >&2; exit 3|$off"
[ $? -eq 1 ] && said '^error 3: command .* ended with status 3: oops'
ok $? "a command that fails is told, with what it said"
rows intended && undotool all && rows undone &&
	[ "$(tr '\n' ' ' <"$dir/log")" = 'on off ' ]
ok $? "and undone: it may have done half"

fresh
undotool apply "command:$on|test -e $dir/key" sysctl:vm.swappiness=10 &&
	undotool all
ok $? "an undo that fails does not end the undoing"
said '^left: command .* ended with status 1' && is "$vm/swappiness" 60 &&
	rows 'undone done'
ok $? "it is left, the rest is undone"
undotool apply "-command:$on|test -e $dir/key" sysctl:vm.swappiness=10
[ $? -eq 1 ] && said '^error 3: command' && is "$vm/swappiness" 60
ok $? "a cell that does not set it cannot be had"
: >"$dir/key"
undotool all && ! said left && rows 'undone undone'
ok $? "when it works, nothing is left"

fresh
undotool apply "command:$on|" && undotool apply "command:$on|" &&
	[ "$(tr '\n' ' ' <"$dir/log")" = 'on on ' ]
ok $? "a command without undo is applied each time"
undotool apply "-command:$on|" && undotool all &&
	said '^left: command .* was run and has no undo'
ok $? "and named at the end"

[ -z "$(ls -A "$dir/tmp")" ]
ok $? "no work directory is left"
undotool all && rows 'done'
ok $? "asking again changes nothing"
