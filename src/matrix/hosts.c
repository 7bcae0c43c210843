#include "matrix/matrix.h"

#include <string.h>

#ifdef __FreeBSD__
#define OWN_OS "freebsd"
#else
#define OWN_OS "linux"
#endif

const Host *
matrix_controller(void)
{
	static const Host controller = {
		.name = (char *)"controller",
		.ssh = (char *)"",
		.os = (char *)OWN_OS,
		.local = true,
	};

	return &controller;
}

const Host *
matrix_host_number(const Matrix *matrix, size_t number)
{
	if (number < matrix->targets->len)
		return matrix->targets->pdata[number];
	number -= matrix->targets->len;
	return number < matrix->hosts->len ? matrix->hosts->pdata[number]
					   : matrix_controller();
}

size_t
matrix_client_number(const Matrix *matrix, size_t target)
{
	const Host *host = matrix->targets->pdata[target];

	if (host->client == NULL || strcmp(host->client, "target") == 0)
		return target;
	for (guint i = 0; i < matrix->hosts->len; i++) {
		const Host *client = matrix->hosts->pdata[i];
		if (strcmp(client->name, host->client) == 0)
			return matrix->targets->len + i;
	}
	return matrix->targets->len + matrix->hosts->len;
}
