#include <string.h>

#include "report/report.h"

const ReportFormat *const report_formats[] = {
	&report_markdown,
	&report_post,
	NULL,
};

const ReportFormat *
report_format(const char *name)
{
	for (size_t i = 0; report_formats[i] != NULL; i++)
		if (strcmp(report_formats[i]->name, name) == 0)
			return report_formats[i];
	return NULL;
}
