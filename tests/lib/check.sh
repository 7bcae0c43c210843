# shellcheck shell=sh
# For the tests of abrun check: source this file after night.sh.
#
#     check NAME [OPTION...]   of the matrix $work/NAME.cfg: $status, what was
#                              said in $work/said
#     tells TEXT...            each is in that, whose lines are broken anywhere
#     simple NAME FACTORS LOADS [MORE]
#                              a matrix of one round on the target box, with
#                              the server that $server says, if any; $target:
#                              more keys of that, $more: further targets
#     tool_definition          the load "tool", which has a tool and a script

# shellcheck disable=SC2034,SC2154 # who sources this file uses or sets the rest

# What abrun keeps on the controller comes here, and nothing stays.
mkdir "$work/here"
TMPDIR=$work/here
export TMPDIR

check()
{
	_name=$1
	shift
	status=0
	"$B/abrun" check "$@" "$work/$_name.cfg" >"$work/said" 2>&1 \
		</dev/null || status=$?
	tr -s ' \n' '  ' <"$work/said" >"$work/flat"
}
tells()
{
	for _text in "$@"; do
		grep -qF -e "$_text" "$work/flat" || return 1
	done
}

server=
target=
more=
design='design: { rounds = 1; runs = 1; warmup = 0; };'
one='env = [ "A=1" ];'
job='{ use = "command"; name = "job"; command = "true"; }'
simple()
{
	{
		cat <<-END
			title = "Simple";
			hosts = ( { name = "gen1"; ssh = "gen"; os = "linux";
			    ssh_config = "$work/sshd-gen/ssh_config"; } );
			targets = ( { name = "box"; ssh = "lab"; os = "linux";
			    path = "$work/bin:/usr/bin:/bin";
			    ssh_config = "$lab/ssh_config"; $target }$more );
		END
		[ -z "$server" ] || echo "server: { $server; port = $port; };"
		matrix_calm <<-END
			factors: { $2 };
			loads = ( $3 );
			$design
			${4-}
		END
	} >"$work/$1.cfg"
}
tool_definition()
{
	mkdir -p "$work/hooks/load"
	cat >"$work/hooks/load/tool.cfg" <<-'END'
		help = "a tool with a script";
		tool = "sh";
		version = "echo sh of this system";
		keys = ( { name = "file"; help = "the script"; script = true; } );
		command = "sh {file}";
		metrics = ( );
		primary = "wall";
	END
}
# What lies on the target and here: nothing should.
lying()
{
	ls -A "$tmp"
	ls -A "$work/here"
}
