#include "run/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"

/* As plan and post; foreign text is cut at a page or so. */
enum { COLUMNS = 79, TEXT_BYTES = 3000 };

static const char indent[] = "     ";

static const char *
level_word(FindingLevel level)
{
	switch (level) {
	case FINDING_OK:
		return "ok   ";
	case FINDING_NOTE:
		return "note ";
	case FINDING_WARN:
		return "warn ";
	case FINDING_FAIL:
		return "FAIL ";
	}
	g_assert_not_reached();
}

char *
finding_text(FindingLevel level, const char *subject, const char *text,
    const char *advice)
{
	g_autofree char *line = g_strdup_printf("%s: %s", subject, text);
	g_autofree char *safe = text_printable(line, TEXT_BYTES);
	g_autofree char *wrapped = text_wrap(safe, indent, COLUMNS);
	g_autoptr(GString) out = g_string_new(wrapped);

	g_string_overwrite(out, 0, level_word(level));
	if (advice != NULL) {
		g_autofree char *shown = text_printable(advice, TEXT_BYTES);
		g_autofree char *what = text_wrap(shown, "        ", COLUMNS);
		what[strlen(indent)] = '-';
		what[strlen(indent) + 1] = '>';
		g_string_append(out, what);
	}
	return g_strdup(out->str);
}

/* Where no cell holds, the target cannot be measured. */
static void
end_group(Findings *findings)
{
	const bool failed = findings->failed > 0;

	switch (findings->about) {
	case FINDINGS_MATRIX:
		findings->matrix_failed |= failed;
		break;
	case FINDINGS_HOST:
		findings->host_failed |= failed;
		break;
	case FINDINGS_CELLS:
		findings->cells_failed |= failed;
		findings->host_failed |= failed && findings->held == 0;
		break;
	}
	findings->held = 0;
	findings->failed = 0;
}

void
findings_clear(Findings *findings)
{
	g_clear_pointer(&findings->head, g_free);
}

void
findings_group(Findings *findings, FindingsAbout about, const char *head)
{
	end_group(findings);
	g_free(findings->head);
	findings->head = head == NULL ? NULL : text_printable(head, TEXT_BYTES);
	findings->about = about;
}

static void
print(Findings *findings, const char *text)
{
	log_progress(NULL);
	if (findings->head != NULL) {
		g_autofree char *head = text_wrap(findings->head, "", COLUMNS);
		(void)printf("%s%s", findings->begun ? "\n" : "", head);
		g_clear_pointer(&findings->head, g_free);
		findings->begun = true;
	}
	(void)fputs(text, stdout);
	(void)fflush(stdout);
}

void
findings_add(Findings *findings, FindingLevel level, const char *subject,
    const char *text, const char *advice)
{
	findings->held += level == FINDING_OK;
	findings->failed += level == FINDING_FAIL;
	findings->fails += level == FINDING_FAIL;
	findings->warnings += level == FINDING_WARN;
	if (findings->quiet && level < FINDING_WARN)
		return;
	g_autofree char *lines = finding_text(level, subject, text, advice);
	print(findings, lines);
}

void
findings_tell(Findings *findings, FindingLevel level, const char *subject,
    const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	findings_add(findings, level, subject, text, NULL);
}

void
findings_fail(Findings *findings, const char *subject, const char *message,
    const GError *error, bool advised)
{
	const Failure failure = failure_of(error);
	g_autofree char *text =
	    g_strdup_printf("%s: %s", failure_name(failure), message);

	findings_add(findings, FINDING_FAIL, subject, text,
	    advised ? failure_advice(failure) : NULL);
}

char *
findings_words(const Findings *findings)
{
	g_autofree char *ways = findings->fails == 0
	    ? g_strdup("nothing stands in the way")
	    : findings->fails == 1
	    ? g_strdup("1 thing stands in the way")
	    : g_strdup_printf("%zu things stand in the way", findings->fails);
	g_autofree char *warnings = findings->warnings == 0
	    ? g_strdup("no warnings")
	    : findings->warnings == 1
	    ? g_strdup("1 warning")
	    : g_strdup_printf("%zu warnings", findings->warnings);

	return g_strdup_printf("%s, %s", ways, warnings);
}

int
findings_status(Findings *findings)
{
	end_group(findings);
	return findings->matrix_failed ? FINDINGS_BAD_MATRIX
	    : findings->host_failed    ? FINDINGS_NOTHING
	    : findings->cells_failed   ? FINDINGS_SOME_CELLS
				       : FINDINGS_GOOD;
}
