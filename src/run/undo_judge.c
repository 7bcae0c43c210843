#include "run/undo_judge.h"

#include "target/value.h"

bool
undo_same(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return value_same_tunable(a, b);
}

UndoVerdict
undo_judge(const char *current, const char *original, const GPtrArray *ours,
    const char *wanted)
{
	bool known = undo_same(current, original);

	for (guint i = 0; i < ours->len && !known; i++)
		known = undo_same(current, ours->pdata[i]);
	if (!known)
		return UNDO_REFUSE;
	return undo_same(current, wanted) ? UNDO_NOTHING : UNDO_WRITE;
}
