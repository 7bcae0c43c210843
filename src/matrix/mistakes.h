/*
 * What is wrong with a file: one line a mistake, told together, sorted by
 * where they stand.
 */
#ifndef MATRIX_MISTAKES_H
#define MATRIX_MISTAKES_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

typedef struct Mistakes Mistakes;

Mistakes *mistakes_new(void);
void mistakes_free(Mistakes *mistakes);
/* Takes text; order is the line in the expanded text. */
void mistakes_add(Mistakes *mistakes, size_t order, char *text);
size_t mistakes_count(const Mistakes *mistakes);
/*
 * True when there are none; else false with ABRUN_ERROR_USAGE and the whole
 * report as the message.
 */
bool mistakes_finish(const Mistakes *mistakes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Mistakes, mistakes_free)

#endif
