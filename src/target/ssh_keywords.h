/*
 * The keywords of ssh_config(5) and what becomes of them here.
 */
#ifndef TARGET_SSH_KEYWORDS_H
#define TARGET_SSH_KEYWORDS_H

typedef enum {
	SSH_KEYWORD_IGNORED,  /* would change something; has no effect: named */
	SSH_KEYWORD_HARMLESS, /* no bearing on what abrun does, or always so */
	SSH_KEYWORD_WORD,     /* honoured; its value is one word */
	SSH_KEYWORD_LINE,     /* honoured; its value is the rest of the line */
	SSH_KEYWORD_IDENTITY, /* honoured; adds up */
} SshKeywordUse;

/* keyword is in lower case; an unknown one is SSH_KEYWORD_IGNORED. */
SshKeywordUse ssh_keyword_use(const char *keyword);

#endif
