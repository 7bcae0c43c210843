/*
 * Replays files through a fuzz target: every regular file named, or lying in
 * a directory named; without arguments those of tests/fuzz/corpus/NAME, NAME
 * being the program's.  Says so in TAP; a target that crashes says nothing.
 */
#include <stdint.h>
#include <stdio.h>

#include <glib.h>

#include "base/file.h"

enum { INPUT_BYTES = 1 << 24 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t
replay_file(const char *path)
{
	size_t length = 0;
	g_autofree char *data = file_read(path, INPUT_BYTES, &length, NULL);

	if (data == NULL)
		return 0;
	(void)LLVMFuzzerTestOneInput((const uint8_t *)data, length);
	return 1;
}

static size_t
replay(const char *path)
{
	size_t n = 0;
	GDir *directory = g_dir_open(path, 0, NULL);

	if (directory == NULL)
		return replay_file(path);
	for (const char *name = g_dir_read_name(directory); name != NULL;
	     name = g_dir_read_name(directory)) {
		g_autofree char *file = g_build_filename(path, name, NULL);
		n += replay_file(file);
	}
	g_dir_close(directory);
	return n;
}

int
main(int argc, char **argv)
{
	g_autofree char *name = g_path_get_basename(argv[0]);
	g_autofree char *corpus =
	    g_build_filename("tests/fuzz/corpus", name, NULL);
	size_t n = argc == 1 ? replay(corpus) : 0;

	for (int i = 1; i < argc; i++)
		n += replay(argv[i]);
	(void)printf("1..1\n%s 1 - %zu files were replayed\n",
	    n > 0 ? "ok" : "not ok", n);
	return n > 0 ? 0 : 1;
}
