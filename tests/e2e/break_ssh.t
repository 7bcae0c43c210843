#!/bin/sh
# Hosts whose sshd allows less than others: what can be done is done, what
# cannot is told soon, in words that say what to allow.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab config="MaxSessions 1"

# small NAME COMMAND TIMEOUT
small()
{
	matrix "$1" <<-END
		title = "Small";
		factors: { env = [ "A=1" ]; };
		loads = ( { use = "command"; name = "one"; command = "$2";
		    timeout = "$3"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
small one "true" "1min"
night one
is "one session at a time is enough" "$status" 0
is "and nothing is left on the host" "$(left_over)" ""

cp "$lab/sshd_config" "$work/kept"
for refusal in "AllowTcpForwarding no" "AllowStreamLocalForwarding no" \
	"DisableForwarding yes"; do
	sshd_stop "$lab"
	{ echo "$refusal" && cat "$work/kept"; } >"$lab/sshd_config"
	sshd_start "$lab"
	night one --new
	is "$refusal ends it with 1" "$status" 1
	says "the server listens at socket $lab/mysqld.sock, but no connection is let through to it" \
		"AllowStreamLocalForwarding"
	result "and says what to allow"
	! says "in time"
	result "without waiting for what does not come"
	is "and nothing is left on the host" "$(left_over)" ""
done
sshd_stop "$lab"
cp "$work/kept" "$lab/sshd_config"
sshd_start "$lab"

# A server that hangs after its load is told to hang, not by what its start
# had met.
matrix_server()
{
	cat <<-END
		server: { command = "$server_program $server_options";
		    datadir = "$lab/data"; socket = "$lab/mysqld.sock";
		    user = "root"; db = "test"; stop_timeout = "1s"; };
	END
}
small hang "kill -s STOP \$(cat $lab/data/abrun.pid)" "1min"
night hang
is "a server that hangs gives no figure" \
	"$(sql "SELECT DISTINCT status FROM visit" hang)" invalid
says "after the load" && ! says "Channel opening failure"
result "and the reason is its own"
night_plan
