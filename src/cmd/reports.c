#include "cmd/reports.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"

char *
reports_text(Store *store, const ReportFormat *format, GError **error)
{
	g_autoptr(StoreData) data = store_read(store, error);

	if (data == NULL)
		return NULL;
	g_autoptr(Analysis) analysis = analysis_new(data);
	return format->render(analysis);
}

static bool
write_one(const Analysis *analysis, const char *directory,
    const ReportFormat *format, GError **error)
{
	g_autofree char *text = format->render(analysis);
	g_autofree char *path = g_build_filename(directory, format->file, NULL);

	return file_write(path, text, strlen(text), 0600, error);
}

bool
reports_write(Store *store, const char *const *names, GError **error)
{
	g_autoptr(StoreData) data = store_read(store, error);

	if (data == NULL)
		return false;
	g_autoptr(Analysis) analysis = analysis_new(data);
	for (size_t i = 0; report_formats[i] != NULL; i++) {
		const ReportFormat *format = report_formats[i];
		if (names != NULL && !g_strv_contains(names, format->name))
			continue;
		if (!write_one(analysis, store_directory(store), format, error))
			return false;
	}
	return true;
}
