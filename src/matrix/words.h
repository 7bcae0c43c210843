/*
 * The keys of the matrix language, by the place where they belong.
 */
#ifndef MATRIX_WORDS_H
#define MATRIX_WORDS_H

#include "matrix/matrix.h"
#include "matrix/reader.h"

extern const ReaderPlace place_matrix, place_host, place_target, place_level,
    place_server, place_load, place_monitor, place_design, place_quiet,
    place_stop, place_contrast;

/* All of them; ends with NULL. */
extern const ReaderPlace *const words_places[];

/* Ends with NULL; the order is that of the enums in matrix.h. */
extern const char *const words_kinds[];
extern const char *const words_resets[];
extern const char *const words_boots[];
extern const char *const words_restarts[];

/* Built-in templates: everywhere, and besides in the commands of a load. */
extern const char *const words_builtin[];
extern const char *const words_builtin_load[];

/* The kind of that word; false if it is none. */
bool words_kind(const char *word, SettingKind *kind);
/* "default" or "none": nothing is set. */
bool words_is_nothing(const char *value);

#endif
