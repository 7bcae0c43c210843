#!/bin/sh
# Cells that are not what their label says, and servers that do not start:
# told with what was wanted and what was seen, while the others go on.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

# The environment of the server is not what it was given.
server_program=$work/mariadbd
cat >"$server_program" <<'END'
#!/bin/sh
unset EMPTY
LEAK= exec mariadbd "$@"
END
chmod 755 "$server_program"
echo "no library" >"$work/none.so"
matrix trick <<END
title = "Tricked";
factors: {
	what = (
	    { name = "bad option"; mysqld = [ "no_such_option=1" ]; },
	    { name = "bad value"; mysqld = [ "sql_mode=NONSENSE" ]; },
	    { name = "bad page"; mysqld = [ "innodb_page_size=3" ]; },
	    { name = "not mapped"; preload = "$work/none.so";
	      env = [ "LEAK=" ]; },
	    { name = "not empty"; env = [ "EMPTY=" ]; },
	    { name = "right"; env = [ "LEAK=" ]; }
	);
};
loads = ( { use = "command"; name = "true"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END

night trick
is "some cells failed: 3" "$status" 3
is "failed starts are tried once more, the right cell is valid" \
	"$(sql "SELECT c.name, attempt, status, failure FROM visit v
	JOIN cell c ON c.server = v.server ORDER BY v.id")" \
	"bad option|1|failed|SERVER_EXITED
bad option|2|failed|SERVER_EXITED
bad value|1|failed|SERVER_EXITED
bad value|2|failed|SERVER_EXITED
bad page|1|failed|SERVER_EXITED
bad page|2|failed|SERVER_EXITED
not mapped|1|invalid|WRONG_LIBRARY
not empty|1|invalid|WRONG_ENVIRONMENT
right|1|valid|"
reason()
{
	sql "SELECT DISTINCT reason FROM visit v JOIN cell c ON
	c.server = v.server WHERE c.name = '$1'"
}
is "the server's own words are stored" "$(reason 'bad option')" \
	"the server exited before it answered: mariadbd: unknown variable 'no_such_option=1'"
says "box: round 1, bad option: visit failed: SERVER_EXITED: $(reason 'bad option')" \
	"box: round 1, bad value: visit failed: SERVER_EXITED: $(reason 'bad value')"
result "and told"
posts "bad option failed: SERVER_EXITED: $(reason 'bad option')"
result "and posted"
is "a library that is not mapped, though preloaded" \
	"$(reason 'not mapped' | sed 's/ ([0-9:]*)//')" \
	"before the load: library: wanted $work/none.so mapped, seen not mapped"
posts "wanted $work/none.so mapped, seen not mapped"
result "is posted"
is "its variable is right all the same" \
	"$(sql "SELECT p.verdict FROM proof p JOIN visit v ON v.id = p.visit
	JOIN cell c ON c.server = v.server WHERE p.about = 'LD_PRELOAD' AND
	c.name = 'not mapped'")" yes
is "an empty variable is not an absent one" "$(reason 'not empty')" \
	"before the load: environment: wanted LEAK absent, seen an empty value; environment: wanted EMPTY an empty value, seen absent"
is "what is not proved is not measured" \
	"$(sql "SELECT c.name, count(*) FROM run r JOIN cell c ON
	c.id = r.cell GROUP BY 1")" "right|1"
posts "(1 round, 1 of 6 visits valid)"
result "the post counts"
is "nothing is left on the host" "$(left_over)" ""
night trick
is "again, it is finished, but still with 3" "$status" 3

# Somebody else's server where ours is to listen.
matrix plain <<'END'
title = "Plain";
factors: { x = ( { name = "no"; }, { name = "yes"; env = [ "X=1" ]; } ); };
loads = ( { use = "command"; name = "true"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
# shellcheck disable=SC2086 # words
mariadbd $server_options --datadir="$lab/data" --socket="$lab/mysqld.sock" \
	>"$work/old.log" 2>&1 &
old=$!
helpers=$old
wait_for test -S "$lab/mysqld.sock"
night plain
is "with another server on the socket nothing is measured: 1" "$status" 1
says "box: STALE_SERVER: a server that abrun did not start listens" "pid $old (mariadbd)" \
	"$lab/mysqld.sock" "stop it"
result "who it is, where, and what to do is told"
kill -0 "$old"
result "it is left alone"
is "no visit was begun" "$(sql "SELECT count(*) FROM visit" plain)" 0
posts "no visit is valid" || posts "0 of 2 visits valid"
result "the post says that there is nothing"
kill "$old"
wait "$old"
helpers=

server_program=mariadbd
server_options="$server_options --no-such-thing"
matrix wrong <<'END'
title = "Wrong";
factors: { x = ( { name = "no"; }, { name = "yes"; env = [ "X=1" ]; } ); };
loads = ( { use = "command"; name = "true"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
night wrong
is "a server that starts for no cell: 1" "$status" 1
says "box: SERVER_EXITED: the server exited before it answered: mariadbd: unknown option '--no-such-thing'"
result "says why"
is "and leaves nothing" "$(left_over)" ""
night_plan
