/*
 * A .smack script as it was read: super-smack's language, parsed whole before
 * anything of it runs.  Plain data, and pure: reading takes the text and
 * gives the script or a list of mistakes.
 *
 * The grammar is in smack.y; abload(1), LANGUAGE, says what each word means
 * and where abload differs from the original.
 */
#ifndef ABLOAD_SMACK_H
#define ABLOAD_SMACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

/* Counted from 1; columns in bytes. */
typedef struct {
	int line, column;
} SmackPlace;

typedef struct {
	char *name;
	char *text;       /* SQL, with $dictionary where parsed */
	char *type;       /* the row of the report it counts in */
	bool result_set;  /* rows come back */
	bool substituted; /* "parsed": $dictionary is replaced */
	size_t index;     /* in the script's queries */
	SmackPlace place; /* of text */
} SmackQuery;

typedef enum {
	SMACK_RANDOM,
	SMACK_SEQUENCE,
	SMACK_UNIQUE,
} SmackOrder;

typedef enum {
	SMACK_FILE,
	SMACK_LIST,
	SMACK_TEMPLATE,
} SmackSource;

typedef struct {
	char *name;
	SmackOrder order;
	SmackSource kind;
	char *source;        /* path, list or template */
	char delimiter;      /* a word of a line ends here */
	uint64_t equivalent; /* file_size_equiv; 0: every line */
	size_t index;        /* in the script's dictionaries */
	SmackPlace place;    /* of source */
} SmackDictionary;

/* One entry of a barrel: a query so many times, or a pause. */
typedef struct {
	const SmackQuery *query; /* NULL: a pause */
	uint64_t count;
	int64_t pause_us;
} SmackShot;

typedef struct {
	char *name;
	char *user, *pass, *db, *host, *socket; /* "" where not given */
	unsigned port;                          /* 0: the usual one */
	GArray *barrel;                         /* SmackShot; may be empty */
} SmackClient;

typedef struct {
	char *name;
	const SmackClient *client;
	char *create;    /* SQL */
	uint64_t rows;   /* min_rows */
	char *data_file; /* "" where not given */
	char *generator; /* gen_data_file: a shell's command, or "" */
} SmackTable;

typedef enum {
	SMACK_TEXT,      /* a number or a string, as text */
	SMACK_ARGUMENT,  /* $1 */
	SMACK_VARIABLE,  /* $name */
	SMACK_PARAMETER, /* client::name */
	SMACK_FIGURE,    /* client::type::name */
} SmackTermKind;

typedef struct {
	SmackTermKind kind;
	char *text;                /* text, variable or the last name */
	unsigned argument;         /* of SMACK_ARGUMENT */
	const SmackClient *client; /* of _PARAMETER and _FIGURE */
	char *type;                /* of SMACK_FIGURE */
	SmackPlace place;
} SmackTerm;

/* Terms joined to one text: an expression. */
typedef GPtrArray SmackExpression; /* SmackTerm * */

typedef struct {
	const SmackClient *client; /* NULL: an assignment */
	char *name;                /* of the method or variable */
	GPtrArray *arguments;      /* SmackExpression *; one if assigned */
	SmackPlace place;
} SmackStatement;

typedef struct {
	char *file;              /* what notes call it */
	GPtrArray *queries;      /* SmackQuery * */
	GPtrArray *dictionaries; /* SmackDictionary * */
	GPtrArray *clients;      /* SmackClient * */
	GPtrArray *tables;       /* SmackTable * */
	GPtrArray *statements;   /* SmackStatement *, of main */

	/* The same by name, borrowed: a script may have 100000 blocks. */
	GHashTable *query_names, *dictionary_names, *client_names, *table_names;
} Smack;

typedef enum {
	SMACK_WARN,   /* what is lost is told */
	SMACK_STRICT, /* and is a mistake */
	SMACK_COMPAT, /* as the original: lost without a word */
} SmackLevel;

/* What a reader gives back besides the script, "file:line:column: ...". */
typedef struct {
	GPtrArray *mistakes; /* char * */
	GPtrArray *warnings; /* char * */
} SmackNotes;

/* Larger scripts, and more mistakes than these, are nobody's. */
enum { SMACK_MAX_BYTES = 64 << 20, SMACK_MAX_NOTES = 20 };

SmackNotes *smack_notes_new(void);
void smack_notes_free(SmackNotes *notes);

/*
 * The script, or NULL and at least one mistake.  file is what notes call it;
 * text need not end with NUL.  For any thread.
 */
Smack *smack_read(const char *file, const char *text, size_t length,
    SmackLevel level, SmackNotes *notes);
void smack_free(Smack *smack);

const SmackQuery *smack_query(const Smack *smack, const char *name);
const SmackDictionary *smack_dictionary(const Smack *smack, const char *name);
const SmackClient *smack_client(const Smack *smack, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(SmackNotes, smack_notes_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Smack, smack_free)

#endif
