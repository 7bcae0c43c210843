#!/bin/sh
# abrun check, of hosts that cannot be used: down, locked, client hosts too;
# of runs that cannot be gone on with, and matrices that cannot be run.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/redis.sh
. tests/lib/redis.sh
# shellcheck source=tests/lib/check.sh
. tests/lib/check.sh
simple good "$one" "$job"
check good
is "a host without a server: 0" "$status" 0
tells "ok login: lab as " "note server: there is none" "ok time: wall, user" \
	"cells on box: 1 of 1, " "ok env=A=1: "
result "says so"
is "nothing is left" "$(lying)" ""

simple refused 'x = ( { name = "no"; }, { name = "yes"; sysctl = [ "vm.no_such_knob=1" ]; } );' "$job"
check refused -q
is "a setting that the system does not have: 3" "$status" 3
tells "cells on box: 2 of 2, " "FAIL x=yes: " "vm.no_such_knob"
result "is told of its cell"
! grep -q -e '^ok' -e '^note' -e 'in the way' "$work/said"
result "and, quietly, nothing that is good"

# A client host.
tool_definition
{ sshd_make "$work/sshd-gen" alias=gen && sshd_start "$work/sshd-gen"; } || exit 1
server="start = \"$redis --daemonize yes\"; stop = \"$shut\"; ready = \"$ping\""
target='client = "gen1";'
simple tool2 "$one" '{ use = "tool"; file = "/no/such/file.smack"; }'
target='client = "controller";'
simple tool3 "$one" "$job"
target=
server=
check tool2
is "a script that is not on the client host: 1" "$status" 1
tells "gen1, where the loads of box run ok login: gen as " \
	"ok tool: /bin/sh, sh of this system" \
	"FAIL scripts: MISSING_FILE: /no/such/file.smack" "ok env=A=1: "
result "is told of that host"
sed -n '/^gen1, where/,/^$/p' "$work/said" | grep -q '^ok   space: .* free for t'
result "whose hazards and space are looked at, too"
is "the server was stopped" "$(listeners)" ""
check tool3
is "the controller as client host: 0" "$status" 0
tells "controller, where the loads of box run ok login: none is needed, as " \
	"ok server: " "ok env=A=1: "
result "is looked at, too"
sshd_stop "$work/sshd-gen"
check tool2
is "a client host that is down: 1" "$status" 1
tells "gen1, where the loads of box run FAIL login: HOST_LOST: "
result "is named"
is "the server was stopped" "$(listeners)" ""
sshd_remove "$work/sshd-gen"

# Who else is there.
locker()
{
	"$B/tests/lib/locktool" "$lab/ssh_config" "$work/linux.sh" token \
		/lab/night <"$work/fifo" >"$work/held" 2>&1 &
	helpers="$helpers $!"
	exec 7>"$work/fifo"
	wait_for grep -q . "$work/held"
}
mkfifo "$work/fifo"
cat hooks/os/common.sh hooks/os/linux.sh >"$work/linux.sh"
locker
check good
is "a host that another abrun uses: 1" "$status" 1
tells "FAIL lock: LOCKED: in use by another abrun: process " " of $(id -un) on " \
	" UTC, run directory /lab/night"
result "says who has it, since when"
exec 7>&-
wait_for grep -q '^released.yes$' "$(find "$lab/locks" -name 'lock.*' |
	sort -t . -k 2n | tail -n 1)"

# The run that the night would go on with; of a host that is down.
night good
run=$(run_dir good)
sshd_stop "$lab"
check good --reports "$reports"
tells "warn run: $run is finished, and nothing would be run: --rounds N"
result "a run that is finished is named, and what makes another"
sqlite3 "$run/run.db" "UPDATE experiment SET rounds = 2"
check good --reports "$reports"
tells "note run: the night goes on with $run"
result "and one that is not"
sed -i 's/A=1/A=2/' "$work/good.cfg"
check good --reports "$reports"
is "one of another matrix: 2" "$status" 2
tells "FAIL run: $run is unfinished and was begun with another matrix"
result "stands in the way"
check good
is "a host that is down: 1" "$status" 1
tells "FAIL login: HOST_LOST: " "-> see that it runs" \
	"1 thing stands in the way, no warnings"
result "says so"
is "nothing is left" "$(lying)" ""

# Matrices.
check nowhere
is "a matrix that is not there: 2" "$status" 2
simple wrong "$one" '{ use = "command"; name = "job"; comand = "true"; }'
check wrong
is "one with a mistake: 2" "$status" 2
tells "did you mean \"command\""
result "is told of it"
simple hooks "$one" "$job" 'notify = [ "no-such-hook" ];'
check hooks
is "a hook that is not there: 2" "$status" 2
tells "FAIL notify: MISSING_FILE: " "no-such-hook" "FAIL login: HOST_LOST"
result "is told beside what is wrong with the hosts"
night_plan
