#!/bin/sh
# Two targets at once, each with files and a network of its own; one dies in
# the middle of the night, the other goes on; later the rest is made up for.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
nap=$((400000 + $$))

# Both have their data at the same path, each in its mount namespace.
db=$work/db
mkdir "$db" "$work/lab" "$work/lab/empty" "$tmp/one" "$tmp/two"
sandbox_database "$work/lab" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
sshd_need_run $$
# host_up NAME: a host, that is: its namespaces and how to get there.
host_up()
{
	unshare -m -n sh -c "ip link set lo up &&
		mount --bind '$work/db-$1' '$db' && echo >'$work/up-$1' &&
		exec sleep $nap" &
	helpers="$helpers $!"
	echo $! >"$work/host-$1"
	wait_for test -e "$work/up-$1"
	rm "$work/up-$1"
}
# Everything that runs in it.
host_processes()
{
	_net=$(readlink "/proc/$(cat "$work/host-$1")/ns/net")
	for _proc in /proc/[0-9]*; do
		[ "$(readlink "$_proc/ns/net" 2>/dev/null)" = "$_net" ] &&
			echo "${_proc#/proc/}"
	done
}
host_down()
{
	# shellcheck disable=SC2046 # words
	kill -s KILL $(host_processes "$1") 2>/dev/null
	{ wait "$(cat "$work/host-$1")"; } 2>/dev/null
}
cleaning()
{
	[ -z "$night" ] || kill -s KILL "$night"
	host_down one
	host_down two
	sshd_leave_run $$
	night_clean
}
trap cleaning EXIT

: >"$work/ssh_config"
for name in one two; do
	cp -r "$work/lab" "$work/db-$name"
	cat >"$work/sh-$name" <<-END
		#!/bin/sh
		TMPDIR=$tmp/$name exec /bin/sh "\$@"
	END
	chmod 755 "$work/sh-$name"
	sshd_make "$work/sshd-$name" alias="$name" shell="$work/sh-$name" || exit 1
	cat >"$work/proxy-$name" <<-END
		#!/bin/sh
		kill -0 \$(cat "$work/host-$name") 2>/dev/null || {
			echo "$name is down" >&2
			exit 1
		}
		exec nsenter -t \$(cat "$work/host-$name") -m -n \
		    $(command -v sshd || echo /usr/sbin/sshd) -i \
		    -f "$work/sshd-$name/sshd_config" 2>>"$work/sshd.log"
	END
	chmod 755 "$work/proxy-$name"
	sed "s|^  Port .*|&\n  ProxyCommand $work/proxy-$name|" \
		"$work/sshd-$name/ssh_config" >>"$work/ssh_config"
	host_up "$name"
done
rm -rf "$work/lab"

cat >"$work/two.cfg" <<END
title = "Two";
targets = (
	{ name = "one"; ssh = "one"; os = "linux"; ssh_config = "$work/ssh_config"; },
	{ name = "two"; ssh = "two"; os = "linux"; ssh_config = "$work/ssh_config"; }
);
server: { command = "$server_program $server_options"; datadir = "$db/data";
    socket = "$db/mysqld.sock"; user = "root"; db = "test"; };
factors: { knob = (
	{ name = "off"; env = [ "KNOB=off" ]; },
	{ name = "on"; env = [ "KNOB=on" ]; }
); };
loads = ( { use = "sysbench"; test = "oltp_point_select"; table_size = 100;
	threads = 1; time = 1; },
    { use = "command"; name = "wait"; timeout = "1h"; command =
	"if [ {target}{round} = \"\$(cat $work/hold)\" ]; then echo >$work/held; sleep $nap; fi; true"; } );
design: { rounds = 2; runs = 1; warmup = 0; };
END

echo two2 >"$work/hold"
night_start two
wait_for test -e "$work/held"
result "the second host is in its second round"
host_down two
night_wait
visits()
{
	sql "SELECT h.name, round, status, count(*) FROM visit v JOIN host h ON
	h.id = v.target GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
}
is "one of two hosts died: 3" "$status" 3
is "the other has all its visits, this one what it had" \
	"$(visits | grep valid)" "one|1|valid|2
one|2|valid|2
two|1|valid|2"
posts "the link broke" "two is down" "two, on was interrupted" \
	"6 of 8 visits valid" "Still changed on the host, not undone: two:"
result "what was lost is posted"
is "nothing is left on the first host" "$(ls -A "$tmp/one"
	sandbox_servers "$db")" ""

echo none >"$work/hold"
host_up two
night two
is "when the host is back, it ends with 0" "$status" 0
says "going on with"
result "goes on"
is "and makes up for what is missing" "$(visits | grep valid)" \
	"one|1|valid|2
one|2|valid|2
two|1|valid|2
two|2|valid|2"
posts "(2 rounds, all visits valid)"
result "so that all is there"
is "nothing is left on any host" "$(ls -A "$tmp/one" "$tmp/two"
	sandbox_servers "$db"; sql "SELECT kind, name FROM undo WHERE
	state <> 'undone'")" "$tmp/one:

$tmp/two:"

rm "$work/held"
echo one1 >"$work/hold"
night_start two --new
wait_for test -e "$work/held"
kill -s INT "$night"
night_wait
is "SIGINT ends the night of both with 130" "$status" 130
is "and leaves nothing on any host" "$(ls -A "$tmp/one" "$tmp/two"
	sandbox_servers "$db"; sql "SELECT kind, name FROM undo WHERE
	state <> 'undone'")" "$tmp/one:

$tmp/two:"
night_plan
