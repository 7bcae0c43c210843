/*
 * The grammar of .smack scripts, LALR(1) without conflicts.  What each block
 * may hold is judged when it ends (smack_block.c), so that a mistake in one
 * line is told beside those of others.
 */
%define api.pure full
%define api.prefix {smack_yy}
%define parse.error custom
%parse-param { void *scanner } { SmackWork *work }
%lex-param { void *scanner }
%expect 0

%code requires {
#include "abload/smack_work.h"
}

%union {
	SmackWord word;
	SmackTerm *term;
	SmackExpression *expression;
	GPtrArray *list;
}

%token QUERY "query" DICTIONARY "dictionary" CLIENT "client" TABLE "table"
%token MAIN "main"
%token NAME "a name" NUMBER "a number" STRING "a string" SCOPE "\"::\""
%token YYEOF 0 "the end of the file"
%type <word> QUERY DICTIONARY CLIENT TABLE MAIN NAME NUMBER STRING
%type <word> kind attribute method
%type <term> simple
%type <expression> expression
%type <list> arguments some

%destructor { smack_word_clear(&$$); } <word>
%destructor { smack_term_free($$); } <term>
%destructor { g_ptr_array_unref($$); } <expression> <list>

%{
#include "abload/smack_work.h"

#include "smack_grammar.h"

int smack_yylex(SMACK_YYSTYPE *value, void *scanner);

static void
smack_yyerror(void *scanner, SmackWork *work, const char *message)
{
	(void)scanner;
	smack_mistake(work, work->began, "%s", message);
}
%}

%%

program:
	sections main

sections:
	section
|	sections section

section:
	kind STRING
	{
		work->block = $1.text;
	}
	'{' lines '}'
	{
		smack_block_end(work, &$2);
		smack_word_clear(&$1);
		work->block = NULL;
	}

kind:
	QUERY
|	DICTIONARY
|	CLIENT
|	TABLE

lines:
	line
|	lines line

line:
	attribute STRING ';'
	{
		smack_block_line(work, &$1, &$2);
	}
|	error ';'

attribute:
	NAME
|	QUERY
|	CLIENT

main:
	MAIN '{' statements '}'
	{
		smack_word_clear(&$1);
	}

statements:
	statement
|	statements statement

statement:
	NAME '.' method '(' arguments ')' ';'
	{
		smack_main_call(work, &$1, &$3, $5);
	}
|	'$' NAME '=' expression ';'
	{
		smack_main_assign(work, &$2, $4);
	}
|	error ';'

method:
	NAME
|	QUERY

arguments:
	%empty
	{
		$$ = g_ptr_array_new_with_free_func(
		    (GDestroyNotify)g_ptr_array_unref);
	}
|	some

some:
	expression
	{
		$$ = g_ptr_array_new_with_free_func(
		    (GDestroyNotify)g_ptr_array_unref);
		g_ptr_array_add($$, $1);
	}
|	some ',' expression
	{
		$$ = $1;
		g_ptr_array_add($$, $3);
	}

expression:
	simple
	{
		$$ = smack_expression_new();
		g_ptr_array_add($$, $1);
	}
|	expression '.' simple
	{
		$$ = $1;
		g_ptr_array_add($$, $3);
	}

simple:
	NUMBER
	{
		$$ = smack_term_text(&$1);
	}
|	STRING
	{
		$$ = smack_term_text(&$1);
	}
|	'$' NUMBER
	{
		$$ = smack_term_argument(work, &$2);
	}
|	'$' NAME
	{
		$$ = smack_term_variable(&$2);
	}
|	NAME SCOPE NAME
	{
		$$ = smack_term_result(work, &$1, NULL, &$3);
	}
|	NAME SCOPE NAME SCOPE NAME
	{
		$$ = smack_term_result(work, &$1, &$3, &$5);
	}

%%

/* What stands here, and what might. */
static int
yyreport_syntax_error(
    const yypcontext_t *context, void *scanner, SmackWork *work)
{
	enum { MOST = 5 };
	yysymbol_kind_t wanted[MOST];
	const int n = yypcontext_expected_tokens(context, wanted, MOST);
	const yysymbol_kind_t seen = yypcontext_token(context);
	g_autoptr(GString) text = g_string_new(NULL);

	(void)scanner;
	for (int i = 0; i < n; i++)
		g_string_append_printf(text, "%s%s",
		    i == 0 ? "wanted " : i + 1 < n ? ", " : " or ",
		    yysymbol_name(wanted[i]));
	if (seen != YYSYMBOL_YYEMPTY)
		g_string_append_printf(text, "%s%s stands here",
		    n > 0 ? ", but " : "", yysymbol_name(seen));
	smack_mistake(work, work->began, "%s", text->str);
	return 0;
}
