/*
 * Words that nobody can foresee: by which the frames of one call are known, or
 * the lock of a run.
 */
#ifndef TARGET_NONCE_H
#define TARGET_NONCE_H

#include <glib.h>

/*
 * Hexadecimal, of the quality of keys: nobody can foresee a frame.  Free it;
 * NULL with ABRUN_ERROR_FAILED.
 */
char *verb_nonce(GError **error);

#endif
