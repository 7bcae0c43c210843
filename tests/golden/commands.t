#!/bin/sh
# What commands say that touch no host.
# shellcheck source=tests/lib/commands.sh
. tests/lib/commands.sh

cat >"$work/later.cfg" <<'END'
targets = ( { name = "lab1"; os = "linux"; } );
factors: { smt = [ "on", "off" ]; };
loads = ( { use = "command"; command = "true"; } );
END
run "a plan that cannot all be run" 0 plan "$work/later.cfg"
tail -n 1 "$work/out" | grep -q '^not yet: ' &&
	[ "$(tail -c 1 "$work/out" | od -An -tx1 | tr -d ' ')" = 0a ]
ok $? "its last line is a line"
run "a quiet plan" 0 plan -q matrices/demo.cfg
[ ! -s "$work/out" ] && [ ! -s "$work/error" ]
ok $? "says nothing of a good matrix"
run "a quiet dry run" 0 -nq matrices/demo.cfg
[ ! -s "$work/out" ] && [ ! -s "$work/error" ]
ok $? "says nothing either"
echo 'title = 1;' >"$work/bad.cfg"
run "a quiet plan of a bad matrix" 2 plan -q "$work/bad.cfg"
grep -q ':1: title: ' "$work/error"
ok $? "tells its mistakes"

run "a mistyped command" 2 chekc my.cfg
grep -qx 'abrun: there is no command and no matrix "chekc", did you mean "check"?' \
	"$work/error"
ok $? "is told what it is near to"
run "a word that is no command" 2 frobnicate
grep -q 'no matrix "frobnicate"; abrun --help' "$work/error"
ok $? "is told where commands are"

mkdir "$work/reports"
for command in post report; do
	run "$command of a directory of run directories" 2 \
		"$command" "$work/reports"
	grep -q "^abrun: $work/reports is no run directory" "$work/error"
	ok $? "says so"
done
[ -z "$(ls -A "$work/reports")" ]
ok $? "and nothing was put there"

printf 'title = "a\033[2Jb";\n' >"$work/bad.cfg"
run "a matrix that would move the cursor" 2 plan "$work/bad.cfg"
grep -q . "$work/error" && ! grep -q "$(printf '\033')" "$work/error"
ok $? "does not"
cp matrices/demo.cfg "$work/-n"
(cd "$work" && cp -r "$OLDPWD/hooks" . && "$abrun" plan -- -n) \
	>"$work/out" 2>"$work/error"
ok $? "a matrix may be named like an option"

# Streams that are closed.
"$abrun" plan matrices/demo.cfg >&- 2>"$work/error"
[ $? -eq 4 ] && grep -q '^abrun: cannot write to standard output$' "$work/error"
ok $? "what nobody can read is not said to be done"
"$abrun" plan matrices/demo.cfg <&- 2>&- >"$work/out" && [ -s "$work/out" ]
ok $? "nobody to complain to and to ask is no reason to stop"
echo "1..$n"
