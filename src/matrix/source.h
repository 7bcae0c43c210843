/*
 * The text of a matrix with its includes put in, and where each line of it
 * came from.
 */
#ifndef MATRIX_SOURCE_H
#define MATRIX_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "matrix/mistakes.h"

typedef struct Source Source;

/*
 * Each puts `@include "file"` in, relative to the including file, nested.
 * What is wrong goes to mistakes; the rest of the text is kept all the same.
 * source_read() reads a regular file that only its owner and group may write.
 */
Source *source_read(const char *path, Mistakes *mistakes);
Source *source_parse(
    const char *text, size_t length, const char *path, Mistakes *mistakes);
void source_free(Source *source);

/*
 * False when some of the text could not be had, so that what a parser says of
 * the rest would mislead.
 */
bool source_is_whole(const Source *source);
/* The whole text, includes put in. */
const char *source_text(const Source *source);
/* "file:line" of a line 1... of the text; free it. */
char *source_place(const Source *source, size_t line);
/* The line in its own file. */
int source_line(const Source *source, size_t line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Source, source_free)

#endif
