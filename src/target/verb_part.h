/*
 * Parts of an OS program that only some verbs need: a shell reads all that it
 * is fed, in each call.  Pure.
 */
#ifndef TARGET_VERB_PART_H
#define TARGET_VERB_PART_H

#include <glib.h>

#include "target/verbs.h"

/*
 * Appends the program, but for parts of which the call needs no verb.  A part
 * goes from a line "# abrun-verbs: VERB ..." to the next of these, or the end.
 */
void verb_part_append(
    GString *script, const char *program, const VerbCall *call);

#endif
