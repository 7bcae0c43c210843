#!/bin/sh
# The lab's own programs on the controller: hooks/notify, told what happens,
# and hooks/visit, steps before and after each visit.  sendmail is a pretended
# one.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

mkdir "$work/mails" "$work/tools" "$work/hooks" "$work/hooks/notify"
cat >"$work/tools/sendmail" <<END
#!/bin/sh
# -t -oi is what the hook must say; a mail a file, in order.
echo "\$*" >>"$work/asked"
cat >"$work/mails/\$(ls "$work/mails" | wc -l)"
END
chmod 755 "$work/tools/sendmail"
PATH=$work/tools:$PATH
export PATH
# What must not reach a hook.
DB_PASSWORD=secret
export DB_PASSWORD

cat >"$work/hooks/notify/keep" <<END
#!/bin/sh
{ echo "words \$*"; env | sort; } >"$work/told-\$ABRUN_EVENT"
cat >>"$work/told-\$ABRUN_EVENT"
[ "\$(ps -o pgid= -p \$\$ | tr -d ' ')" = \$\$ ] && echo "a group of its own" >>"$work/told-\$ABRUN_EVENT"
exit 0
END
cat >"$work/hooks/notify/breaks" <<END
#!/bin/sh
echo "no mail today" >&2
exit 3
END
chmod 755 "$work/hooks/notify/keep" "$work/hooks/notify/breaks"

# with NAME NOTIFY
with()
{
	matrix "$1" <<-END
		title = "Told";
		notify = [ $2 ];
		factors: { env = [ "A=1" ]; };
		loads = ( { use = "command"; name = "one"; command = "true"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
with told '"mail root ops@example.org", "keep some words", "breaks"'
night told
is "a notify hook that fails does not end the night" "$status" 0
says 'the hook "breaks" ended with status 3: no mail today, told of "begun"; the night goes on'
result "it is told"
is "and an event" "$(sql "SELECT kind, count(*) FROM event WHERE
	text LIKE '%no mail today%' GROUP BY 1")" "notify failed|2"
is "two mails were sent, by the addresses in the message" \
	"$(sort -u "$work/asked"; find "$work/mails" -type f | wc -l)" "-t -oi
2"
grep -qx "To: root ops@example.org" "$work/mails/0" &&
	grep -qx "Subject: abrun: begun: Told" "$work/mails/0" &&
	grep -qxF "run directory: $(run_dir told)" "$work/mails/0"
result "the first tells that the run begins, and where it is kept"
{
	echo "To: root ops@example.org"
	cat "$(run_dir told)/post.txt"
} | diff - "$work/mails/1" >"$work/said"
result "the last is the post"
grep -qx "words some words" "$work/told-finished" &&
	grep -qx "a group of its own" "$work/told-finished"
result "a hook gets its words, and a process group of its own"
is "its environment is PATH, HOME, LANG and ABRUN_*" \
	"$(sed -n 's/=.*//p' "$work/told-finished" |
	grep -vxE 'PATH|HOME|LANG|PWD|OLDPWD|SHLVL|_|ABRUN_[A-Z]*')" ""
is "with the facts" "$(grep '^ABRUN_' "$work/told-finished" |
	grep -v '^ABRUN_TEXT')" "ABRUN_DIRECTORY=$(run_dir told)
ABRUN_EVENT=finished
ABRUN_MATRIX=$work/told.cfg
ABRUN_POST=$(run_dir told)/post.txt
ABRUN_STATUS=0
ABRUN_TITLE=Told"

night told
is "nobody is told of a run that was finished before" \
	"$(find "$work/mails" -type f | wc -l)" 2

with typo '"mailer root"'
night typo
is "a hook that is not there is refused before the night" "$status" 2
says 'notify = "mailer root": no such program, looked for ' "$work/hooks/notify/mailer"
result "and says where it was looked for"

with down '"keep"'
sed -i 's/ssh = "lab"/ssh = "root@127.0.0.1:1"/; s|ssh_config = "[^"]*";||' "$work/down.cfg"
night down
is "a host that is not there: 1" "$status" 1
grep -qx "ABRUN_TARGET=box" "$work/told-given-up" &&
	grep -qx "ABRUN_FAILURE=HOST_LOST" "$work/told-given-up" &&
	grep -qx "ABRUN_STATUS=1" "$work/told-finished"
result "a target that is given up is told, with what it failed of"
mkdir "$work/hooks/visit"
cat >"$work/hooks/visit/step" <<END
#!/bin/sh
echo "\$ABRUN_WHEN \$1 \$ABRUN_TARGET \$ABRUN_ROUND \$ABRUN_CELL\${ABRUN_FAILURE:+ \$ABRUN_FAILURE}" >>"$work/steps"
[ "\$ABRUN_WHEN \$1 \$ABRUN_CELL" != "before two B=2" ] || { echo "too hot" >&2; exit 1; }
END
chmod 755 "$work/hooks/visit/step"
matrix steps <<-END
	title = "Steps";
	visit = [ "step one", "step two" ];
	factors: { env = [ "A=1", "B=2" ]; };
	loads = ( { use = "command"; name = "one";
	    command = "echo load >>$work/steps"; } );
	design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
night steps
is "a step that fails before a visit fails it: 3" "$status" 3
is "steps are run around the visit, in order, and back" \
	"$(head -n 5 "$work/steps")" "before one box 1 A=1
before two box 1 A=1
load
after two box 1 A=1
after one box 1 A=1"
is "a visit whose step failed is not begun, twice" \
	"$(tail -n +6 "$work/steps")" "before one box 1 B=2
before two box 1 B=2
after one box 1 B=2 HOOK_FAILED
before one box 1 B=2
before two box 1 B=2
after one box 1 B=2 HOOK_FAILED"
posts 'B=2 failed: HOOK_FAILED: before the visit, the hook "step two" ended with status 1: too hot'
result "which is posted"
night_plan
