/*
 * Whose the lock of a host is, by what the host tells of it: the answer of
 * the verbs lock_show and lock_hold.  Pure.
 */
#ifndef TARGET_LOCK_JUDGE_H
#define TARGET_LOCK_JUDGE_H

#include <glib.h>

#include "target/verbs.h"

typedef enum {
	LOCK_FREE,  /* never taken, or given back */
	LOCK_OURS,  /* of this token: left by a link that broke */
	LOCK_STALE, /* of another boot, its lease over, or no whole file */
	LOCK_HELD,  /* another abrun has it */
} LockState;

/*
 * *words, if not NULL, is set: for LOCK_HELD who has it and since when, for
 * LOCK_STALE why it is so, else NULL; free it.  What cannot be told is HELD.
 */
LockState lock_judge(const VerbAnswer *answer, const char *token, char **words);
/* The token of the last holder, or NULL; free it. */
char *lock_token(const VerbAnswer *answer);

#endif
