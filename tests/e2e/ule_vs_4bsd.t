#!/bin/sh
# The matrix that abrun was made for, whole: kernels by nextboot, each in a boot
# of its own, thread libraries by LD_LIBMAP, both loads and a post, on a
# pretended FreeBSD.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/freebsd_mysql.sh
. tests/lib/freebsd_mysql.sh
fb_kernels GENERIC GENEULE
fb_up

# The shipped one, with this host's address, and shorter.
cp -r matrices/smacks "$work"
sed -e "s|ssh = \"root@lab1\"|ssh = \"lab\"; ssh_config = \"$lab/ssh_config\"; address = \"127.0.0.1\"|" \
	-e 's|power = "ipmi lab1-bmc";*||' \
	-e "s|service = \"mysql-server\";|& user = \"root\"; port = $fb_port;|" \
	-e 's|runs = 2|runs = 1|' -e 's|warmup = 1|warmup = 0|' \
	matrices/ule-vs-4bsd.cfg | matrix_calm >"$work/ule.cfg"
fb_root >"$work/before"

night ule --rounds 1
is "the shipped matrix runs whole" "$status" 0
is "each kernel is booted once a round, and the default at the end" \
	"$(fb_ledger | tr ' ' '\n' | sort | uniq -c | tr -s ' \n' ' ')" \
	" 1 GENERIC 1 GENEULE 2 kernel "
is "the default is what runs in the end" "$(tail -n 1 "$FB/ledger")" kernel
is "four cells in each round have both loads" "$(sql "SELECT count(*),
	count(DISTINCT v.boot), (SELECT count(*) FROM run) FROM visit v
	WHERE v.status = 'valid'")" "4|2|8"
is "the library is mapped in the server, the other one is not" "$(sql "SELECT
	replace(about, rtrim(about, replace(about, '/', '')), ''), wanted,
	verdict, count(*) FROM proof WHERE what = 'library' GROUP BY 1, 2, 3
	ORDER BY 1, 2")" "libpthread.so.2|absent|yes|4
libpthread.so.2|mapped|yes|4
libthr.so.3|absent|yes|4
libthr.so.3|mapped|yes|4"
is "what chooses it is in the environment of that very server" "$(sql "SELECT
	about, wanted, verdict, count(*) FROM proof WHERE what = 'environment'
	AND about LIKE 'LD_LIBMAP%' GROUP BY 1, 2, 3 ORDER BY 1, 2")" \
	"LD_LIBMAP|libpthread.so.2=libthr.so.3,libpthread.so=libthr.so|yes|4
LD_LIBMAP|libthr.so.3=libpthread.so.2,libthr.so=libpthread.so|yes|4
LD_LIBMAP_DISABLE|absent|yes|8"
is "the kernel and its scheduler are proved on both sides" "$(sql "SELECT what,
	wanted, count(*) FROM proof WHERE what IN ('kernel', 'expect') AND
	verdict = 'yes' GROUP BY 1, 2 ORDER BY 1, 2")" "expect|4BSD|4
expect|ULE|4
kernel|GENERIC|4
kernel|GENEULE|4"
is "the table was the same after each reset" "$(sql "SELECT count(DISTINCT value)
	FROM fact WHERE key = 'table.http_auth.checksum'")" 1
posts "In all 2 fresh boots and 1 found running, 4 starts, 8 measured runs" "kernel GENEULE" \
	"the kernel is the one wanted 8 of 8" \
	"threadlib libthr; $ABRUN_ROOT/lib/libthr.so.3, sha256" \
	"libraries mapped in it, or absent 16 of 16" "facts expected of the host"
result "the post names kernels and libraries with their proofs"
fb_root | cmp -s "$work/before" -
result "all files of the host are as they were"
is "and nothing of ours is left there" "$(ls -A "$tmp")" ""
night_plan
