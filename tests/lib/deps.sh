#!/bin/sh
# Installs the packages that are missing: `deps.sh demo` what building and the
# demo need, `deps.sh check` what tests, lint and browsers need besides, `deps.sh
# vm` what the emulated guest needs.
# Quick and silent about packages that are there; starts no service.
# POLICY_RC_D names the file that forbids that, for tests.
set -eu

demo='gcc make pkg-config libc6-dev libglib2.0-dev libssh-dev libconfig-dev
    libmariadb-dev libmariadb-dev-compat libsqlite3-dev libjansson-dev
    r-mathlib flex bison gnuplot-nox
    openssh-server openssh-client mariadb-server-core mariadb-client-core
    libjemalloc2 time procps iproute2'
check='mold sysbench libcmocka-dev perl clang clang-tidy clang-format cppcheck shellcheck
    mandoc codespell gcovr fish tcsh sqlite3 libtcmalloc-minimal4
    libclang-rt-14-dev strace mariadb-client locales redis-server mmdebstrap
    util-linux openssl ministat grub-common'
vm='qemu-system-x86 qemu-utils grub-pc-bin grub-common e2fsprogs fdisk
    mmdebstrap util-linux iproute2 openssh-client ipmitool openipmi'

case ${1-} in
demo) wanted=$demo ;;
check) wanted=$check ;;
vm) wanted=$vm ;;
*) echo "usage: deps.sh demo|check|vm" >&2; exit 2 ;;
esac

# shellcheck disable=SC2086 # a list of names
there=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' $wanted 2>/dev/null) || :
missing=
for package in $wanted; do
	case "
$there
" in
	*"
$package installed
"*) ;;
	*) missing="$missing $package" ;;
	esac
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "this is no Debian: install what corresponds to:$missing" >&2
	exit 1
fi
echo "installing:$missing"

# A package that would start its service asks this file; 101 forbids it.
policy=${POLICY_RC_D:-/usr/sbin/policy-rc.d}
made=
if [ ! -e "$policy" ]; then
	trap '[ -z "$made" ] || rm -f "$policy"' EXIT
	trap 'exit 1' INT TERM HUP
	made=yes
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 755 "$policy"
fi
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # a list of names
if apt-get update -q >"$log" 2>&1 &&
    apt-get install -y -q --no-install-recommends $missing >>"$log" 2>&1; then
	rm -f "$log"
else
	tail -20 "$log" >&2
	echo "could not install them; the whole log is $log" >&2
	exit 1
fi
