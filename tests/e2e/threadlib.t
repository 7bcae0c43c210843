#!/bin/sh
# Thread libraries of a pretended FreeBSD whose service lies: what was not had
# gives no figure, and says what it was.  And kernels that are one.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/freebsd_mysql.sh
. tests/lib/freebsd_mysql.sh
fb_up
matrix_server()
{
	cat <<-END
		server: { service = "mysql-server"; user = "root";
		    port = $fb_port; start_timeout = "3s"; stop_timeout = "3s"; };
	END
}
matrix_target()
{
	cat <<-END
		targets = ( { name = "box"; ssh = "lab"; os = "freebsd";
		    ssh_config = "$lab/ssh_config"; address = "127.0.0.1"; } );
	END
}
libraries()
{
	matrix "$1" <<-END
		title = "Libraries";
		factors: { threadlib = [ $2 ]; };
		loads = ( { use = "command"; name = "true"; command = "true"; } );
		design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
	END
}
# ends NAME FAULT FAILURE: a night with that fault has no figure, and that name.
ends()
{
	fb_fault "$2"
	night "$1" --new
	fb_mend "$2"
	[ "$status" -ne 0 ] && says "$3" &&
		[ "$(sql "SELECT count(*) FROM run" "$1")" = 0 ]
	result "$2 is $3, and has no figure"
}
# by_hand WORD: what somebody does on the host.
by_hand()
{
	ssh -F "$lab/ssh_config" lab "$FB/bin/service" mysql-server "$1" \
		>"$work/hand" 2>&1 || cat "$work/hand" >&2
}
fb_root >"$work/before"

libraries choice '"default", "libthr"'
night choice
is "a cell without one has what the system chooses" "$status $(sql "SELECT
	c.name, p.wanted, substr(p.seen, 1, 10), p.verdict FROM proof p JOIN
	visit v ON v.id = p.visit JOIN cell c ON c.server = v.server WHERE
	p.what = 'library' AND p.about LIKE '%libthr%' AND NOT p.after ORDER
	BY 1")" "0 default|as the system chooses|not mapped|not applicable
libthr|mapped|mapped (fe|yes"
is "and is proved to have been told nothing" "$(sql "SELECT DISTINCT p.seen,
	p.verdict FROM proof p JOIN visit v ON v.id = p.visit JOIN cell c ON
	c.server = v.server WHERE c.name = 'default' AND
	p.about = 'LD_LIBMAP'")" "absent|yes"
libraries pair '"libpthread", "libthr"'
ends pair mysql_wrong_lib WRONG_LIBRARY
says "libthr.so.3 mapped, seen not mapped"
result "though the environment was right"
ends pair mysql_old_env WRONG_ENVIRONMENT
by_hand onestart
ends pair mysql_not_restarted STALE_SERVER
by_hand onestop
ends pair service_rc0_noop SERVER_EXITED
says "onestart ended with status 0: Cannot 'start' mysql. Set mysql_enable"
result "though service(8) ended with 0"
fb_root | cmp -s "$work/before" -
result "all files of the host are as they were"

libraries file '"default", "libmap:libthr"'
night file
is "a file can choose it, too, with nothing in the environment" "$status $(sql \
	"SELECT c.name, p.what, p.wanted, p.verdict FROM proof p JOIN visit v ON
	v.id = p.visit JOIN cell c ON c.server = v.server WHERE NOT p.after AND
	p.what <> 'sha256' AND (p.about LIKE '%libthr%' OR p.about IN ('LD_LIBMAP', 'mariadbd'))
	ORDER BY 1, 2" file)" "0 default|environment|absent|yes
default|libmap|none|yes
default|library|as the system chooses|not applicable
libmap:libthr|environment|absent|yes
libmap:libthr|libmap|libthr|yes
libmap:libthr|library|mapped|yes"
is "which is kept until it is removed" "$(sql "SELECT kind, name, old_value,
	new_value, scope, state FROM undo WHERE kind = 'libmap'" file)" \
	"libmap|mariadbd|none|libthr|disk|undone"
fb_root | cmp -s "$work/before" -
result "and is removed"

libraries foreign '"libthr", "libkse"'
night foreign
says "threadlib \"libkse\" cannot be had: libkse is not installed"
result "one that is not installed is told before anything is started"
is "and nothing is done" "$status $(sql "SELECT count(*) FROM visit" foreign)" \
	"1 0"

# Names that stand for one kernel would be measured against each other.
cp -a "$ABRUN_ROOT/boot/ULE" "$ABRUN_ROOT/boot/COPY"
: >"$FB/ledger"
matrix one <<-END
	title = "One";
	factors: { kernel = [ "ULE", "COPY" ]; };
	loads = ( { use = "command"; name = "true"; command = "true"; } );
END
night one
is "two names of one kernel end a night before it boots" \
	"$status $(fb_ledger)" "1 "
says "levels ULE and COPY of kernel are one kernel by the contents"
result "and are told"
# shellcheck source=tests/lib/check.sh
. tests/lib/check.sh
check one
is "a check says so, too" "$status $(fb_ledger)" "1 "
tells "FAIL kernel: MATRIX_ERROR: levels ULE and COPY of kernel are one kernel"
result "in the same words"
night_plan
