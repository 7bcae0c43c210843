/*
 * One side of a visit: every proof in one verb call and one SQL exchange,
 * stored whether it holds or not.
 */
#ifndef RUN_PROVE_H
#define RUN_PROVE_H

#include <stdbool.h>

#include "run/visit.h"

/* What one call saw; clear with prove_clear(). */
typedef struct {
	VerbCall *call;
	GPtrArray *answers; /* VerbAnswer */
	GPtrArray *client;  /* of a client host apart; else NULL */
	guint ours;         /* the first after those of server or knobs */
	guint boot;         /* the first of kernels_ask() */
	guint during;       /* the first look at a process of setting during */
} ProofSide;

void prove_clear(ProofSide *side);

/*
 * Looks, in one call.  A server that was just started is identified by it:
 * ABRUN_ERROR_VERIFY if another process answers.
 */
bool prove_look(
    Worker *worker, const Visit *visit, ProofSide *side, GError **error);
/*
 * Judges and stores.  False with ABRUN_ERROR_VERIFY and "wanted ..., seen
 * ..." when some proof does not hold or could not be had.
 */
bool prove_judge(Worker *worker, const Visit *visit, const ProofSide *side,
    bool after, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ProofSide, prove_clear)

/*
 * Stores proofs (Proof *) of a side of the visit, or those that a run's own
 * process gave; run is its row, else 0.
 */
bool prove_keep(Worker *worker, const Visit *visit, bool after, int64_t run,
    const GPtrArray *proofs, GError **error);

#endif
