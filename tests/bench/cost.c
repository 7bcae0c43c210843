/*
 * The CPU time of one command, more finely than time(1) prints it.
 *
 *     cost FILE COMMAND [ARGUMENT...]
 *
 * writes microseconds, user and system together, of all its processes that
 * were waited for.  Ends with the command's status.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double
microseconds(struct timeval time)
{
	return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

int
main(int argc, char **argv)
{
	struct rusage usage;
	int status;

	if (argc < 3)
		return 2;
	const pid_t child = fork();
	if (child == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child ||
	    getrusage(RUSAGE_CHILDREN, &usage) != 0)
		return 1;
	FILE *file = fopen(argv[1], "we");
	if (file == NULL)
		return 1;
	(void)fprintf(file, "%.0f\n",
	    microseconds(usage.ru_utime) + microseconds(usage.ru_stime));
	if (fclose(file) != 0)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
