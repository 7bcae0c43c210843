#!/bin/sh
# The lock of a host over a real sshd: one at a time, given back at once when
# its controller is gone, and taken over where nobody can have it any more.
# src/target/host_lock.c.

# shellcheck disable=SC2154 # ssh_lab.sh sets
# shellcheck source=tests/lib/ssh_lab.sh
. tests/lib/ssh_lab.sh
tool=$(cd "$B" && pwd)/tests/lib/locktool
program=$work/program.sh
cat hooks/os/common.sh hooks/os/linux.sh >"$program"
locks=$lab/locks

# take TOKEN: and give it back.
take() {
	"$tool" "$lab/ssh_config" "$program" "$1" "/runs/$1" </dev/null \
		>"$work/said" 2>&1
}
# hold TOKEN: in the background; $held is its pid, its end file $work/end.
hold() {
	rm -f "$work/end" "$work/held"
	mkfifo "$work/end"
	"$tool" "$lab/ssh_config" "$program" "$1" "/runs/$1" <"$work/end" \
		>"$work/held" 2>&1 &
	held=$!
	helpers="$helpers $held"
	exec 9>"$work/end"
	wait_for grep -q '^held$' "$work/held"
}
latest() {
	find "$locks" -name 'lock.*' | sort -t . -k 3n | tail -n 1
}
released() {
	grep -q '^released.yes$' "$(latest)"
}
holder() {
	sed -n 's/^holder.//p' "$(latest)"
}
ended() {
	! kill -0 "$1" 2>/dev/null
}

take one
says held && says_not told && released
result "a host that was never locked is locked and given back"
[ "$(stat -c %a "$locks")" = 700 ]
result "what is kept of it is private"

hold one
take two
says "error 1: lab: in use by another abrun: process $held of $me on $(uname -n) since 20" \
	" UTC, run directory /runs/one; begin when that has ended"
result "C53: another run is told who has it, since when and where"
! released
result "and does not take it"
exec 9>&-
wait_for ended "$held"
released && says_not lost
result "at the end of its work it gives the lock back"
take two
says held && says_not told
result "to whoever wants it then"

hold one
process=$(holder)
process=${process%% *}
kill -0 "$process"
result "what holds it is a process on the host"
kill -s KILL "$held"
wait "$held" 2>/dev/null
exec 9>&-
wait_for released && wait_for ended "$process"
result "it gives the lock back when its controller is killed"

# The link breaks, the controller lives: it knows.
hold one
for pid in $(session_sshd); do
	kill -s KILL "$pid"
done
wait_for released
result "or when the link breaks"
exec 9>&-
wait_for ended "$held"
grep -q '^lost$' "$work/held"
result "which the controller sees"

# The holder itself is killed: nobody gave the lock back.
hold one
process=$(holder)
kill -s KILL "${process%% *}"
exec 9>&-
wait_for ended "$held"
take two
says "in use by another abrun: process $held of "
result "a lock whose holder was killed is one until its lease has run out"
take one
says held && says_not told && released
result "but not for the run whose it is"

# A link that died unseen: the holder lives on, and so would its lease.
hold one
old=$(holder)
"$tool" "$lab/ssh_config" "$program" one /runs/one </dev/null >"$work/said" 2>&1
says held && wait_for ended "${old%% *}"
result "a run gets its lock back while the old holder lives, which is ended"
exec 9>&-
wait_for ended "$held"
released
result "and the old one does not spoil the new one's file"

# forge SED: the last lock again, as if one held it still.
forge() {
	file=$(latest)
	sed -e "s/^released.*/until	99999999999999/" -e "$1" "$file" \
		>"$locks/lock.$((${file##*.} + 1))"
}
forge 's/^pid.*/pid	4711/'
take two
says "in use by another abrun: process 4711 of"
result "a lease that runs"
forge 's/^until.*/until	1/'
take two
says held "told: its lease has run out; it was that of process 4711 of"
result "a lease that has run out is told, and no lock"
forge 's/^boot_id.*/boot_id	of-another-boot/'
take three
says held "told: the host was booted since; it was that of process "
result "nor is one of another boot"
# shellcheck disable=SC2016 # an address of sed
for spoil in 's/.*/\x00\x00/' '/./d' 's/^until.*/until	soon/' \
	's/^until.*/until	1\\x/' '2,$d'; do
	forge "$spoil"
	spoilt=$((${spoilt-0} + 1))
	take "four.$spoilt"
	says held "told: its file was lost"
	result "nor is a file spoilt by $spoil"
done
forge 's/^controller.*/controller	\x1b[2J\\ne\\tvil/'
take two
says 'on \x1b[2J\ne\tvil since'
result "names of others are made fit to print"
printf 'released\tyes\n' >"$(latest)"

# Three at once, which keep what they have until all have their answer.
answered() {
	[ -s "$work/race.1" ] && [ -s "$work/race.2" ] && [ -s "$work/race.3" ]
}
round=0
: >"$work/said"
while [ "$round" -lt 4 ]; do
	round=$((round + 1))
	rm -f "$work/end" "$work"/race.*
	mkfifo "$work/end"
	for i in 1 2 3; do
		"$tool" "$lab/ssh_config" "$program" "r$i" /r <"$work/end" \
			>"$work/race.$i" 2>&1 9>&- &
		eval "racer$i=$!"
	done
	exec 9>"$work/end"
	wait_for answered
	cat "$work"/race.* >>"$work/said"
	exec 9>&-
	wait "$racer1" "$racer2" "$racer3"
	wait_for released
done
[ "$(grep -c '^held$' "$work/said")" -eq 4 ] &&
	[ "$(grep -c 'in use by another' "$work/said")" -eq 8 ]
result "of three at once one gets it, the others are told"

[ "$(find "$locks" -type f | wc -l)" -le 2 ]
result "no more than two files are kept"
rm -rf "$locks"
ln -s /nowhere "$locks"
take one
says "error 3: lab: lock_hold: refused: $locks is a link"
result "a link in its place is not followed"
rm "$locks"
echo >"$locks"
take one
says "error 3: lab: lock_hold: $locks cannot be made"
result "a host that can keep no lock is told of"
rm "$locks"
lab_plan
