# shellcheck shell=sh
# For the tests of load definitions against a real mariadbd: source this file
# from the top directory, after setting -u.
#
#     load_server            a directory $top, a server at $socket, its table
#                            space empty but for the schema test
#     load_server_tls        before it: the server has a certificate
#     load_server_stop       ends it; $server is empty then
#     load_server_start      starts it again, with the options in $network,
#                            which keep it from TCP
#     sql ARG...             asks it
#     part NAME PART VALUES  what the definition would run, run; said in
#                            $top/said
#     run NAME VALUES        a run of the definition, judged; its samples or
#                            its refusal in $top/said
#     says REGEX             whether that was said
#     ok STATUS NAME         a line of TAP
#
# All is taken away at the end.

# shellcheck disable=SC2034 # who sources this file uses the rest

B=${B:-build}
top=$(mktemp -d /tmp/abrun-load.XXXXXX) || exit 1
socket=$top/s
server=
tls=
network=--skip-networking
load_server_down()
{
	[ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
	rm -rf "$top"
}
trap load_server_down EXIT
trap 'exit 1' INT TERM HUP

n=0
ok()
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$top/said"
	fi
}
sql()
{
	mariadb --no-defaults --socket="$socket" --user=root -N "$@"
}
part()
{
	name=$1 part=$2
	shift 2
	"$B/tests/lib/loadtool" expand "$name" "$part" socket="$socket" \
		host=localhost port=3306 db=test seed=7 "$@" >"$top/command" &&
		sh "$top/command" >"$top/said" 2>&1
}
run()
{
	name=$1
	shift
	"$B/tests/lib/loadtool" expand "$name" command socket="$socket" \
		host=localhost port=3306 db=test seed=7 "$@" >"$top/command"
	status=0
	sh "$top/command" >"$top/out" 2>"$top/err" || status=$?
	"$B/tests/lib/loadtool" judge "$name" "$status" "$top/out" "$top/err" \
		seed=7 \
		"$@" >"$top/said" 2>&1
}
says()
{
	grep -q -e "$1" "$top/said"
}

load_server_tls()
{
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
		-keyout "$top/key.pem" -out "$top/cert.pem" 2>"$top/said" || {
		sed 's/^/# /' "$top/said"
		echo "Bail out! no certificate"
		exit 1
	}
	tls="--ssl-key=$top/key.pem --ssl-cert=$top/cert.pem"
}
load_server()
{
	mkdir "$top/tmp"
	TMPDIR=$top/tmp # mariadbd removes what others keep there
	export TMPDIR
	mariadb-install-db --no-defaults --user="$(id -un)" \
		--datadir="$top/data" \
		--auth-root-authentication-method=normal >"$top/said" 2>&1 || {
		sed 's/^/# /' "$top/said"
		echo "Bail out! no database"
		exit 1
	}
	mkdir -p "$top/data/test"
	load_server_start
}
load_server_start()
{
	# shellcheck disable=SC2086 # options
	mariadbd --no-defaults --user="$(id -un)" --datadir="$top/data" \
		--socket="$socket" $network $tls \
		--innodb-buffer-pool-size=32M >"$top/log" 2>&1 &
	server=$!
	waits=0
	until sql -e 'select 1' >/dev/null 2>&1 || [ $waits -ge 200 ]; do
		waits=$((waits + 1))
		sleep 0.1
	done
}
load_server_stop()
{
	kill "$server"
	wait "$server"
	server=
}
