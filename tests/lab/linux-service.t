#!/bin/sh
# hooks/os/linux.sh: a service of the host that a script of /etc/init.d starts
# and stops, in a tree that stands for a host without systemd (ABRUN_ROOT).
# What a real systemd does is in e2e/service_systemd.t.

set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
end()
{
	for pid in $(pgrep -f "$work/lab/d.*"); do
		kill -s KILL "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap end EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
usual=/sbin:/bin:/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin

# A daemon and its script, as LSB wants it; $lab/default is what the host's
# owner has set, and $lab/trouble what goes wrong.
lab=$work/lab
export ABRUN_ROOT="$lab/root"
mkdir -p "$lab/root/etc/init.d" "$lab/root/run"
mkdir "$lab/d"
cat >"$lab/d/daemon" <<'END'
#!/bin/sh
while :; do sleep 0.1; done
END
cat >"$lab/root/etc/init.d/serve" <<END
#!/bin/sh
[ ! -r $lab/default ] || . $lab/default
[ ! -r $lab/trouble ] || . $lab/trouble
case \$1 in
start)
	start-stop-daemon --start --quiet --background --make-pidfile \
		--pidfile $lab/pid --startas $lab/d/daemon -- \$2 \$3
	;;
stop)
	start-stop-daemon --stop --quiet --oknodo --retry=TERM/5/KILL/5 \
		--remove-pidfile --pidfile $lab/pid
	;;
status)
	start-stop-daemon --status --pidfile $lab/pid
	;;
*)
	echo "Usage: serve {start|stop|status}" >&2
	exit 1
	;;
esac
END
chmod 755 "$lab/d/daemon" "$lab/root/etc/init.d/serve"
by_hand()
{
	env -i "PATH=$usual" "$lab/root/etc/init.d/serve" "$1"
}
# The process that serves, or nothing.
server()
{
	pgrep -f "/bin/sh $lab/d/daemon"
}
environment()
{
	tr '\000' '\n' <"/proc/$(server)/environ" | grep -v '^PWD=\|^OLDPWD=' |
	    sort
}
own()
{
	find "$lab/root/run" -mindepth 1 -name '*abrun*.service' -printf '%f\n'
}

services_are_found()
{
	ask service serve
	is 'service: done' "$status $(keys)" '0 manager id was state '
	is 'service: a script that is stopped' \
	    "$(value manager) $(value id) $(value was)" 'sysv serve inactive'
	by_hand start
	ask service serve
	is 'service: running' "$(value was) $(value state)" 'active active'
	by_hand stop
	ask service nowhere
	is 'service: none of that name' "$status $(value error)" \
	    '1 there is neither a unit nor a script in /etc/init.d of the name nowhere'
	for name in '' -x ../serve 'a b'; do
		ask service "$name"
		is "service: \"$name\" is no name" "$status" 1
	done
}

services_start_with_settings()
{
	LEAK=1 ask service_start serve 10000 0 '--one --two' 3 'A=two words' \
	    EMPTY= "ODD=it's \$HOME 100% \"x\" \\" -
	is 'service_start: done' "$status $(value manager) $(value id)" \
	    '0 sysv serve'
	ok 'service_start: tells when it began' [ "$(value clock)" -gt 0 ]
	until_true server >/dev/null
	is 'service_start: what is set, and no more' "$(environment)" \
	    "$(printf '%s\n' 'A=two words' EMPTY= "HOME=$HOME" LANG=C \
		"ODD=it's \$HOME 100% \"x\" \\" "PATH=$usual")"
	is 'service_start: the options follow start' \
	    "$(tr '\000' ' ' <"/proc/$(server)/cmdline")" \
	    "/bin/sh $lab/d/daemon --one --two "
	is 'service_start: the CPUs' "$(taskset -cp "$(server)" |
	    sed 's/.*: //')" 0
	is 'service_start: leaves its mark' "$(own)" abrun.serve.service
	ask service serve
	is 'service: runs' "$(value was)" active
	ask service_stop serve 10000
	is 'service_stop: done' "$status $(value state)" '0 inactive'
	is 'service_stop: gone' "$(server)" ''
	ask service_stop serve 10000
	is 'service_stop: once more' "$status $(value state)" '0 inactive'
}

services_are_put_back()
{
	ask service_start serve 10000 '' '' 1 A=1 -
	first=$(server)
	ask service_restore serve active 10000
	is 'service_restore: done' "$status $(value state)" '0 active'
	until_true server >/dev/null
	ok 'service_restore: another process' [ "$(server)" != "$first" ]
	is 'service_restore: with its own environment' \
	    "$(environment | grep -c '^A=')" 0
	is 'service_restore: no mark' "$(own)" ''
	first=$(server)
	ask service_restore serve active 10000
	is 'service_restore: once more: the process stays' \
	    "$status $(server)" "0 $first"
	ask service_restore serve inactive 10000
	is 'service_restore: to stopped' "$status $(value state) $(server)" \
	    '0 inactive '
	ask service_start serve 10000 '' '' 0 -
	ask service_restore serve inactive 10000
	is 'service_restore: stopped as it was' \
	    "$status $(server) $(own)" '0  '
}

# shellcheck disable=SC2016 # of the script
services_may_be_wrong()
{
	ask service_start serve 10000 '' '' 1 -
	is 'service_start: a wrong count fails' "$status" 1
	ask service_start serve soon '' '' 0 -
	is 'service_start: a wrong limit fails' "$status" 1
	is 'service_start: nothing was done' "$(server) $(own)" ' '
	echo 'echo "no disk"; exit 6' >"$lab/trouble"
	ask service_start serve 10000 '' '' 0 -
	is 'service_start: what the script says' "$status $(value error)" \
	    '1 /etc/init.d/serve start ended with status 6: no disk'
	echo '[ "$1" != start ] || sleep 60' >"$lab/trouble"
	ask service_start serve 1000 '' '' 0 -
	is 'service_start: one that does not end is ended' \
	    "$status $(value error)" \
	    '1 /etc/init.d/serve start ended with status 124'
	rm "$lab/trouble"
	ask service_restore serve inactive 10000
	is 'service_restore: of one that failed' "$status $(own)" '0 '
	by_hand start
	echo '[ "$1" != stop ] || exit 0' >"$lab/trouble"
	ask service_stop serve 10000
	is 'service_stop: a script that lies' "$status $(value error)" \
	    '1 serve does not stop: it is active'
	rm "$lab/trouble"
	by_hand stop
	echo '[ "$1" != start ] || exit 0' >"$lab/trouble"
	ask service_restore serve active 10000
	is 'service_restore: a start that does nothing' \
	    "$status $(value error)" \
	    '1 serve is not running again: it is inactive'
	rm "$lab/trouble"
}

for shell in dash bash; do
	services_are_found
	services_start_with_settings
	services_are_put_back
	services_may_be_wrong
done
finish
