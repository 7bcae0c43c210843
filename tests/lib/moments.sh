# shellcheck shell=sh
# For tests that end a night at any moment: source tests/lib/night.sh,
# night_lab, then this file, and call
#
#     moments SIGNAL FULL
#
# A small night, of two rounds with LONG=1, else of one, is run undisturbed,
# twice.  Then $count times (see seeded.sh)
# one of its own is begun, sent the signal at a moment drawn over the length
# of the first, and begun again at once.  What it has stored in the end must be
# what the undisturbed one has, but for times, ids, events and what was cut
# off; and the host must be as before.

# shellcheck disable=SC2154 # work, tmp, reports: night.sh's

# shellcheck source=tests/lib/seeded.sh
. tests/lib/seeded.sh

moments_matrix()
{
	matrix moment <<-END
		title = "Moments";
		factors: {
			knob = ( { name = "on"; apply = "echo on >$work/knob";
			        undo = "echo off >$work/knob";
			        verify = "grep -q on $work/knob"; },
			    { name = "off"; env = [ "KNOB=off" ]; } );
		};
		loads = (
			{ use = "command"; name = "one";
			  setup = "echo 1 >$work/data"; cleanup = "rm -f $work/data";
			  command = "sleep 0.1; echo rate: {round}{run}";
			  metrics = ( { name = "rate"; unit = "x/s"; better = "higher";
			      regex = "^rate: (\\\\S+)$"; choice = "only"; } );
			  primary = "rate"; },
			{ use = "command"; name = "two"; command = "true"; }
		);
		design: { rounds = $rounds; runs = 1; warmup = 1; };
	END
	echo off >"$work/knob"
}

# The numbers that no two nights have in common, and what else goes on on this
# machine.
moments_mask()
{
	sed -e 's/pid [0-9]*/pid N/g; s/started at [0-9]*/started at T/g' \
		-e 's/abrun\.[A-Za-z0-9]\{6\}/abrun.X/g' \
		-e 's/\(-run[0-9]*\|-warmup[0-9]*\)-[0-9]*\.txt/\1.txt/' \
		-e '/^fact|/s/|\(time\|uptime_s\|lock_token\)|.*/|\1|T/' \
		-e '/^fact|/s/|\(maintenance\|cron_jobs\)|.*/|\1|N/' \
		-e '/^fact|/s/|\(load_average\|[a-z_]*_kb[^|]*\)|.*/|\1|N/' \
		-e '/^proof|.*|uptime|/s/|uptime|.*|/|uptime|T|/'
}

# All tables, in an order of their own; visits in that of the night.
moments_dump()
{
	sqlite3 -cmd '.timeout 5000' "file:$1/run.db?mode=ro" "
	CREATE TEMP VIEW made AS SELECT * FROM main.visit
		WHERE status IN ('valid', 'invalid', 'failed');
	SELECT 'experiment', name, title, matrix_path, identity, version, seed,
		rounds, runs, warmup_runs, warmup_ms, boot, restart,
		margin_percent, baseline, has_server, server FROM experiment;
	SELECT 'host', * FROM host ORDER BY id;
	SELECT 'factor', * FROM factor ORDER BY id;
	SELECT 'level', * FROM level ORDER BY factor, id;
	SELECT 'setting', * FROM setting ORDER BY id;
	SELECT 'cell', * FROM cell ORDER BY id;
	SELECT 'cell_level', * FROM cell_level ORDER BY cell, factor;
	SELECT 'load', * FROM load ORDER BY id;
	SELECT 'load_variable', * FROM load_variable ORDER BY load, position;
	SELECT 'metric', * FROM metric ORDER BY load, position;
	SELECT 'boot', target, boot_id, kernel, made FROM boot ORDER BY id;
	SELECT 'visit', v.target, round, block, server, b.boot_id, attempt,
		status, reason FROM made v LEFT JOIN boot b ON b.id = v.boot
		ORDER BY v.id;
	SELECT 'start', round, server, position, version, exe_sha256
		FROM made v JOIN start s ON s.visit = v.id ORDER BY s.id;
	SELECT 'proof', round, server, after, what, about, wanted, seen,
		verdict FROM made v JOIN proof p ON p.visit = v.id
		ORDER BY p.id;
	SELECT 'run', round, server, s.position, cell, load, number, warmup,
		good, r.reason, flag, raw FROM made v
		JOIN run r ON r.visit = v.id LEFT JOIN start s ON s.id = r.start
		ORDER BY r.id;
	SELECT 'sample', round, server, cell, load, number, metric,
		iif(metric IN ('wall', 'user', 'sys', 'maxrss'), '', value)
		FROM made v JOIN run r ON r.visit = v.id
		JOIN sample s ON s.run = r.id ORDER BY r.id, metric;
	SELECT 'fact', scope, iif(scope = 'boot', '', of), key, value FROM fact
		WHERE scope <> 'visit' ORDER BY scope, key, value;
	SELECT 'fact', scope, round, server, key FROM made v JOIN fact f
		ON f.scope = 'visit' AND f.of = v.id ORDER BY v.id, key;
	SELECT DISTINCT 'original', target, kind, name, value FROM original
		ORDER BY 2, 3, 4;
	SELECT 'left', * FROM undo WHERE state <> 'undone'" |
		moments_mask
	sqlite3 "file:$1/run.db?mode=ro" "SELECT DISTINCT 'undo', target, kind,
		name, old_value, new_value, scope, state FROM undo" |
		moments_mask | sort -u
}

# What a signal took out of the middle may leave an empty directory, before
# its name is known to the store.
moments_host()
{
	find "$tmp" -mindepth 1 -maxdepth 1 -empty -delete
	left_over
	cat "$work/knob"
	[ ! -e "$work/data" ] || echo "$work/data"
}

# An abrun whose predecessor is still dying is told so, and comes again.
moments_again()
{
	for _try in 1 2 3 4 5 6 7 8 9 10; do
		night moment
		cat "$work/said" >>"$work/said.all"
		if [ "$status" -ne 1 ] || ! says "is in use by another abrun"; then
			break
		fi
		sleep 1
	done
}

# moment SIGNAL DELAY: a night with one such moment; tells what is wrong.
moment()
{
	rm -rf "$reports"
	: >"$work/said.all"
	env --default-signal=INT "$B/abrun" --reports "$reports" \
		"$work/moment.cfg" >"$work/post" 2>"$work/said" </dev/null &
	night=$!
	sleep "$2"
	kill -s "$1" "$night" 2>/dev/null
	if [ "$1" = INT ]; then
		night_wait
		cat "$work/said" >>"$work/said.all"
		case $status in
		0 | 130) ;;
		*) echo "it ended with $status" ;;
		esac
		# A second look: what it leaves it undoes before it goes.
		[ "$(moments_host)" = off ] || {
			echo "after the signal:"
			moments_host
		}
		moments_again
	else
		# Not waited for: it may not even be dead.
		moments_again
		_again=$status
		night_wait
		status=$_again
	fi
	[ "$status" -eq 0 ] || echo "the next one ended with $status"
	set -- "$reports"/moment-*
	[ $# -eq 1 ] || echo "run directories: $*"
	moments_dump "$1" >"$work/dump"
	diff "$work/wanted" "$work/dump"
	[ "$(moments_host)" = off ] || moments_host
}

moments()
{
	seeded "$2"
	rounds=${LONG:+2}
	rounds=${rounds:-1}
	moments_matrix
	_began=$(date +%s%N)
	night moment
	_length=$((($(date +%s%N) - _began) / 1000000))
	is "an undisturbed night ends with 0" "$status" 0
	moments_dump "$(run_dir moment)" >"$work/wanted"
	is "and leaves nothing" "$(moments_host)" off
	[ "$(grep -c '^visit|' "$work/wanted")" -eq $((rounds * 2)) ] &&
		[ "$(grep -c '^run|' "$work/wanted")" -eq $((rounds * 8)) ] &&
		[ "$(grep -c '^sample|.*|rate|' "$work/wanted")" -eq \
			$((rounds * 4)) ] &&
		grep -q '^proof|' "$work/wanted" &&
		grep -q '^undo|0|workdir|.*|undone$' "$work/wanted"
	result "what is compared is all there"
	night moment --new
	moments_dump "$(run_dir moment)" >"$work/dump"
	diff "$work/wanted" "$work/dump" >"$work/said"
	result "a second one has stored the same"
	echo "# it takes $_length ms"
	_done=0
	_all=$count
	# The first moment is before anything is made.
	# shellcheck disable=SC2013 # one word a line
	for _delay in $(draw "$(awk "BEGIN { print $_length / 1000 }")"); do
		[ "$_done" -gt 0 ] || _delay=0
		_done=$((_done + 1))
		moment "$1" "$_delay" >"$work/wrong" 2>&1
		if [ -s "$work/wrong" ]; then
			sed 's/^/# /' "$work/wrong" >&2
			tail -n 30 "$work/said.all" | sed 's/^/# said: /' >&2
		fi
		[ ! -s "$work/wrong" ]
		result "SIG$1 after $_delay s ($_done of $_all), E78: all is as undisturbed"
	done
}
