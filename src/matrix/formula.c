#include "matrix/formula.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum { DEPTH = 32 }; /* of ( ): nobody writes more by hand */

typedef struct {
	const char *text; /* whole, for messages */
	const char *at;
	int depth;
	FormulaName name;
	void *data;
} Formula;

static bool sum(Formula *formula, double *value, GError **error);

static bool
wrong(const Formula *formula, GError **error)
{
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "\"%s\" is no formula: \"%s\" is not understood", formula->text,
	    formula->at);
	return false;
}

static char
next(Formula *formula)
{
	while (*formula->at == ' ')
		formula->at++;
	return *formula->at;
}

static bool
in_brackets(Formula *formula, double *value, GError **error)
{
	if (++formula->depth > DEPTH)
		return wrong(formula, error);
	formula->at++;
	if (!sum(formula, value, error))
		return false;
	if (next(formula) != ')')
		return wrong(formula, error);
	formula->at++;
	formula->depth--;
	return true;
}

static bool
operand(Formula *formula, double *value, GError **error)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				      "0123456789.";

	if (next(formula) == '(')
		return in_brackets(formula, value, error);

	const size_t length = strspn(formula->at, letters);
	g_autofree char *word = g_strndup(formula->at, length);
	if (text_is_variable(word)) {
		if (!formula->name(word, formula->data, value, error))
			return false;
	} else if (!text_parse_double(word, value, NULL))
		return wrong(formula, error);
	formula->at += length;
	return true;
}

static bool
product(Formula *formula, double *value, GError **error)
{
	if (!operand(formula, value, error))
		return false;
	while (next(formula) == '*' || *formula->at == '/') {
		const char op = *formula->at++;
		double right = 0;

		if (!operand(formula, &right, error))
			return false;
		*value = op == '*' ? *value * right : *value / right;
	}
	return true;
}

static bool
sum(Formula *formula, double *value, GError **error)
{
	if (!product(formula, value, error))
		return false;
	while (next(formula) == '+' || *formula->at == '-') {
		const char op = *formula->at++;
		double right = 0;

		if (!product(formula, &right, error))
			return false;
		*value = op == '+' ? *value + right : *value - right;
	}
	return true;
}

bool
formula_compute(const char *text, FormulaName name, void *data, double *value,
    GError **error)
{
	Formula formula = {
		.text = text, .at = text, .name = name, .data = data
	};
	double result = 0;

	if (!sum(&formula, &result, error))
		return false;
	if (next(&formula) != '\0')
		return wrong(&formula, error);
	if (!isfinite(result)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "\"%s\" has no finite value", text);
		return false;
	}
	*value = result;
	return true;
}
