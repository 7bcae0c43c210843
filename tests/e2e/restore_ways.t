#!/bin/sh
# How abrun restore reaches a host that it is only told the name of: with sudo,
# by another OS program, past the lock of an abrun that nobody can end.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((650000 + $$))
night_lab database=no
abrun=$(pwd)/$B/abrun

# A sudo, pretended, as far as it is used; $work/refusal is what it says.
cat >"$work/bin/sudo" <<END
#!/bin/sh
[ "\$1" = -n ] || exit 9
shift
if [ -e "$work/refusal" ]; then
	cat "$work/refusal" >&2
	exit 1
fi
echo "\$*" >>"$work/by-sudo"
exec "\$@"
END
chmod 755 "$work/bin/sudo"
# An OS program of this test, which is looked for where abrun is run.
mkdir -p "$work/there/hooks/os"
cp hooks/os/common.sh hooks/os/linux.sh "$work/there/hooks/os"
{
	echo "echo used >>$work/by-program"
	cat hooks/os/linux.sh
} >"$work/there/hooks/os/ourlinux.sh"

matrix_calm >"$work/change.cfg" <<END
title = "Changed";
targets = ( { name = "box"; ssh = "lab"; os = "linux";
    ssh_config = "$lab/ssh_config"; } );
factors: { knob = (
	{ name = "on"; apply = "echo on >$work/knob";
	    undo = "echo off >$work/knob"; verify = "grep -q on $work/knob"; },
	{ name = "off"; env = [ "KNOB=off" ]; } ); };
loads = ( { use = "command"; name = "wait"; timeout = "1h"; command =
	"if [ -e $work/hold ]; then : >$work/held; sleep $nap; fi; true"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
# held: a first night that has changed the host and waits; of its directory
# nobody knows who restores the host.
times=0
held()
{
	times=$((times + 1))
	reports=$work/reports.$times
	echo off >"$work/knob"
	rm -f "$work/held"
	: >"$work/hold"
	night_start change
	wait_for test -e "$work/held"
}
killed()
{
	held
	kill -s KILL "$night"
	night_wait
	rm "$work/hold"
}
# restore ARGUMENT...: as somebody who knows of the host alone.
restore()
{
	status=0
	(cd "$work/there" && exec "$abrun" restore "$@") >"$work/said" 2>&1 \
		</dev/null || status=$?
}
lab()
{
	restore --ssh-config "$lab/ssh_config" "$@" lab
}
changed()
{
	echo "$(cat "$work/knob") $(pgrep -x -f "sleep $nap" | wc -l)" \
		"$(find "$tmp" -mindepth 1 -maxdepth 1 | wc -l)"
}

killed
is "an abrun that was killed leaves the host changed" "$(changed)" "on 1 1"
echo "sudo: a password is required" >"$work/refusal"
lab --sudo
is "--sudo where a password is wanted: 1" "$status" 1
says "sudo -n was refused: a password is required"
result "which is told"
is "nothing is done" "$(changed)" "on 1 1"
rm "$work/refusal"
lab --sudo
is "--sudo: 0" "$status" 0
is "all is undone" "$(changed)" "off 0 0"
is "by sudo" "$(sort -u "$work/by-sudo")" "/bin/sh -s"

killed
mv "$work/by-sudo" "$work/before"
lab --os nosuch
is "--os that nobody has: 2" "$status" 2
says "nosuch"
result "which is told"
is "nothing is done, either" "$(changed)" "on 1 1"
lab --os ourlinux
is "--os: 0" "$status" 0
is "all is undone by that program" "$(changed) $(sort -u "$work/by-program")" \
	"off 0 0 used"
[ ! -e "$work/by-sudo" ]
result "without sudo, which was not asked for"

# It is there and does nothing, as when its machine is frozen.
held
kill -s STOP "$night"
lab
is "an abrun that still has the lock: 1" "$status" 1
says "lab: in use by another abrun: process $night of "
result "and who it is, is said"
is "its host is left alone" "$(changed)" "on 1 1"
lab --take-over -n
is "--take-over -n: 0" "$status" 0
is "takes nothing over" "$(changed)" "on 1 1"
lab --take-over
is "--take-over: 0" "$status" 0
is "all is undone" "$(changed)" "off 0 0"
kill -s KILL "$night"
night_wait
restore "$(run_dir change)"
is "the run directory, too: 0" "$status" 0
is "in which nothing is left to do" "$(sql "SELECT count(*) FROM undo
	WHERE state <> 'undone'" change)" 0

# The same lock, past which a run directory is restored.
held
kill -s STOP "$night"
restore --take-over "$(run_dir change)"
is "--take-over does not take the directory of an abrun that lives" "$status" 1
says "$(run_dir change)"
result "which is told"
kill -s KILL "$night"
night_wait
rm -f "$work/hold"
restore --take-over "$(run_dir change)"
is "but when that is dead: 0" "$status" 0
is "all is undone there, too" "$(changed)" "off 0 0"
night_plan
