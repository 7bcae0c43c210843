/*
 * The sections of abrun-matrix(5) that list keys, and how the assignment of
 * one key becomes a whole matrix.
 */
#ifndef TESTS_MANUAL_SECTIONS_H
#define TESTS_MANUAL_SECTIONS_H

#include "manual_page.h"

#include "matrix/words.h"

#define PAGE "src/man/abrun-matrix.5"
/* Where examples are; the files they name are there. */
#define HERE "tests/data/manual/example.cfg"

/*
 * How a key's example becomes a matrix: what stands around it, and members
 * that go with it but where they are the key itself.
 */
typedef struct {
	const char *section;
	const ReaderPlace *place;
	const char *before;
	const char *with[4];
	const char *after;
} Section;

#define TARGETS "targets = ( { name = \"t\"; os = \"linux\"; } );"
#define FACTORS                                                                \
	"factors: { preload = [ \"default\", \"jemalloc\" ];"                  \
	" kernel = [ \"4BSD\", \"ULE\" ]; clients = [ 1, 4, 64 ];"             \
	" jobs = [ 1, 2 ]; };"
#define SERVER "server: { command = \"/usr/sbin/mysqld\"; };"
#define SYSBENCH                                                               \
	"{ use = \"sysbench\"; name = \"other\"; test = \"oltp_read_only\";"   \
	" threads = \"{clients}\"; time = \"{jobs}\"; }"
#define LOADS "loads = ( " SYSBENCH " );"

static const Section sections[] = {
	{ "THE MATRIX ITSELF", &place_matrix, "",
	    { TARGETS, "factors: { preload = [ \"default\", \"x\" ]; };",
		"loads = ( { use = \"sysbench\"; test = \"x\"; "
		"reset = \"never\"; } );" },
	    "" },
	{ "HOSTS AND TARGETS", &place_target, FACTORS LOADS "targets = ( {",
	    { "name = \"t\";", "os = \"linux\";" }, "} );" },
	{ "Keys of a level", &place_level,
	    TARGETS SERVER LOADS
	    "factors: { clients = [ 1, 2 ]; jobs = [ 1, 2 ];"
	    " f = ( { name = \"a\"; }, {",
	    { "name = \"b\";", "apply = \"true\";" }, "} ); };" },
	{ "SERVER", &place_server, TARGETS FACTORS LOADS "server: {",
	    { "command = \"/usr/sbin/mysqld\";" }, "};" },
	{ "LOADS", &place_load,
	    TARGETS FACTORS SERVER "loads = ( " SYSBENCH ", {",
	    { "use = \"command\";", "command = \"x\";", "restore = \"x\";" },
	    "} );" },
	{ "MONITORS", &place_monitor, TARGETS FACTORS LOADS "monitors = ( {",
	    { "name = \"m\";", "command = \"x\";" }, "} );" },
	{ "DESIGN", &place_design, TARGETS FACTORS LOADS "design: {", { NULL },
	    "};" },
	{ "Keys of quiet", &place_quiet,
	    TARGETS FACTORS LOADS "design: { quiet: {", { NULL }, "}; };" },
	{ "Keys of stop", &place_stop,
	    TARGETS FACTORS LOADS "design: { stop: {", { NULL }, "}; };" },
	{ "Keys of a contrast", &place_contrast,
	    TARGETS FACTORS LOADS "design: { contrasts = ( {",
	    { "of: { clients = 4; };", "against: { clients = 1; };" },
	    "} ); };" },
};

/* Keys that go with other members than their section's. */
static const struct {
	const char *section, *key, *with;
} others[] = {
	{ "SERVER", "service", "" },
	{ "SERVER", "mysqld", "command = \"redis-server\"; port = 1;" },
	{ "Keys of stop", "halfwidth", "max_rounds = 9;" },
	{ "Keys of stop", "looks", "halfwidth = \"1%\"; max_rounds = 9;" },
	{ "Keys of stop", "max_rounds", "halfwidth = \"1%\";" },
	{ "SERVER", "start", "stop = \"x\"; ready = \"x\"; port = 1;" },
	{ "SERVER", "stop", "start = \"x\"; ready = \"x\"; port = 1;" },
	{ "SERVER", "ready", "start = \"x\"; stop = \"x\"; port = 1;" },
	{ "SERVER", "datadir_from", "command = \"x\"; datadir = \"/x\";" },
	{ "LOADS", "use", "test = \"oltp_read_only\";" },
	{ "LOADS", "metrics", "use = \"sysbench\"; test = \"cpu\";" },
};

/* The members that make the example of a key a whole matrix. */
static char *
companions(const Section *section, const char *key)
{
	GString *with = g_string_new("");

	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		if (strcmp(others[i].section, section->section) == 0 &&
		    strcmp(others[i].key, key) == 0) {
			g_string_append(with, others[i].with);
			return g_string_free(with, FALSE);
		}
	for (size_t i = 0;
	     i < G_N_ELEMENTS(section->with) && section->with[i] != NULL; i++) {
		const char *member = section->with[i];
		if (strncmp(member, key, strlen(key)) != 0 ||
		    strchr(" :", member[strlen(key)]) == NULL)
			g_string_append(with, member);
	}
	return g_string_free(with, FALSE);
}

/* The whole matrix around `key = value`; "" instead leaves the key out. */
static char *
section_matrix(const Section *section, const char *key, const char *assignment)
{
	g_autofree char *with = companions(section, key);
	g_autofree char *plain = g_strchomp(g_strdup(assignment));
	const bool closed = *plain == '\0' || g_str_has_suffix(plain, ";");

	return g_strdup_printf("%s %s %s%s %s", section->before, with, plain,
	    closed ? "" : ";", section->after);
}

#endif
