# shellcheck shell=sh
# For nights with a redis-server: source this file after night.sh.  There is a
# lab without a mariadbd; a matrix has the server that $server says.
# shellcheck disable=SC2034,SC2154 # who sources this file uses or sets the rest

night_lab database=no
port=$(sshd_free_port) || exit 1
redis_titled="redis-server --port {port} --bind 127.0.0.1 --save '' --dir $work"
# Without a title of its own, for which it would overwrite its environment.
redis="$redis_titled --set-proc-title no"
ping="redis-cli -p {port} ping | grep -x PONG"
shut="redis-cli -p {port} shutdown nosave"
ask="redis-cli -p {port} ping"

matrix_server()
{
	echo "server: { $server; port = $port; };"
}
# short NAME: a matrix of one round whose cells differ in a variable.
short()
{
	matrix "$1" <<-END
		title = "Short";
		factors: { x = ( { name = "no"; },
		    { name = "yes"; env = [ "X=1" ]; } ); };
		loads = ( { use = "command"; name = "ping"; command = "$ask"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
# The servers that listen on the port, by pid.
listeners()
{
	ss -Htlnp "sport = :$port" | sed -n 's/.*pid=\([0-9]*\),.*/\1/p' | sort -u
}
# stand_in: what night_clean does not know: servers of ours that are left.
stand_in()
{
	for _pid in $(listeners); do
		grep -q -a -F -e "$work" "/proc/$_pid/cmdline" &&
			kill -s KILL "$_pid" 2>/dev/null
	done
}
trap 'stand_in; night_clean' EXIT

