#!/bin/sh
# Hosts that cannot be had, and what abrun says to do about it; login shells
# that are no sh; sudo.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

rest()
{
	cat <<-'END'
		factors: { x = ( { name = "no"; },
		    { name = "yes"; env = [ "X=a b'c" ]; } ); };
		loads = ( { use = "command"; name = "true"; command = "true"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
# host NAME KEYS: a matrix whose target has these keys.
host()
{
	{
		echo "title = \"Host\";"
		echo "targets = ( { name = \"box\"; os = \"linux\"; $2 } );"
		matrix_server
		rest | matrix_calm
	} >"$work/$1.cfg"
}
# config NAME SED: the ssh_config of the lab, changed.
config()
{
	sed -e "$2" "$lab/ssh_config" >"$work/$1.ssh"
	host "$1" "ssh = \"lab\"; ssh_config = \"$work/$1.ssh\";"
}
# refused NAME WHAT TEXT...: ends with 1 and says so, once, in a line.
refused()
{
	_case=$1
	_what=$2
	shift 2
	night "$_case"
	is "$_what: 1" "$status" 1
	says "box: " "$@" && [ "$(grep -c ' box: ' "$work/said")" = 1 ] &&
		posts "$1"
	result "$_what: told once, and posted"
}

ssh-keygen -q -t ed25519 -N '' -f "$work/other_key"
config key "s|IdentityFile.*|IdentityFile $work/other_key|"
refused key "a key that is not let in" "$work/other_key" "authorized_keys"
config nokey "s|IdentityFile.*|IdentityFile $work/no_key|"
refused nokey "a key that is not there" "$work/no_key"
config down "s|Port.*|Port $(sshd_free_port)|"
refused down "nobody listens" "Connection refused"
: >"$work/empty"
config unknown "s|UserKnownHostsFile.*|UserKnownHostsFile $work/empty|"
refused unknown "a host key never seen" "$work/empty" \
	"$(ssh-keygen -lf "$lab/host_key.pub" | cut -d' ' -f2)"
sed "s|^\([^ ]*\) .*|\1 $(cut -d' ' -f1,2 "$work/other_key.pub")|" \
	"$lab/known_hosts" >"$work/changed"
config changed "s|UserKnownHostsFile.*|UserKnownHostsFile $work/changed|"
refused changed "a host key that has changed" "$work/changed"
host alias "ssh = \"nolab\"; ssh_config = \"$lab/ssh_config\";"
refused alias "an alias that is not there" "nolab" "$lab/ssh_config"
host user "ssh = \"nobody-here@lab\"; ssh_config = \"$lab/ssh_config\";"
refused user "an account that is not there" "nobody-here"
is "nothing was done on the host" "$(left_over)" ""

# shell NAME PROGRAM: a lab of its own whose login shell is PROGRAM.
shell()
{
	sed -e /eval/d -e "s|exec /bin/sh|exec $2|" "$work/sh" >"$work/sh-$1"
	chmod 755 "$work/sh-$1"
	sshd_make "$work/lab-$1" shell="$work/sh-$1" &&
		sshd_start "$work/lab-$1"
}
for name in tcsh fish; do
	shell "$name" "$(command -v $name)"
	host "$name" "ssh = \"lab\"; ssh_config = \"$work/lab-$name/ssh_config\";
		known_hosts = \"$work/taken-$name\"; host_key = \"accept-new\";"
	night "$name"
	is "a login shell $name: 0" "$status" 0
	key=$(ssh-keygen -lf "$work/lab-$name/host_key.pub" | cut -d' ' -f2)
	says "accepted as new: $key" &&
		grep -q "new host key accepted: $key" \
		"$work/reports/$name"-*/report.md
	result "$name: its key was unknown, which log and post tell"
	is "$name: once" "$(sql "SELECT text FROM event
		WHERE kind = 'new host key accepted'" "$name")" "$key"
	is "$name: every visit is valid" "$(sql "SELECT status, count(*),
		(SELECT count(*) FROM run WHERE good) FROM visit" "$name")" \
		"valid|2|2"
	is "$name: nothing is left" "$(left_over)" ""
done
shell false "$(command -v false)"
host false "ssh = \"lab\"; ssh_config = \"$work/lab-false/ssh_config\";"
refused false "a login shell that runs nothing" "asked /bin/sh for an answer"

# What sudo does, and what it says when it does not.
cat >"$work/bin/sudo" <<END
#!/bin/sh
if [ -e "$work/refuse" ]; then
	echo "sudo: a password is required" >&2
	exit 1
fi
[ "\$1" = -n ] && shift && echo "\$*" >>"$work/sudo.log" && exec "\$@"
END
chmod 755 "$work/bin/sudo"
host sudo "sudo = true; ssh = \"lab\"; ssh_config = \"$lab/ssh_config\";"
: >"$work/refuse"
refused sudo "a sudo that wants a password" "a password is required" "NOPASSWD"
rm "$work/refuse"
night sudo
is "through sudo: 0" "$status" 0
is "every command goes through it" "$(sort -u "$work/sudo.log")" "/bin/sh -s"
is "every visit is valid" "$(sql "SELECT status, count(*) FROM visit" sudo)" \
	"valid|2"
says "going on with"
result "in the run that was refused before"
night_plan
