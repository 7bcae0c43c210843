#!/bin/sh
# C53: two abruns and one host: the second is told who has it and since when,
# and gets it as soon as the first has ended, however that was.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((500000 + $$))
night_lab
locks=$lab/locks

for name in lock other; do
	matrix $name <<-END
		title = "Lock";
		factors: { env = [ "A=1" ]; };
		loads = ( { use = "command"; name = "wait"; timeout = "1h";
		    command = "if [ -e $work/hold ]; then echo >$work/held;
			sleep $nap; fi; true"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
done
# second NAME: a night of another controller: reports of its own.
second()
{
	reports=$work/second
	night "$@"
	reports=$work/reports
}
# latest: the file of the lock that counts.
latest()
{
	find "$locks" -name 'lock.*' | sort -t . -k 2n | tail -n 1
}
released()
{
	grep -q '^released.yes$' "$(latest)"
}

: >"$work/hold"
night_start lock
wait_for test -e "$work/held"
result "a night goes on"
second other
is "C53: another one on the same host: 1" "$status" 1
says "box: LOCKED: in use by another abrun: process $night of $(id -un) on $(uname -n) since 20" \
	" UTC, run directory $(run_dir lock); begin when that has ended" ||
	says "in use by another abrun: process $night of $(id -un) on $(hostname) since 20"
result "C53: it says who has it, since when and where"
[ "$(grep -c ' box: ' "$work/said")" -eq 1 ]
result "once"
is "it changed nothing" "$(sandbox_servers "$lab" | wc -l)" 1
"$B/abrun" --reports "$reports" "$work/lock.cfg" >"$work/post" \
	2>"$work/said" </dev/null
is "another one on the same run directory: 1" $? 1
says "$(run_dir lock) is in use by another abrun: process $night of " " since 20"
result "says who and since when, too"

# The holder renews by itself, and what it says is what it is.
holder=$(sed -n 's/^holder.//p' "$(latest)")
kill -0 "${holder%% *}"
result "a process on the host holds the lock"
kill -s KILL "$night"
night_wait
wait_for released
result "when its controller is killed, it gives the lock back at once"
wait_for ended "${holder%% *}"
result "and ends"
rm "$work/hold"
night lock
is "and the same run goes on" "$status" 0
second other
is "after it another one gets the host" "$status" 0
is "nothing is left" "$(left_over)" ""
released
result "nor is the lock"
! grep -rqF "$(sed -n 's/^token.//p' "$(latest)")" "$work"/*/*/report.md \
	"$work"/*/*/post.txt
result "whose token no report tells"
night_plan
