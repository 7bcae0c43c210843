/*
 * A matrix as plain data: what the file says after includes, short forms and
 * plain values are resolved, and every mistake of spelling, type, range and
 * meaning has been told.  Nothing here touches a host.
 *
 * Ownership: a Matrix owns all it points to; strings are never NULL unless
 * the comment says so.  Lists are GPtrArrays of the named type, never NULL.
 * A Matrix is read-only after matrix_load() and may be shared by threads.
 */
#ifndef MATRIX_MATRIX_H
#define MATRIX_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "matrix/loaddef.h"

/* Limits on what is read: a matrix is written by hand. */
enum {
	MATRIX_FILE_BYTES = 4 << 20,
	MATRIX_FACTORS = 32,
	MATRIX_LEVELS = 1024,   /* of one factor */
	MATRIX_CELLS = 1000000, /* product of all factors */
	MATRIX_ROUNDS = 100000,
	MATRIX_STOP_ROUNDS = 5, /* before a width says anything */
};

typedef enum {
	SETTING_KERNEL,  /* value: what selects it, or NULL for the default */
	SETTING_CMDLINE, /* value: words added to the kernel command line */
	SETTING_LOADER,  /* NAME=VALUE of the loader, one boot */
	SETTING_SYSCTL,  /* NAME=VALUE */
	SETTING_SYSFS,   /* name: path below /sys; value */
	/*
	 * value: see setting_threadlib_name(); resolved, the library's file, or
	 * with a name, which is that of a program, what it is mapped to
	 */
	SETTING_THREADLIB,
	SETTING_PRELOAD,  /* value: path, or bare name that the target resolves
	                   */
	SETTING_ENV,      /* NAME=VALUE */
	SETTING_MYSQLD,   /* NAME=VALUE, an option of the server */
	SETTING_CPUSET,   /* value: list of CPUs, "0-3,8" */
	SETTING_SMT,      /* value: on, off */
	SETTING_GOVERNOR, /* value: performance, ... */
	SETTING_TURBO,    /* value: on, off */
	SETTING_THP,      /* value: always, madvise, never */
	SETTING_FILE,     /* name: path on the target; value: contents' path */
	SETTING_DURING,   /* name and value: a command that must live through
	                   * the visit */
	SETTING_COMMAND,  /* apply, undo, verify: commands of the user's own */
	SETTING_KINDS
} SettingKind;

/*
 * The library of a threadlib, as the OS program knows it: behind "libmap:" if
 * it is to be chosen by a file of the host and not by a variable.
 */
const char *setting_threadlib_name(const char *value);

/* The word of the matrix language: "kernel", "sysctl"...  */
const char *setting_kind_name(SettingKind kind);

/* How dear a change is. */
typedef enum { CLASS_LOAD, CLASS_SERVER, CLASS_BOOT } FactorClass;

const char *factor_class_name(FactorClass class);
/* The class of a factor whose levels use this kind. */
FactorClass setting_kind_class(SettingKind kind);

/*
 * One thing that is changed.  Two settings are of one subject when kind and
 * name are equal (for SETTING_COMMAND: kind and apply).
 */
typedef struct {
	SettingKind kind;
	char *name;   /* see SettingKind; "" for kinds without a name */
	char *value;  /* what it is set to; "" is an empty value, not absence */
	char *apply;  /* SETTING_COMMAND only; else NULL */
	char *undo;   /* likewise; NULL when a level gives none */
	char *verify; /* likewise; NULL when a level gives none */
	int line;     /* in the file that names it */
} Setting;

/* A level of a factor; without settings it is the default, proved absent. */
typedef struct {
	char *name;
	GPtrArray *settings; /* Setting */
	GPtrArray *expect;   /* char *: "sched=ULE", facts that must hold */
	bool same;           /* may resolve to another level's identity */
	int line;
} Level;

typedef struct {
	char *name;
	FactorClass class;
	bool variable;     /* plain values for {name}: no settings at all */
	GPtrArray *levels; /* Level */
	int line;
} Factor;

typedef enum { HOST_KEY_STRICT, HOST_KEY_ACCEPT_NEW } HostKeyPolicy;

/* A host under test or a host that makes load; NULL = not given. */
typedef struct {
	char *name;
	char *ssh; /* [user@]host[:port] or an alias of ssh_config */
	char *ssh_config;
	char *key;
	char *known_hosts;
	char *fingerprint; /* "SHA256:..." pins the host key */
	HostKeyPolicy host_key;
	bool sudo;  /* run the OS program under sudo -n */
	char *os;   /* "linux", "freebsd": hooks/os/OS.sh */
	char *path; /* PATH of the OS program; default in the program */
	int64_t patience_ms; /* how long it is waited for when it is lost */
	GPtrArray *power;    /* char *: "ipmi lab1-bmc", hook and its words;
	                      * NULL or empty: none is known */
	int64_t power_timeout_ms; /* that each of them has */
	int64_t power_rest_ms;    /* that the host stays off */
	char *console;            /* command that prints the console */
	char *boot; /* hook and its words for hosts that boot from network */
	bool local; /* the controller: see matrix_controller() */
	/* The next two are for targets only. */
	char *client;  /* name of a host, "target" (default) or "controller" */
	char *address; /* what the load connects to; filled in: the ssh host */
	bool address_given; /* by the matrix */
	int line;
} Host;

typedef enum {
	SERVER_NONE,    /* the load is the subject */
	SERVER_SERVICE, /* a service of the host's service manager */
	SERVER_COMMAND, /* a program that abrun executes itself */
	SERVER_OTHER,   /* start, stop and ready commands */
} ServerKind;

typedef struct {
	ServerKind kind;
	char *service;      /* SERVER_SERVICE; else NULL */
	char *command;      /* SERVER_COMMAND; else NULL */
	char *start, *stop; /* SERVER_OTHER; else NULL */
	char *ready;        /* succeeds once it works; NULL = none given */
	bool mysqld;   /* speaks MySQL: mysqld settings and control queries */
	char *run_as;  /* account that runs it; NULL = the login's */
	char *datadir; /* NULL = the server's own default, not passed */
	char *datadir_from; /* NULL; each start gets a fresh copy of this */
	char *socket;       /* NULL = the server's own default */
	int port;           /* 0 = none given (mysqld: 3306) */
	char *user;         /* database user of control queries and loads */
	char *db;           /* database of the loads; default "test" */
	char *option_file;  /* client option file with the password, on the
	                     * controller; NULL */
	char *password_env; /* name of a variable with the password; NULL */
	int64_t start_timeout_ms;
	int64_t stop_timeout_ms;
	int line;
} Server;

typedef enum { RESET_NEVER, RESET_ROUND, RESET_START, RESET_RUN } Reset;

const char *reset_name(Reset reset);

/* NAME = value of a load's key, as text. */
typedef struct {
	char *name;
	char *value; /* with templates, not expanded */
	int line;
} LoadKey;

typedef struct {
	char *name; /* unique among loads; default from definition and script */
	char *use;  /* the definition's name */
	LoadDef *def;         /* owned by the matrix */
	GPtrArray *keys;      /* LoadKey: keys of the definition given here */
	GPtrArray *variables; /* char *: load-class factors it uses, in order */
	char *command; /* use = "command": its own; else the definition's */
	char *setup, *prepare, *restore, *cleanup; /* commands or NULL */
	GPtrArray *tables; /* char *: counted and checksummed for data state */
	Reset reset;
	bool writes;
	int64_t timeout_ms;
	GPtrArray *metrics; /* Metric: the definition's or its own */
	char *primary;      /* name of the metric verdicts are about */
	int line;
} Load;

typedef struct {
	char *name;
	char *on; /* "target" or "client" */
	char *command;
	int line;
} Monitor;

typedef enum { BOOT_BLOCK, BOOT_ROUND, BOOT_VISIT, BOOT_LAZY } BootPolicy;
typedef enum { RESTART_VISIT, RESTART_CELL, RESTART_LOAD } RestartPolicy;

const char *boot_policy_name(BootPolicy policy);
const char *restart_policy_name(RestartPolicy policy);

/* One { factor = names } group of exclude, include or baseline. */
typedef struct {
	GPtrArray *factors; /* char *: factor names */
	GPtrArray *levels;  /* GPtrArray of char *: any of these level names */
	int line;
} CellPattern;

/* A contrast the user adds: numerator over denominator. */
typedef struct {
	char *name; /* given, or made of the levels */
	bool named; /* it was given */
	CellPattern *of;
	CellPattern *against;
	int line;
} Contrast;

typedef struct {
	double halfwidth_percent; /* 0 = no such rule */
	int looks;                /* 0 = no such rule */
	int max_rounds;           /* 0 = none */
	char *until;              /* "07:00" local time, or NULL */
} StopRule;

typedef struct {
	int rounds;
	int runs;
	int warmup_runs;   /* runs dropped in each start */
	int64_t warmup_ms; /* or this long; 0 when warmup counts runs */
	bool random;       /* order = random */
	BootPolicy boot;
	RestartPolicy restart;
	bool seed_given;
	uint64_t seed;
	CellPattern *baseline; /* NULL = the first level of each factor */
	GPtrArray *exclude;    /* CellPattern */
	GPtrArray *include;    /* CellPattern */
	bool aa;
	bool share;
	double margin_percent;
	bool contrasts_replace; /* contrasts = ( "only", ... ) */
	GPtrArray *contrasts;   /* Contrast */
	double others_percent;  /* CPU of others that flags a run */
	double quiet_percent;   /* CPU busy that a visit waits below */
	int64_t quiet_wait_ms;  /* for so long at most; 0 = not at all */
	StopRule stop;
} Design;

/* A file the matrix uses, read by matrix_load() for the identity. */
typedef struct {
	char *path; /* as found */
	char *role; /* "matrix", "load definition", "script", "os program"... */
	char *sha256;
} MatrixFile;

typedef struct {
	char *name;   /* file name without .cfg: names the run directory */
	char *path;   /* as given */
	char *source; /* whole text, includes resolved */
	char *title;
	GPtrArray *hosts;   /* Host: client hosts */
	GPtrArray *targets; /* Host */
	GPtrArray *factors; /* Factor, in the file's order */
	Server server;
	GPtrArray *loads;    /* Load */
	GPtrArray *monitors; /* Monitor */
	GPtrArray *notify;   /* char *: hooks/notify program and words */
	GPtrArray *visit;    /* char *: of hooks/visit, likewise */
	Design design;
	GPtrArray *files; /* MatrixFile */
} Matrix;

/*
 * Reads, checks and expands a matrix.  On failure NULL with
 * ABRUN_ERROR_USAGE; the message is the whole report: one line a mistake,
 * "file:line: path: what is wrong, what would be right".
 */
Matrix *matrix_load(const char *path, GError **error);
/*
 * The same for text in memory; path names it, anchors its includes and
 * relative paths.
 */
Matrix *matrix_parse(
    const char *text, size_t length, const char *path, GError **error);
void matrix_free(Matrix *matrix);

const Factor *matrix_factor(const Matrix *matrix, const char *name);
/* A target or a client host. */
const Host *matrix_host(const Matrix *matrix, const char *name);
/* The controller as a client host: Host.local, named "controller". */
const Host *matrix_controller(void);
/*
 * All hosts by number, as the store has them: the targets, the client hosts,
 * and then the controller.
 */
const Host *matrix_host_number(const Matrix *matrix, size_t number);
/* Where the load of a target runs: its own number if on itself. */
size_t matrix_client_number(const Matrix *matrix, size_t target);

/*
 * A file of the lab, "hooks/os/linux.sh": beside the matrix, in the working
 * directory or in the installed share directory, the first that exists.  NULL
 * if none does; free it.
 */
char *matrix_find_file(const char *matrix_path, const char *relative);
/* Where matrix_find_file() looks, joined by ", "; free it. */
char *matrix_places(const char *matrix_path, const char *relative);
/* A path that the matrix names: relative ones are beside it.  Free it. */
char *matrix_relative(const char *matrix_path, const char *path);

/*
 * What the identity of a run is the hash of: the whole expanded matrix and
 * the sha256 of the files it uses, as text; free it.  Not in it: rounds,
 * quiet, stop, margin, contrasts, baseline, title, power, notify, and the keys
 * that say how to log in to a host (DESIGN, "Identity").
 */
char *matrix_identity_text(const Matrix *matrix);

/* Every key of the language once, sorted; free the array alone. */
GPtrArray *matrix_words(void);

/*
 * Every subject that any level of the matrix sets, once: what a cell does not
 * set of these must be proved absent.  Settings belong to the matrix; free
 * the array alone.
 */
GPtrArray *matrix_subjects(const Matrix *matrix);
bool setting_same_subject(const Setting *a, const Setting *b);

/*
 * What this version parses, checks and plans but cannot carry out: a line
 * "not yet: ..." for each such thing in the matrix, or NULL if all can be run.
 * Free it.
 */
char *matrix_not_yet(const Matrix *matrix);
/*
 * The programs of hooks/ and the scripts of loads that are not on this
 * machine, without which the matrix can be planned but not run: a line
 * "missing: ..." for each, or NULL.  Free it.
 */
char *matrix_missing(const Matrix *matrix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Matrix, matrix_free)

#endif
