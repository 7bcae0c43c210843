# shellcheck shell=sh
# What the tests of services share: source this file after container.sh and
# container_start.
#
#     mariadb_as_it_is WHAT MARK PROGRAM
#                          the host's own MariaDB, of which tests say that it is
#                          WHAT, with MARK as the name of what abrun leaves
#                          while it works, and PROGRAM as x_of takes it
#
# Whoever calls it has the functions state and x_of.

# shellcheck disable=SC2154,SC2317 # night.sh sets work and status, and calls
# what is defined here

matrix_target()
{
	cat <<-END
		targets = ( { name = "box"; ssh = "lab"; os = "linux";
		    ssh_config = "$work/ssh_config"; } );
	END
}
mariadb_as_it_is()
{
	matrix_server()
	{
		cat <<-END
			server: { service = "mariadb"; user = "root";
			    socket = "/run/mysqld/mysqld.sock"; };
		END
	}
	matrix mariadb <<-'END'
		title = "MariaDB as the host has it";
		factors: { what = ( { name = "as it is"; },
		    { name = "other"; preload = "jemalloc";
		      mysqld = [ "max_connections=77" ]; } ); };
		loads = ( { use = "command"; name = "ask";
		    command = "mariadb -e 'SELECT 1'"; } );
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
	night mariadb
	is "$1" "$status $(sql "SELECT status, count(*) FROM visit
		GROUP BY 1" mariadb)" "0 valid|2"
	is "its library is mapped, its option is in arguments and variables" \
		"$(sql "SELECT what, wanted, verdict FROM proof WHERE what IN
		('library', 'argument', 'option') AND NOT after AND wanted IN
		('mapped', '77') ORDER BY 1" mariadb)" "argument|77|yes
library|mapped|yes
option|77|yes"
	is "it runs again, and no $2 is left" "$(state mariadb)" "active "
	is "with its own environment" "$(x_of "$3")" ""
}
