#include "abload/options.h"

#include <stdio.h>
#include <string.h>

#include "abload/command_line.h"
#include "base/error.h"
#include "base/text.h"

static bool
read_count(const char *name, const char *word, int64_t least, int64_t most,
    uint64_t *value, GError **error)
{
	int64_t number;

	if (word == NULL)
		return true;
	if (!text_parse_int(word, least, most, &number, error)) {
		g_prefix_error(error, "--%s: ", name);
		return false;
	}
	*value = (uint64_t)number;
	return true;
}

/* "30", as seconds, or "250ms", "2min". */
static bool
read_duration(const char *name, const char *word, int64_t *ms, GError **error)
{
	int64_t seconds;

	if (word == NULL)
		return true;
	if (text_parse_int(word, 0, INT32_MAX, &seconds, NULL)) {
		*ms = seconds * 1000;
		return true;
	}
	if (text_parse_duration(word, ms, error))
		return true;
	g_prefix_error(error, "--%s: ", name);
	return false;
}

static bool
read_choice(const char *name, const char *word, const char *const *choices,
    size_t *index, GError **error)
{
	for (size_t i = 0; word != NULL && choices[i] != NULL; i++)
		if (strcmp(choices[i], word) == 0) {
			*index = i;
			return true;
		}
	if (word == NULL)
		return true;
	g_autofree char *list = g_strjoinv(", ", (char **)(uintptr_t)choices);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "--%s wants one of %s, not %s", name, list, word);
	return false;
}

static bool
read_numbers(const CommandLine *words, Options *options, GError **error)
{
	enum {
		MOST_RETRIES = 1000,
		MOST_TIMEOUT = 86400,
		TIMEOUT = 60,
		RETRIES = 3
	};
	uint64_t retries = RETRIES;
	uint64_t timeout = TIMEOUT;
	uint64_t port = 0;
	options->seed = 1;

	if (!read_count("clients", words->clients, 1, 100000, &options->clients,
		error) ||
	    !read_count("rounds", words->rounds, 1, INT64_MAX, &options->rounds,
		error) ||
	    !read_count("warmup-rounds", words->warmup_rounds, 0, INT64_MAX,
		&options->warmup_rounds, error) ||
	    !read_count(
		"seed", words->seed, 0, INT64_MAX, &options->seed, error) ||
	    !read_count(
		"retries", words->retries, 0, MOST_RETRIES, &retries, error) ||
	    !read_count(
		"timeout", words->timeout, 1, MOST_TIMEOUT, &timeout, error) ||
	    !read_count("port", words->port, 0, UINT16_MAX, &port, error) ||
	    !read_duration(
		"duration", words->duration, &options->duration_ms, error) ||
	    !read_duration(
		"warmup", words->warmup, &options->warmup_ms, error) ||
	    !read_duration(
		"interval", words->interval, &options->interval_ms, error))
		return false;
	options->retries = (int64_t)retries;
	options->login.timeout_s = (unsigned)timeout;
	options->login.port = (unsigned)port;
	if (words->rate == NULL)
		return true;
	if (!text_parse_double(words->rate, &options->rate, error))
		return false;
	if (options->rate > 0)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "--rate wants queries a second, not %s", words->rate);
	return false;
}

static bool
read_choices(const CommandLine *words, Options *options, GError **error)
{
	static const char *const protocols[] = { "text", "prepared", NULL };
	static const char *const arrivals[] = { "uniform", "poisson", NULL };
	static const char *const outputs[] = { "table", "json", "both", NULL };
	static const char *const servers[] = { "mysql", NULL };
	size_t protocol = 0;
	size_t arrival = 0;
	size_t output = 0;
	size_t server = 0;

	if (!read_choice(
		"protocol", words->protocol, protocols, &protocol, error) ||
	    !read_choice(
		"arrival", words->arrival, arrivals, &arrival, error) ||
	    !read_choice("output", words->output, outputs, &output, error) ||
	    !read_choice(
		"db-type", words->database_type, servers, &server, error))
		return false;
	options->prepared = protocol == 1;
	options->poisson = arrival == 1;
	options->table = output != 1;
	options->json = output != 0;
	return true;
}

static bool
read_action(const CommandLine *words, Options *options, GError **error)
{
	if (words->prepare + words->check + words->cleanup > 1 ||
	    words->strict + words->compat > 1 ||
	    (words->rounds != NULL && words->duration != NULL)) {
		g_set_error_literal(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "at most one of --prepare, --check and --cleanup, of "
		    "--strict and --compat-bugs, of --rounds and --duration");
		return false;
	}
	options->action = words->prepare ? ACTION_PREPARE
	    : words->check               ? ACTION_CHECK
	    : words->cleanup             ? ACTION_CLEANUP
					 : ACTION_RUN;
	options->level = words->strict ? SMACK_STRICT
	    : words->compat            ? SMACK_COMPAT
				       : SMACK_WARN;
	options->allow_shell = words->allow_shell;
	options->allow_misses = words->allow_misses;
	options->quiet = words->quiet;
	return true;
}

/* The password is never in an argument. */
static bool
read_login(CommandLine *words, Options *options, GError **error)
{
	const char *name =
	    words->password_env == NULL ? "MYSQL_PWD" : words->password_env;
	const char *password = g_getenv(name);

	/* A socket wins over a host; an empty word is none. */
	if (words->socket != NULL && words->socket[0] != '\0')
		options->login.socket = g_steal_pointer(&words->socket);
	else if (words->host != NULL && words->host[0] != '\0')
		options->login.host = g_steal_pointer(&words->host);
	options->login.user = g_steal_pointer(&words->user);
	options->login.db = g_steal_pointer(&words->db);
	if (words->option_file != NULL && words->option_file[0] != '\0')
		options->login.option_file =
		    g_steal_pointer(&words->option_file);
	options->login.password = g_strdup(password);
	if (words->password_env == NULL || password != NULL)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "--password-env: there is no %s in the environment", name);
	return false;
}

static void
read_files(CommandLine *words, Options *options)
{
	options->file = words->rest == NULL || words->rest[0] == NULL
	    ? g_strdup("-")
	    : g_strdup(words->rest[0]);
	options->arguments = words->rest == NULL || words->rest[0] == NULL
	    ? g_new0(char *, 1)
	    : g_strdupv(words->rest + 1);
	options->engine = g_steal_pointer(&words->engine);
	options->out = g_steal_pointer(&words->out);
	options->datadir = words->datadir != NULL
	    ? g_steal_pointer(&words->datadir)
	    : g_path_get_dirname(options->file);
}

Options *
options_read(int argc, char **argv, GError **error)
{
	g_auto(CommandLine) words = { 0 };
	g_autoptr(Options) options = g_new0(Options, 1);
	g_autofree char *name = g_path_get_basename(argv[0]);

	const bool smack = strcmp(name, "super-smack") == 0;

	if (!command_line_read(&words, argc, argv, smack, error))
		return NULL;
	if (words.version)
		(void)puts("abload " VERSION);
	if (words.version || words.help)
		return NULL;
	/* The original waits for a script; one who forgot it waits with it. */
	if (!smack && (words.rest == NULL || words.rest[0] == NULL)) {
		g_set_error_literal(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "which script? Give its file, or - for standard input; "
		    "--help tells more");
		return NULL;
	}
	if (!read_numbers(&words, options, error) ||
	    !read_choices(&words, options, error) ||
	    !read_action(&words, options, error) ||
	    !read_login(&words, options, error))
		return NULL;
	read_files(&words, options);
	return g_steal_pointer(&options);
}

/* The command line where it says something, else the script. */
static const char *
either(const char *override, const char *script)
{
	return override != NULL && override[0] != '\0' ? override : script;
}

Login
options_login(const Options *options, const SmackClient *client)
{
	Login login = options->login;

	login.db = either(login.db, client->db);
	/* An option file is a whole login, with the words beside it. */
	if (login.option_file != NULL)
		return login;
	login.user = either(login.user, client->user);
	if (login.password == NULL)
		login.password = client->pass;
	/* A socket or a host on the command line is the whole address. */
	if (login.socket != NULL || login.host != NULL)
		return login;
	login.host = client->host;
	login.socket = client->socket;
	if (login.port == 0)
		login.port = client->port;
	return login;
}

void
options_free(Options *options)
{
	if (options == NULL)
		return;
	const char *const texts[] = { options->login.host,
		options->login.socket, options->login.user,
		options->login.password, options->login.db,
		options->login.option_file };
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free((gpointer)(uintptr_t)texts[i]);
	g_free(options->file);
	g_strfreev(options->arguments);
	g_free(options->engine);
	g_free(options->datadir);
	g_free(options->out);
	g_free(options);
}
