#include "matrix/parse.h"

void
setting_free(void *data)
{
	Setting *setting = data;

	if (setting == NULL)
		return;
	g_free(setting->name);
	g_free(setting->value);
	g_free(setting->apply);
	g_free(setting->undo);
	g_free(setting->verify);
	g_free(setting);
}

void
level_free(void *data)
{
	Level *level = data;

	if (level == NULL)
		return;
	g_free(level->name);
	g_ptr_array_unref(level->settings);
	g_ptr_array_unref(level->expect);
	g_free(level);
}

void
factor_free(void *data)
{
	Factor *factor = data;

	if (factor == NULL)
		return;
	g_free(factor->name);
	g_ptr_array_unref(factor->levels);
	g_free(factor);
}

void
host_free(void *data)
{
	Host *host = data;

	if (host == NULL)
		return;
	g_free(host->name);
	g_free(host->ssh);
	g_free(host->ssh_config);
	g_free(host->key);
	g_free(host->known_hosts);
	g_free(host->fingerprint);
	g_free(host->os);
	g_free(host->path);
	g_clear_pointer(&host->power, g_ptr_array_unref);
	g_free(host->console);
	g_free(host->boot);
	g_free(host->client);
	g_free(host->address);
	g_free(host);
}

void
load_key_free(void *data)
{
	LoadKey *key = data;

	if (key == NULL)
		return;
	g_free(key->name);
	g_free(key->value);
	g_free(key);
}

static void
unref(GPtrArray *array)
{
	if (array != NULL)
		g_ptr_array_unref(array);
}

void
load_free(void *data)
{
	Load *load = data;

	if (load == NULL)
		return;
	g_free(load->name);
	g_free(load->use);
	unref(load->keys);
	unref(load->variables);
	g_free(load->command);
	g_free(load->setup);
	g_free(load->prepare);
	g_free(load->restore);
	g_free(load->cleanup);
	unref(load->tables);
	unref(load->metrics);
	g_free(load->primary);
	loaddef_free(load->def);
	g_free(load);
}

void
monitor_free(void *data)
{
	Monitor *monitor = data;

	if (monitor == NULL)
		return;
	g_free(monitor->name);
	g_free(monitor->on);
	g_free(monitor->command);
	g_free(monitor);
}

void
cell_pattern_free(void *data)
{
	CellPattern *pattern = data;

	if (pattern == NULL)
		return;
	g_ptr_array_unref(pattern->factors);
	g_ptr_array_unref(pattern->levels);
	g_free(pattern);
}

void
matrix_contrast_free(void *data)
{
	Contrast *contrast = data;

	if (contrast == NULL)
		return;
	g_free(contrast->name);
	cell_pattern_free(contrast->of);
	cell_pattern_free(contrast->against);
	g_free(contrast);
}

void
matrix_file_free(void *data)
{
	MatrixFile *file = data;

	if (file == NULL)
		return;
	g_free(file->path);
	g_free(file->role);
	g_free(file->sha256);
	g_free(file);
}

static void
server_clear(Server *server)
{
	g_free(server->service);
	g_free(server->command);
	g_free(server->start);
	g_free(server->stop);
	g_free(server->ready);
	g_free(server->run_as);
	g_free(server->datadir);
	g_free(server->datadir_from);
	g_free(server->socket);
	g_free(server->user);
	g_free(server->db);
	g_free(server->option_file);
	g_free(server->password_env);
}

void
matrix_free(Matrix *matrix)
{
	if (matrix == NULL)
		return;
	g_free(matrix->name);
	g_free(matrix->path);
	g_free(matrix->source);
	g_free(matrix->title);
	unref(matrix->hosts);
	unref(matrix->targets);
	unref(matrix->factors);
	server_clear(&matrix->server);
	unref(matrix->loads);
	unref(matrix->monitors);
	unref(matrix->notify);
	unref(matrix->visit);
	cell_pattern_free(matrix->design.baseline);
	unref(matrix->design.exclude);
	unref(matrix->design.include);
	unref(matrix->design.contrasts);
	g_free(matrix->design.stop.until);
	unref(matrix->files);
	g_free(matrix);
}
