#include "target/server_proof.h"

#include <string.h>

#include "target/startup.h"
#include "target/value.h"

/* The value of NAME in an answer, all of them if there are several. */
static char *
variable_seen(const VerbAnswer *answer, const char *name)
{
	g_autoptr(GPtrArray) all = verb_answer_all(answer, "env");
	g_autoptr(GString) seen = NULL;
	size_t length = strlen(name);

	for (guint i = 0; i < all->len; i++) {
		const char *text = g_ptr_array_index(all, i);

		if (strncmp(text, name, length) != 0 || text[length] != '=')
			continue;
		if (seen == NULL)
			seen = g_string_new(text + length + 1);
		else
			g_string_append_printf(
			    seen, " and %s", text + length + 1);
	}
	if (seen == NULL)
		return NULL;
	return g_string_free(g_steal_pointer(&seen), FALSE);
}

static bool
is_subject_variable(const ProofContext *context, const char *name)
{
	for (guint i = 0; i < context->subjects->len; i++) {
		const Setting *subject =
		    g_ptr_array_index(context->subjects, i);

		if (subject->kind == SETTING_ENV &&
		    strcmp(subject->name, name) == 0)
			return true;
		if (subject->kind == SETTING_PRELOAD &&
		    strcmp("LD_PRELOAD", name) == 0)
			return true;
	}
	return false;
}

/* A variable no level varies, which the command line itself sets. */
static bool
set_by_command(const ProofContext *context, const char *name)
{
	const Server *server = context->server;
	const char *command =
	    server->command != NULL ? server->command : server->start;
	g_autofree char *assignment = g_strconcat(name, "=", NULL);

	return command != NULL && !is_subject_variable(context, name) &&
	    strstr(command, assignment) != NULL;
}

static const char *
shown(const char *value)
{
	return *value == '\0' ? "an empty value" : value;
}

/* What the cell wants; of a service, its invocation, too. */
static const char *
wanted_value(const ProofJudge *judge, const char *name)
{
	return strcmp(name, PROOF_INVOCATION) == 0 &&
		judge->context->life->invocation != NULL
	    ? judge->context->life->invocation
	    : startup_variable(judge->environment, name);
}

/* What may have come between, where another one starts the server; free it. */
static char *
who_else(const ProofContext *context)
{
	const Server *server = context->server;
	const ServerLife *life = context->life;

	if (server->kind == SERVER_OTHER)
		return g_strdup(" (server.start must hand its environment on)");
	if (server->kind != SERVER_SERVICE)
		return g_strdup("");
	if (life->invocation == NULL)
		return g_strdup_printf(
		    " (if the script that starts %s cleans "
		    "or sets its environment, set the "
		    "variable where it does so, by apply and "
		    "undo)",
		    server->service);
	if (life->environment_files != NULL)
		return g_strdup_printf(
		    " (the unit's EnvironmentFile %s overrides what abrun "
		    "sets: take the variable out of it)",
		    life->environment_files);
	return g_strdup_printf(
	    " (look for what sets or cleans it: systemctl cat %s)",
	    server->service);
}

static void
judge_variable(ProofJudge *judge, const char *name, const VerbAnswer *answer)
{
	const char *wanted = wanted_value(judge, name);
	g_autofree char *value = variable_seen(answer, name);
	const bool same = g_strcmp0(wanted, value) == 0;
	g_autofree char *others = who_else(judge->context);
	const char *about =
	    strcmp(name, PROOF_INVOCATION) == 0 ? "invocation" : "environment";
	const char *wanted_text = wanted == NULL ? "absent" : shown(wanted);
	const char *seen_text = value == NULL ? "absent" : shown(value);
	g_autofree char *seen =
	    g_strdup_printf("%s%s", seen_text, same ? "" : others);

	if (answer->status != VERB_DONE ||
	    verb_answer_get(answer, "readable") == NULL)
		server_proof_add(judge, about, name, wanted_text,
		    server_proof_trouble(answer), PROOF_UNKNOWN);
	else if (wanted == NULL && value != NULL &&
	    set_by_command(judge->context, name))
		server_proof_add(judge, about, name, "as the command sets",
		    seen_text, PROOF_NOT_APPLICABLE);
	else
		server_proof_add(judge, about, name, wanted_text, seen,
		    server_proof_yes_if(same));
}

void
server_proof_environ(
    ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	for (char *const *name = words + 2; *name != NULL; name++)
		judge_variable(judge, *name, answer);
}

static const Setting *
find_setting(const GPtrArray *settings, SettingKind kind, const char *name,
    const char *value)
{
	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = g_ptr_array_index(settings, i);

		if (setting->kind == kind &&
		    (name == NULL || strcmp(setting->name, name) == 0) &&
		    (value == NULL || strcmp(setting->value, value) == 0))
			return setting;
	}
	return NULL;
}

/* A library that the cell wants: to be preloaded, or its thread library. */
static bool
is_of_cell(const ProofJudge *judge, const char *file)
{
	const GPtrArray *settings = judge->context->settings;

	return find_setting(settings, SETTING_PRELOAD, NULL, file) != NULL ||
	    find_setting(settings, SETTING_THREADLIB, NULL, file) != NULL;
}

/*
 * A thread library, where the cell leaves the choice to the system: one of
 * them is mapped in any program with threads.
 */
static bool
is_left_open(const ProofJudge *judge, const char *file)
{
	const ProofContext *context = judge->context;

	return !server_proof_has_kind(context->settings, SETTING_THREADLIB) &&
	    find_setting(context->subjects, SETTING_PRELOAD, NULL, file) ==
	    NULL &&
	    find_setting(context->subjects, SETTING_THREADLIB, NULL, file) !=
	    NULL;
}

/* Whether this file is one of the cell's own libraries by another name. */
static bool
is_wanted_file(const ProofJudge *judge, const char *id, const GPtrArray *files,
    const GPtrArray *ids)
{
	for (guint i = 0; i < files->len; i++)
		if (strcmp(g_ptr_array_index(ids, i), id) == 0 &&
		    is_of_cell(judge, g_ptr_array_index(files, i)))
			return true;
	return false;
}

static void
judge_library(ProofJudge *judge, const char *file, const char *mapped,
    const char *id, bool is_wanted, bool is_alias)
{
	const char *wanted = is_wanted ? "mapped" : "absent";
	bool is_mapped = strcmp(mapped, "yes") == 0;
	bool is_absent = strcmp(mapped, "no") == 0;
	g_autofree char *seen = g_strdup_printf("%s (%s)",
	    is_mapped       ? "mapped"
		: is_absent ? "not mapped"
			    : "another file of that name mapped, now deleted",
	    id);

	if (strchr(file, '/') == NULL)
		server_proof_add(judge, "library", file, wanted,
		    "its bare name was not resolved to a path", PROOF_UNKNOWN);
	else if (!is_mapped && !is_absent && strcmp(mapped, "deleted") != 0)
		server_proof_add(
		    judge, "library", file, wanted, mapped, PROOF_UNKNOWN);
	else if (!is_wanted && is_left_open(judge, file))
		server_proof_add(judge, "library", file,
		    "as the system chooses", seen, PROOF_NOT_APPLICABLE);
	else if (is_wanted)
		server_proof_add(judge, "library", file, wanted, seen,
		    server_proof_yes_if(is_mapped));
	else if (is_mapped && is_alias)
		server_proof_add(judge, "library", file,
		    "absent, or this cell's own",
		    "the file that this cell wants", PROOF_NOT_APPLICABLE);
	else
		server_proof_add(judge, "library", file, wanted, seen,
		    server_proof_yes_if(is_absent));
}

void
server_proof_libraries(
    ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	g_autoptr(GPtrArray) files = verb_answer_all(answer, "library");
	g_autoptr(GPtrArray) mapped = verb_answer_all(answer, "mapped");
	g_autoptr(GPtrArray) ids = verb_answer_all(answer, "identity");
	bool whole = answer->status == VERB_DONE && files->len == mapped->len &&
	    files->len == ids->len;

	for (guint i = 0; words[i + 2] != NULL; i++) {
		const char *file = words[i + 2];
		bool is_wanted = is_of_cell(judge, file);

		if (!whole || i >= files->len ||
		    strcmp(g_ptr_array_index(files, i), file) != 0)
			server_proof_add(judge, "library", file,
			    is_wanted ? "mapped" : "absent",
			    server_proof_trouble(answer), PROOF_UNKNOWN);
		else
			judge_library(judge, file, g_ptr_array_index(mapped, i),
			    g_ptr_array_index(ids, i), is_wanted,
			    is_wanted_file(
				judge, g_ptr_array_index(ids, i), files, ids));
	}
}

void
server_proof_threads(
    ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	g_autoptr(GPtrArray) lists = verb_answer_all(answer, "cpus");
	const char *cpus = startup_cpus(judge->context->settings);
	bool pinned = *cpus != '\0';
	g_autofree char *wanted = pinned
	    ? g_strdup(cpus)
	    : g_strdup_printf("all that are online (%s)",
		  judge->online == NULL ? "not known" : judge->online);
	g_autofree char *seen = NULL;
	bool same = true;

	(void)words;
	if (answer->status != VERB_DONE || lists->len == 0 ||
	    (!pinned && judge->online == NULL)) {
		server_proof_add(judge, "cpuset", "", wanted,
		    server_proof_trouble(answer), PROOF_UNKNOWN);
		return;
	}
	for (guint i = 0; i < lists->len; i++) {
		const char *list = g_ptr_array_index(lists, i);

		same = same &&
		    (pinned ? value_same_cpus(cpus, list)
			    : value_cpus_within(judge->online, list));
	}
	g_ptr_array_add(lists, NULL);
	seen = g_strjoinv(" and ", (char **)lists->pdata);
	server_proof_add(
	    judge, "cpuset", "", wanted, seen, server_proof_yes_if(same));
}

/* "0=performance 1=performance": every CPU has the governor. */
static bool
same_governors(const char *wanted, const char *seen)
{
	g_auto(GStrv) cpus = g_strsplit_set(seen, " \t\n", -1);
	bool any = false;

	for (char **cpu = cpus; *cpu != NULL; cpu++) {
		const char *equals = strchr(*cpu, '=');

		if (**cpu == '\0')
			continue;
		if (equals == NULL || strcmp(equals + 1, wanted) != 0)
			return false;
		any = true;
	}
	return any;
}

static SettingKind
tunable_kind(const char *word)
{
	int kind = 0;

	if (strcmp(word, PROOF_LIBMAP) == 0)
		return SETTING_THREADLIB;
	while (kind < SETTING_KINDS &&
	    strcmp(setting_kind_name((SettingKind)kind), word) != 0)
		kind++;
	return (SettingKind)kind;
}

static void
judge_tunable(ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	SettingKind kind = tunable_kind(words[1]);
	const char *name = words[2];
	const char *value = verb_answer_get(answer, "value");
	const Setting *setting =
	    find_setting(judge->context->settings, kind, name, NULL);
	const char *wanted =
	    setting == NULL ? PROOF_WANTED_BEFORE : setting->value;

	if (answer->status == VERB_ABSENT)
		server_proof_add(
		    judge, words[1], name, wanted, PROOF_SEEN_ABSENT, PROOF_NO);
	else if (answer->status != VERB_DONE || value == NULL)
		server_proof_add(judge, words[1], name, wanted,
		    server_proof_trouble(answer), PROOF_UNKNOWN);
	else if (setting == NULL)
		server_proof_add(
		    judge, words[1], name, wanted, value, PROOF_UNKNOWN);
	else if (kind == SETTING_GOVERNOR)
		server_proof_add(judge, words[1], name, wanted, value,
		    server_proof_yes_if(same_governors(wanted, value)));
	else
		server_proof_add(judge, words[1], name, wanted, value,
		    server_proof_yes_if(value_same_tunable(wanted, value)));
}

void
server_proof_get(
    ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	if (strcmp(words[2], PROOF_CPUS_ONLINE) != 0)
		judge_tunable(judge, words, answer);
	else if (answer->status == VERB_DONE)
		judge->online = verb_answer_get(answer, "value");
}
