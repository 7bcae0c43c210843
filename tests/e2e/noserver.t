#!/bin/sh
# Nights without a server: a real compile with its settings on the load, what
# is proved of it, and loads that only seem to have what they were given.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab
matrix_server()
{
	:
}
printf 'int count;\n' >"$work/lib.c"
cc -shared -fPIC -o "$work/libone.so" "$work/lib.c" || exit 1
echo 'int main(void) { return (int)sleep(1); }' >"$work/nap.c"
cc -static -w -o "$work/static" "$work/nap.c" || exit 1

# The matrix that is shipped, of fewer and smaller files.
sed -e "s|ssh = \"builder\"|ssh = \"lab\"; ssh_config = \"$lab/ssh_config\"|" \
	-e 's/rounds = 10/rounds = 1/' -e 's/runs = 2/runs = 1/' \
	-e 's/warmup = 1/warmup = 0/' -e 's/1, 2, 4, 8/1, 2/' \
	-e 's/-lt 24/-lt 2/' -e 's/n -lt 50/n -lt 9/' \
	matrices/compile.cfg >"$work/compile.cfg"
night compile -v
is "jobs x allocator of a compile ends well" "$status" 0
is "every visit is valid, every run good" "$(sql "SELECT
	(SELECT group_concat(DISTINCT status) FROM visit),
	(SELECT count(*) FROM run WHERE good)")" "valid|4"
is "a load is proved in each run of it" "$(sql "SELECT count(DISTINCT run),
	min(verdict), max(verdict) FROM proof WHERE run IS NOT NULL")" "4|yes|yes"
is "its program is make" "$(sql "SELECT DISTINCT about FROM proof
	WHERE what = 'binary'")" "$(readlink -f "$(command -v make)")"
is "with the allocator, and without" "$(sql "SELECT wanted, count(*) FROM proof
	WHERE what = 'library' GROUP BY 1")" "absent|2
mapped|2"
is "what is proved of servers is not applicable" "$(sql "SELECT what, verdict,
	count(*) FROM proof WHERE what IN ('owner', 'process', 'version')
	GROUP BY 1, 2")" "owner|not applicable|4
process|not applicable|4
version|not applicable|4"
is "there is no start" "$(sql "SELECT (SELECT count(*) FROM start),
	(SELECT count(start) FROM run)")" "0|0"
posts "no server: the settings act on the load" \
	"Not applicable: it is the process that was started, the server owns its port or socket and its version, by SQL." \
	"the visit for allocator" "the cell's runs in a visit for jobs" \
	"N counts visits" && ! posts "by means of starts"
result "the post speaks of visits, and of no server"
is "it leaves nothing" "$(left_over)$(ls "$HOME/abrun-compile" 2>/dev/null)" ""

# one NAME RUNS SETTINGS LOAD: a cell without and one with the settings.
one()
{
	matrix "$1" <<-END
		title = "One";
		factors: { x = ( { name = "no"; }, { name = "yes"; $3 } ); };
		loads = ( { use = "command"; name = "job"; command = "$4"; } );
		design: { rounds = 1; runs = $2; warmup = 0; };
	END
}
# reasons NAME: why visits are not valid.
reasons()
{
	sql "SELECT status, reason FROM visit v WHERE status <> 'valid'" "$1"
}

cpu=$(sed -n 's/^Cpus_allowed_list:.\([0-9]*\).*/\1/p' /proc/self/status)
swappiness=$(cat /proc/sys/vm/swappiness)
one all 1 "env = [ \"A=b c\" ]; cpuset = \"$cpu\";
	preload = \"$work/libone.so\"; sysctl = [ \"vm.swappiness=$swappiness\" ];
	apply = \"echo on >$work/state\"; undo = \"echo off >$work/state\";
	verify = \"grep on $work/state\";" \
	"echo \\\"\$A\\\" >>$work/seen; exec sleep 1"
night all
is "variable, CPUs, library, knob and command at once" "$status" 0
is "all of it is proved" "$(sql "SELECT what, count(*), min(verdict) FROM proof
	WHERE what IN ('cpuset', 'library', 'sysctl', 'verify') OR about = 'A'
	GROUP BY 1" all)" "cpuset|2|yes
environment|2|yes
library|2|yes
sysctl|4|yes
verify|2|yes"
is "and was there" "$(sort "$work/seen")" "
b c"

one static 1 "preload = \"$work/libone.so\";" "exec $work/static"
night static
is "a static program is caught" "$(reasons static | sed 's/ (.*//')" \
	"invalid|run 1 of job: library: wanted $work/libone.so mapped, seen not mapped"
is "its figures do not count" "$status" 3
one short 1 "preload = \"$work/libone.so\";" ":"
night short
is "a load that is too short for a preload proves nothing" \
	"$(sql "SELECT DISTINCT verdict FROM proof WHERE what = 'library'" short
	sql "SELECT DISTINCT status FROM visit" short)" "unknown
invalid"
one shell 2 'env = [ "A=1" ];' ":"
night shell
is "but its variables are proved before its first step" "$status $(reasons shell)" \
	"0 "
one own 1 'env = [ "A=1" ];' "A=2 exec sleep 1"
night own
is "a command that overrides the cell is caught" "$(reasons own | sort)" \
	"invalid|run 1 of job: environment: wanted A 1, seen 2
invalid|run 1 of job: environment: wanted A absent, seen 2"
nap=$((500000 + $$))
one strays 1 'env = [ "A=1" ];' \
	"setsid sleep $nap >/dev/null 2>&1 & sleep 1"
night strays
is "C49: what leaves session and output of its load" "$status $(
	pgrep -f "sleep $nap")" "0 "
is "is ended with it, and flags its run" "$(sql "SELECT DISTINCT flag FROM run" \
	strays)" "1 of its processes outlived it and had to be killed"
is "nothing is left on the host" "$(left_over)" ""
night_plan
