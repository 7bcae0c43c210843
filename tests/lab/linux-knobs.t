#!/bin/sh
# hooks/os/linux.sh against trees that stand for other machines (ABRUN_ROOT):
# knobs read and set, facts of captured outputs of real machines.

set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
data=tests/data/os/linux

# A fresh tree; every later ask looks at it.
tree()
{
	rm -rf "$work/root"
	mkdir -p "$work/root/proc/sys" "$work/root/sys"
	export ABRUN_ROOT="$work/root"
}

# file PATH TEXT: in the tree.
file()
{
	mkdir -p "$(dirname "$work/root/$1")"
	printf '%s\n' "$2" >"$work/root/$1"
}

# capture NAME PATH: a captured file, without its first line, in the tree.
capture()
{
	mkdir -p "$(dirname "$work/root/$2")"
	sed 1d "$data/$1" >"$work/root/$2"
}

knobs_are_read()
{
	tree
	file proc/sys/vm/swappiness 60
	file proc/sys/net/ipv4/tcp_rmem "4096${tab}131072${tab}6291456"
	file proc/sys/net/ipv4/conf/eth0.100/forwarding 1
	file proc/sys/kernel/two "first${nl}second"
	ask get sysctl vm.swappiness
	is 'get sysctl: dots' "$status $(value value)" '0 60'
	ask get sysctl vm/swappiness
	is 'get sysctl: slashes' "$status $(value value)" '0 60'
	ask get sysctl net.ipv4.conf.eth0/100.forwarding
	is 'get sysctl: a dot in a part' "$status $(value value)" '0 1'
	ask get sysctl net.ipv4.tcp_rmem
	is 'get sysctl: tabs' "$(value value)" \
	    "4096${tab}131072${tab}6291456"
	ask get sysctl kernel.two
	is 'get sysctl: lines' "$(value value)" "first${nl}second"
	# The kernel's own numbers, not a file that is like them.
	for name in kernel.pid_max vm.swappiness net.ipv4.ip_local_port_range \
	    fs.file-max kernel.ostype; do
		tried=$(ABRUN_ROOT='' "$shell" hooks/os/linux.sh get sysctl \
		    "$name" | sed -n "s/^value$tab//p")
		is "get sysctl: all of this machine's $name" \
		    "$(printf %b "$tried")" \
		    "$(cat "/proc/sys/$(echo "$name" | tr . /)")"
	done
	ask get sysctl kernel.nothing
	is 'get sysctl: none is absent' "$status $(keys)" '2 '
	ask get sysctl kernel
	is 'get sysctl: a directory fails' "$status" 1
	file sys/block/vda/queue/scheduler '[mq-deadline] kyber none'
	ask get sysfs block/vda/queue/scheduler
	is 'get sysfs: the word in brackets' "$(value value)" mq-deadline
	ask get sysfs /sys/block/vda/queue/scheduler
	is 'get sysfs: a whole path' "$(value value)" mq-deadline
	file sys/odd 'a [b] c [d]'
	ask get sysfs odd
	is 'get sysfs: not a choice' "$(value value)" 'a [b] c [d]'
	file sys/array 'x[1] y'
	ask get sysfs array
	is 'get sysfs: brackets within a word' "$(value value)" 'x[1] y'
	for kind in thp smt governor turbo; do
		ask get "$kind" ''
		is "get $kind: none is absent" "$status $(keys)" '2 '
	done
	ask get colour red
	is 'get: an unknown kind fails' "$status" 1
}

nobody_leaves_the_tree()
{
	file outside secret
	ask get sysctl net.//.outside
	is 'get sysctl: refuses dots that slashes become' "$status" 1
	for name in ../outside sys/../../outside /../outside .. ''; do
		ask get sysctl "$name"
		is "get sysctl: refuses '$name'" "$status" 1
		ask get sysfs "$name"
		is "get sysfs: refuses '$name'" "$status" 1
		ask set sysfs "$name" mine
		is "set sysfs: refuses '$name'" "$status" 1
	done
	ask set thp ../../../../outside mine
	is 'set thp: refuses a path' "$status" 1
	is 'nothing outside was written' "$(cat "$work/root/outside")" secret
}

knobs_are_set()
{
	tree
	file proc/sys/vm/swappiness 60
	ask set sysctl vm.swappiness 10
	is 'set sysctl: old and new' "$status $(value old) $(value new)" \
	    '0 60 10'
	is 'set sysctl: written' "$(cat "$work/root/proc/sys/vm/swappiness")" 10
	file sys/devices/x 1
	ask set sysfs devices/x ''
	is 'set sysfs: an empty value' "$status $(value new)" '0 '
	ask set sysctl vm.nothing 1
	is 'set: none is absent' "$status $(keys)" '2 '
	ok 'set: none is not made' [ ! -e "$work/root/proc/sys/vm/nothing" ]
	# The kernel writes tabs where blanks were written, and cuts names.
	ln -s /proc/self/comm "$work/root/sys/comm"
	ask set sysfs comm abcdefghijklmnopqrstuvwxyz
	is 'set: what reads back otherwise fails' "$status" 1
	ok 'set: and says so' grep -q "^error$tab.*reads back as" \
	    "$work/answer"
	words="1${tab}2"
	file proc/sys/kernel/pair "$words"
	chmod 444 "$work/root/proc/sys/kernel/pair"
	ask set sysctl kernel.pair '1 2'
	is 'set: blanks and tabs are one' "$status" 0
}

the_real_kernel_refuses()
{
	unset ABRUN_ROOT
	ask set sysctl kernel.ostype Plan9
	is 'set: refused by the kernel' "$status" 1
	is 'set: what it still is' "$(value old) $(value new)" 'Linux Linux'
	ok 'set: says that it was refused' \
	    grep -q "^error${tab}the kernel refused" "$work/answer"
}

# The machine's own knobs: four CPUs, the last without cpufreq.
machine()
{
	tree
	cpu=sys/devices/system/cpu
	for i in 0 1 2; do
		file $cpu/cpu$i/cpufreq/scaling_governor "$1"
	done
	mkdir -p "$work/root/$cpu/cpu3"
}

governors_are_per_cpu()
{
	machine powersave
	file $cpu/cpu1/cpufreq/scaling_governor performance
	before='0=powersave 1=performance 2=powersave'
	ask get governor ''
	is 'get governor: of each CPU' "$(value value)" "$before"
	ask facts
	is 'facts: governors, each once' "$(value governor)" \
	    'powersave performance'
	ask set governor '' ondemand
	is 'set governor: all' "$status $(value old)|$(value new)" \
	    "0 $before|0=ondemand 1=ondemand 2=ondemand"
	ask set governor '' "$before"
	is 'set governor: back to each its own' "$status $(value new)" \
	    "0 $before"
	rm "$work/root/$cpu/cpu2/cpufreq/scaling_governor"
	mkdir "$work/root/$cpu/cpu2/cpufreq/scaling_governor"
	ask set governor '' performance
	is 'set governor: refused by one CPU' "$status" 1
}

turbo_counts_one_way()
{
	machine powersave
	file $cpu/cpufreq/boost 1
	ask set turbo '' off
	is 'turbo: boost' "$status $(value old) $(value new) $(cat \
	    "$work/root/$cpu/cpufreq/boost")" '0 on off 0'
	rm "$work/root/$cpu/cpufreq/boost"
	file $cpu/intel_pstate/no_turbo 1
	ask get turbo ''
	is 'turbo: no_turbo 1 is off' "$(value value)" off
	ask set turbo '' on
	is 'turbo: on' "$status $(value new) $(cat \
	    "$work/root/$cpu/intel_pstate/no_turbo")" '0 on 0'
	ask set turbo '' 1
	is 'turbo: other words fail' "$status" 1
	file $cpu/smt/control on
	ask set smt '' off
	is 'smt: set' "$status $(value old) $(value new)" '0 on off'
}

# Captures of lscpu: FILE cpus sockets cores threads nodes virt model; - is
# left out.
cpus_of_captures()
{
	tree
	mkdir -p "$work/bin"
	# shellcheck disable=SC2016 # the tool's own
	printf '#!/bin/sh\ncat "$ABRUN_TEST_LSCPU"\n' >"$work/bin/lscpu"
	printf '#!/bin/sh\nexit 1\n' >"$work/bin/systemd-detect-virt"
	chmod 755 "$work/bin"/*
	export abrun_path="$work/bin:/usr/bin:/bin"
	export ABRUN_TEST_LSCPU="$work/lscpu"
	while read -r name wanted; do
		sed 1d "$data/lscpu-$name.txt" >"$work/lscpu"
		ask facts
		seen=
		for key in cpus sockets cores_per_socket threads_per_core \
		    numa_nodes virt cpu_model; do
			got=$(value "$key")
			seen="$seen${seen:+ }${got:--}"
		done
		is "lscpu of $name" "$seen" "$wanted"
	done <"$data/lscpu.expected"
	unset abrun_path ABRUN_TEST_LSCPU
}

# One CPU off: lscpu's division says 1 thread, the kernel's lists say 2.
threads_are_not_divided()
{
	tree
	cpu=sys/devices/system/cpu
	file $cpu/cpu0/topology/thread_siblings_list 0,2
	file $cpu/cpu1/topology/thread_siblings_list 1
	file $cpu/cpu2/topology/thread_siblings_list 0,2
	mkdir -p "$work/root/$cpu/cpu3"
	ask facts
	is 'threads_per_core: of the largest core' \
	    "$(value threads_per_core)" 2
	file $cpu/cpu0/topology/thread_siblings_list 0-3
	ask facts
	is 'threads_per_core: a range' "$(value threads_per_core)" 4
}

files_of_captures()
{
	for pair in centos7-1:'CentOS Linux 7 (Core)' \
	    debian12-1:'Debian GNU/Linux 12 (bookworm)' \
	    fedora-1:'Fedora 24 (Server Edition)' \
	    rhel7-1:'Employee SKU' ubuntu-1:'Ubuntu 18.04.5 LTS' \
	    rhelai-1:'Red Hat Enterprise Linux 9.20240630.0.4 (Plow)'; do
		tree
		capture "os-release-${pair%%:*}.txt" etc/os-release
		ask facts
		is "os-release of ${pair%%:*}" "$(value distro)" "${pair#*:}"
	done
	for pair in 1:madvise 2:never 3:always; do
		tree
		capture "thp-enabled-${pair%%:*}.txt" \
		    sys/kernel/mm/transparent_hugepage/enabled
		ask get thp ''
		is "thp capture ${pair%%:*}" "$(value value)" "${pair#*:}"
	done
	tree
	capture thp-shmem-enabled-1.txt \
	    sys/kernel/mm/transparent_hugepage/shmem_enabled
	ask get thp shmem_enabled
	is 'thp: other words of shmem_enabled' "$(value value)" never
	capture smt-control-debian12-1.txt sys/devices/system/cpu/smt/control
	ask get smt ''
	is 'smt of a guest' "$(value value)" notsupported
	capture smt-control-on-1.txt sys/devices/system/cpu/smt/control
	ask get smt ''
	is 'smt of a machine' "$(value value)" on
	capture proc-cmdline-amzn2023-1.txt proc/cmdline
	ask facts
	is 'cmdline that begins with a device' "$(value cmdline)" \
	    "$(sed -n 2p $data/proc-cmdline-amzn2023-1.txt)"
}

# A process that exists only in the tree, without map_files.
processes_of_captures()
{
	tree
	capture proc-stat-mariadbd-debian12-1.txt proc/7/stat
	capture proc-status-mariadbd-debian12-1.txt proc/7/task/7/status
	capture proc-environ-mariadbd-debian12-1.txt environ
	tr '\n' '\000' <"$work/root/environ" >"$work/root/proc/7/environ"
	ask process 7
	is 'process of a capture' "$(value start) $(value comm)" \
	    "607968 mariadbd"
	ask threads 7
	is 'threads of a capture' "$(value threads) $(value cpus)" '1 0-1'
	ask environ 7 LD_PRELOAD INVOCATION_ID LANG
	is 'environ of a capture' "$(all env)" \
	    "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libjemalloc.so.2
INVOCATION_ID=e5fc315c97cd56f29510ff4decabd71b"
	capture proc-maps-mariadbd-jemalloc-deleted-debian12-1.txt proc/7/maps
	ask libraries 7 /opt/alloc/libjemalloc.so.2 /opt/alloc/libx.so
	is 'maps of a capture: deleted' "$(all mapped | tr '\n' ' ')$(all \
	    identity | tr '\n' ' ')" 'deleted no fe:00:10953585 missing '
	capture proc-maps-jemalloc-amzn-1.txt proc/7/maps
	ask libraries 7 /usr/lib64/libjemalloc.so.2
	is 'maps of a capture: another version' "$status $(value mapped)" '0 no'
	ask libraries 7 /usr/lib64/libjemalloc.so.1
	is 'maps of a capture: a name alone is unknown' "$status $(keys)" \
	    '3 error '
	: >"$work/root/proc/7/maps"
	ask libraries 7 /usr/lib64/libjemalloc.so.1
	is 'no mappings at all is unknown' "$status $(keys)" '3 error '
}

# The kernel's table, by hand: IPv6, another state, another port.
listeners_of_a_table()
{
	tree
	file proc/net/tcp '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0CEA 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 50 1 0000000000000000 20 4 30 10 -1
   1: 0100007F:CEA0 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 51 1 0000000000000000 100 0 0 10 0'
	file proc/net/tcp6 '  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:0CEA 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 52 1 0000000000000000 100 0 0 10 0'
	capture proc-stat-mariadbd-debian12-1.txt proc/7/stat
	mkdir -p "$work/root/proc/7/fd"
	for inode in 50 51 52 52; do
		ln -s "socket:[$inode]" "$work/root/proc/7/fd/$((inode - 50))" \
		    2>/dev/null || ln -s 'socket:[52]' "$work/root/proc/7/fd/9"
	done
	ask owner tcp 3306
	is 'owner: IPv6, once' "$status $(all pid)" '0 7'
	rm "$work/root/proc/7/fd/2" "$work/root/proc/7/fd/9"
	ask owner tcp 3306
	is 'owner: a connection is no listener' "$status $(keys)" '3 error '
	rm "$work/root/proc/net/tcp"
	ask owner tcp 3306
	is 'owner: without the table it is unknown' "$status $(keys)" \
	    '3 error '
}

swap_of_captures()
{
	while read -r name total used; do
		tree
		capture "swaps-$name.txt" proc/swaps
		ask facts
		is "swaps of $name" \
		    "$(value swap_total_kb) $(value swap_used_kb)" \
		    "$total $used"
	done <"$data/swaps.expected"
}

for shell in dash bash; do
	knobs_are_read
	nobody_leaves_the_tree
	knobs_are_set
	governors_are_per_cpu
	turbo_counts_one_way
	cpus_of_captures
	threads_are_not_divided
	files_of_captures
	swap_of_captures
	processes_of_captures
	listeners_of_a_table
	the_real_kernel_refuses
done
finish
