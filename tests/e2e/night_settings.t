#!/bin/sh
# Settings of the host: made for their cells, undone for the others, after a
# failure, after SIGINT and at the end.  Plain files stand in for those of the
# kernel, in a mount namespace of the test's own.

if [ "${1-}" != inside ]; then
	exec unshare -m sh "$0" inside
fi
# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

thp=/sys/kernel/mm/transparent_hugepage
# stand_in FILE NAME VALUE
stand_in()
{
	echo "$3" >"$work/$2"
	mount --bind "$work/$2" "$1" || { echo "Bail out! no mount"; exit 1; }
}
stand_in /proc/sys/vm/swappiness swappiness 60
stand_in "$thp/enabled" enabled 'always [madvise] never'
stand_in "$thp/defrag" defrag 'always defer [madvise] never'
echo off >"$work/knob"
state()
{
	cat "$work/swappiness" "$work/enabled" "$work/defrag" "$work/knob" |
		tr '\n' ' ' | sed 's/ *$//'
}

cat >"$work/factors" <<END
factors: {
	swap = ( { name = "no"; },
	    { name = "low"; sysctl = [ "vm.swappiness=10" ]; } );
	rest = ( { name = "none"; },
	    { name = "all"; thp = "never";
	      sysfs = [ "kernel/mm/transparent_hugepage/defrag=defer" ];
	      apply = "echo on >$work/knob"; undo = "echo off >$work/knob";
	      verify = "grep -q on $work/knob"; } );
};
END
{
	cat "$work/factors"
	cat <<END
title = "Settings";
loads = ( { use = "command"; name = "look"; timeout = "1h"; command =
	"echo {cell}: \$(cat $work/swappiness $work/enabled $work/defrag $work/knob) >>$work/seen"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
} | matrix settings
night settings
is "settings come and go: 0" "$status" 0
is "each cell has its own and no other" "$(cat "$work/seen")" \
	"no / none: 60 always [madvise] never always defer [madvise] never off
no / all: 60 never defer on
low / none: 10 madvise madvise off
low / all: 10 never defer on"
is "in the end all are as they were" "$(state)" "60 madvise madvise off"
is "each change is in the store, in order, and undone" \
	"$(sql "SELECT kind, name, old_value, new_value, state FROM undo
	WHERE kind <> 'workdir' ORDER BY id" | sed "s|$work|W|g")" \
	"thp||madvise|never|undone
sysfs|kernel/mm/transparent_hugepage/defrag|madvise|defer|undone
command|echo on >W/knob|echo off >W/knob||undone
sysctl|vm.swappiness|60|10|undone
thp||madvise|never|undone
sysfs|kernel/mm/transparent_hugepage/defrag|madvise|defer|undone
command|echo on >W/knob|echo off >W/knob||undone"
is "each was intended before its visit's load, and undone after" \
	"$(sql "SELECT count(*) FROM undo u WHERE kind <> 'workdir' AND NOT
	EXISTS (SELECT 1 FROM run r WHERE u.intended_at < r.began AND
	r.began < u.changed_at)")" 0
is "each is proved, and its absence" "$(sql "SELECT what, wanted, count(*)
	FROM proof WHERE verdict = 'yes' AND what IN ('sysctl', 'sysfs', 'thp',
	'verify') GROUP BY 1, 2 ORDER BY 1, 2" | sed "s|$work|W|")" \
	"sysctl|10|4
sysctl|60|4
sysfs|defer|4
sysfs|madvise|4
thp|madvise|4
thp|never|4
verify|exit status 0|4"

# SIGINT while all is set.
: >"$work/hold"
{
	cat "$work/factors"
	cat <<END
title = "Interrupted";
loads = ( { use = "command"; name = "wait"; timeout = "1h"; command =
	"if [ -e $work/hold ] && [ {cell} = 'low / all' ]; then echo >$work/held; sleep 600; fi"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
} | matrix stop
night_start stop
wait_for test -e "$work/held"
is "while the last cell runs all is set" "$(state)" "10 never defer on"
kill -s INT "$night"
night_wait
is "after SIGINT, 130" "$status" 130
is "all is undone" "$(state) $(left_over)" "60 madvise madvise off "
is "in the store, too" "$(sql "SELECT count(*) FROM undo WHERE
	state <> 'undone'")" 0

# Cells that cannot be had, and one whose setting somebody changes.
matrix fail <<END
title = "Failing";
factors: { what = (
	{ name = "no server"; sysctl = [ "vm.swappiness=20" ];
	  mysqld = [ "no_such_option=1" ]; },
	{ name = "no knob"; sysctl = [ "vm.swappiness=30", "vm.no_such_knob=1" ]; },
	{ name = "no apply"; sysctl = [ "vm.swappiness=40" ];
	  apply = "echo not today >&2; exit 1"; undo = "echo >>$work/undone"; },
	{ name = "no verify"; apply = "true"; undo = "true";
	  verify = "echo >>$work/verified; false"; },
	{ name = "nothing"; },
	{ name = "changed"; sysctl = [ "vm.swappiness=50" ]; },
	{ name = "after"; env = [ "AFTER=1" ]; }
); };
loads = ( { use = "command"; name = "look"; command =
	"echo {what}: \$(cat $work/swappiness) >>$work/looked; if [ {cell} = changed ]; then echo 99 >$work/swappiness; fi"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
sed -i 's/{what}: /{cell}: /' "$work/fail.cfg"
night fail
is "some failed: 3" "$status" 3
sql "SELECT c.name, v.attempt, v.status, v.reason FROM visit v JOIN cell c ON
	c.server = v.server ORDER BY v.id" fail | sed "s|$work|W|g" >"$work/got"
cat >"$work/wanted" <<'END'
no server|1|failed|the server exited before it answered: mariadbd: unknown variable 'no_such_option=1'
no server|2|failed|the server exited before it answered: mariadbd: unknown variable 'no_such_option=1'
no knob|1|failed|sysctl vm.no_such_knob: this system has none to be set to 1
no knob|2|failed|sysctl vm.no_such_knob: this system has none to be set to 1
no apply|1|failed|command "echo not today >&2; exit 1" ended with status 1: not today
no apply|2|failed|command "echo not today >&2; exit 1" ended with status 1: not today
no verify|1|invalid|before the load: verify: wanted echo >>W/verified; false exit status 0, seen exit status 1
nothing|1|valid|
changed|1|invalid|after the load: sysctl: wanted vm.swappiness 50, seen 99
after|1|invalid|sysctl vm.swappiness: was 60, set to 50 and is 99 now: changed by someone else, left alone
END
is "each says why" "$(cat "$work/got")" "$(cat "$work/wanted")"
is "what failed is undone before the next cell" "$(cat "$work/looked")" \
	"nothing: 60
changed: 50"
is "a command that failed is undone, too" "$(wc -l <"$work/undone")" 2
is "what somebody changed is left alone" "$(state)" "99 madvise madvise off"
posts "Still changed on the host, not undone: box: sysctl vm.swappiness was 60, set to 50, then changed by someone else"
result "and posted"
says "left changed: sysctl vm.swappiness: was 60, set to 50 and is 99 now"
result "and told"
night_plan
