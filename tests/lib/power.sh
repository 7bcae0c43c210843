# shellcheck shell=sh disable=SC2034,SC2154 # work, lab: night.sh's
# For the tests of hosts that only their power brings back: source night.sh,
# freebsd_host.sh and this file.  All is pretended: FreeBSD, its kernels and the
# BMC; the texts of ipmitool(1) are those that real ones print.
#
#     kernels NAME [KEY]   a matrix of the kernels ULE and the default, in that
#                          order; its load ends when $work/hold is gone
#     visits, power        what is stored of the last one
#     fresh                ledgers are empty again
#     cycle                what is stored of one that went well

fb_bmc
fb_patience=4s
(umask 077 && echo secret >"$work/password")
fb_keys='power = "ipmi box-bmc bench '$work/password'"; power_rest = "1ms";'

kernels()
{
	kernels=$1
	matrix "$1" <<-END
		title = "Kernels";
		factors: { kernel = ( { name = "ULE"; kernel = "ULE"; },
		    { name = "4BSD"; } ); };
		loads = ( { use = "command"; name = "wait"; timeout = "1h";
		    command = ": >$work/loaded; while [ -e $work/hold ]; do sleep 0.1; done"; } );
		design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; ${2-} };
	END
}

visits()
{
	sql "SELECT c.name, v.status, coalesce(v.failure, '-') FROM
		visit v JOIN cell c ON c.server = v.server ORDER BY v.id" "$kernels"
}

power()
{
	sql "SELECT text FROM event WHERE kind = 'power' ORDER BY id" "$kernels" |
		sed -e 's/^\(ipmi\) box-bmc bench [^ ]*password: /\1: /' \
			-e 's/boot [0-9a-f]*$/boot N/' \
			-e 's/[0-9.]* s after/N s after/'
}

fresh()
{
	: >"$FB/ledger"
	: >"$FB/bmc.ledger"
}

cycle="ipmi: off: accepted
ipmi: the host is off
ipmi: on: accepted
ipmi: the host is on, N s after the first look
back on its default kernel kernel, boot N"
