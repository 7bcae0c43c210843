#include "stats/outliers.h"

#include <math.h>

#include <glib.h>

#include "stats/select.h"

#define OUTLIER_Z 3.5
#define NORMAL_MAD .6745

size_t
stats_outliers(const double *values, size_t n, bool *far)
{
	g_autofree double *moved = g_memdup2(values, n * sizeof *values);
	const double median = stats_quantile(moved, n, .5);
	size_t outliers = 0;

	for (size_t i = 0; i < n; i++)
		moved[i] = fabs(values[i] - median);
	const double mad = stats_quantile(moved, n, .5);
	for (size_t i = 0; i < n; i++) {
		const bool is_far = mad > 0 &&
		    NORMAL_MAD * fabs(values[i] - median) / mad > OUTLIER_Z;
		outliers += is_far;
		if (far != NULL)
			far[i] = is_far;
	}
	return outliers;
}
