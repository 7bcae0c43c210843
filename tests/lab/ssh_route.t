#!/bin/sh
# Where a session goes to: destinations, ssh_config, proxies.

# shellcheck disable=SC2016,SC2088,SC2154
# shellcheck source=tests/lib/ssh_lab.sh
. tests/lib/ssh_lab.sh

"$tool" run --ssh lab_1 --config "$lab/ssh_config" true >"$work/said" 2>&1
says 'end=exit status=0'
result "an alias with an underscore"

direct "$me@127.0.0.1:$port" true
says 'end=exit status=0'
result "user@address:port without any ssh_config"

direct "127.0.0.1" true
says "error: host 127.0.0.1: cannot connect to 127.0.0.1 port 22: Connection refused"
result "nobody listens: host, port and reason"

direct "[::1]:$port" true
says "cannot connect to ::1 port $port: Connection refused"
result "an IPv6 address with a port"

direct "nosuch.invalid" true
says 'error: host nosuch.invalid: cannot find the address of nosuch.invalid: ' \
	'no ssh_config is named'
result "a name that has no address"

direct "lab:ssh" true
says 'error: host host: ssh = "lab:ssh": port: '
result "a port that is no number"

direct "-oProxyCommand=reboot" true
says 'wanted [user@]host[:port]'
result "a name that is an option"

cat >"$work/config" <<END
ServerAliveInterval 5
BatchMode yes
Include $work/conf*.inc
Host other
  CertificateFile /nowhere
Host f?? !fx
  hashknownhosts=yes
  LogLevel DEBUG3
Host far
  ProxyJump lab
Match originalhost dark
  ProxyCommand echo 'no way to %h from %n' >&2; exit 1
Host mask
  ProxyCommand sed -n 's/^SigBlk:[^0-9]*//p' /proc/self/status >$work/blocked
Match originalhost far,dark exec "true"
  User nobody
Host far dark
  HostName 127.0.0.1
  Port $port
  HostKeyAlias [127.0.0.1]:$port
END
{
	cat "$lab/ssh_config"
	sed '1s/.*/Host far/; /HostName/d; /Port/d' "$lab/ssh_config"
} >"$work/conf1.inc"
"$tool" run --ssh far --config "$work/config" 'echo through' \
	>"$work/said" 2>&1
says 'end=exit status=0' 'out: through'
result "ProxyJump through an alias of the same ssh_config"
says "ServerAliveInterval ($work/config line 1)" \
	"hashknownhosts ($work/config line 7)" \
	"Match exec ($work/config line 15)" &&
	says_not CertificateFile && says_not LogLevel && says_not BatchMode
result "keywords without effect are named, those of other hosts are not"

"$tool" run --ssh dark --config "$work/config" true >"$work/said" 2>&1
says 'SSH handshake with dark' 'the proxy said: no way to 127.0.0.1 from dark' &&
	says_not 'No such file'
result "a proxy that fails is quoted, a stale errno is not"

"$tool" run --ssh mask --config "$work/config" true >"$work/said" 2>&1
cat "$work/blocked" >>"$work/said"
grep -q '^0\{16\}$' "$work/blocked" && says 'the host closed the connection'
result "a proxy can be told to end: no signal is blocked in it"

chmod 620 "$work/config"
"$tool" run --ssh dark --config "$work/config" true >"$work/said" 2>&1
says "error: host host: $work/config: others may write to it" 'ProxyCommand'
result "others who could write a ProxyCommand are not obeyed"
"$tool" run --ssh lab --config "$work/config" true >"$work/said" 2>&1
says 'end=exit status=0'
result "where no command is named, they do no such harm"
chmod 600 "$work/config"
chmod 602 "$work/conf1.inc"
"$tool" run --ssh far --config "$work/config" true >"$work/said" 2>&1
says "error: host host: $work/conf1.inc: others may write to it" 'ProxyJump'
result "nor in a file that is included"
chmod 600 "$work/conf1.inc"

"$tool" run --ssh lab --config "$work/nowhere" true >"$work/said" 2>&1
says "error: host host: ssh_config: cannot read $work/nowhere: No such file"
result "an ssh_config that is not there"

lab_plan
