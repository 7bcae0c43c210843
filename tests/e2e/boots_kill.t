#!/bin/sh
# abrun is killed at any moment of a night that boots a pretended FreeBSD, and
# begun again at once: each cell is measured once, on the kernel and with the
# settings of its name, and the host is in the end as it was.
#
# What a load gives is read from the machine itself, so that a figure under a
# wrong label is seen.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/seeded.sh
. tests/lib/seeded.sh
fb_keys="console = \"exec tail -n 0 -F $FB/console\";"
fb_up
seeded 20

matrix killed <<END
title = "Killed";
factors: { kernel = ( { name = "ULE"; kernel = "ULE"; loader = [ "hw.test=7" ];
      sysctl = [ "kern.quantum=50" ]; expect = [ "sched=ULE" ]; },
    { name = "4BSD"; expect = [ "sched=4BSD" ]; } ); };
loads = ( { use = "command"; name = "read"; command =
    "echo it: \$(cat $FB/oid/kern.sched.name $FB/oid/kern.quantum $FB/kenv/hw.test 2>/dev/null | tr -dc 0-9)";
    metrics = ( { name = "it"; regex = "^it: (\\\\S+)$"; choice = "only"; } ); } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
oid kern.quantum 100

# What is stored of each cell that counts: ULE has no figure in its name.
stored()
{
	sql "SELECT c.name, s.value, b.made, count(*) FROM visit v
		JOIN run r ON r.visit = v.id JOIN cell c ON c.id = r.cell
		JOIN sample s ON s.run = r.id AND s.metric = 'it'
		JOIN boot b ON b.id = v.boot
		WHERE v.status = 'valid' GROUP BY c.name, s.value, b.made
		ORDER BY c.name"
	sql "SELECT 'disproved', what, wanted, seen FROM proof p
		JOIN visit v ON v.id = p.visit
		WHERE v.status = 'valid' AND verdict NOT IN ('yes', 'not applicable')"
	sql "SELECT 'open', kind, name FROM undo WHERE state <> 'undone'"
}
# What is on the host that was not, or not so, before.
host()
{
	tail -n 1 "$FB/ledger"
	cat "$FB/oid/kern.quantum" "$FB/oid/kern.bootfile"
	find "$ABRUN_ROOT/boot" "$FB/kenv" -mindepth 1 -maxdepth 1 ! -name kernel \
		! -name ULE ! -name old
	find "$tmp" -mindepth 1 -maxdepth 1 -empty -delete
	left_over
	pgrep -a -f "tail -n 0 -F $FB/console"
}

# again WHEN: what was killed is begun again at once, and all is well.
again()
{
	night_wait
	cp "$work/said" "$work/said.first"
	night killed
	cat "$work/said.first" "$work/said" >"$work/said.all"
	mv "$work/said.all" "$work/said"
	is "killed $1, E78: all is as undisturbed" "$status $(stored)" \
		"0 4BSD|4100.0|1|1
ULE|507.0|1|1"
	is "and the host as before" "$(host)" "kernel
100
/boot/kernel/kernel"
}

done=0
for delay in $(draw 15); do
	done=$((done + 1))
	rm -rf "$reports"
	night_start killed
	sleep "$delay"
	kill -s KILL "$night" 2>/dev/null
	again "after $delay s ($done of $count)"
done

# It still answers, and will be gone in the midst of what is asked.
rm -rf "$reports"
fb_fault linger 3
night_start killed
wait_for says "booting kernel kernel"
wait_for test -e "$FB/shutdown"
kill -s KILL "$night"
again "as the host goes down"
night_plan
