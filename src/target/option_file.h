/*
 * A server's option file, as its clients read it: who may see it, and the
 * password that it holds for them.
 */
#ifndef TARGET_OPTION_FILE_H
#define TARGET_OPTION_FILE_H

#include <stdbool.h>

#include <glib.h>

/*
 * False with ABRUN_ERROR_USAGE unless the file is there, regular, ours, and
 * closed to everybody else.
 */
bool option_file_check(const char *path, GError **error);

/*
 * The password for clients, "" if there is none, as MariaDB's client library
 * reads it: groups [client], [client-server] and [client-mariadb], the last
 * one counts; quotes around it; \n \t \r \b \s \\ \" \'; a # in it is no
 * comment. !include is not followed.  NULL with ABRUN_ERROR_USAGE where the
 * file may not be used.  Wipe and free it.
 */
char *option_file_password(const char *path, GError **error);

#endif
