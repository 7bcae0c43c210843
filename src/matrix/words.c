#include "matrix/words.h"

#include <string.h>

#define PLACE(what, title, ...)                                                \
	static const char *const what##_keys[] = { __VA_ARGS__, NULL };        \
	const ReaderPlace place_##what = { title, what##_keys }

#define HOST_KEYS                                                              \
	"name", "ssh", "ssh_config", "key", "known_hosts", "fingerprint",      \
	    "host_key", "sudo", "os", "path", "power", "power_timeout",        \
	    "power_rest", "console", "boot", "patience"

PLACE(matrix, "the matrix itself", "title", "hosts", "targets", "factors",
    "server", "loads", "monitors", "notify", "visit", "design");
PLACE(host, "a host", HOST_KEYS);
PLACE(target, "a target", HOST_KEYS, "client", "address");
PLACE(level, "a level", "name", "kernel", "cmdline", "loader", "sysctl",
    "sysfs", "threadlib", "preload", "env", "mysqld", "cpuset", "smt",
    "governor", "turbo", "thp", "file", "during", "apply", "undo", "verify",
    "expect", "same");
PLACE(server, "server", "service", "command", "start", "stop", "ready",
    "mysqld", "run_as", "datadir", "datadir_from", "socket", "port", "user",
    "db", "option_file", "password_env", "start_timeout", "stop_timeout");
PLACE(load, "a load", "use", "name", "setup", "prepare", "restore", "cleanup",
    "tables", "reset", "timeout", "metrics", "primary");
PLACE(monitor, "a monitor", "name", "on", "command");
PLACE(design, "design", "rounds", "runs", "warmup", "order", "boot", "restart",
    "seed", "baseline", "exclude", "include", "aa", "share", "margin",
    "contrasts", "others", "quiet", "stop");
PLACE(quiet, "design.quiet", "limit", "wait");
PLACE(stop, "design.stop", "halfwidth", "looks", "max_rounds", "until");
PLACE(contrast, "a contrast", "name", "of", "against");

const ReaderPlace *const words_places[] = { &place_matrix, &place_design,
	&place_server, &place_target, &place_host, &place_level, &place_load,
	&place_monitor, &place_quiet, &place_stop, &place_contrast, NULL };

const char *const words_kinds[] = { "kernel", "cmdline", "loader", "sysctl",
	"sysfs", "threadlib", "preload", "env", "mysqld", "cpuset", "smt",
	"governor", "turbo", "thp", "file", "during", "command", NULL };
static const char *const words_classes[] = { "load", "server", "boot", NULL };
const char *const words_resets[] = { "never", "round", "start", "run", NULL };
const char *const words_boots[] = { "block", "round", "visit", "lazy", NULL };
const char *const words_restarts[] = { "visit", "cell", "load", NULL };
const char *const words_builtin[] = { "host", "port", "socket", "user", "db",
	"target", NULL };
const char *const words_builtin_load[] = { "host", "port", "socket", "user",
	"db", "target", "round", "seed", "run", "cell", "outdir", NULL };

G_STATIC_ASSERT(G_N_ELEMENTS(words_kinds) == SETTING_KINDS + 1);

const char *
setting_kind_name(SettingKind kind)
{
	return words_kinds[kind];
}

const char *
factor_class_name(FactorClass class)
{
	return words_classes[class];
}

const char *
reset_name(Reset reset)
{
	return words_resets[reset];
}

const char *
boot_policy_name(BootPolicy policy)
{
	return words_boots[policy];
}

const char *
restart_policy_name(RestartPolicy policy)
{
	return words_restarts[policy];
}

FactorClass
setting_kind_class(SettingKind kind)
{
	return kind == SETTING_KERNEL || kind == SETTING_CMDLINE ||
		kind == SETTING_LOADER
	    ? CLASS_BOOT
	    : CLASS_SERVER;
}

bool
words_kind(const char *word, SettingKind *kind)
{
	for (size_t i = 0; i < SETTING_KINDS; i++)
		if (strcmp(word, words_kinds[i]) == 0) {
			*kind = (SettingKind)i;
			return true;
		}
	return false;
}

bool
words_is_nothing(const char *value)
{
	return strcmp(value, "default") == 0 || strcmp(value, "none") == 0;
}

static int
by_word(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *
matrix_words(void)
{
	GPtrArray *words = g_ptr_array_new();

	for (size_t i = 0; words_places[i] != NULL; i++)
		for (size_t j = 0; words_places[i]->keys[j] != NULL; j++) {
			const char *key = words_places[i]->keys[j];
			guint known = 0;
			if (!g_ptr_array_find_with_equal_func(
				words, key, g_str_equal, &known))
				g_ptr_array_add(words, (void *)key);
		}
	g_ptr_array_sort(words, by_word);
	return words;
}
