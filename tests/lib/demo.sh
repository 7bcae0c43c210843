#!/bin/sh
# `make demo`: brings up a lab of one host on loopback, lets abrun run
# matrices/demo.cfg, or $MATRIX, against it over SSH, shows the post, takes the
# lab down.  Run from the top directory.
set -u
B=${B:-build}
matrix=${MATRIX:-matrices/demo.cfg}
# demo.cfg names this directory; /var/lib is root's, so nobody else can
# own it, and it is a disk, which is what flush is about.
lab=/var/lib/abrun-demo

# shellcheck source=tests/lib/sshd.sh
. tests/lib/sshd.sh
# shellcheck source=tests/lib/sandbox.sh
. tests/lib/sandbox.sh

if [ "$(id -u)" -ne 0 ]; then
	echo "make demo needs root: it runs an sshd and a mariadbd of its own" >&2
	exit 1
fi

# One at a time: who holds the lock owns the lab.
exec 8>/run/abrun-demo.lock
if ! flock -n 8 ||
	[ "$(stat -L -c %i /proc/self/fd/8)" != \
		"$(stat -c %i /run/abrun-demo.lock)" ]; then
	echo "another make demo is running on this machine" >&2
	exit 1
fi
# shellcheck disable=SC2317 # called by the trap
down()
{
	sandbox_down "$lab"
	rm -f /run/abrun-demo.lock
}
trap down EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

sandbox_down "$lab" # of a demo that was killed
echo "Bringing up a lab on loopback: an sshd and a data directory of mariadbd."
sandbox_up "$lab" abrun-demo 8>&- || exit 1
# The host's path, in demo.cfg, has this directory: abrun copies no program.
case $B in /*) built=$B ;; *) built=$PWD/$B ;; esac
mkdir "$lab/bin" && ln -s "$built/abload" "$lab/bin/abload" || exit 1
[ -n "${MATRIX-}" ] || about="  (about two minutes)"
echo "Running: $B/abrun $matrix${about-}"
echo
"$B/abrun" --new "$matrix" 8>&-
status=$?
[ "$status" -eq 0 ] || echo "abrun ended with exit status $status" >&2
exit "$status"
