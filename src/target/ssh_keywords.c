#include "target/ssh_keywords.h"

#include <stddef.h>
#include <string.h>

typedef struct {
	const char *name;
	SshKeywordUse use;
} Keyword;

static const Keyword keywords[] = {
	{ "addressfamily", SSH_KEYWORD_WORD },
	{ "bindaddress", SSH_KEYWORD_WORD },
	{ "ciphers", SSH_KEYWORD_WORD },
	{ "compression", SSH_KEYWORD_WORD },
	{ "connecttimeout", SSH_KEYWORD_WORD },
	{ "globalknownhostsfile", SSH_KEYWORD_LINE },
	{ "hostkeyalgorithms", SSH_KEYWORD_WORD },
	{ "hostkeyalias", SSH_KEYWORD_WORD },
	{ "hostname", SSH_KEYWORD_WORD },
	{ "identitiesonly", SSH_KEYWORD_WORD },
	{ "identityagent", SSH_KEYWORD_WORD },
	{ "identityfile", SSH_KEYWORD_IDENTITY },
	{ "kexalgorithms", SSH_KEYWORD_WORD },
	{ "macs", SSH_KEYWORD_WORD },
	{ "port", SSH_KEYWORD_WORD },
	{ "proxycommand", SSH_KEYWORD_LINE },
	{ "proxyjump", SSH_KEYWORD_WORD },
	{ "pubkeyacceptedalgorithms", SSH_KEYWORD_WORD },
	{ "pubkeyacceptedkeytypes", SSH_KEYWORD_WORD },
	{ "rekeylimit", SSH_KEYWORD_LINE },
	{ "stricthostkeychecking", SSH_KEYWORD_WORD },
	{ "user", SSH_KEYWORD_WORD },
	{ "userknownhostsfile", SSH_KEYWORD_LINE },
	/* Never asked for, always so, or about things abrun does not do. */
	{ "addkeystoagent", SSH_KEYWORD_HARMLESS },
	{ "batchmode", SSH_KEYWORD_HARMLESS },
	{ "challengeresponseauthentication", SSH_KEYWORD_HARMLESS },
	{ "clearallforwardings", SSH_KEYWORD_HARMLESS },
	{ "controlmaster", SSH_KEYWORD_HARMLESS },
	{ "controlpath", SSH_KEYWORD_HARMLESS },
	{ "controlpersist", SSH_KEYWORD_HARMLESS },
	{ "dynamicforward", SSH_KEYWORD_HARMLESS },
	{ "enableescapecommandline", SSH_KEYWORD_HARMLESS },
	{ "escapechar", SSH_KEYWORD_HARMLESS },
	{ "exitonforwardfailure", SSH_KEYWORD_HARMLESS },
	{ "fingerprinthash", SSH_KEYWORD_HARMLESS },
	{ "forkafterauthentication", SSH_KEYWORD_HARMLESS },
	{ "forwardagent", SSH_KEYWORD_HARMLESS },
	{ "forwardx11", SSH_KEYWORD_HARMLESS },
	{ "forwardx11timeout", SSH_KEYWORD_HARMLESS },
	{ "forwardx11trusted", SSH_KEYWORD_HARMLESS },
	{ "gatewayports", SSH_KEYWORD_HARMLESS },
	{ "ignoreunknown", SSH_KEYWORD_HARMLESS },
	{ "ipqos", SSH_KEYWORD_HARMLESS },
	{ "kbdinteractiveauthentication", SSH_KEYWORD_HARMLESS },
	{ "kbdinteractivedevices", SSH_KEYWORD_HARMLESS },
	{ "localforward", SSH_KEYWORD_HARMLESS },
	{ "loglevel", SSH_KEYWORD_HARMLESS },
	{ "logverbose", SSH_KEYWORD_HARMLESS },
	{ "numberofpasswordprompts", SSH_KEYWORD_HARMLESS },
	{ "passwordauthentication", SSH_KEYWORD_HARMLESS },
	{ "permitlocalcommand", SSH_KEYWORD_HARMLESS },
	{ "permitremoteopen", SSH_KEYWORD_HARMLESS },
	{ "remoteforward", SSH_KEYWORD_HARMLESS },
	{ "requesttty", SSH_KEYWORD_HARMLESS },
	{ "sendenv", SSH_KEYWORD_HARMLESS },
	{ "stdinnull", SSH_KEYWORD_HARMLESS },
	{ "streamlocalbindmask", SSH_KEYWORD_HARMLESS },
	{ "streamlocalbindunlink", SSH_KEYWORD_HARMLESS },
	{ "syslogfacility", SSH_KEYWORD_HARMLESS },
	{ "tcpkeepalive", SSH_KEYWORD_HARMLESS },
	{ "updatehostkeys", SSH_KEYWORD_HARMLESS },
	{ "usekeychain", SSH_KEYWORD_HARMLESS },
	{ "visualhostkey", SSH_KEYWORD_HARMLESS },
	{ "xauthlocation", SSH_KEYWORD_HARMLESS },
};

SshKeywordUse
ssh_keyword_use(const char *keyword)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strcmp(keywords[i].name, keyword) == 0)
			return keywords[i].use;
	return SSH_KEYWORD_IGNORED;
}
