/*
 * What abrun check says of what it has seen.  Pure.
 */
#ifndef RUN_CHECK_WORDS_H
#define RUN_CHECK_WORDS_H

#include <glib.h>

/*
 * "Debian GNU/Linux 12, kernel 6.1.0, 8 CPUs, 31.2 GB of memory" of the facts
 * that are known of a host; "its system tells nothing" of none.  Free it.
 */
char *check_system(GHashTable *facts);
/*
 * "18.2 GB free for temporary files, 4.0 GB for /srv/data"; NULL when nothing
 * is known.  Free it.
 */
char *check_space(GHashTable *facts);
/*
 * NULL when what "abload --version" says is this version; else what is wrong.
 * Free it.
 */
char *check_abload(const char *said);
/* How abload gets onto a host. */
extern const char check_abload_advice[];
/*
 * The message of a failed cell without the words about a load, which there is
 * none: borrowed.
 */
const char *check_cell_reason(const char *message);

#endif
