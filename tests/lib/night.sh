# shellcheck shell=sh
# For the tests of tests/e2e that run whole nights: source this file from the
# top directory.  It makes a private directory $work, functions that write
# matrices, run abrun and judge what it said and stored, and takes all away at
# the end.  The test ends with night_plan.
#
#     night_lab              sshd and data directory in $work/lab, alias lab
#     matrix NAME            $work/NAME.cfg from standard input, with the head
#                            of all matrices before it
#     night NAME [OPTION...] runs abrun in the foreground: $status, what it
#                            said in $work/said, the post in $work/post
#     night_start NAME ...   the same in the background: $night is its pid
#     night_wait             waits for its end: $status
#     run_dir NAME           the newest run directory of a matrix
#     sql TEXT [NAME]        asks the newest run.db

# shellcheck disable=SC2034,SC2119,SC2120 # who sources this file uses the rest

set -u
B=${B:-build}
work=$(mktemp -d /tmp/abrun-e2e-XXXXXX) || exit 1
lab=$work/lab
reports=$work/reports
night=
helpers=
# shellcheck source=tests/lib/sshd.sh
. tests/lib/sshd.sh
# shellcheck source=tests/lib/sandbox.sh
. tests/lib/sandbox.sh
sandbox_template=$(cd "$B" && pwd)/lab-database

night_clean()
{
	for _pid in $night $helpers; do
		kill -s KILL "$_pid" 2>/dev/null
	done
	for _lab in "$work"/lab*; do
		[ -d "$_lab" ] && sandbox_down "$_lab"
	done
	rm -rf "$work"
}
trap night_clean EXIT
trap 'exit 1' HUP INT TERM

# Keys, agents and known hosts of whoever runs this are not looked at.
mkdir "$work/home"
HOME=$work/home
export HOME
unset SSH_AUTH_SOCK

# What abrun makes on the target, which is this machine, comes here.
tmp=$work/tmp
mkdir "$tmp"
# night_lab [database=no] [SSHD_KEY=VALUE...]: see sshd.sh.  The login shell is
# sh unless it is given.  database=no: there is no data directory of a mariadbd.
night_lab()
{
	_database=yes
	if [ "${1-}" = database=no ]; then
		_database=no
		shift
	fi
	cat >"$work/sh" <<-END
		#!/bin/sh
		TMPDIR=$tmp PATH=$work/bin:\$PATH
		export TMPDIR PATH
		[ "\$1" != -c ] || eval "\$2; exit"
		exec /bin/sh "\$@"
	END
	chmod 755 "$work/sh"
	mkdir -p "$work/bin" "$lab"
	{
		sshd_make "$lab" alias=lab shell="$work/sh" "$@" &&
			{ [ $_database = no ] || sandbox_database "$lab"; } &&
			sshd_start "$lab"
	} >"$work/said" 2>&1 || {
		sed 's/^/# /' "$work/said"
		echo "Bail out! no lab"
		exit 1
	}
}

# A small server that is quick to start, with a directory of its own for
# temporary tables: mariadbd removes those of others at its start.
server_program=mariadbd
mkdir "$work/tables"
server_options="--no-defaults --user=$(id -un) --skip-networking \
--innodb-buffer-pool-size=16M --innodb-log-file-size=8M \
--aria-pagecache-buffer-size=1M --key-buffer-size=1M --tmpdir=$work/tables"

# The parts that most matrices have; a test that needs others writes them.
matrix_target()
{
	cat <<-END
		targets = ( { name = "box"; ssh = "lab"; os = "linux";
		    ssh_config = "$lab/ssh_config"; } );
	END
}
matrix_server()
{
	cat <<-END
		server: { command = "$server_program $server_options";
		    datadir = "$lab/data"; socket = "$lab/mysqld.sock";
		    user = "root"; db = "test"; };
	END
}
# A machine that runs tests is busy: without a matrix's own words no visit waits
# until it is quiet, and no run is flagged for what others use.
matrix_calm()
{
	sed -e '/quiet:/b' -e '/others *=/b' -e \
	    's/design: *{/design: { others = "100%"; quiet: { wait = "0s"; };/'
}

# matrix NAME: factors, loads, design from standard input.
matrix()
{
	{
		matrix_target
		matrix_server
		matrix_calm
	} >"$work/$1.cfg"
}

night()
{
	_name=$1
	shift
	status=0
	"$B/abrun" --reports "$reports" "$@" "$work/$_name.cfg" \
		>"$work/post" 2>"$work/said" </dev/null || status=$?
}
night_start()
{
	_name=$1
	shift
	"$B/abrun" --reports "$reports" "$@" "$work/$_name.cfg" \
		>"$work/post" 2>"$work/said" </dev/null &
	night=$!
}
night_wait()
{
	status=0
	{ wait "$night" || status=$?; } 2>/dev/null
	night=
}

run_dir()
{
	_found=
	for _found in "$reports/$1"-*; do :; done
	echo "$_found"
}
# sql TEXT [NAME]: one value a line; of the newest run of any matrix.
sql()
{
	_run=$(run_dir "${2-*}")
	for _found in $_run; do :; done
	sqlite3 -cmd '.timeout 5000' "file:$_found/run.db?mode=ro" "$1" 2>&1
}

n=0
# result NAME: the outcome of the command before it; if bad what was said goes to
# standard error, which prove shows.
result()
{
	if [ $? -eq 0 ]; then
		n=$((n + 1))
		echo "ok $n - $1"
	else
		n=$((n + 1))
		echo "not ok $n - $1"
		{
			echo "$n: status ${status-}; missing: ${missing-}; said:"
			tail -n 30 "$work/said"
		} | sed 's/^/# /' >&2
	fi
}
# is NAME GOT WANTED
is()
{
	if [ "$2" = "$3" ]; then
		n=$((n + 1))
		echo "ok $n - $1"
	else
		n=$((n + 1))
		echo "not ok $n - $1"
		printf "$n: got: %s\nwanted: %s\n" "$2" "$3" | sed 's/^/# /' >&2
		tail -n 30 "$work/said" 2>/dev/null | sed 's/^/# said: /' >&2
	fi
}
night_plan()
{
	echo "1..$n"
}

# says TEXT...: each is in what was said.
says()
{
	for missing in "$@"; do
		grep -qF -e "$missing" "$work/said" || return 1
	done
	missing=
}
# posts TEXT...: each is in the post, whose lines are broken anywhere.
posts()
{
	tr -s ' \n' '  ' <"$work/post" >"$work/post.flat"
	for missing in "$@"; do
		grep -qF -e "$missing" "$work/post.flat" || return 1
	done
	missing=
}

ended()
{
	! kill -0 "$1" 2>/dev/null
}
# wait_for COMMAND...: until it succeeds, for at most two minutes; not for what
# can come no more since the night in the background has ended.
wait_for()
{
	_waits=0
	until "$@"; do
		_waits=$((_waits + 1))
		[ "$_waits" -lt 600 ] || return 1
		if [ -n "$night" ] && ended "$night"; then
			"$@"
			return
		fi
		sleep 0.2
	done
}

# What runs or lies about on the target after a night: nothing should.
left_over()
{
	sandbox_servers "$lab"
	ls -A "$tmp"
	pgrep -a -f "$tmp/"
	[ ! -e "$lab/mysqld.sock" ] || echo "$lab/mysqld.sock"
}
