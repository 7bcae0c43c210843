#include "analysis/wording.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

enum { NUMBER_BYTES = 64, NAME_BYTES = 4096 };

static char *
format(double value, int decimals, bool plus)
{
	char buffer[NUMBER_BYTES], shape[16];

	if (!isfinite(value))
		return g_strdup("n/a");
	if (fabs(value) < 1e9)
		g_snprintf(shape, sizeof shape, "%%.%df", decimals);
	else
		g_strlcpy(shape, "%.6g", sizeof shape);
	g_ascii_formatd(buffer, sizeof buffer, shape, fabs(value));
	const char *sign = value < 0 ? "-" : plus && value > 0 ? "+" : "";
	return g_strconcat(sign, buffer, NULL);
}

char *
wording_signed(double value, int decimals)
{
	return format(value, decimals, true);
}

char *
wording_number(double value, int decimals)
{
	return format(value, decimals, false);
}

char *
wording_short(double value)
{
	char buffer[NUMBER_BYTES];

	if (!isfinite(value))
		return g_strdup("n/a");
	return g_strdup(g_ascii_formatd(buffer, sizeof buffer, "%.6g", value));
}

int
wording_decimals(Interval interval)
{
	const double half = (interval.high - interval.low) / 2;

	if (!isfinite(half) || half >= .5)
		return 1;
	return half >= .05 ? 2 : 3;
}

char *
wording_p(double p)
{
	if (isnan(p))
		return g_strdup("n/a");
	if (p < .001)
		return g_strdup("< .001");
	if (p >= .995)
		return g_strdup("1");
	g_autofree char *text = wording_number(p, p < .1 ? 3 : 2);
	return g_strdup(strchr(text, '.'));
}

char *
wording_list(const GPtrArray *words)
{
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < words->len; i++) {
		if (i > 0)
			g_string_append(
			    out, i + 1 == words->len ? " and " : ", ");
		g_string_append(out, words->pdata[i]);
	}
	return g_string_free(out, FALSE);
}

char *
wording_rounds(const GArray *rounds)
{
	g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < rounds->len;) {
		const size_t first = g_array_index(rounds, size_t, i);
		size_t last = first;
		while (++i < rounds->len &&
		    g_array_index(rounds, size_t, i) == last + 1)
			last++;
		if (last == first)
			g_ptr_array_add(parts, g_strdup_printf("%zu", first));
		else
			g_ptr_array_add(
			    parts, g_strdup_printf("%zu-%zu", first, last));
	}
	return wording_list(parts);
}

char *
wording_count(size_t count, const char *plural)
{
	const size_t length = strlen(plural);
	const int cut = count == 1 && length > 0 ? 1 : 0;

	return g_strdup_printf("%zu %.*s", count, (int)length - cut, plural);
}

static const char *
level_name(const StoreData *data, size_t factor, size_t level)
{
	const DataFactor *f = data->factors->pdata[factor];

	return level < f->levels->len ? f->levels->pdata[level] : "?";
}

/* Says nothing without its factor. */
static bool
is_bare(const char *name)
{
	static const char *const bare[] = { "default", "none", "on", "off",
		"yes", "no", "true", "false", "always", "never", "high", "low",
		NULL };

	if (g_strv_contains(bare, name))
		return true;
	/* Numbers, sizes and times: "-1", "1.5", "64M", "30 ms". */
	const char *unit = name + strspn(name, "+-0123456789.,:% ");
	return *unit == '\0' || (unit > name && strlen(unit) <= 2);
}

char *
wording_level(const StoreData *data, size_t factor, size_t level)
{
	const DataFactor *f = data->factors->pdata[factor];
	const char *name = level_name(data, factor, level);
	bool alone = !is_bare(name);

	for (size_t i = 0; alone && i < data->factors->len; i++) {
		const DataFactor *other = data->factors->pdata[i];
		for (size_t j = 0; j < other->levels->len; j++)
			if (i != factor &&
			    strcmp(other->levels->pdata[j], name) == 0)
				alone = false;
	}
	g_autofree char *text =
	    alone ? g_strdup(name) : g_strdup_printf("%s %s", f->name, name);
	return text_printable(text, NAME_BYTES);
}

char *
wording_cell(const StoreData *data, const DataCell *cell)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; i < data->factors->len; i++)
		g_string_append_printf(text, "%s%s", i == 0 ? "" : " / ",
		    level_name(
			data, i, g_array_index(cell->levels, size_t, i)));
	if (text->len == 0)
		g_string_append(text, cell->name);
	if (cell->again)
		g_string_append(text, " (again)");
	return text_printable(text->str, NAME_BYTES);
}

char *
wording_server(const StoreData *data, size_t server)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const DataCell *cell = NULL;

	for (size_t i = 0; cell == NULL && i < data->cells->len; i++) {
		const DataCell *candidate = data->cells->pdata[i];
		if (candidate->server == server)
			cell = candidate;
	}
	if (cell == NULL)
		return g_strdup("an unknown cell");
	for (size_t i = 0; i < data->factors->len; i++) {
		const DataFactor *factor = data->factors->pdata[i];
		if (factor->class == CLASS_LOAD)
			continue;
		g_string_append_printf(text, "%s%s",
		    text->len == 0 ? "" : " / ",
		    level_name(
			data, i, g_array_index(cell->levels, size_t, i)));
	}
	if (text->len == 0)
		g_string_append(text, "the one cell");
	if (cell->again)
		g_string_append(text, " (again)");
	return text_printable(text->str, NAME_BYTES);
}
