/*
 * What abrun check has found: a line or a few for each thing, in groups that
 * begin with what they are about, and what all of it comes to.  Lines are
 * printed as they are found; texts and judgement are pure.
 */
#ifndef RUN_FINDINGS_H
#define RUN_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

typedef enum {
	FINDING_OK,
	FINDING_NOTE, /* to be known */
	FINDING_WARN, /* weakens what is measured, or may fail it */
	FINDING_FAIL, /* stands in the way */
} FindingLevel;

/* What stands in the way there keeps from being measured: */
typedef enum {
	FINDINGS_MATRIX, /* everything */
	FINDINGS_HOST,   /* all of a target */
	FINDINGS_CELLS,  /* some cells; all where none of the group is ok */
} FindingsAbout;

/* Exit statuses of abrun check. */
enum {
	FINDINGS_GOOD = 0,
	FINDINGS_NOTHING = 1,
	FINDINGS_BAD_MATRIX = 2,
	FINDINGS_SOME_CELLS = 3,
};

typedef struct {
	bool quiet; /* print warnings and what stands in the way alone */
	char *head; /* of the group, while nothing of it was printed */
	bool begun; /* a group was printed */
	FindingsAbout about;
	size_t held, failed; /* of the group */
	size_t fails, warnings;
	bool matrix_failed, host_failed, cells_failed;
} Findings;

void findings_clear(Findings *findings);

/*
 * A group begins: "lab1, where the loads of lab2 run"; with NULL for head its
 * lines follow those of the one before.
 */
void findings_group(Findings *findings, FindingsAbout about, const char *head);
/*
 * Adds and prints one.  subject: "login", "allocator=jemalloc, flush=1";
 * advice: what to do, or NULL.  Foreign text may be in all of them.
 */
void findings_add(Findings *findings, FindingLevel level, const char *subject,
    const char *text, const char *advice);
/* The same with a text that is made up. */
void findings_tell(Findings *findings, FindingLevel level, const char *subject,
    const char *format, ...) G_GNUC_PRINTF(4, 5);
/*
 * A failure, by its name; advised: with the advice that all of that name have,
 * for messages that hold none.
 */
void findings_fail(Findings *findings, const char *subject, const char *message,
    const GError *error, bool advised);

/* "FAIL subject: text" wrapped, with "-> advice" below; free it. */
char *finding_text(FindingLevel level, const char *subject, const char *text,
    const char *advice);
/* "2 things stand in the way, 1 warning."; free it. */
char *findings_words(const Findings *findings);
/* Ends the last group. */
int findings_status(Findings *findings);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Findings, findings_clear)

#endif
