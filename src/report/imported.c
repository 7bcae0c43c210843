#include "store/imported.h"
#include "analysis/wording.h"
#include "base/text.h"
#include "report/sections.h"

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

static void
add_factors(Document *document, const StoreData *data)
{
	for (guint i = 0; i < data->factors->len; i++) {
		const DataFactor *factor = data->factors->pdata[i];
		g_autofree char *levels = wording_list(factor->levels);
		g_autofree char *text =
		    g_strdup_printf("%s: %s", factor->name, levels);
		g_autofree char *shown = printable(text);
		document_add(document, BLOCK_ITEM, shown);
	}
}

void
section_imported(Document *document, const Analysis *analysis)
{
	const StoreData *data = analysis->data;
	g_autofree char *path = printable(imported_from(data));
	g_autofree char *runs = wording_count(analysis->runs, "measured runs");
	g_autofree char *warmups =
	    wording_count(analysis->warmups, "warm-up runs");
	g_autofree char *directory = printable(data->directory);

	document_add(document, BLOCK_HEADING, "What was compared");
	add_factors(document, data);
	document_addf(document, BLOCK_PARAGRAPH,
	    "As %s names them: %s, which another tool made%s%s. Where, when, "
	    "in which order and with what settings is not known here.",
	    path, runs, analysis->warmups == 0 ? "" : ", and without its ",
	    analysis->warmups == 0 ? "" : warmups);
	document_add(document, BLOCK_HEADING, "Proved");
	document_add(
	    document, BLOCK_PARAGRAPH, "Nothing: imported, not proved.");
	document_add(document, BLOCK_HEADING, "To do it again");
	document_addf(document, BLOCK_PARAGRAPH,
	    "abrun import %s (sha256 %.16s..., abrun %s)", path, data->identity,
	    data->version);
	document_addf(document, BLOCK_PARAGRAPH,
	    "In %s: imported.csv as it was read, run.db with every sample.",
	    directory);
}
