# GNU make; on FreeBSD run gmake.
VERSION  = 0.1.0
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
SHAREDIR ?= $(PREFIX)/share/abrun
B       ?= build
CFLAGS  ?= -O2 -g
PKGS     = glib-2.0 libssh libconfig mysqlclient sqlite3 jansson libRmath
WARN     = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wformat=2 -Wwrite-strings -Wundef -Wvla \
           -Wswitch-enum $(WERROR)
HARDEN   = -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
# Quoted names of directories and version reach the C code as strings.
CPPFLAGS += -Isrc -D_GNU_SOURCE -DMATHLIB_STANDALONE \
            -DVERSION='"$(VERSION)"' -DSHAREDIR='"$(SHAREDIR)"' \
            $(patsubst -I%,-isystem%,$(shell pkg-config --cflags $(PKGS)))
LDLIBS  += $(shell pkg-config --libs $(PKGS)) -lm -pthread
LDFLAGS ?= -pie -Wl,-z,relro,-z,now
COMPILE  = $(CC) -std=c17 $(WARN) $(CPPFLAGS) $(CFLAGS) $(HARDEN) \
           -ffile-prefix-map=$(CURDIR)=. -MMD -MP -c -o $@ $<

LIBSRCS  = $(sort $(filter-out src/abload/%,$(wildcard src/*/*.c)))
LIBOBJS  = $(LIBSRCS:%.c=$(B)/%.o)
TESTSRCS = $(sort $(wildcard tests/unit/*.c))
TESTS    = $(TESTSRCS:tests/unit/%.c=$(B)/tests/%)

.PHONY: all
all: $(B)/abrun

$(B)/abrun: $(B)/src/main.o $(B)/libabrun.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/libabrun.a: $(LIBOBJS)
	rm -f $@
	$(AR) rcs $@ $^

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE)

# A unit test is one file: tests/unit/floor_subject.c, linked to the library.
$(B)/tests/%: $(B)/tests/unit/%.o $(B)/libabrun.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lcmocka

.PRECIOUS: $(B)/%.o
-include $(LIBOBJS:.o=.d) $(B)/src/main.d $(TESTSRCS:%.c=$(B)/%.d)

# Every test speaks TAP: cmocka programs, then scripts.
export CMOCKA_MESSAGE_OUTPUT = TAP
SCRIPTS  = $(sort $(wildcard tests/golden/*.t tests/lab/*.t tests/e2e/*.t))
PROVE    = prove --timer --failures

.PHONY: check check-unit check-golden check-integration
check: all $(TESTS)
	B=$(B) $(PROVE) $(TESTS) $(SCRIPTS)

check-unit: $(TESTS)
	B=$(B) $(PROVE) $(TESTS)

check-golden: all
	B=$(B) $(PROVE) $(sort $(wildcard tests/golden/*.t))

check-integration: all
	B=$(B) $(PROVE) $(sort $(wildcard tests/lab/*.t tests/e2e/*.t))

SANFLAGS = -O1 -g -fno-omit-frame-pointer

.PHONY: asan tsan
asan:
	$(MAKE) B=build/asan HARDEN= \
	    CFLAGS='$(SANFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=undefined' \
	    LDFLAGS='-fsanitize=address,undefined' check

.PHONY: format
format:
	clang-format -i $(sort $(wildcard src/*.[ch] src/*/*.[ch] tests/*/*.[ch]))

.PHONY: clean
clean:
	rm -rf build
