/*
 * Who used the CPUs: this process, a server on this host, and the rest.
 * Times are nanoseconds since some point; -1 where the system does not tell.
 * The server's and the host's are those of Linux' /proc.
 */
#ifndef ABLOAD_CPU_H
#define ABLOAD_CPU_H

#include <stdint.h>

typedef struct {
	int64_t own_ns;    /* user and system, of all our threads */
	int64_t server_ns; /* likewise, of the process peer */
	int64_t busy_ns;   /* of all CPUs, what is not idle; stolen counts */
	long switches;     /* of our threads */
	int cpus;          /* how many there are */
} Cpu;

/* peer: pid of the server on this host; 0: not known. */
Cpu cpu_now(int64_t peer);

#endif
