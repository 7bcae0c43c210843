#include "abload/gendata.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum {
	WORDS = 31, /* of the generator's state */
	LAG = 3,
	DROPPED = 310,
	LONGEST = 4096, /* letters of one field */
	LETTERS = 25,   /* a to y: the original never draws z */
	UNSIZED = 256,  /* what it takes a drawn length of 0 for */
};

typedef struct {
	uint32_t word[WORDS];
	size_t next;
} Feedback;

typedef struct {
	char kind;            /* 't' text, 's', 'n', 'd' */
	char *text;           /* of 't' */
	unsigned least, most; /* letters of 's'; most 0: fewer than least */
} Field;

struct GenData {
	Feedback feedback;
	GArray *fields; /* Field */
	uint64_t row;
};

static uint32_t
feedback_draw(Feedback *feedback)
{
	const size_t at = feedback->next;
	const size_t lagged = (at + WORDS - LAG) % WORDS;

	feedback->word[at] += feedback->word[lagged];
	feedback->next = (at + 1) % WORDS;
	return feedback->word[at] >> 1;
}

/* The seed is 1, and the first words by Park and Miller's generator. */
static void
feedback_init(Feedback *feedback)
{
	int64_t word = 1;

	for (size_t i = 0; i < WORDS; i++) {
		feedback->word[i] = (uint32_t)word;
		word = word * 16807 % 2147483647;
	}
	feedback->next = LAG;
	for (size_t i = 0; i < DROPPED; i++)
		(void)feedback_draw(feedback);
}

static void
clear_field(gpointer data)
{
	Field *field = data;

	g_free(field->text);
}

static void
add_text(GArray *fields, GString *text)
{
	if (text->len == 0)
		return;
	const Field field = { .kind = 't', .text = g_strdup(text->str) };
	g_array_append_val(fields, field);
	g_string_truncate(text, 0);
}

/* Digits at *at, as a number; *at is behind them. */
static bool
read_length(const char **at, unsigned *length)
{
	unsigned value = 0;

	while (g_ascii_isdigit(**at)) {
		value = value * 10 + (unsigned)(**at - '0');
		if (value > LONGEST)
			return false;
		(*at)++;
	}
	*length = value;
	return true;
}

/* One field behind its %; *at is behind it. */
static bool
read_field(const char **at, Field *field)
{
	*field = (Field){ 0 };
	if (!read_length(at, &field->least))
		return false;
	if (**at == '-') {
		(*at)++;
		if (!read_length(at, &field->most))
			return false;
	}
	field->kind = **at;
	if (strchr("snd", field->kind) == NULL || field->kind == '\0')
		return false;
	(*at)++;
	return true;
}

static bool
read_format(const char *format, GArray *fields)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (const char *at = format; *at != '\0';) {
		if (at[0] != '%') {
			g_string_append_c(text, *at++);
			continue;
		}
		if (at[1] == '%') {
			g_string_append_c(text, '%');
			at += 2;
			continue;
		}
		Field field;
		at++;
		if (!read_field(&at, &field))
			return false;
		add_text(fields, text);
		g_array_append_val(fields, field);
	}
	add_text(fields, text);
	return true;
}

GenData *
gendata_new(const char *format, GError **error)
{
	g_autoptr(GenData) data = g_new0(GenData, 1);

	data->fields = g_array_new(FALSE, FALSE, sizeof(Field));
	g_array_set_clear_func(data->fields, clear_field);
	if (!read_format(format, data->fields)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "the format \"%s\" has a %% that is none of %%%%, %%s, "
		    "%%n, %%d, %%M-Ns with lengths up to %d",
		    format, LONGEST);
		return NULL;
	}
	feedback_init(&data->feedback);
	return g_steal_pointer(&data);
}

void
gendata_free(GenData *data)
{
	if (data == NULL)
		return;
	g_array_unref(data->fields);
	g_free(data);
}

static unsigned
draw_length(Feedback *feedback, const Field *field)
{
	const unsigned most = MAX(field->most, field->least);

	if (field->most == field->least && field->least > 0)
		return field->least;
	/* "%5s": fewer than 5, and "%s" has no length at all. */
	const unsigned from = field->most == 0 ? 0 : field->least;
	if (most == from)
		return UNSIZED;
	const unsigned length = from + feedback_draw(feedback) % (most - from);
	return length == 0 ? UNSIZED : length;
}

void
gendata_row(GenData *data, GString *row)
{
	data->row++;
	for (guint i = 0; i < data->fields->len; i++) {
		const Field *field = &g_array_index(data->fields, Field, i);
		switch (field->kind) {
		case 't':
			g_string_append(row, field->text);
			break;
		case 'n':
			g_string_append_printf(
			    row, "%" G_GUINT64_FORMAT, data->row);
			break;
		case 'd':
			g_string_append_printf(
			    row, "%u", feedback_draw(&data->feedback));
			break;
		default:
			for (unsigned n = draw_length(&data->feedback, field);
			     n > 0; n--)
				g_string_append_c(row,
				    (char)('a' +
					feedback_draw(&data->feedback) %
					    LETTERS));
		}
	}
}

bool
gendata_command(const char *command, uint64_t *rows, char **format)
{
	g_auto(GStrv) words = NULL;
	g_autofree char *name = NULL;
	int n = 0;
	int64_t number = -1;
	const char *seen = NULL;

	/* More than a command and its words: only a shell knows what. */
	if (strpbrk(command, ";&|<>`$(){}*?[]~#\n") != NULL ||
	    !g_shell_parse_argv(command, &n, &words, NULL))
		return false;
	name = g_path_get_basename(words[0]);
	if (strcmp(name, "gen-data") != 0 || n != 5)
		return false;
	for (int i = 1; i < n; i += 2)
		if (strcmp(words[i], "-f") == 0)
			seen = words[i + 1];
		else if (strcmp(words[i], "-n") != 0 ||
		    !text_parse_int(words[i + 1], 0, INT32_MAX, &number, NULL))
			return false;
	if (seen == NULL || number < 0)
		return false;
	*rows = (uint64_t)number;
	*format = g_strdup(seen);
	return true;
}
