#include "target/server_proof.h"

#include <string.h>

#include "target/startup.h"

/*
 * They change which code a process runs, whatever the matrix varies, so no
 * cell may have them by accident.
 */
static const char *const watched[] = { "LD_PRELOAD", "LD_LIBRARY_PATH",
	"LD_AUDIT", "GLIBC_TUNABLES", "MALLOC_CONF", NULL };

static bool
has_text(const GPtrArray *texts, const char *text)
{
	for (guint i = 0; i < texts->len; i++)
		if (strcmp(g_ptr_array_index(texts, i), text) == 0)
			return true;
	return false;
}

static void
add_once(GPtrArray *texts, const char *text)
{
	if (!has_text(texts, text))
		g_ptr_array_add(texts, g_strdup(text));
}

bool
server_proof_has_kind(const GPtrArray *settings, SettingKind kind)
{
	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = g_ptr_array_index(settings, i);

		if (setting->kind == kind)
			return true;
	}
	return false;
}

static bool
is_tunable(SettingKind kind)
{
	return kind == SETTING_SYSCTL || kind == SETTING_SYSFS ||
	    kind == SETTING_THP || kind == SETTING_SMT ||
	    kind == SETTING_GOVERNOR || kind == SETTING_TURBO;
}

/* The words of one verb, to be filled up and closed by add_verb(). */
static GPtrArray *
verb_words(const char *first, const char *second)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(words, g_strdup(first));
	if (second != NULL)
		g_ptr_array_add(words, g_strdup(second));
	return words;
}

static void
add_verb(GPtrArray *verbs, GPtrArray *words)
{
	g_ptr_array_add(words, NULL);
	g_ptr_array_add(verbs, g_ptr_array_free(words, FALSE));
}

void
server_proof_add_names(GPtrArray *words, const ProofContext *context)
{
	for (const char *const *name = watched; *name != NULL; name++)
		add_once(words, *name);
	for (guint i = 0; i < context->subjects->len; i++) {
		const Setting *subject =
		    g_ptr_array_index(context->subjects, i);

		if (subject->kind == SETTING_ENV)
			add_once(words, subject->name);
	}
	if (!server_proof_has_kind(context->subjects, SETTING_THREADLIB))
		return;
	add_once(words, "LD_LIBMAP");
	add_once(words, "LD_LIBMAP_DISABLE");
}

static void
add_environ(GPtrArray *verbs, const ProofContext *context, const char *pid)
{
	GPtrArray *words = verb_words("environ", pid);

	if (context->life->invocation != NULL)
		g_ptr_array_add(words, g_strdup(PROOF_INVOCATION));
	server_proof_add_names(words, context);
	add_verb(verbs, words);
}

void
server_proof_add_files(GPtrArray *words, const ProofContext *context)
{
	const GPtrArray *lists[] = { context->subjects, context->settings };

	for (size_t list = 0; list < G_N_ELEMENTS(lists); list++) {
		for (guint i = 0; i < lists[list]->len; i++) {
			const Setting *setting =
			    g_ptr_array_index(lists[list], i);

			if (setting->kind == SETTING_PRELOAD ||
			    (setting->kind == SETTING_THREADLIB &&
				*setting->name == '\0'))
				add_once(words, setting->value);
		}
	}
}

static void
add_libraries(GPtrArray *verbs, const ProofContext *context, const char *pid)
{
	GPtrArray *words = verb_words("libraries", pid);

	server_proof_add_files(words, context);
	if (words->len > 2)
		add_verb(verbs, words);
	else
		g_ptr_array_unref(words);
}

/* Several levels are of one program. */
static bool
has_verb(const GPtrArray *verbs, const char *program)
{
	for (guint i = 0; i < verbs->len; i++) {
		char *const *words = g_ptr_array_index(verbs, i);

		if (strcmp(words[0], "get") == 0 &&
		    strcmp(words[1], PROOF_LIBMAP) == 0 &&
		    strcmp(words[2], program) == 0)
			return true;
	}
	return false;
}

void
server_proof_tunables(GPtrArray *verbs, const ProofContext *context)
{
	for (guint i = 0; i < context->subjects->len; i++) {
		const Setting *subject =
		    g_ptr_array_index(context->subjects, i);
		const bool map = subject->kind == SETTING_THREADLIB &&
		    *subject->name != '\0';
		GPtrArray *words = NULL;

		if (!map && !is_tunable(subject->kind))
			continue;
		if (map && has_verb(verbs, subject->name))
			continue;
		words = verb_words("get",
		    map ? PROOF_LIBMAP : setting_kind_name(subject->kind));
		g_ptr_array_add(words, g_strdup(subject->name));
		add_verb(verbs, words);
	}
}

static void
free_words(gpointer words)
{
	g_strfreev(words);
}

GPtrArray *
server_proof_verbs(const ProofContext *context)
{
	GPtrArray *verbs = g_ptr_array_new_with_free_func(free_words);
	const Server *server = context->server;
	g_autofree char *pid =
	    g_strdup_printf("%" G_GINT64_FORMAT, context->life->pid);

	add_verb(verbs, verb_words("boot_id", NULL));
	GPtrArray *process = verb_words("process", pid);
	if (context->life->exe_identity != NULL)
		g_ptr_array_add(process, g_strdup(context->life->exe_identity));
	add_verb(verbs, process);
	if (server->socket != NULL) {
		GPtrArray *words = verb_words("owner", "socket");

		g_ptr_array_add(words, g_strdup(server->socket));
		add_verb(verbs, words);
	}
	if (startup_port(server) != 0) {
		GPtrArray *words = verb_words("owner", "tcp");

		g_ptr_array_add(
		    words, g_strdup_printf("%d", startup_port(server)));
		add_verb(verbs, words);
	}
	if (server->kind == SERVER_SERVICE)
		add_verb(verbs, verb_words("service", server->service));
	add_environ(verbs, context, pid);
	add_libraries(verbs, context, pid);
	if (server_proof_has_kind(context->subjects, SETTING_CPUSET)) {
		GPtrArray *words = verb_words("get", "sysfs");

		g_ptr_array_add(words, g_strdup(PROOF_CPUS_ONLINE));
		add_verb(verbs, words);
		add_verb(verbs, verb_words("threads", pid));
	}
	if (server_proof_has_kind(context->subjects, SETTING_MYSQLD))
		add_verb(verbs, verb_words("cmdline", pid));
	server_proof_tunables(verbs, context);
	return verbs;
}
