#include <stdio.h>

int
main(void)
{
	(void)puts("abrun " VERSION);
	return 0;
}
