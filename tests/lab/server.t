#!/bin/sh
# A real mysqld behind a real sshd: started with a cell's settings, proved,
# confused with other servers on purpose, and stopped.
# shellcheck disable=SC2016 # $PID is for the shell of servertool
B=${B:-build}
dir=$(mktemp -d /tmp/abrun-server-XXXXXX) || exit 1
# shellcheck source=tests/lib/sshd.sh
. tests/lib/sshd.sh

# Servers are found by the directory in their command line.
end_servers()
{
	for _pid in $(pgrep -f -- "--datadir=$dir/"); do
		kill -s CONT "$_pid"
		kill -s KILL "$_pid"
	done 2>/dev/null
}

trap 'end_servers; sshd_remove "$dir/ssh"; rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

n=0
ok()
{
	n=$((n + 1))
	if [ "$1" -eq 0 ] && ! grep -q Sanitizer "$dir/out"; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$dir/out"
		tail -n 3 "$dir/work/server.log" 2>/dev/null | sed 's/^/# log: /'
	fi
}

# has TEXT...: the output of servertool holds each of them.
has()
{
	for _text in "$@"; do
		grep -qF -e "$_text" "$dir/out" || return 1
	done
}

has_line()
{
	grep -qxF -e "$1" "$dir/out"
}

# ended ARGUMENT: no process has it.
ended()
{
	! pgrep -f -- "$1" >/dev/null
}

# A zombie is gone.
gone='sh=! grep -q "^State:.[^ZX]" "/proc/$PID/status" 2>/dev/null'

mysqld="$(command -v mariadbd || echo /usr/sbin/mariadbd)"
small="--no-defaults --user=$(id -un) --innodb-buffer-pool-size=16M"
small="$small --innodb-log-file-size=8M --performance-schema=OFF"
# mariadbd removes the temporary tables of others in the same directory.
small="$small --tmpdir=$dir/tables"
small="$small --innodb-temp-data-file-path=ibtmp1:1M:autoextend"
small="$small --innodb-buffer-pool-dump-at-shutdown=OFF --innodb-doublewrite=OFF"
jemalloc=$(find /usr/lib -name 'libjemalloc.so.2' | head -n 1)
tcmalloc=$(find /usr/lib -name 'libtcmalloc_minimal.so.4' | head -n 1)
flush=innodb_flush_log_at_trx_commit

# The matrix of all these starts: what one start sets, others must not have.
subjects="--subject=preload:$jemalloc --subject=preload:$tcmalloc
    --subject=env:LOOPS=1 --subject=mysqld:$flush=2
    --subject=mysqld:max_connections=1 --subject=cpuset:0"

# tool OPTION-OR-ACTION...
tool()
{
	# shellcheck disable=SC2086 # words
	"$B/tests/lib/servertool" --config="$dir/ssh/ssh_config" \
	    --program="$dir/program.sh" --work-dir="$dir/work" $subjects \
	    --command="$mysqld $small" --datadir="$dir/data" \
	    "$@" >"$dir/out" 2>&1
}

by_socket()
{
	tool --socket="$dir/s" "$@"
}

mkdir -m 700 "$dir/work" "$dir/data" "$dir/tables"
cat hooks/os/common.sh hooks/os/linux.sh >"$dir/program.sh"
TMPDIR="$dir/tables" mariadb-install-db --no-defaults --datadir="$dir/data" --skip-test-db \
    --auth-root-authentication-method=normal --user="$(id -un)" \
    >"$dir/install.log" 2>&1 || echo "# mariadb-install-db failed"
cp -a "$dir/data" "$dir/data2"
sshd_make "$dir/ssh" && sshd_start "$dir/ssh" ||
    echo "# sshd did not start"
port=$(sshd_free_port)

by_socket --set=preload:"$jemalloc" --set=env:LOOPS=30 \
    --set="mysqld:$flush=2" --set=mysqld:max-connections=64 --set=cpuset:0 \
    start rounds prove rounds 'query=SELECT 6 * 7' prove stop "$gone"
has "started pid=" "exe=$mysqld" &&
    [ "$(grep -c '^holds: yes$' "$dir/out")" -eq 2 ] &&
    has "proof yes library $jemalloc: wanted mapped" \
	"proof yes library $tcmalloc: wanted absent" \
	"proof yes environment LOOPS: wanted 30, seen 30" \
	"proof yes environment LD_PRELOAD: wanted $jemalloc" \
	"proof yes argument $flush: wanted 2, seen 2" \
	"proof yes option $flush: wanted 2, seen 2" \
	"proof yes option max-connections: wanted 64, seen 64" \
	"proof yes cpuset : wanted 0, seen 0" \
	"proof yes owner socket $dir/s: wanted pid " \
	"proof yes uptime "
ok $? "a server with library, variable, options and CPUs is proved"
has "value: 42"
ok $? "a value is read by SQL"
has_line stopped && ! has failed:
ok $? "it is stopped"
[ "$(grep rounds: "$dir/out" | sed -n 2p)" = "rounds: 1" ]
ok $? "a side of proofs costs one round trip"

by_socket start rounds start rounds prove stop
[ "$(grep rounds: "$dir/out" | sed -n 2p)" = "rounds: 3" ]
ok $? "to stop one, look, start another and know it takes three"
has "holds: yes" "proof yes library $jemalloc: wanted absent, seen not mapped" \
    "proof yes environment LOOPS: wanted absent, seen absent" \
    "proof yes argument $flush: wanted absent, seen absent" \
    "proof not applicable option $flush: wanted the server's default, seen 1" \
    "proof yes cpuset : wanted all that are online"
ok $? "a server with none of them is proved to have none"

# A server may ask its client for any file of ours.
echo secret >"$dir/secret"
by_socket start 'query=CREATE TABLE mysql.taken (line TEXT)' \
    "query=LOAD DATA LOCAL INFILE '$dir/secret' INTO TABLE mysql.taken" \
    'query=SELECT COUNT(*) FROM mysql.taken' \
    'query=SELECT seq FROM mysql.seq_1_to_20000' \
    "query=SELECT REPEAT('x', 10000) FROM mysql.seq_1_to_9000" \
    'query=SELECT 6 * 7' stop
has_line "value: 0"
ok $? "no file of the controller goes to the server"
has "more than 10000 rows" "more than 16777216 bytes" && has_line "value: 42"
ok $? "an answer without end is given up, and the next one read"

# A copy that is another file, and changes while it runs.
cp "$mysqld" "$dir/mysqld"
by_socket --command="$dir/mysqld $small" start prove \
    "sh=touch -d 2001-01-01 '$dir/mysqld'" prove \
    "sh=cp '$dir/mysqld' '$dir/copy'; echo more >>'$dir/copy';
	mv '$dir/copy' '$dir/mysqld'" prove start prove
sum=$(sha256sum <"$mysqld" | cut -d ' ' -f 1)
more=$(sha256sum <"$dir/mysqld" | cut -d ' ' -f 1)
[ "$(grep '^proof [a-z]* binary' "$dir/out" | sed -n 1p)" = \
    "proof yes binary $dir/mysqld: wanted $sum, seen $sum by unchanged inode,\
 size and times $(sed -n 's/.*size and times //p' "$dir/out" | sed -n 1p)" ]
ok $? "a binary that has not changed is proved by its identity"
[ "$(grep '^proof [a-z]* binary' "$dir/out" | sed -n 2p)" = \
    "proof yes binary $dir/mysqld: wanted $sum, seen $sum" ]
ok $? "one whose times have changed is hashed again"
has "proof no binary $dir/mysqld: wanted $sum, seen $dir/mysqld (deleted) $sum"
ok $? "one that was replaced is told"
has "proof yes binary $dir/mysqld: wanted $more"
ok $? "and at the next start it is another binary"
rm "$dir/mysqld"

# What the loader ignores is still in the environment.
by_socket --set=preload:/nonexistent/libjemalloc.so.2 --set=env:LOOPS= \
    start prove stop
has "holds: no" \
    "proof yes environment LD_PRELOAD: wanted /nonexistent/libjemalloc.so.2" \
    "proof no library /nonexistent/libjemalloc.so.2: wanted mapped, seen not mapped"
ok $? "a right environment without the library is refused"
has "proof yes environment LOOPS: wanted an empty value"
ok $? "an empty variable is kept"

by_socket --set="mysqld:$flush=2" --set=cpuset:0 start \
    "query=SET GLOBAL $flush = 0" prove \
    "sh=taskset -acp 0-1 \$PID >/dev/null" prove 'sh=kill -9 $PID' prove
has "holds: no" "proof no option $flush: wanted 2, seen 0" \
    "proof no cpuset : wanted 0, seen 0-1"
ok $? "options and CPUs changed behind our back are seen"
has "proof no process : " "proof unknown version : "
ok $? "a server that died is proved dead, its options unknown"

tool --port="$port" --address=127.0.0.1 --set=mysqld:max_connections=70 \
    --command="$mysqld $small --socket=$dir/p" start prove stop
has "holds: yes" "proof yes owner tcp $port" \
    "proof yes option max_connections: wanted 70, seen 70"
ok $? "a server with a port alone is asked over TCP"

# Another server, started by hand, at the same socket and port.
# shellcheck disable=SC2086 # words
"$mysqld" $small --datadir="$dir/data2/" --socket="$dir/s" --port="$port" \
    >"$dir/other.log" 2>&1 &
other=$!
tries=0
while ! mariadb --no-defaults -S "$dir/s" -u root -e '' 2>/dev/null &&
    [ $((tries += 1)) -lt 100 ]; do
	sleep 0.1
done
by_socket start prove
has "error VERIFY: a server that abrun did not start" \
    "pid $other (mariadbd)" && ! has started
ok $? "C42: an old server that still answers is not taken for the new one"
tool --socket="$dir/t" --port="$port" start
has "error VERIFY: a server that abrun did not start" "pid $other"
ok $? "nor one that has the port alone"
kill -0 "$other" && mariadb --no-defaults -S "$dir/s" -u root -e ''
ok $? "it is left alone and still answers"

# The data directory of a living server is locked for half a minute.
tool --datadir="$dir/data2" --socket="$dir/t" --start-ms=1500 --stop-ms=200 \
    start
has "error TIMEOUT: the server did not answer in time" "Can't lock aria" &&
    ended --socket="$dir/t"
ok $? "a server that does not get ready is ended, and its log told"
kill "$other"
wait "$other" 2>/dev/null

by_socket --set=mysqld:no_such_option=1 start
has "error FAILED: the server exited before it answered" \
    "unknown variable 'no_such_option=1'" && ! has Aborting
ok $? "a wrong option is told in the log's own words"
by_socket --command="/nonexistent/mysqld $small" start
has "error FAILED: the server" "/nonexistent/mysqld"
ok $? "so is a wrong command"

# Pid files of earlier lives name somebody else.
sleep 300 &
innocent=$!
echo "$innocent" >"$dir/data/abrun.pid"
echo "$innocent 1" >"$dir/work/server.pid"
by_socket start prove stop
has "holds: yes" stopped && kill -0 "$innocent"
ok $? "C38: stale pid files that name another process do no harm"
kill "$innocent"
# The next ones name nobody.
echo 99999 >"$dir/data/abrun.pid"
echo "garbage" >"$dir/work/server.pid"
by_socket start 'sh=echo $PID >'"$dir/first" forget start prove stop
[ "$(grep -c '^started' "$dir/out")" -eq 2 ] && has "holds: yes" stopped &&
    ! grep -q "^State:.[^ZX]" "/proc/$(cat "$dir/first")/status" 2>/dev/null
ok $? "C39: pid files that name nobody hide no server: it is stopped first"

# A stopped process takes no TERM.
by_socket --stop-ms=400 start 'sh=kill -STOP $PID' stop "$gone" \
    stop start stop
has "error FAILED: the server, pid " "400 ms" && ! has failed: &&
    [ "$(grep -c '^stopped$' "$dir/out")" -eq 2 ]
ok $? "a server that ignores TERM is killed and told"

long=$(printf '%0120d' 0)
tool --socket="$dir/$long" start
has "error USAGE: server.socket has" "107" && ! has started
ok $? "a socket path that is too long is refused"

# The server's own child is not the process that was started.
printf '#!/bin/sh\n%s "$@"\n' "$mysqld" >"$dir/wrapper"
chmod 755 "$dir/wrapper"
by_socket --command="$dir/wrapper $small" start
has "error VERIFY: started the server as pid " "must be the server itself"
ok $? "a script that starts the server is refused"
end_servers
sleep 0.2

# Passwords.
echo "CREATE OR REPLACE USER probe@localhost IDENTIFIED BY 'se,cret';" \
    >"$dir/init.sql"
with_user()
{
	by_socket --command="$mysqld $small --init-file=$dir/init.sql" \
	    --user=probe "$@"
}
printf '[client]\npassword="se,cret"\n' >"$dir/good.cnf"
printf '[client]\npassword=wrong\n' >"$dir/bad.cnf"
chmod 600 "$dir/good.cnf" "$dir/bad.cnf"
with_user --option-file="$dir/good.cnf" start prove stop
has started "holds: yes"
ok $? "the password comes from an option file"
with_user --option-file="$dir/bad.cnf" start
has "error FAILED: " "Access denied" "error 1045" \
    "that of server.option_file $dir/bad.cnf" && ! has wrong &&
    ended --socket="$dir/s"
ok $? "a wrong password is told at once, without the password"
with_user start
has "Access denied" "no password is given" "server.password_env"
ok $? "none, where one is needed, with the keys that give one"
ABRUN_SECRET=wrong with_user --password-env=ABRUN_SECRET start
has "Access denied" "that of the variable ABRUN_SECRET" && ! has wrong
ok $? "and a wrong one of a variable with its name"
chmod 644 "$dir/good.cnf"
with_user --option-file="$dir/good.cnf" start
has "error USAGE: server.option_file" "chmod 600" && ! has started
ok $? "an option file that others can read is refused"
with_user --option-file="$dir/none.cnf" start
has "error USAGE: server.option_file" "No such file" && ! has started
ok $? "so is one that is not there"
ABRUN_SECRET=se,cret with_user --password-env=ABRUN_SECRET start prove stop
has "holds: yes" && ! has se,cret
ok $? "or from a variable"
with_user --password-env=ABRUN_UNSET start
has "error USAGE: server.password_env names the variable ABRUN_UNSET" &&
    ! has started
ok $? "which must be set"

ended "--datadir=$dir/"
ok $? "no server is left"
echo "1..$n"
