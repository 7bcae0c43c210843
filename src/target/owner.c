#include "target/owner.h"

#include <string.h>

/* What the answer tells of each process; false where it is not whole. */
typedef struct {
	GPtrArray *pids, *starts, *comms, *parents;
} Owners;

static void
owners_clear(Owners *owners)
{
	g_ptr_array_unref(owners->pids);
	g_ptr_array_unref(owners->starts);
	g_ptr_array_unref(owners->comms);
	g_ptr_array_unref(owners->parents);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Owners, owners_clear)

static bool
read_owners(const VerbAnswer *answer, Owners *owners)
{
	owners->pids = verb_answer_all(answer, "pid");
	owners->starts = verb_answer_all(answer, "start");
	owners->comms = verb_answer_all(answer, "comm");
	owners->parents = verb_answer_all(answer, "parent");
	return answer->status == VERB_DONE && owners->pids->len > 0 &&
	    owners->pids->len == owners->starts->len;
}

static void
take(const Owners *owners, guint i, Owner *owner)
{
	owner->pid = owners->pids->pdata[i];
	owner->start = owners->starts->pdata[i];
	owner->comm = owners->comms->len == owners->pids->len
	    ? owners->comms->pdata[i]
	    : "?";
}

static bool
is_listed(const GPtrArray *pids, const char *pid)
{
	for (guint i = 0; i < pids->len; i++)
		if (strcmp(pids->pdata[i], pid) == 0)
			return true;
	return false;
}

/* The only one whose parent is not among them. */
static bool
find_main(const Owners *owners, guint *main)
{
	guint roots = 0;

	*main = 0;
	if (owners->pids->len == 1)
		return true;
	if (owners->parents->len != owners->pids->len)
		return false;
	for (guint i = 0; i < owners->pids->len; i++)
		if (!is_listed(owners->pids, owners->parents->pdata[i])) {
			*main = i;
			roots++;
		}
	return roots == 1;
}

bool
owner_main(const VerbAnswer *answer, Owner *owner)
{
	g_auto(Owners) owners = { 0 };
	guint main = 0;

	if (!read_owners(answer, &owners) || !find_main(&owners, &main))
		return false;
	take(&owners, main, owner);
	return true;
}

static bool
is_process(const Owner *owner, const char *pid, const char *start)
{
	return strcmp(owner->pid, pid) == 0 && strcmp(owner->start, start) == 0;
}

bool
owner_other(
    const VerbAnswer *answer, const char *pid, const char *start, Owner *owner)
{
	g_auto(Owners) owners = { 0 };
	guint main = 0;

	if (!read_owners(answer, &owners))
		return false;
	if (find_main(&owners, &main)) {
		take(&owners, main, owner);
		return !is_process(owner, pid, start);
	}
	for (guint i = 0; i < owners.pids->len; i++) {
		take(&owners, i, owner);
		if (!is_process(owner, pid, start))
			return true;
	}
	return false;
}
