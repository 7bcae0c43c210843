#include <string.h>

#include "analysis/facts.h"
#include "analysis/hazards.h"
#include "analysis/wording.h"
#include "base/text.h"

enum { HOST_BYTES = 200 };

/* What is known of one boot, or with id 0 of the host alone. */
static GHashTable *
facts_of(const StoreData *data, size_t target, int64_t boot)
{
	GHashTable *facts = g_hash_table_new(g_str_hash, g_str_equal);

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < data->facts->len; i++) {
			const DataFact *fact = data->facts->pdata[i];
			if (pass == 0 ? strcmp(fact->scope, "host") == 0 &&
				    fact->id == (int64_t)target
				      : strcmp(fact->scope, "boot") == 0 &&
				    fact->id == boot)
				(void)g_hash_table_insert(
				    facts, fact->key, fact->value);
		}
	return facts;
}

static GPtrArray *
hazards_of(const StoreData *data, size_t target)
{
	GPtrArray *found =
	    g_ptr_array_new_with_free_func((GDestroyNotify)hazard_free);
	bool booted = false;

	for (size_t i = 0; i < data->boots->len; i++) {
		const DataBoot *boot = data->boots->pdata[i];
		if (boot->target != target)
			continue;
		booted = true;
		g_autoptr(GHashTable) facts = facts_of(data, target, boot->id);
		hazards_of_boot(facts, data->began, data->ended, found);
	}
	if (!booted) {
		g_autoptr(GHashTable) facts = facts_of(data, target, 0);
		hazards_of_boot(facts, data->began, data->ended, found);
	}
	return found;
}

/* The answers of the verb watch before or after a visit's loads. */
static GHashTable *
watched(const StoreData *data, int64_t visit, const char *side)
{
	GHashTable *facts = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = 0; i < data->facts->len; i++) {
		const DataFact *fact = data->facts->pdata[i];
		if (strcmp(fact->scope, "visit") == 0 && fact->id == visit &&
		    g_str_has_prefix(fact->key, side))
			(void)g_hash_table_insert(
			    facts, fact->key + strlen(side), fact->value);
	}
	return facts;
}

/* A disturbance, and the rounds of the visits that it fell into. */
typedef struct {
	const char *sentence;
	GArray *rounds; /* size_t, ascending */
	size_t visits;
} Disturbance;

static void
disturbance_free(Disturbance *disturbance)
{
	g_array_unref(disturbance->rounds);
	g_free(disturbance);
}

static void
note(GPtrArray *disturbances, const char *sentence, size_t round)
{
	Disturbance *which = NULL;

	for (size_t i = 0; i < disturbances->len; i++) {
		Disturbance *known = disturbances->pdata[i];
		if (strcmp(known->sentence, sentence) == 0)
			which = known;
	}
	if (which == NULL) {
		which = g_new0(Disturbance, 1);
		which->sentence = sentence;
		which->rounds = g_array_new(FALSE, FALSE, sizeof(size_t));
		g_ptr_array_add(disturbances, which);
	}
	which->visits++;
	if (which->rounds->len == 0 ||
	    g_array_index(which->rounds, size_t, which->rounds->len - 1) !=
		round)
		g_array_append_val(which->rounds, round);
}

static void
warn_visits(
    const StoreData *data, size_t target, const char *host, GPtrArray *warnings)
{
	g_autoptr(GPtrArray) disturbances =
	    g_ptr_array_new_with_free_func((GDestroyNotify)disturbance_free);
	size_t valid = 0;

	for (size_t i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		if (visit->target != target || visit->status != VISIT_VALID)
			continue;
		valid++;
		g_autoptr(GHashTable) before =
		    watched(data, visit->id, "before.");
		g_autoptr(GHashTable) after =
		    watched(data, visit->id, "after.");
		g_autoptr(GPtrArray) found = g_ptr_array_new();
		hazards_of_visit(before, after, found);
		for (size_t j = 0; j < found->len; j++)
			note(disturbances, found->pdata[j], visit->round);
	}
	for (size_t i = 0; i < disturbances->len; i++) {
		const Disturbance *one = disturbances->pdata[i];
		g_autofree char *rounds = wording_rounds(one->rounds);
		g_ptr_array_add(warnings,
		    g_strdup_printf("%s: %s, in %zu of %zu visits (%s %s).",
			host, one->sentence, one->visits, valid,
			one->rounds->len == 1 ? "round" : "rounds", rounds));
	}
}

void
hazards_warn(const StoreData *data, GPtrArray *warnings)
{
	for (size_t target = 0; target < data->targets->len; target++) {
		g_autofree char *host =
		    text_printable(data->targets->pdata[target], HOST_BYTES);
		g_autoptr(GPtrArray) found = hazards_of(data, target);
		for (size_t i = 0; i < found->len; i++) {
			const Hazard *hazard = found->pdata[i];
			g_autofree char *text = hazard_text(hazard);
			if (hazard->level == HAZARD_WARNING)
				g_ptr_array_add(warnings,
				    g_strdup_printf("%s: %s.", host, text));
		}
		warn_visits(data, target, host, warnings);
	}
}

GPtrArray *
hazards_notes(const StoreData *data, size_t target)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) found = hazards_of(data, target);

	for (size_t i = 0; i < found->len; i++) {
		const Hazard *hazard = found->pdata[i];
		if (hazard->level == HAZARD_NOTE)
			g_ptr_array_add(notes, hazard_text(hazard));
	}
	return notes;
}
