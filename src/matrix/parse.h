/*
 * The parts of matrix_load(): each reads one section into the matrix, or
 * checks across sections, and tells mistakes through the reader.  After any
 * mistake the matrix is thrown away, so parts go on with what they have.
 */
#ifndef MATRIX_PARSE_H
#define MATRIX_PARSE_H

#include "matrix/matrix.h"
#include "matrix/reader.h"

/* Lists are filled so that element i of a section is node i of the file. */
void read_hosts(Reader *reader, Matrix *matrix);
void read_factors(Reader *reader, Matrix *matrix);
void read_server(Reader *reader, Matrix *matrix);
/* Needs factors. */
void read_loads(Reader *reader, Matrix *matrix);
void read_monitors(Reader *reader, Matrix *matrix);
/* Needs factors. */
void read_design(Reader *reader, Matrix *matrix);
/* The settings, expect and same of one level. */
void read_level(Reader *reader, const ReaderNode *node, Level *level);
/* One plain value as a setting of that kind. */
void read_plain(Reader *reader, const ReaderNode *node, SettingKind kind,
    const char *text, Level *level);

/* Subjects set twice, levels that are the same. */
void check_levels(Reader *reader, const Matrix *matrix);
/* Settings against server, clients against hosts, size. */
void check_sections(Reader *reader, const Matrix *matrix);
/* Templates in all commands; variables that nothing uses. */
void check_templates(Reader *reader, Matrix *matrix);
/* Values of loads' keys, from wherever they come, against their types. */
void check_keys(Reader *reader, const Matrix *matrix);
/* Loads that write without a reset, warm-up by time. */
void check_loads(Reader *reader, const Matrix *matrix);
/* Fills matrix->files; needs all of the above. */
void find_files(Reader *reader, Matrix *matrix);

/* The index of a level by name, or -1. */
int factor_level(const Factor *factor, const char *name);
/* Names of all levels of a factor; ends with NULL; free the vector alone. */
const char **level_names(const Factor *factor);
/* Names of all factors; likewise. */
const char **factor_names(const Matrix *matrix);

/* The value given for a load's key, or NULL. */
const char *load_key(const Load *load, const char *name);

/* For matrix_free() and lists: each takes NULL. */
void setting_free(void *data);
void level_free(void *data);
void factor_free(void *data);
void host_free(void *data);
void load_key_free(void *data);
void load_free(void *data);
void monitor_free(void *data);
void cell_pattern_free(void *data);
void matrix_contrast_free(void *data);
void matrix_file_free(void *data);

#endif
