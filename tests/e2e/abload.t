#!/bin/sh
# abload against a real mariadbd: what it sends and what it says.  When it
# must refuse is abload_bad.t's.
# shellcheck disable=SC2154 # status, socket, top: abload.sh's
set -u
# shellcheck source=tests/lib/abload.sh
. tests/lib/abload.sh
# shellcheck source=tests/lib/sshd.sh
. tests/lib/sshd.sh # for a free port
PATH=$PWD/$B:$PATH # for the definition of the load

# The first report of a file, with # for each figure.
shape()
{
	sed -n -e 's/=\( *\)[0-9]*ms/=\1#ms/g' \
		-e 's/^\([a-z_]*	\)[0-9]*	[0-9]*	[0-9]*	[0-9]*\(\.[0-9][0-9]\)$/\1#	#	#	#\2/' \
		-e 's/\.[0-9][0-9]$/.##/' \
		-e '/^Query Barrel Report/,$p' "$1" |
		awk '/^Query Barrel Report/ && n++ { exit } { print }'
}
# SCRIPT: whether $top/said is what super-smack says of it with 10 clients.
as_super_smack()
{
	shape "tests/data/load/supersmack-$1-local.txt" >"$top/wanted"
	shape "$top/said" | diff "$top/wanted" - >"$top/difference" || {
		sed 's/^/# /' "$top/difference"
		return 1
	}
	[ -s "$top/wanted" ]
}

load_server

try "$smacks/select-key.smack" 10 200
[ $status -eq 0 ] && says "^Creating table 'http_auth'$" &&
	says '^Table http_auth is now ready for the test$'
ok $? "the table is made where it is not there"
[ "$(sql test -e 'select count(*), min(uid), max(uid) from http_auth')" = \
	"$(printf '90000\t1\t90000')" ]
ok $? "with 90000 rows"
[ "$(sql test -e "select gid from http_auth where username = 'ilcpsklryvmc1'
	and pass = 'pjnbpbwllsrehfmxrkecwitrs'")" = 2089018456 ]
ok $? "and the first row of the original's file"

try "$smacks/select-key.smack" 10 200
as_super_smack select-key
ok $? "the table is super-smack's but for its figures"
says '^select_index	4000	'
ok $? "and the queries are 10 x 200 x 2"
LC_ALL=de_DE.UTF-8 try "$smacks/select-key.smack" 1 5 &&
	says '	[0-9]*\.[0-9][0-9]$'
ok $? "whatever the locale"

try "$smacks/update-select.smack" 10 40
[ $status -eq 0 ] && as_super_smack update-select
ok $? "so is the table of two types"
says '^select_index	400	' && says '^update_index	400	'
ok $? "update-select sends one of each a round and client"
[ "$(sql test -e 'select count(*) from http_auth where length(pass) < 20')" \
	-gt 0 ]
ok $? "and writes what it drew"
try --prepare "$smacks/update-select.smack"
[ $status -eq 0 ] &&
	[ "$(sql test -e 'select count(*) from http_auth
		where length(pass) < 20')" = 0 ]
ok $? "--prepare makes the table anew"

for clients in 1 10; do
	try --output=json --seed=7 "$smacks/select-key.smack" $clients 100
	first=$(value digest)
	try --output=json --seed=7 "$smacks/select-key.smack" $clients 100
	[ -n "$first" ] && [ "$first" = "$(value digest)" ]
	ok $? "the same seed gives the same queries with $clients clients"
	try --output=json --seed=8 "$smacks/select-key.smack" $clients 100
	[ -n "$(value digest)" ] && [ "$first" != "$(value digest)" ]
	ok $? "and another seed others"
done
try --output=json --seed=7 --duration=1500ms "$smacks/select-key.smack" 2 1
first=$(value digest)
sent=$(value total_queries)
try --output=json --seed=7 --duration=2 --warmup=200ms \
	"$smacks/select-key.smack" 2 1
[ "$sent" -ge 2000 ] && [ "$first" = "$(value digest)" ]
ok $? "with a duration the first 1000 of each client are the same"

try --output=json --protocol=prepared --seed=7 "$smacks/select-key.smack" 2 50
[ $status -eq 0 ] && [ "$(value total_queries)" = 200 ] &&
	[ "$(value rows)" = 200 ] && [ "$(value protocol)" = prepared ]
ok $? "prepared queries return as many rows"
[ "$(sql -e "show global status like 'Com_stmt_execute'" | cut -f 2)" -ge 200 ]
ok $? "and are prepared ones to the server"
long=$(head -c 300 /dev/zero | tr '\0' a)
cat >"$top/long.smack" <<END
dictionary "w" { type "seq"; source_type "list"; source "it's,$long"; }
dictionary "id" { type "unique"; source_type "template"; source "'%d\\\\"; }
query "keep" { query "insert into kept values ('\$w', '\$id')"; type "t";
	parsed "y"; }
client "c" { db "test"; query_barrel "2 keep"; }
main { c.init(); c.connect(); c.unload_query_barrel(); c.collect_threads(); }
END
for protocol in text prepared; do
	sql test -e 'create or replace table kept (w text, id text)'
	try --strict --protocol=$protocol "$top/long.smack"
	[ "$(sql test -r -e 'select w, id from kept order by id')" = \
		"$(printf "it's\t'0\\\\\n%s\t'1\\\\" "$long")" ]
	ok $? "words with quotes, and long ones, arrive as they are ($protocol)"
done
# Where the machine has no time for it, a run is not a good one: try again.
at_rate()
{
	for _ in 1 2 3 4 5 6; do
		try --output=json --duration=2 --rate=100 "$@" \
			"$smacks/select-key.smack" 2 1
		[ $status -eq 0 ] && return
	done
}
at_rate
[ $status -eq 0 ] && [ "$(value loop)" = open ] &&
	[ "$(value total_queries)" -ge 198 ] &&
	[ "$(value total_queries)" -le 202 ]
ok $? "a rate is kept"
# Of this seed come fewer than the rate says, by chance.
at_rate --arrival=poisson --seed=6
[ $status -eq 0 ] && [ "$(value total_queries)" -lt 198 ] &&
	[ "$(value arrival)" = poisson ]
ok $? "arrivals at random may be fewer"
try --duration=1 --rate=10000000 "$smacks/select-key.smack" 2 1
[ $status -eq 3 ] && says '^INVALID: .* the rate asked for is 10000000'
ok $? "and one that cannot be kept is a failure"
try --output=json --interval=200ms --duration=1 "$smacks/select-key.smack" 2 1
[ "$(grep -c '"from_s"' "$top/said")" -ge 3 ]
ok $? "an interval gives a series"
try --output=both --out="$top/json" "$smacks/select-key.smack" 1 10
[ $status -eq 0 ] && says '^select_index' && says '^ "valid": true,$' &&
	grep -q '^ "valid": true,$' "$top/json"
ok $? "table and JSON can both be had, and the JSON in a file"
try --check "$smacks/select-key.smack"
[ $status -eq 0 ] && says 'finds each of 750 words$'
ok $? "--check asks for each of the 750 keys"

sql -e "create user pw@localhost identified by 'a b';
	grant all on test.* to pw@localhost"
MYSQL_PWD='a b' "$abload" --socket="$socket" --user=pw \
	"$smacks/select-key.smack" 1 5 >"$top/said" 2>"$top/err"
ok $? "a password comes by the environment"
printf '[client]\nuser=pw\npassword="a b"\nsocket=%s\n' "$socket" \
	>"$top/login.cnf"
"$abload" --option-file="$top/login.cnf" "$smacks/select-key.smack" 1 5 \
	>"$top/said" 2>"$top/err"
ok $? "or a whole login by an option file, whatever the script says"
"$abload" --socket="$socket" --user=pw "$smacks/select-key.smack" 1 5 \
	>"$top/said" 2>"$top/err"
[ $? -eq 2 ] && complained '(error 1045)'
ok $? "and without it the login fails"

try --help
[ $status -eq 0 ] && says '^  --rate=N  ' && ! grep -q '?' "$top/said"
ok $? "help is told, whatever the locale"
ln -s "$abload" "$top/super-smack"
sed "s|socket \".*\"|socket \"$socket\"|; s/user \"test\"/user \"root\"/" \
	"$smacks/select-key.smack" >"$top/own.smack"
"$top/super-smack" -d mysql "$top/own.smack" 2 10 >"$top/said" 2>"$top/err"
ok $? "called super-smack it takes that program's command line"
says '^select_index	40	'
ok $? "and sends as many queries"
"$top/super-smack" -d oracle "$top/own.smack" 2 10 >"$top/said" 2>"$top/err"
[ $? -eq 1 ] && complained 'db-type'
ok $? "but for servers that it does not know"
"$top/super-smack" -d mysql <"$top/own.smack" >"$top/said" 2>"$top/err"
[ $? -eq 1 ] && complained "argument .2 is wanted"
ok $? "and reads a script from standard input"

cat >"$top/two.smack" <<END
client "a" { db "test"; query_barrel "1 one"; }
client "b" { db "test"; query_barrel "2 two -0.001"; }
query "one" { query "select 1"; type "x"; has_result_set "y"; }
query "two" { query "select 2"; type "y"; has_result_set "y"; }
main {
  \$greeting = "clients " . \$1;
  a.init(); b.init(); a.print(\$greeting);
  a.set_num_rounds(10); b.set_num_rounds(5);
  a.create_threads(\$1); b.create_threads(1);
  a.connect(); b.connect();
  a.query("create table seen (i int)");
  a.unload_query_barrel(); b.unload_query_barrel();
  a.collect_threads(); b.collect_threads();
  a.print("sent " . a::x::num_queries);
  a.run_save_result("one", "-");
  a.disconnect(); b.disconnect();
}
END
try "$top/two.smack" 1
[ $status -eq 0 ] && says '^clients 1$' && says '^sent 10.000000$' &&
	says '^1	$' && says '^x	10	' && says '^y	10	' &&
	[ "$(sql test -e 'select count(*) from seen')" = 0 ]
ok $? "clients of two kinds run side by side, and main is carried out"
try --cleanup "$smacks/select-key.smack"
[ $status -eq 0 ] && [ -z "$(sql test -e "show tables like 'http_auth'")" ]
ok $? "--cleanup leaves no table"

select=smack=$smacks/select-key.smack
part abload setup "$select" clients=3 engine=MyISAM
[ "$(sql test -e "select engine from information_schema.tables where
	table_name = 'http_auth'")" = MyISAM ]
ok $? "the load's setup makes the table, of the engine asked for"
run abload "$select" clients=3 rounds=100 && says '^qps [1-9]' &&
	says '^us_per_query [0-9]'
ok $? "the load's run has its metrics"
run abload "$select" clients=3 duration=1 lead_in=1 \
	options='--protocol=prepared' && says '^qps [1-9]' &&
	grep -q '"protocol": "prepared"' "$top/out"
ok $? "also with a duration and more options"
sed 's/"valid": true/"valid": false/' "$top/out" >"$top/bad"
! "$B/tests/lib/loadtool" judge abload 0 "$top/bad" "$top/err" "$select" \
	clients=3 duration=1 >"$top/said" 2>&1 && says "valid"
ok $? "an invalid run is refused, whatever its status"
part abload cleanup "$select" clients=3 &&
	[ -z "$(sql test -e "show tables like 'http_auth'")" ]
ok $? "the load's cleanup drops the table"

load_server_stop
port=$(sshd_free_port)
# shellcheck disable=SC2034 # load_server.sh's
network="--bind-address=127.0.0.1 --port=$port"
load_server_start
sql -e "create or replace user tcp@'%'; grant all on test.* to tcp@'%'"
"$abload" --host=127.0.0.1 --port="$port" --user=tcp --output=json \
	"$smacks/select-key.smack" 2 50 >"$top/said" 2>"$top/err" &&
	[ "$(value server_s)" != null ] && [ "$(value total_queries)" = 200 ]
ok $? "by TCP to this host the server's CPU time is known, too"
echo "1..$n"
