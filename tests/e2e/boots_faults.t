#!/bin/sh
# Nights on a pretended FreeBSD that comes up otherwise than it was told to: each
# fault has a name of its own, and the default kernel runs in the end, at the
# latest after abrun restore.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
fb_up

# kernels NAME LEVEL...: in this order.
kernels()
{
	_matrix=$1
	shift
	matrix "$_matrix" <<-END
		title = "Kernels";
		factors: { kernel = ( $* ); };
		loads = ( { use = "command"; name = "wait"; timeout = "1h";
		    command = ": >$work/loaded; while [ -e $work/hold ]; do sleep 0.1; done"; } );
		design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
	END
}
visits()
{
	sql "SELECT c.name, v.status, coalesce(v.failure, '-') FROM visit v
		JOIN cell c ON c.server = v.server ORDER BY v.id" "$1"
}
restore()
{
	wait_for sshd_answers "$(cat "$lab/port")"
	status=0
	"$B/abrun" restore "$(run_dir "$1")" >"$work/said" 2>&1 || status=$?
}
ule='{ name = "ULE"; kernel = "ULE"; }'

kernels wrong "$ule," '{ name = "4BSD"; }'
fb_fault wrong old
: >"$FB/ledger"
night wrong
fb_mend wrong
is "A12: another kernel than was chosen fails what is on it" \
	"$status $(visits wrong | uniq)" "1 ULE|failed|WRONG_KERNEL
4BSD|failed|WRONG_KERNEL"
says "not everything could be undone: asked to boot kernel kernel, but old is"
result "the default too, which is said"
restore wrong
is "and restored once it can be" "$status $(tail -n 1 "$FB/ledger")" "0 kernel"

# The rest ends the night of its host, as lab/boot.t has it for one reboot.
[ -n "${LONG-}" ] || {
	night_plan
	exit 0
}

# end FAULT [X]: one night that it ends, since nothing is sure any more.
kernels one "$ule"
end()
{
	fb_fault "$@"
	: >"$FB/ledger"
	night one --new
	fb_mend "$1"
}
end loop 0
is "A17: a boot loop ends the night of its host" "$status $(visits one)" \
	"1 ULE|interrupted|BOOT_LOOP"
says "box: BOOT_LOOP: asked for one boot, it has booted 3 times"
result "which is said"
restore one
is "and once it is over the host is restored" "$status $(tail -n 1 "$FB/ledger")
$(cat "$FB/oid/kern.bootfile")" "0 kernel
/boot/kernel/kernel"

end machine
is "another machine at its address does, too" "$status $(visits one)" \
	"1 ULE|interrupted|WRONG_HOST"
oid kern.hostuuid 11111111-2222-3333-4444-555555555555
restore one
is "which restores it when it is itself again" \
	"$status $(tail -n 1 "$FB/ledger")" "0 kernel"
night_plan
