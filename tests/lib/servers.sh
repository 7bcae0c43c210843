# shellcheck shell=sh disable=SC2034,SC2154 # variables of whoever sources it
# Servers that an OS program starts: source this file after verbs.sh.

# fresh: an empty directory $dir for a server or loads.
fresh()
{
	dir=$(mktemp -d "$work/dir.XXXXXX")
}

# serve COMMAND [ENV...]: a server in $dir; $server and $life.
serve()
{
	command=$1
	shift
	ask server_start "$dir" '' '' $# "$@" "$command"
	server=$(value pid) life=$(value start)
	pids="$pids $server"
}

# is_named PID NAME: the process executes NAME by now.
is_named()
{
	[ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ]
}
