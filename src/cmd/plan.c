#include <stdio.h>

#include "base/log.h"
#include "cmd/cmd.h"
#include "plan/plan.h"

static int
run(int argc, char **argv)
{
	int status = EXIT_OK;
	g_autoptr(GError) failure = NULL;

	if (!cmd_options(&cmd_plan, NULL, 1, &argc, &argv, &status))
		return status;
	g_autoptr(Matrix) matrix = matrix_load(argv[1], &failure);
	g_autoptr(Plan) plan =
	    matrix == NULL ? NULL : plan_new(matrix, &failure);
	if (plan == NULL)
		return cmd_fail(failure);

	g_autofree char *text = plan_text(plan);
	g_autofree char *missing = matrix_missing(matrix);
	g_autofree char *not_yet = matrix_not_yet(matrix);
	if (log_level() == LOG_QUIET)
		return EXIT_OK;
	(void)fputs(text, stdout);
	if (missing != NULL)
		(void)printf("\nWhat the matrix uses is not all on this "
			     "machine, and is needed to run it:\n%s",
		    missing);
	if (not_yet != NULL)
		(void)printf("\nThis version plans the matrix but cannot run "
			     "all of it:\n%s\n",
		    not_yet);
	return EXIT_OK;
}

const Command cmd_plan = {
	.name = "plan",
	.arguments = "MATRIX",
	.help = "Show cells, order and time; touches no host",
	.run = run,
};
