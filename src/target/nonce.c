#include "target/nonce.h"

#include <libssh/libssh.h>

#include "base/error.h"

enum { NONCE_BYTES = 16 };

char *
verb_nonce(GError **error)
{
	unsigned char bytes[NONCE_BYTES];
	GString *nonce = NULL;

	if (ssh_get_random(bytes, sizeof(bytes), 1) != 1) {
		g_set_error_literal(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "no random numbers are to be had");
		return NULL;
	}
	nonce = g_string_sized_new(2 * sizeof(bytes) + 1);
	for (size_t i = 0; i < sizeof(bytes); i++)
		g_string_append_printf(nonce, "%02x", bytes[i]);
	return g_string_free(nonce, FALSE);
}
