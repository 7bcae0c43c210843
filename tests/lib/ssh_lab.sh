# shellcheck shell=sh
# For the tests of tests/lab that talk to one sshd: source this file from the
# top directory.  It makes a private directory $work and an sshd in $lab
# (aliases lab and lab_1, port $port, account $me), gives functions that run
# the tool of tests/lib/sshtool.c and judge what it said, and takes all away
# at the end.  The test ends with lab_plan.

# shellcheck disable=SC2034 # who sources this file uses the rest

set -u
B=${B:-build}
tool=$(cd "$B" && pwd)/tests/lib/sshtool
work=$(mktemp -d /tmp/abrun-ssh.XXXXXX) || exit 1
lab=$work/sshd
# shellcheck source=tests/lib/sshd.sh
. tests/lib/sshd.sh
# Processes to be ended at the end.
helpers=

clean() {
	for pid in $helpers; do
		kill "$pid" 2>/dev/null
	done
	for dir in "$work"/sshd*; do
		sshd_remove "$dir"
	done
	for pid in $(sleepers); do
		kill -s KILL "$pid"
	done
	rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# Keys, agents and known hosts of whoever runs this are not looked at.
HOME=$work/home
mkdir "$HOME"
export HOME
unset SSH_AUTH_SOCK

# A sleep of this many seconds is of this run of this file alone.
nap=$((100000 + $$))

# sleepers_of SECONDS: the process ids of such sleeps.
sleepers_of() {
	ps -A -o pid= -o args= | awk -v n="$1" \
		'$2 == "sleep" && $3 == n { print $1 }'
}

sleepers() {
	sleepers_of "$nap"
}

end_sleepers() {
	for pid in $(sleepers); do
		kill "$pid"
	done
}

n=0
# result NAME: the outcome of the command before it, with $work/said if bad.
result() {
	if [ $? -eq 0 ]; then
		n=$((n + 1))
		echo "ok $n - $1"
	else
		n=$((n + 1))
		echo "not ok $n - $1"
		head -c 3000 "$work/said" | sed 's/^/# /'
	fi
}

lab_plan() {
	echo "1..$n"
}

# run ARGUMENT...: as alias lab, to $work/said.
run() {
	"$tool" run --ssh lab --config "$lab/ssh_config" "$@" \
		>"$work/said" 2>&1
}

# direct [USER@]HOST[:PORT] ARGUMENT...: without ssh_config.
direct() {
	to=$1
	shift
	"$tool" run --ssh "$to" --key "$lab/user_key" \
		--known "$lab/known_hosts" "$@" >"$work/said" 2>&1
}

# says TEXT...: each is in what was said.
says() {
	for text in "$@"; do
		grep -qF -e "$text" "$work/said" || return 1
	done
}

# says_not TEXT
says_not() {
	! grep -qF -e "$1" "$work/said"
}

# wait_for COMMAND...: until it succeeds, for at most 10 s.
wait_for() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ "$tries" -lt 100 ] || return 1
		sleep 0.1
	done
}

# The sshd processes of the sessions, not what runs in them.
session_sshd() {
	for pid in $(sshd_sessions "$lab"); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = sshd ] && echo "$pid"
	done
}

# Keys are changed often, so that large transfers meet it.
{ sshd_make "$lab" alias="lab lab_1" config="RekeyLimit 4M" &&
	sshd_start "$lab"; } || exit 1
port=$(cat "$lab/port")
me=$(id -un)
