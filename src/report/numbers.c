#include "report/numbers.h"

#include <math.h>

#include "analysis/wording.h"

enum { DIGITS = 6 };

NumberShape
numbers_shape(const AnalysisLoad *load)
{
	double largest = 0;

	for (size_t i = 0; i < load->rows->len; i++) {
		const AnalysisRow *row = load->rows->pdata[i];
		if (row->summary.n == 0 || isnan(row->summary.mean))
			continue;
		largest = fmax(largest, fabs(row->summary.min));
		largest = fmax(largest, fabs(row->summary.max));
	}
	if (!(largest > 0))
		return (NumberShape){ 0, 0 };
	const int power = (int)floor(log10(largest));
	const int exponent =
	    power >= 7 || power < -1 ? (int)floor((double)power / 3) * 3 : 0;
	const int before = MAX(power - exponent, 0) + 1;
	return (NumberShape){ exponent, MAX(DIGITS - before, 0) };
}

char *
numbers_text(NumberShape shape, double value)
{
	return wording_number(value / pow(10, shape.exponent), shape.decimals);
}

char *
numbers_change(const AnalysisContrast *contrast, double value)
{
	g_autofree char *text =
	    wording_signed(value, wording_decimals(contrast->percent));

	return g_strdup_printf(
	    "%s%s", text, contrast->raw || !isfinite(value) ? "" : " %");
}
