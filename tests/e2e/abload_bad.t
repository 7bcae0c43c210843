#!/bin/sh
# abload against a real mariadbd, when things go wrong: it never says a figure
# that is none, and tells what is wrong with a script, a table or a server.
# shellcheck disable=SC2154 # status, socket, top: abload.sh's
set -u
# shellcheck source=tests/lib/abload.sh
. tests/lib/abload.sh

load_server_tls
load_server
try --prepare "$smacks/select-key.smack"
[ $status -eq 0 ]
ok $? "a table"

run_and_watch --output=both --duration=20 "$smacks/select-key.smack" 4 1
sql -e "select id from information_schema.processlist where db = 'test'
	limit 1" | { read -r id; sql -e "kill $id"; }
finish
[ $status -eq 3 ] && told_invalid 'client smacker1 [1-4], query ' &&
	complained 'query "select_by_username"' && [ "$(value connected)" = 4 ]
ok $? "a killed connection makes the run invalid, and ends it"
run_and_watch --output=both --duration=20 "$smacks/select-key.smack" 4 1
kill -s INT "$load"
finish
[ $status -eq 3 ] && told_invalid 'ended by a signal'
ok $? "so does a signal"
run_and_watch --output=both --duration=20 "$smacks/select-key.smack" 4 1
load_server_stop
finish
[ $status -eq 3 ] && told_invalid 'client smacker1 [1-4], query '
ok $? "and a server that ends"
try "$smacks/select-key.smack" 1 1
[ $status -eq 2 ] && complained 'cannot connect.*(error 2002)'
ok $? "without a server it says so"
load_server_start

sql test -e 'delete from http_auth where uid % 2 = 0'
try --check "$smacks/select-key.smack"
[ $status -eq 5 ] && complained "table 'http_auth' has 45000 rows"
ok $? "--check sees that rows are missing"
sed 's/min_rows "90000"/min_rows "1"/' "$smacks/select-key.smack" \
	>"$top/few.smack"
try --check "$top/few.smack"
[ $status -eq 5 ] && complained 'finds no row for 750 of 750 words'
ok $? "or that they are not those of the words"
try "$top/few.smack" 2 10
[ $status -eq 5 ] && says '^INVALID: 40 of 40 queries of type select_index'
ok $? "a query that finds no row makes the run invalid"
try --allow-misses "$top/few.smack" 2 10
[ $status -eq 0 ]
ok $? "unless it may"
try "$smacks/select-key.smack" 2 10
[ $status -eq 0 ] &&
	says "^Table 'http_auth' does not meet condtions, will be dropped$"
ok $? "a table with too few rows is made anew"

sed 's/from http_auth/from nothing/' "$smacks/select-key.smack" \
	>"$top/wrong.smack"
try --output=both "$top/wrong.smack" 2 10
[ $status -eq 3 ] && told_invalid "nothing' doesn't exist (error 1146)" &&
	[ "$(value number)" = 1146 ]
ok $? "a wrong table makes the run invalid"
sql -e "create user poor@localhost; revoke all on *.* from poor@localhost"
sed 's/db "test"/db "mysql"/' "$smacks/select-key.smack" >"$top/other.smack"
"$abload" --socket="$socket" --user=poor "$top/other.smack" 1 1 \
	>"$top/said" 2>"$top/err"
[ $? -eq 2 ] && complained 'Access denied'
ok $? "no rights are told"
sed 's/create table/create tabel/' "$smacks/select-key.smack" \
	>"$top/unmade.smack"
try --prepare "$top/unmade.smack"
[ $status -eq 2 ] && complained "table 'http_auth': create tabel http_auth (.*(error 1064)"
ok $? "nor can a table be made by SQL that is none"
try --engine=Nonesuch --prepare "$smacks/select-key.smack"
[ $status -eq 2 ] && complained "Nonesuch'.*(error 1286)"
ok $? "or of an engine that is not there"
sed 's/min_rows "90000"/min_rows "90001"/' "$smacks/select-key.smack" \
	>"$top/short.smack"
try --prepare "$top/short.smack"
[ $status -eq 5 ] && complained 'with 90000 rows, and min_rows is 90001'
ok $? "or with more rows than its data"
sed 's/gen_data_file .*/gen_data_file "printf mine"; /' \
	"$smacks/select-key.smack" >"$top/shell.smack"
try --prepare "$top/shell.smack"
[ $status -eq 1 ] && complained '--allow-shell lets the script make it by'
ok $? "a command of the script is not run"
printf 'client "c" { db "test"; }\ndictionary "d" { source_type "list"; %s\n' \
	'source ""; } main { c.init(); }' >"$top/empty.smack"
try "$top/empty.smack"
[ $status -eq 1 ] &&
	complained 'empty.smack:2:45: dictionary "d": no word comes of the list'
ok $? "an empty dictionary is told"
sed "s/'\$word'/'\$wrod'/" "$smacks/select-key.smack" >"$top/unknown.smack"
try "$top/unknown.smack" 1 1
[ $status -eq 1 ] && complained "unknown.smack:40:9: .* draws from .wrod, and"
ok $? "an unknown dictionary is told, with its place"
sed 's/client "admin";/client "amdin";/' "$smacks/select-key.smack" \
	>"$top/unknown.smack"
try "$top/unknown.smack" 1 1
[ $status -eq 1 ] && complained 'unknown.smack:17:10: .* a client "amdin"'
ok $? "and an unknown client"
sed 's/"words.dat"/"nothing.dat"/; s/gen_data_file.*/gen_data_file ""; /' \
	"$smacks/select-key.smack" >"$top/missing.smack"
try "$top/missing.smack" 1 1
[ $status -eq 1 ] && complained 'nothing.dat'
ok $? "a missing word file is told"
try "$smacks/select-key.smack" 3
[ $status -eq 1 ] && complained "argument .2 is wanted, and 1 were given"
ok $? "an argument that is missing is told"
head -c 100000 /dev/urandom >"$top/noise.smack"
try "$top/noise.smack"
[ $status -eq 1 ] && complained 'is no script that can be run'
ok $? "garbage is no script"
head -c 100000 "$abload" >"$top/noise.smack"
try --compat-bugs "$top/noise.smack"
[ $status -eq 1 ] && complained 'is no script that can be run'
ok $? "nor is a program"
{
	awk 'BEGIN { for (i = 0; i < 100000; i++)
		print "query \"q" i "\" { query \"select 1\"; type \"t\"; }" }'
	echo 'client "c" { db "test"; query_barrel "1 q99999 1 q0"; }'
	echo 'main { c.init(); c.connect(); c.unload_query_barrel();'
	echo ' c.collect_threads(); }'
} >"$top/long.smack"
try "$top/long.smack"
[ $status -eq 0 ] && says '^t	2	'
ok $? "but 100000 queries are"
{
	# shellcheck disable=SC2016 # the script's own variables
	echo 'client "c" { db "test"; } main { c.init(); $x = "0123456789";'
	awk 'BEGIN { for (i = 0; i < 100; i++) print "$x = $x . $x;" }'
	echo '}'
} >"$top/double.smack"
try "$top/double.smack"
[ $status -eq 1 ] && complained 'double.smack:22:12: a text of more than'
ok $? "a text without bounds is told"
try --no-such-option "$smacks/select-key.smack"
[ $status -eq 1 ] && complained 'no-such-option'
ok $? "an unknown option is told"
try
[ $status -eq 1 ] && complained 'which script'
ok $? "and that a script is missing"
! "$abload" --socket="$socket" --user=root "$smacks/select-key.smack" 1 1 \
	>/dev/full 2>"$top/err" && complained 'cannot write to standard output'
ok $? "a full disk under its output is told"

# Whether the server wants TLS is a matter of the account.
sql -e "create user tls@localhost require ssl; grant all on test.* to tls@localhost"
for wish in ssl-enforce compress; do
	printf '[client]\nuser=root\nsocket=%s\n%s=1\n' "$socket" $wish \
		>"$top/$wish.cnf"
done
"$abload" --socket="$socket" --user=tls "$smacks/select-key.smack" 1 1 \
	>"$top/said" 2>"$top/err"
[ $? -eq 2 ] && complained 'the server wants TLS here, .*(error 1045)'
ok $? "a server that wants TLS is told"
"$abload" --option-file="$top/ssl-enforce.cnf" "$smacks/select-key.smack" 1 1 \
	>"$top/said" 2>"$top/err"
[ $? -eq 2 ] && complained 'the option file wants TLS, and abload speaks'
ok $? "and an option file that does"
"$abload" --option-file="$top/compress.cnf" "$smacks/select-key.smack" 1 1 \
	>"$top/said" 2>"$top/err"
[ $? -eq 2 ] && complained 'the option file wants compression, and abload'
ok $? "or that wants compression"
echo "1..$n"
