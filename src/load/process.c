#include "load/process.h"

#include <math.h>
#include <string.h>

#include "base/failure.h"

LoadSample *
load_sample_add(GPtrArray *samples, const char *metric, double value)
{
	LoadSample *sample = g_new0(LoadSample, 1);

	sample->metric = g_strdup(metric);
	sample->value = value;
	g_ptr_array_add(samples, sample);
	return sample;
}

bool
load_took_time(const LoadOutput *output, GError **error)
{
	if (output->wall_ms > 0 || output->wall_ms == -1)
		return true;
	failure_set(error, FAILURE_BAD_RESULT, ABRUN_ERROR_FAILED,
	    "it is said to have taken %" G_GINT64_FORMAT
	    " ms of wall time, which cannot be",
	    output->wall_ms);
	return false;
}

double
load_process_value(const LoadOutput *output, const char *name)
{
	const double values[LOADDEF_PROCESS_METRICS] = {
		(double)output->wall_ms / 1000,
		(double)output->user_ms / 1000,
		(double)output->sys_ms / 1000,
		(double)output->maxrss_kb / 1024,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
		if (strcmp(loaddef_process_metrics[i].name, name) == 0)
			return values[i];
	return (double)NAN;
}

void
load_process_samples(const LoadOutput *output, GPtrArray *samples)
{
	for (size_t i = 0; i < LOADDEF_PROCESS_METRICS; i++) {
		const char *name = loaddef_process_metrics[i].name;
		const double value = load_process_value(output, name);
		if (value >= 0)
			(void)load_sample_add(samples, name, value);
	}
}
