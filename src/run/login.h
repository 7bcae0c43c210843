/*
 * How a host is logged in to, kept with the run: abrun restore must get there
 * when the matrix was edited or is gone.
 */
#ifndef RUN_LOGIN_H
#define RUN_LOGIN_H

#include <stdbool.h>

#include "matrix/matrix.h"
#include "store/store.h"

/* Stores it; matrix_path is where its hooks are looked for, too. */
bool login_keep(Store *store, size_t index, const Host *host,
    const char *matrix_path, GError **error);

/* A host as it was stored; free it. */
typedef struct {
	Host host;
	char *matrix_path;
} Login;

/* NULL with ABRUN_ERROR_USAGE when none was stored. */
Login *login_read(Store *store, size_t index, GError **error);
void login_free(Login *login);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Login, login_free)

#endif
