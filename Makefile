# GNU make; on FreeBSD run gmake.
VERSION  = 0.1.0
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
SHAREDIR ?= $(PREFIX)/share/abrun
B       ?= build
CFLAGS  ?= -O2 -g
PKGS     = glib-2.0 libssh libconfig mysqlclient sqlite3 jansson libRmath
# Asked once; before `make deps` there may be nothing to ask.
PKGCFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKGLIBS  := $(shell pkg-config --libs $(PKGS) 2>/dev/null)
WARN     = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wformat=2 -Wwrite-strings -Wundef -Wvla \
           -Wswitch-enum -Werror=date-time $(WERROR)
HARDEN   = -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
# Quoted names of directories and version reach the C code as strings.
CPPFLAGS += -Isrc -D_GNU_SOURCE -DMATHLIB_STANDALONE \
            -DVERSION='"$(VERSION)"' -DSHAREDIR='"$(SHAREDIR)"' \
            $(patsubst -I%,-isystem%,$(PKGCFLAGS))
LDLIBS  += $(PKGLIBS) -lm -pthread
LDFLAGS ?= -pie -Wl,-z,relro,-z,now
# There are more than a hundred test programs: ld takes 2.5 s of CPU for each
# of them, mold 0.4 s.  What is installed is linked by ld.
TESTLD  := $(if $(shell command -v mold 2>/dev/null),-fuse-ld=mold)
COMPILE  = $(CC) -std=c17 $(WARN) $(CPPFLAGS) $(CFLAGS) $(HARDEN) \
           -ffile-prefix-map=$(CURDIR)=. -MMD -MP -c -o $@ $<

LIBSRCS  = $(sort $(filter-out src/abload/%,$(wildcard src/*/*.c)))
LIBOBJS  = $(LIBSRCS:%.c=$(B)/%.o) $(B)/schema.o
# The load generator, a program of its own over base and stats; flex and bison
# make the reader of its scripts.
LOADSRCS = $(sort $(filter-out src/abload/main.c,$(wildcard src/abload/*.c)))
LOADOBJS = $(LOADSRCS:%.c=$(B)/%.o) $(B)/smack_grammar.o $(B)/smack_scanner.o
TESTSRCS = $(sort $(wildcard tests/unit/*.c))
TESTS    = $(TESTSRCS:tests/unit/%.c=$(B)/tests/%)
TOOLSRCS = $(sort $(wildcard tests/lib/*.c))
TOOLS    = $(TOOLSRCS:%.c=$(B)/%)
FUZZSRCS = $(sort $(filter-out %/replay.c,$(wildcard tests/fuzz/*.c)))
REPLAYS  = $(FUZZSRCS:%.c=$(B)/%)

# The objects that know version or share directory are made again when these
# change: `make` and then `make install PREFIX=/opt` must agree.
PLACED  := $(shell grep -l -w -e SHAREDIR -e VERSION src/*.c src/*/*.c)

.PHONY: all
all: $(B)/abrun $(B)/abload

$(B)/abrun: $(B)/src/main.o $(B)/libabrun.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/abload: $(B)/src/abload/main.o $(B)/libabload.a $(B)/libabrun.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/libabrun.a: $(LIBOBJS)
	rm -f $@
	$(AR) qcs $@ $^

$(B)/libabload.a: $(LOADOBJS)
	rm -f $@
	$(AR) qcs $@ $^

$(B)/smack_grammar.c $(B)/smack_grammar.h &: src/abload/smack.y
	@mkdir -p $(@D)
	bison -Werror -o $(B)/smack_grammar.c -H$(B)/smack_grammar.h $<

$(B)/smack_scanner.c: src/abload/smack.l
	@mkdir -p $(@D)
	flex -o $@ $<

# Make's own rules would write smack.c over with what comes of smack.y.
%.c: %.y
%.c: %.l

# What bison and flex write is not ours to warn of.
$(B)/smack_grammar.o $(B)/smack_scanner.o: WARN = -w
$(B)/smack_grammar.o $(B)/smack_scanner.o: CPPFLAGS += -I$(B)
$(B)/smack_grammar.o: $(B)/smack_grammar.c
	$(COMPILE)
$(B)/smack_scanner.o: $(B)/smack_scanner.c $(B)/smack_grammar.h
	$(COMPILE)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE)

$(B)/places: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION) $(SHAREDIR)' | cmp -s - $@ || \
	    echo '$(VERSION) $(SHAREDIR)' >$@

.PHONY: FORCE
FORCE:

$(PLACED:%.c=$(B)/%.o): $(B)/places

# The description of the data, as a string of C.
$(B)/schema.c: src/store/schema.sql Makefile
	@mkdir -p $(@D)
	{ echo '#include "store/db.h"'; echo 'const char store_schema[] ='; \
	    sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n"/' $<; echo ';'; } >$@

$(B)/schema.o: $(B)/schema.c
	$(COMPILE)

# A unit test is one file: tests/unit/floor_subject.c, linked to the library.
$(B)/tests/%: $(B)/tests/unit/%.o $(B)/libabload.a $(B)/libabrun.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $(TESTLD) -o $@ $^ $(LDLIBS) -lcmocka

# A program that shell tests use: tests/lib/NAME.c, linked to the library.
$(B)/tests/lib/%: $(B)/tests/lib/%.o $(B)/libabrun.a
	$(CC) $(LDFLAGS) $(TESTLD) -o $@ $^ $(LDLIBS)

# A program that measures: tests/bench/NAME.c.
BENCHSRCS = $(sort $(wildcard tests/bench/*.c))
BENCHES  = $(BENCHSRCS:%.c=$(B)/%)
$(BENCHES): $(B)/tests/bench/%: $(B)/tests/bench/%.o $(B)/libabrun.a
	$(CC) $(LDFLAGS) $(TESTLD) -o $@ $^ $(LDLIBS)

# A fuzz target replays its corpus, tests/fuzz/corpus/NAME; or, made by `make
# fuzz`, hunts.
FUZZMAIN = $(B)/tests/fuzz/replay.o
$(REPLAYS): $(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(FUZZMAIN) $(B)/libabload.a \
    $(B)/libabrun.a
	$(CC) $(LDFLAGS) $(TESTLD) -o $@ $^ $(LDLIBS)

.PRECIOUS: $(B)/%.o
-include $(LIBOBJS:.o=.d) $(LOADOBJS:.o=.d) $(B)/src/main.d \
    $(B)/src/abload/main.d $(TESTSRCS:%.c=$(B)/%.d) \
    $(TOOLSRCS:%.c=$(B)/%.d) $(FUZZSRCS:%.c=$(B)/%.d) \
    $(BENCHSRCS:%.c=$(B)/%.d)

# Every test speaks TAP: scripts, of which nights take longest, then cmocka
# programs.
export CMOCKA_MESSAGE_OUTPUT = TAP
SCRIPTS  = $(sort $(wildcard tests/e2e/*.t)) $(sort $(wildcard tests/lab/*.t)) \
           $(sort $(wildcard tests/golden/*.t))
# Compilers work, tests mostly wait.
JOBS    ?= 2
TESTJOBS ?= 4
PROVE    = prove --timer --failures -j $(TESTJOBS)

.PHONY: check check-unit check-golden check-integration
check: deps-check
	@$(MAKE) --no-print-directory -j $(JOBS) check-built

.PHONY: check-build check-built
check-build: all $(TESTS) $(TOOLS) $(REPLAYS)

check-built: check-build
	B=$(B) $(PROVE) $(SCRIPTS) $(TESTS) $(REPLAYS)

check-unit: $(TESTS) $(REPLAYS)
	B=$(B) $(PROVE) $(TESTS) $(REPLAYS)

check-golden: all $(TOOLS)
	B=$(B) $(PROVE) $(sort $(wildcard tests/golden/*.t))

check-integration: all $(TOOLS)
	B=$(B) $(PROVE) $(sort $(wildcard tests/lab/*.t tests/e2e/*.t))

# Tests that draw at random (tests/lib/seeded.sh), with all their draws, and
# what others leave out without LONG: hours on a busy machine.
LONGTESTS := $(sort $(shell grep -l -e seeded.sh -e moments.sh -e '{LONG-}' \
    tests/*/*.t))
.PHONY: check-long
check-long: deps-check all $(TOOLS)
	LONG=1 B=$(B) $(PROVE) $(LONGTESTS)

# On an emulated guest with a real GRUB, which abrun boots: half an hour.
VMTESTS  = $(sort $(wildcard tests/vm/*.t))
.PHONY: check-vm
check-vm: deps-check deps-vm all
	B=$(B) $(PROVE) -j 1 $(VMTESTS)

# What building and the demo need; what tests and lint need besides; what the
# emulated guest needs.
.PHONY: deps deps-check deps-vm
deps:
	@sh tests/lib/deps.sh demo

deps-check: deps
	@sh tests/lib/deps.sh check

deps-vm:
	@sh tests/lib/deps.sh vm

# The main job on this machine: a real experiment over SSH, and its post.
.PHONY: demo
demo: deps
	@$(MAKE) --no-print-directory -j $(JOBS) all
	@sh tests/lib/demo.sh

# The same with kernels: an emulated guest that boots them in turn.
.PHONY: demo-vm
demo-vm: deps deps-vm
	@$(MAKE) --no-print-directory -j $(JOBS) all
	@sh tests/lib/demo_vm.sh

SANFLAGS = -O1 -g -fno-omit-frame-pointer

# What no program of ours leaks.
LSAN     = LSAN_OPTIONS=suppressions=$(CURDIR)/tests/fuzz/lsan.supp:print_suppressions=0

# All tests of C code under the address, leak and undefined behaviour
# sanitizers, but for those that hold a program to a limit of memory.  With them
# it takes an hour, of which most are nights; asan-some makes few of these.
ASAN_NOT = $(patsubst %,tests/golden/%.t,build deps floors manual readme \
    stat_memory stories) tests/e2e/load_output.t
ASAN_SCRIPTS = $(filter-out $(ASAN_NOT),$(SCRIPTS))
ASAN_NIGHTS = abload abload_bad check_hosts load_mysqlslap load_sysbench \
    night_full
.PHONY: asan asan-some tsan
asan:
	$(LSAN) $(MAKE) B=build/asan HARDEN= LDFLAGS='-fsanitize=address,undefined' \
	    CFLAGS='$(SANFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=undefined' \
	    SCRIPTS='$(ASAN_SCRIPTS)' check

asan-some:
	$(MAKE) asan ASAN_SCRIPTS='$(filter-out tests/e2e/% tests/lab/linux-% \
	    tests/lab/freebsd-%,$(ASAN_SCRIPTS)) $(ASAN_NIGHTS:%=tests/e2e/%.t)'

# The threaded tests under the thread sanitizer, which cannot follow GLib's
# own allocator.
TSAN_UNITS = store_threads run_meeting
TSAN_LABS = tests/lab/ssh_route.t tests/lab/tunnel.t tests/e2e/night_two.t
tsan:
	$(MAKE) B=build/tsan HARDEN= LDFLAGS=-fsanitize=thread \
	    CFLAGS='$(SANFLAGS) -fsanitize=thread' check-threads

.PHONY: check-threads
check-threads: all $(TOOLS) $(TSAN_UNITS:%=$(B)/tests/%)
	B=$(B) G_SLICE=always-malloc \
	    TSAN_OPTIONS=suppressions=$(CURDIR)/tests/lib/tsan.supp \
	    $(PROVE) $(TSAN_UNITS:%=$(B)/tests/%) \
	    $(TSAN_LABS)

# Prints what things cost, and fails nothing; tests/bench/README.md has the
# figures of the last time.
.PHONY: bench
bench: deps-check all $(BENCHES)
	B=$(B) sh tests/bench/plan.sh
	B=$(B) sh tests/bench/visit.sh
	B=$(B) sh tests/bench/abload.sh
	B=$(B) sh tests/bench/stat.sh
	B=$(B) COUNT=200 sh tests/bench/long.sh

# Hunts with each fuzz target for FUZZ_SECONDS, from its corpus on.  What it
# finds lies in $(B)/fuzz: put it into the corpus, then mend.
FUZZ_SECONDS ?= 60
FUZZFLAGS = -fsanitize=address,undefined -fno-sanitize-recover=undefined
.PHONY: fuzz fuzz-hunt
fuzz: deps-check
	$(MAKE) B=$(B)/fuzz CC=clang HARDEN= FUZZMAIN= \
	    CFLAGS='$(SANFLAGS) $(FUZZFLAGS) -fsanitize=fuzzer-no-link' \
	    LDFLAGS='$(FUZZFLAGS) -fsanitize=fuzzer' fuzz-hunt

fuzz-hunt: $(REPLAYS)
	for hunter in $(REPLAYS); do \
	    name=$${hunter##*/}; mkdir -p $(B)/$$name.found; \
	    $(LSAN) $$hunter \
	        -max_total_time=$(FUZZ_SECONDS) -timeout=30 -rss_limit_mb=1024 \
	        -max_len=8192 -print_final_stats=1 -verbosity=0 \
	        -artifact_prefix=$(B)/$$name- \
	        $(B)/$$name.found tests/fuzz/corpus/$$name || exit 1; \
	done

.PHONY: coverage
coverage:
	$(MAKE) B=build/coverage HARDEN= CFLAGS='-O0 -g --coverage' \
	    LDFLAGS=--coverage check
	gcovr -r . --object-directory build/coverage -f 'src/' \
	    --print-summary

SOURCES  = $(sort $(wildcard src/*.[ch] src/*/*.[ch] tests/*/*.[ch]))
SHELLS   = $(sort .ci/run $(wildcard hooks/os/*.sh hooks/notify/* hooks/power/* tests/lib/*.sh tests/*/*.t \
           tests/bench/*.sh))
MANUALS  = $(sort $(wildcard src/man/*.[157]))

.PHONY: lint lint-c lint-tidy lint-text
lint: lint-c lint-tidy lint-text

lint-c:
	clang-format --dry-run -Werror $(SOURCES)
	cppcheck -j 2 --quiet --error-exitcode=1 --inline-suppr \
	    --enable=warning,performance,portability --library=gtk \
	    --suppress=missingIncludeSystem --suppress=varFuncNullUB \
	    -Isrc -DVERSION='"x"' '-DG_DEFINE_EXTENDED_ERROR(a,b)=' \
	    -DSHAREDIR='"x"' $(sort $(wildcard src/*.c src/*/*.c))

# Without the quoted strings of CPPFLAGS, which no shell in between survives.
lint-tidy:
	printf '%s\n' $(sort $(wildcard src/*.c src/*/*.c)) | \
	    xargs -P 2 -n 6 sh -c 'clang-tidy --quiet "$$@" -- -std=c17 -Isrc -D_GNU_SOURCE -DMATHLIB_STANDALONE -DVERSION=\"x\" -DSHAREDIR=\"x\" $(patsubst -I%,-isystem%,$(PKGCFLAGS)) 2>/dev/null' tidy

lint-text:
	shellcheck -x $(SHELLS)
	mandoc -Tlint -Wwarning $(MANUALS)
	codespell -q 3 -L nd,condtions,iif,tyes,tabel,wrod,comand,chekc README.md src hooks matrices tests/*/*.t tests/lib

.PHONY: format
format:
	clang-format -i $(SOURCES)

.PHONY: install uninstall
install: all
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(SHAREDIR)
	install -m 755 $(B)/abrun $(B)/abload $(DESTDIR)$(BINDIR)
	cp -R hooks matrices $(DESTDIR)$(SHAREDIR)
	chmod -R u=rwX,go=rX $(DESTDIR)$(SHAREDIR)
	for page in $(MANUALS); do \
	    section=$${page##*.}; \
	    install -d $(DESTDIR)$(MANDIR)/man$$section; \
	    install -m 644 $$page $(DESTDIR)$(MANDIR)/man$$section; done

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/abrun $(DESTDIR)$(BINDIR)/abload
	rm -rf $(DESTDIR)$(SHAREDIR)
	for page in $(notdir $(MANUALS)); do \
	    rm -f $(DESTDIR)$(MANDIR)/man$${page##*.}/$$page; done

.PHONY: clean
clean:
	rm -rf build
