/*
 * The verb protocol of hooks/os: building a call, reading its answer.  Pure.
 *
 * A call is the OS program's text, then one line with a nonce and the verbs.
 * The answer holds, for each verb in order,
 *
 *     BEGIN nonce verb protocol=1
 *     key<TAB>value
 *     END nonce verb STATUS
 *
 * and anything outside such frames is noise.  In values \ TAB LF CR are
 * written \\ \t \n \r.  A frame that is missing, torn or of another nonce
 * gives VERB_UNKNOWN: never "changed", never "absent", never a proof.
 */
#ifndef TARGET_VERBS_H
#define TARGET_VERBS_H

#include <stdbool.h>

#include <glib.h>

typedef enum {
	VERB_DONE = 0,
	VERB_FAILED = 1,  /* key "error" says why */
	VERB_ABSENT = 2,  /* this system has no such thing */
	VERB_UNKNOWN = 3, /* cannot tell; key "error" says why */
} VerbStatus;

typedef struct VerbCall VerbCall;

VerbCall *verb_call_new(void);
void verb_call_free(VerbCall *call);
/* Adds a verb and its arguments, ended by NULL; any text but NUL bytes. */
void verb_call_add(
    VerbCall *call, const char *verb, ...) G_GNUC_NULL_TERMINATED;
/* The same with a vector of arguments that ends with NULL. */
void verb_call_addv(
    VerbCall *call, const char *verb, const char *const *arguments);
size_t verb_call_length(const VerbCall *call);
/* The verb number i, from 0; belongs to the call. */
const char *verb_call_verb(const VerbCall *call, size_t i);

/*
 * What is fed to /bin/sh -s; free it.  The program defines a function
 * abrun_call NONCE VERB [ARG...] and, where the variable abrun_fed is set,
 * does nothing else; parts that no verb of the call needs are left out, see
 * verb_part.h.  The calls stand in one { } group, which a shell reads to its
 * end before it runs anything: nothing can eat a part of the script.
 */
char *verb_call_script(
    const VerbCall *call, const char *program, const char *nonce);

typedef struct {
	char *verb;
	VerbStatus status;
	bool whole;        /* its frame came, and was not torn */
	GPtrArray *keys;   /* char * */
	GPtrArray *values; /* char *, unescaped, same order */
} VerbAnswer;

void verb_answer_free(VerbAnswer *answer);

/*
 * One VerbAnswer for each verb of the call, in order; g_ptr_array_unref() it.
 * What stood outside whole frames is appended to noise, if not NULL.  The
 * answer to a frame that is missing, torn or of more than 10000 lines holds
 * the key "error" alone.
 */
GPtrArray *verb_answers_parse(
    const VerbCall *call, const char *nonce, const char *text, GString *noise);

/* The first value of a key, or NULL. */
const char *verb_answer_get(const VerbAnswer *answer, const char *key);
/* All values of a key, in order; free the array alone. */
GPtrArray *verb_answer_all(const VerbAnswer *answer, const char *key);
/*
 * True for VERB_DONE; else false with ABRUN_ERROR_FAILED (failed, absent) or
 * _VERIFY (unknown), naming verb and reason.
 */
bool verb_answer_check(const VerbAnswer *answer, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(VerbCall, verb_call_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(VerbAnswer, verb_answer_free)

#endif
