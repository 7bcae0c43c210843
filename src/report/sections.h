/*
 * The parts of a report, each appended to a document; a part that has nothing
 * to say appends nothing.  They choose and word; every number comes from the
 * analysis.
 */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "report/document.h"

enum {
	SECTION_PLOT_WIDTH = 70, /* 72 with its frame */
	SECTION_PICTURES = 4,
	SECTION_CLEAR = 100,       /* per cent that anybody would see */
	SECTION_ABOUT = 4,         /* names a proof is told of */
	SECTION_HASH_DIGITS = 16,  /* of a sha256; run.db has them all */
	SECTION_TEXT_BYTES = 4096, /* of one foreign string */
};

/* result.c: what was found and what weakens it */
char *section_subject(const Analysis *analysis); /* free it */
void section_answer(Document *document, const Analysis *analysis);
void section_contrasts(Document *document, const Analysis *analysis);
void section_warnings(Document *document, const Analysis *analysis);

/* compared.c: levels, what they set, what was the same */
void section_compared(Document *document, const Analysis *analysis);

/* imported.c: all of these of samples that another tool measured */
void section_imported(Document *document, const Analysis *analysis);

/*
 * nothing.c: instead of all but answer, warnings and how to do it again, where
 * nothing was measured
 */
void section_nothing(Document *document, const Analysis *analysis);

/* where.c: the hosts, and what is to be known of them */
void section_where(Document *document, const Analysis *analysis);

/* setup.c: how, what was proved, how to do it again */
/* Why there were not more rounds, as it was decided then. */
void section_stops(Document *document, const Analysis *analysis);
void section_how(Document *document, const Analysis *analysis);
void section_proved(Document *document, const Analysis *analysis);
void section_again(Document *document, const Analysis *analysis);

/* figures.c: tables and pictures */
void section_tables(Document *document, const Analysis *analysis);
void section_pictures(Document *document, const Analysis *analysis);
void section_failures(Document *document, const Analysis *analysis);

#endif
