#!/bin/sh
# A night of kernels and of words of their command line on a pretended Linux: an
# entry of our own is booted once, proved, and gone afterwards.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/linux_host.sh
. tests/lib/linux_host.sh
lh_up
lh_tree >"$work/before"

matrix words <<END
title = "Words";
factors: { kernel = ( { name = "arch"; },
    { name = "lts"; kernel = "20-lts.conf"; },
    { name = "lts, off"; kernel = "20-lts.conf";
      cmdline = "mitigations=off nosmt"; } ); };
loads = ( { use = "command"; name = "true"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
night words
is "a night of kernels and words" "$status" 0
is "each is booted once, and the default at the end" "$(lh_ledger)" \
	"10-arch.conf 10-arch.conf 20-lts.conf abrun-once.conf mitigations=off nosmt 10-arch.conf"
is "each visit is of its own boot" "$(sql "SELECT count(DISTINCT boot),
	sum(status = 'valid') FROM visit")" "3|3"
is "what was asked for is kept" "$(sql "SELECT wanted FROM reboot ORDER BY
	id")" "10-arch.conf
20-lts.conf
20-lts.conf mitigations=off nosmt
10-arch.conf"
is "words are proved to be there, and not to be" "$(sql "SELECT p.about,
	p.wanted, p.verdict, count(*), count(DISTINCT c.name) FROM proof p JOIN
	visit v ON v.id = p.visit JOIN cell c ON c.server = v.server WHERE
	p.what = 'cmdline' GROUP BY 1, 2, 3 ORDER BY 1, 2")" \
	"mitigations=off|absent|yes|4|2
mitigations=off|given|yes|2|1
nosmt|absent|yes|4|2
nosmt|given|yes|2|1"
posts "kernel 20-lts.conf, cmdline mitigations=off nosmt" \
	"words of the kernel's command line, or absent 12 of 12"
result "which the post says"
lh_tree | cmp -s "$work/before" -
result "the entry of ours is gone"
is "and nothing is left" "$(ls -A "$tmp" && ls "$entries")" "10-arch.conf
20-lts.conf"

# The default with words dies, and without them it is the default again.
: >"$lin/ledger"
: >"$lin/dies"
sed -e 's/{ name = "lts".*$//' -e 's/kernel = "20-lts.conf"; *$//' \
	-e 's/{ name = "lts, off";/{ name = "off";/' "$work/words.cfg" \
	>"$work/dies.cfg"
night dies
is "the default with words that dies costs its block" "$status" 3
is "tried twice, and never taken for the default" "$(lh_ledger)" \
	"10-arch.conf abrun-once.conf mitigations=off nosmt 10-arch.conf abrun-once.conf mitigations=off nosmt 10-arch.conf 10-arch.conf"
is "which fails by its name" "$(sql "SELECT c.name, v.status,
	coalesce(v.failure, '-') FROM visit v JOIN cell c ON c.server = v.server
	ORDER BY v.id" dies)" "arch|valid|-
off|failed|FELL_BACK
off|failed|FELL_BACK"
posts "asked to boot kernel 10-arch.conf with mitigations=off, but it runs without"
result "and the post says how"
rm "$lin/dies"

# What this system does not take is told before anything is booted.
: >"$lin/ledger"
sed -e 's/cmdline = ".*";/loader = [ "hw.x=1" ];/' "$work/words.cfg" \
	>"$work/loader.cfg"
night loader
is "tunables of a loader that has none: nothing is booted" \
	"$status $(lh_ledger)" "1 "
says "its loader has no tunables; give the kernel words by cmdline"
result "and what there is is told"
night_plan
