#!/bin/sh
# A host that reboots by itself, in a visit, between two nights, again and
# again; a server that dies under the load.  The reboot is pretended: a boot id
# that is a file of ours in a mount namespace of the login, and all that runs
# there killed.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((450000 + $$))
night_lab

cat >"$work/sh" <<END
#!/bin/sh
exec unshare -m sh -c 'mount --bind $work/boot_id \
	/proc/sys/kernel/random/boot_id && TMPDIR=$tmp exec /bin/sh "\$@"' sh "\$@"
END
echo first >"$work/boot_id"

# The load of cell b waits, if asked, until the host has gone or is let go.
matrix boots <<END
title = "Boots";
factors: { x = ( { name = "a"; }, { name = "b"; env = [ "X=b" ]; },
    { name = "c"; env = [ "X=c" ]; } );
    b = ( { name = "-"; } ); };
loads = ( { use = "command"; name = "wait"; timeout = "1h"; command =
	"if [ -e $work/hold ]; then . $work/hold; fi"; } );
design: { rounds = 2; runs = 1; warmup = 0; order = "listed"; };
END
# hold N: the load of the Nth visit from now on sleeps.
hold()
{
	echo "$1" >"$work/count"
	rm -f "$work/held"
	cat >"$work/hold" <<-END
		n=\$((\$(cat $work/count) - 1))
		echo \$n >$work/count
		if [ \$n -eq 0 ]; then
			: >$work/held
			while [ -e $work/hold ]; do sleep 0.$nap; done
		fi
	END
}
# reboot ID: what runs there is gone.
reboot()
{
	echo "$1" >"$work/boot_id"
	_all="$(sshd_sessions "$lab") $(sandbox_servers "$lab")
	$(pgrep -f "sleep 0.$nap") $(pgrep -f "$tmp/")"
	rm -f "$work/hold" "$lab/mysqld.sock"
	# shellcheck disable=SC2086 # words
	kill -s KILL $_all 2>/dev/null
}
visits()
{
	sql "SELECT v.round, substr(c.name, 1, 1), v.status, b.boot_id
		FROM visit v LEFT JOIN boot b ON b.id = v.boot
		JOIN cell c ON c.server = v.server ORDER BY v.id"
}

hold 2
night_start boots
wait_for test -e "$work/held"
reboot second
night_wait
is "A25: a reboot in a visit costs the night nothing" "$status" 0
is "the whole block is made again, on one boot, in its order" "$(visits)" \
	"1|a|superseded|first
1|b|interrupted|first
1|a|valid|second
1|b|valid|second
1|c|valid|second
2|a|valid|second
2|b|valid|second
2|c|valid|second"
says "box: rebooted by itself: boot first is gone, boot second runs" \
	"box: round 1: 1 visit is of a boot that was lost"
result "it is told"
posts "unexpected reboot: boot first is gone, boot second runs" \
	"round 1, a / - was superseded: UNEXPECTED_REBOOT: its boot was lost before its block was complete (then repeated, and valid)" \
	"(2 rounds, all visits valid)"
result "and posted"
"$B/abrun" status "$(run_dir boots)" >"$work/status" &&
	grep -q "0 failed; 1 more superseded" "$work/status" &&
	grep -q "unexpected reboot: boot first" "$work/status"
result "and in the status"
is "nothing is left on the host" "$(left_over)" ""

# Two nights on two boots.
hold 5
night_start boots --new
wait_for test -e "$work/held"
kill -s INT "$night"
night_wait
is "a night that is interrupted in its second block" "$status" 130
reboot third
night boots
is "goes on after a reboot" "$status" 0
is "with the block that was not complete, and no other" "$(visits)" \
	"1|a|valid|second
1|b|valid|second
1|c|valid|second
2|a|superseded|second
2|b|interrupted|second
2|a|valid|third
2|b|valid|third
2|c|valid|third"
posts "block repeated: round 2: 1 visit is of a boot that was lost" &&
	! posts "unexpected reboot"
result "which the post says"

# It reboots while nothing is asked of it, which only its boot id tells: in a
# visit before the server is started, and between two visits.
mkdir -p "$work/hooks/visit"
cat >"$work/hooks/visit/host" <<END
#!/bin/sh
[ -e $work/due ] && [ "\$ABRUN_WHEN \$ABRUN_CELL" = "\$(cat $work/due)" ] ||
	exit 0
rm $work/due
. $(pwd)/tests/lib/sshd.sh
. $(pwd)/tests/lib/sandbox.sh
echo "after \$ABRUN_WHEN" >$work/boot_id
rm -f $lab/mysqld.sock
kill -s KILL \$(sshd_sessions $lab) \$(sandbox_servers $lab)
sleep 1
END
chmod 755 "$work/hooks/visit/host"
sed -e 's/^title = .*/title = "Calm"; visit = [ "host" ];/' \
	-e 's/rounds = 2/rounds = 1/' "$work/boots.cfg" >"$work/calm.cfg"
echo "before b / -" >"$work/due"
night calm
is "A25: a reboot that nobody saw, in a visit, costs the night nothing" \
	"$status" 0
says "box: round 1, b / -: visit interrupted: UNEXPECTED_REBOOT: it has booted since it was last spoken to: boot wanted third, seen after before"
result "nothing is asked of the host that came back"
is "and the block is made again" "$(visits)" "1|a|superseded|third
1|b|interrupted|third
1|a|valid|after before
1|b|valid|after before
1|c|valid|after before"
echo "after b / -" >"$work/due"
night calm --new
is "A25: nor does one between two visits" "$status" 0
is "whose block is made again" "$(visits |
	grep -v interrupted)" "1|a|superseded|after before
1|b|superseded|after before
1|a|valid|after after
1|b|valid|after after
1|c|valid|after after"
! says "the host is lost"
result "and which is not waited for"
echo third >"$work/boot_id"

# The load itself reboots the host, whenever cell b has run.
sed 's/rounds = 2/rounds = 1/' "$work/boots.cfg" >"$work/over.cfg"
cat >"$work/hold" <<END
n=\$((\$(cat $work/count) + 1))
echo \$n >$work/count
if [ \$((n % 2)) -eq 0 ]; then
	echo "boot \$n" >$work/boot_id
	kill -s KILL \$(cat $lab/data/*.pid)
	rm -f $lab/data/*.pid $lab/mysqld.sock
fi
END
echo 0 >"$work/count"
night over
is "A17: a host that reboots in every block is given up" "$status" 1
says "given up: in round 1 its boot was lost 3 times before a block" \
	"rebooted by itself: boot wanted third, seen boot 2"
result "with the reason"
is "after three attempts" "$(visits | cut -d'|' -f3 | sort | uniq -c |
	tr -s ' \n' ' ')" " 3 interrupted 3 superseded "
rm "$work/hold"
is "nothing is left" "$(left_over)" ""

# The server dies under the load of cell b.
hold 2
night_start over --new
wait_for test -e "$work/held"
server=$(sandbox_servers "$lab")
kill -s KILL "$server"
rm "$work/hold"
night_wait
is "a server that died once costs the night nothing" "$status" 0
is "its visit is made again" "$(visits | cut -d'|' -f2,3)" "a|valid
b|superseded
b|valid
c|valid"
posts "round 1, b / - was superseded: SERVER_EXITED: the server died in the visit: after the load: process: wanted pid $server started" \
	"(then repeated, and valid)"
result "which the post says"

# It dies, and somebody else starts it again.
sed 's/title = ".*"/title = "Watched"/' "$work/over.cfg" >"$work/watched.cfg"
hold 2
night_start watched
wait_for test -e "$work/held"
server=$(sandbox_servers "$lab")
tr '\0' '\n' <"/proc/$server/cmdline" >"$work/words"
kill -s KILL "$server"
wait_for ended "$server"
rm -f "$lab/mysqld.sock"
xargs -d '\n' setsid <"$work/words" >/dev/null 2>&1 &
helpers=$!
wait_for test -S "$lab/mysqld.sock"
other=$(sandbox_servers "$lab")
rm "$work/hold"
night_wait
sql "SELECT reason FROM visit WHERE status = 'superseded'" >"$work/reason"
grep -q "owner: wanted socket .* pid $server .*, seen pid $other " "$work/reason"
result "a server that somebody else has started again is seen"
is "its visit is superseded, and cannot be made again" "$(visits | cut -d'|' -f2,3 |
	head -n 3)" "a|valid
b|superseded
b|invalid"
posts "a server that abrun did not start listens"
result "for the server that is not ours, which the post says"
kill -s KILL "$other"
night_plan
