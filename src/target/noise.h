/*
 * What hosts say outside the frames of answers, in a file for a person.
 */
#ifndef TARGET_NOISE_H
#define TARGET_NOISE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Appends what was said on a stream during a call, or the beginning of it;
 * nothing where text is empty, or the file large.  False with errno set.
 */
bool noise_keep(const char *path, size_t call, const char *verb,
    const char *stream, const char *text);

#endif
