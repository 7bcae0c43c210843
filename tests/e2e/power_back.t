#!/bin/sh
# What the power of a pretended host cannot mend, and what does not need it: one
# that comes back as another machine, and one that lets us in at the last try.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/power.sh
. tests/lib/power.sh

# The way to it is down for as many logins as $work/down tells.
cat >"$work/proxy" <<END
#!/bin/sh
left=\$(cat '$work/down')
[ "\$left" -gt 0 ] && echo \$((left - 1)) >'$work/down' && {
	echo 'box is down' >&2
	exit 1
}
echo \$\$ >>'$work/way'
exec perl -MIO::Socket::INET -MIO::Select -e '
	\$host = IO::Socket::INET->new("127.0.0.1:\$ARGV[0]") or exit 1;
	\$to{fileno(STDIN)} = \$host;
	\$to{fileno(\$host)} = \\*STDOUT;
	\$both = IO::Select->new(\\*STDIN, \$host);
	while (1) {
		for (\$both->can_read) {
			sysread(\$_, \$block, 65536) or exit;
			syswrite(\$to{fileno(\$_)}, \$block);
		}
	}' "\$1"
END
chmod 755 "$work/proxy"
echo 0 >"$work/down"
sed -i "s|^  Port \(.*\)|&\n  ProxyCommand $work/proxy \1|" "$lab/ssh_config"
mkdir -p "$work/hooks/visit"
cat >"$work/hooks/visit/pull" <<END
#!/bin/sh
[ "\$ABRUN_WHEN" = before ] && rm '$work/plugged' 2>/dev/null || exit 0
echo 3 >'$work/down'
kill \$(cat '$work/way') 2>/dev/null
END
chmod 755 "$work/hooks/visit/pull"
fb_up

fb_patience=1s
kernels=late
matrix late <<END
title = "Late";
factors: { x = ( { name = "a"; env = [ "X=a" ]; } ); };
loads = ( { use = "command"; name = "true"; command = "true"; } );
visit = [ "pull" ];
design: { rounds = 1; runs = 1; warmup = 0; };
END
: >"$work/plugged"
fresh
night late
is "a host that lets us in at the last try is gone on with" \
	"$status $(visits)" "0 a|interrupted|HOST_LOST
a|valid|-"
is "after its patience" "$(cat "$work/down") $(sql "SELECT kind FROM event
	WHERE kind LIKE 'host %' ORDER BY id" late | tr '\n' ' ')" \
	"0 host lost host back "
is "and its power is left alone" "$(fb_bmc_ledger)" ""

fb_patience=4s
kernels wrong
fb_fault never ULE
fb_fault machine
fresh
night wrong
is "a host that its power brings back as another one is left alone" \
	"$status $(visits) $(fb_ledger)" "1 ULE|interrupted|WRONG_HOST ULE kernel"
says "WRONG_HOST: asked to boot kernel ULE, it did not come back within" \
	"; WRONG_HOST: after a reboot another machine answers"
result "which is told, with what was before"
night_plan
