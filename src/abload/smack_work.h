/*
 * Inside the reader of scripts only: what scanner, grammar and checks share.
 */
#ifndef ABLOAD_SMACK_WORK_H
#define ABLOAD_SMACK_WORK_H

#include "abload/smack.h"

/* A name or a text, and where it began. */
typedef struct {
	char *text;
	SmackPlace place;
} SmackWord;

typedef struct {
	const char *file;
	SmackLevel level;
	SmackNotes *notes;
	Smack *smack;
	GPtrArray *references; /* to what may come later in the file */

	/* Of the block that is being read. */
	const char *block;     /* "query", ... */
	GPtrArray *attributes; /* SmackAttribute * */

	/* Of the scanner. */
	GString *string;
	SmackPlace place;   /* of the next byte */
	SmackPlace began;   /* of the token */
	SmackPlace quoted;  /* of the string */
	SmackPlace skipped; /* the first byte without meaning */
	GString *skipping;
} SmackWork;

/* One line of a block. */
typedef struct {
	char *name;
	SmackWord value;
	SmackPlace place;
} SmackAttribute;

void smack_mistake(SmackWork *work, SmackPlace place, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* What the original does without a word: a warning, a mistake or nothing. */
void smack_lossy(SmackWork *work, SmackPlace place, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Of smack_block.c: a block has ended; takes over name. */
void smack_block_end(SmackWork *work, SmackWord *name);
/* Remembers a line of a block; takes over both words. */
void smack_block_line(SmackWork *work, SmackWord *name, SmackWord *value);

void smack_attribute_free(gpointer attribute);

/* Of smack_resolve.c: both take over the words' text. */
void smack_barrel_add(SmackWork *work, SmackClient *client, SmackWord *barrel);
void smack_owner_add(SmackWork *work, SmackTable *table, SmackWord *client);
/* All has been read: fills the barrels, finds the tables' clients. */
void smack_resolve(SmackWork *work);
void smack_reference_free(gpointer reference);

/* Of smack_main.c: each takes over what it is given. */
void smack_main_assign(
    SmackWork *work, SmackWord *variable, SmackExpression *value);
void smack_main_call(SmackWork *work, SmackWord *client, SmackWord *method,
    GPtrArray *arguments);
SmackTerm *smack_term_text(SmackWord *text);
SmackTerm *smack_term_argument(SmackWork *work, SmackWord *digits);
SmackTerm *smack_term_variable(SmackWord *name);
/* type may be NULL; NULL when there is no such client. */
SmackTerm *smack_term_result(
    SmackWork *work, SmackWord *client, SmackWord *type, SmackWord *name);
void smack_term_free(SmackTerm *term);
SmackExpression *smack_expression_new(void);
/* Main has been read: what it refers to must be there. */
void smack_main_check(SmackWork *work);

void smack_word_clear(SmackWord *word);
/* Bytes for a message, without what a terminal would obey; free it. */
char *smack_printable(const char *text, size_t length);

/* Of smack.l. */
bool smack_parse(SmackWork *work, const char *text, size_t length);

#endif
