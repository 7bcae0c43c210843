#!/bin/sh
# Loads that run on a client host or on the controller, not on the target.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab
nap=$((550000 + $$))

# The client host: another sshd, where temporary files come elsewhere.
gen=$work/lab-gen
mkdir "$work/tmp-gen" "$work/tmp-here"
cat >"$work/sh-gen" <<END
#!/bin/sh
TMPDIR=$work/tmp-gen exec /bin/sh "\$@"
END
chmod 755 "$work/sh-gen"
sshd_make "$gen" alias=gen shell="$work/sh-gen" && sshd_start "$gen" || exit 1
TMPDIR=$work/tmp-here
export TMPDIR

# Any password is right for this server.
port=$(sshd_free_port)
server_options=$(echo "$server_options --skip-grant-tables" |
	sed "s/--skip-networking/--bind-address=127.0.0.1/")
PASSWORD=sesame
export PASSWORD
mkdir -p "$work/hooks/load"
cat >"$work/hooks/load/told.cfg" <<'END'
help = "a script, which tells where it runs";
tool = "sh";
version = "echo one";
keys = ( { name = "script"; help = "the script"; script = true; } );
command = "exec sh {script} {host} {port} {socket}";
metrics = ( );
primary = "wall";
END
cat >"$work/told.sh" <<END
echo "\$PWD \$1:\$2:\$3 \$MYSQL_PWD" >>"$work/told"
mariadb --no-defaults --protocol=tcp --host="\$1" --port="\$2" --user=root \
    -e 'SELECT 1' >/dev/null || exit 1
if [ -e "$work/hold" ]; then
	: >"$work/held"
	while [ -e "$work/hold" ]; do sleep 0.2; done
fi
END
# apart NAME CLIENT [SERVER_KEYS]; $keys are more of the target
apart()
{
	matrix_calm >"$work/$1.cfg" <<-END
		title = "Apart";
		hosts = ( { name = "gen1"; ssh = "gen"; os = "linux";
		    ssh_config = "$gen/ssh_config"; } );
		targets = ( { name = "box"; ssh = "lab"; os = "linux";
		    ssh_config = "$lab/ssh_config";
		    client = "$2"; address = "127.0.0.1"; ${keys-} } );
		server: { command = "$server_program $server_options";
		    datadir = "$lab/data"; socket = "$lab/mysqld.sock";
		    user = "root"; db = "test"; password_env = "PASSWORD";
		    ${3-port = $port;} };
		factors: { x = ( { name = "only"; } ); };
		monitors = ( { name = "box"; command = "echo {outdir}; sleep $nap"; },
		    { name = "load"; on = "client";
		      command = "echo {outdir}; sleep $nap"; } );
		loads = ( { use = "told"; script = "told.sh"; timeout = "1min"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
# left: what lies about anywhere, and is still to be undone.
left()
{
	left_over
	pgrep -a -f "sleep $nap"
	ls -d "$work/tmp-gen"/* "$work/tmp-here"/*/*-told.sh 2>/dev/null
	pgrep -a -f "$work/tmp-gen/"
	pgrep -a -f "$work/tmp-here/"
	sql "SELECT kind, name FROM undo WHERE state <> 'undone'"
}
# told_from DIR: each line of what the loads told.
told_from()
{
	sort "$work/told" | sed -e "s|^$1/abrun\.[^ /]* |WORK |" | sort -u
}

# monitored NAME: where its monitors ran.
monitored()
{
	for _of in box load; do
		sed -n "s|^$work/\\(.*\\)/abrun\\..*|$_of in \\1|p" \
			"$(run_dir "$1")/raw/box-round1-cell0-monitor-$_of.txt"
	done
}

apart gen gen1
night gen
is "a load on a client host: 0" "$status" 0
is "every visit is valid" "$(sql "SELECT status, count(*),
	(SELECT count(*) FROM run WHERE good) FROM visit")" "valid|1|1"
is "it runs there, speaks to the target by TCP, and has the password" \
	"$(told_from "$work/tmp-gen")" "WORK 127.0.0.1:$port: $PASSWORD"
proved()
{
	sql "SELECT after, count(*) FROM proof WHERE verdict = 'yes' AND $1
		GROUP BY after"
}
is "the server is proved to own the port" \
	"$(proved "what = 'owner' AND about = 'tcp $port'")" "0|1
1|1"
is "the client host is proved to be in its boot" \
	"$(proved "what = 'boot' AND about = 'gen1'")" "0|1
1|1"
is "script and tool are proved there" "$(proved "what = 'sha256'
	AND (about LIKE '$work/tmp-gen/%' OR about LIKE '%/sh')")" "0|2
1|2"
is "monitors run on the host where they are wanted" "$(monitored gen)" \
	"box in tmp
load in tmp-gen"
is "its facts are kept as its own" "$(sql "SELECT h.name, h.role, f.value FROM
	fact f JOIN host h ON h.id = f.of AND f.scope = 'host'
	WHERE f.key = 'boot_id'")" "gen1|client|$(cat /proc/sys/kernel/random/boot_id)"
is "its boots are no units" "$(sql "SELECT count(*) FROM boot")" 1
posts "gen1, where the load of box runs: " \
	"The load of box ran on gen1 and reached it at 127.0.0.1"
result "the post says where it ran"
is "nothing is left on either" "$(left)" ""

: >"$work/hold"
night_start gen --new
wait_for test -e "$work/held"
for pid in $(sshd_sessions "$gen"); do
	if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = sshd ]; then
		kill -s KILL "$pid"
	fi
done
wait_for says "gen1: the link broke"
rm "$work/hold"
night_wait
is "B35: a link to the client host that broke: 0" "$status" 0
is "the run is collected" "$(sql "SELECT r.good, v.status,
	r.flag LIKE '%collected%' FROM run r JOIN visit v ON v.id = r.visit
	ORDER BY r.id")" "1|valid|1"

rm "$work/held"
: >"$work/hold"
night_start gen --new
wait_for test -e "$work/held"
kill -s KILL "$night"
night_wait
[ -n "$(ls -A "$work/tmp-gen")" ] && [ -n "$(pgrep -f "$work/tmp-gen/")" ]
result "after kill -9 the load goes on by itself"
rm "$work/hold"
night gen
is "the next night goes on" "$status" 0
says "box: round 1"
result "with what was missing"
is "and clears away what was left on both" "$(left)" ""

rm "$work/held" "$work/told"
apart here controller
night here
is "a load on the controller: 0" "$status" 0
is "it runs here" "$(told_from "$work/tmp-here")" \
	"WORK 127.0.0.1:$port: $PASSWORD"
is "monitors of the client, too" "$(monitored here)" "box in tmp
load in tmp-here"
is "the controller is a host of its own" "$(sql "SELECT name, role, ssh FROM
	host ORDER BY id")" "box|target|lab
gen1|client|gen
controller|client|"
is "nothing is left" "$(left)" ""
: >"$work/hold"
night_start here --new
wait_for test -e "$work/held"
kill -s INT "$night"
night_wait
is "SIGINT ends it with 130" "$status" 130
is "and its load here" "$(left)" ""
rm -f "$work/hold"

apart socket gen1 ' '
night socket
is "a server with a socket alone: 2" "$status" 2
says "socket.cfg:7: server.port: is missing: the load of box runs on \"gen1\" and reaches no socket"
result "and what to do is said"

sshd_stop "$gen"
night gen --new
is "a client host that is down: 1" "$status" 1
says "gen1: host gen: cannot connect to 127.0.0.1" "Connection refused"
result "it is named"
is "the target is left as it was" "$(left)" ""

# What would turn the target off is asked for nothing.
mkdir -p "$work/hooks/power"
cat >"$work/hooks/power/outlet" <<END
#!/bin/sh
echo "\$1" >>'$work/asked'
echo on
END
chmod 755 "$work/hooks/power/outlet"
keys='power = "outlet"; patience = "2s";'
sshd_start "$gen"
apart lost gen1
: >"$work/hold"
rm -f "$work/held"
night_start lost
wait_for test -e "$work/held"
sshd_stop "$gen"
rm "$work/hold"
night_wait
is "one that is lost costs no target its power" \
	"$status $(cat "$work/asked" 2>/dev/null)" "1 "
says "the host is lost: HOST_LOST"
result "and is waited for"
night_plan
