-- The database of a run directory, run.db: one execution of one matrix.
--
-- This file is the description of the data; it is compiled into abrun and
-- kept, comments and all, in every run.db (sqlite3 run.db .schema).  Times
-- (began, ended, at, ...) are seconds since 1970, UTC; durations end in _ms.
-- A bool is 0 or 1.  A row is on disk before abrun takes its next step.
--
-- application_id is "abrn"; user_version is the version of this schema.

PRAGMA application_id = 1633841774;
PRAGMA user_version = 2;

CREATE TABLE host (
	-- A host under test or one that makes load.  Targets come first, in the
	-- order of the matrix, so a target's id is its index there.
	id INTEGER PRIMARY KEY CHECK (id >= 0),
	name TEXT NOT NULL,
	role TEXT NOT NULL CHECK (role IN ('target', 'client')),
	ssh TEXT NOT NULL,          -- [user@]host[:port] or an alias; '' for
	                            -- the controller
	os TEXT NOT NULL,           -- hooks/os/OS.sh
	client TEXT,                -- target: host of its load, or 'target'
	address TEXT                -- target: what the load connects to
) STRICT;

CREATE TABLE factor (
	-- An axis of the matrix, in the order of the file.
	id INTEGER PRIMARY KEY CHECK (id >= 0),
	name TEXT NOT NULL UNIQUE,
	class TEXT NOT NULL CHECK (class IN ('load', 'server', 'boot')),
	variable INTEGER NOT NULL CHECK (variable IN (0, 1)) -- plain values
) STRICT;

CREATE TABLE level (
	-- One value of a factor.  Without rows in setting it is the default,
	-- proved absent.
	factor INTEGER NOT NULL REFERENCES factor (id),
	id INTEGER NOT NULL CHECK (id >= 0), -- its index in the factor
	name TEXT NOT NULL,
	same INTEGER NOT NULL CHECK (same IN (0, 1)), -- may equal another
	PRIMARY KEY (factor, id),
	UNIQUE (factor, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
	-- One thing that a level sets, in the level's order.
	id INTEGER PRIMARY KEY,
	factor INTEGER NOT NULL,
	level INTEGER NOT NULL,
	kind TEXT NOT NULL,         -- word of the matrix language, or 'expect'
	name TEXT NOT NULL,         -- '' for kinds without a name
	value TEXT,                 -- NULL = the default; '' = an empty value
	apply TEXT,                 -- kind 'command': the user's own commands
	undo TEXT,
	verify TEXT,
	FOREIGN KEY (factor, level) REFERENCES level (factor, id)
) STRICT;

CREATE TABLE cell (
	-- One combination of levels, one of each factor.
	id INTEGER PRIMARY KEY CHECK (id >= 0),
	name TEXT NOT NULL,         -- level names joined by ' / '
	again INTEGER NOT NULL CHECK (again IN (0, 1)), -- baseline once more
	boot INTEGER NOT NULL,      -- which boot-class combination
	server INTEGER NOT NULL     -- which boot- and server-class combination
) STRICT;

CREATE TABLE cell_level (
	-- The level of a cell for each factor.
	cell INTEGER NOT NULL REFERENCES cell (id),
	factor INTEGER NOT NULL,
	level INTEGER NOT NULL,
	PRIMARY KEY (cell, factor),
	FOREIGN KEY (factor, level) REFERENCES level (factor, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE load (
	-- A load of the matrix; id is its index there.
	id INTEGER PRIMARY KEY CHECK (id >= 0),
	name TEXT NOT NULL UNIQUE,
	use TEXT NOT NULL,          -- name of its definition
	command TEXT NOT NULL,      -- template: values are put in for each run
	writes INTEGER NOT NULL CHECK (writes IN (0, 1)),
	reset TEXT NOT NULL CHECK (reset IN ('never', 'round', 'start', 'run'))
) STRICT;

CREATE TABLE load_variable (
	-- The load-class factors that a load uses, in its order.
	load INTEGER NOT NULL REFERENCES load (id),
	position INTEGER NOT NULL,
	factor TEXT NOT NULL REFERENCES factor (name),
	PRIMARY KEY (load, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric (
	-- What a run of a load gives; position 0 is the primary metric, which
	-- verdicts are about.
	load INTEGER NOT NULL REFERENCES load (id),
	position INTEGER NOT NULL,
	name TEXT NOT NULL,
	unit TEXT NOT NULL,
	higher_is_better INTEGER NOT NULL CHECK (higher_is_better IN (0, 1)),
	is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
	PRIMARY KEY (load, position),
	UNIQUE (load, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE experiment (
	-- The execution as a whole: a single row.
	id INTEGER PRIMARY KEY CHECK (id = 1),
	name TEXT NOT NULL,         -- of the matrix; begins the directory's name
	title TEXT NOT NULL,
	matrix_path TEXT NOT NULL,  -- as given; its text is in matrix.cfg
	identity TEXT NOT NULL,     -- sha256 of what must not change: resume
	version TEXT NOT NULL,      -- of the abrun that began it
	seed TEXT NOT NULL,         -- 64 bits unsigned, decimal
	began REAL NOT NULL,
	rounds INTEGER NOT NULL CHECK (rounds >= 0), -- planned, as extended
	runs INTEGER NOT NULL CHECK (runs >= 0),     -- per load, cell and start
	warmup_runs INTEGER NOT NULL CHECK (warmup_runs >= 0),
	warmup_ms INTEGER NOT NULL CHECK (warmup_ms >= 0),
	boot TEXT NOT NULL,         -- design.boot: block, round, visit, lazy
	restart TEXT NOT NULL,      -- design.restart: visit, cell, load
	margin_percent REAL NOT NULL,
	others_percent REAL NOT NULL, -- design.others
	baseline INTEGER NOT NULL REFERENCES cell (id),
	has_server INTEGER NOT NULL CHECK (has_server IN (0, 1)),
	server TEXT NOT NULL        -- in words; '' without one
) STRICT;

CREATE TABLE boot (
	-- One life of a kernel on a target: the unit of boot-class factors.
	id INTEGER PRIMARY KEY CHECK (id > 0),
	target INTEGER NOT NULL REFERENCES host (id),
	boot_id TEXT NOT NULL,      -- as the kernel tells it
	kernel TEXT NOT NULL,       -- release and version
	made INTEGER NOT NULL CHECK (made IN (0, 1)), -- by abrun, not found
	began REAL NOT NULL,        -- when abrun first saw it
	UNIQUE (target, boot_id)
) STRICT;

CREATE TABLE reboot (
	-- One reboot that abrun has asked for, and what it came to.
	id INTEGER PRIMARY KEY CHECK (id > 0),
	target INTEGER NOT NULL REFERENCES host (id),
	round INTEGER NOT NULL,     -- of the block that it was for; 0 = none:
	block INTEGER NOT NULL,     -- the last one, back to the default kernel
	wanted TEXT NOT NULL,       -- kernel, and NAME=VALUE of the loader
	asked REAL NOT NULL,
	took_ms INTEGER,            -- until it was over; NULL = it is not known
	boot INTEGER REFERENCES boot (id), -- that it began
	failure TEXT,               -- its name: abrun-troubleshooting(7)
	reason TEXT
) STRICT;

CREATE TABLE visit (
	-- One server-class combination in one round on one target.
	id INTEGER PRIMARY KEY CHECK (id > 0), -- also its place in the night
	target INTEGER NOT NULL REFERENCES host (id),
	round INTEGER NOT NULL CHECK (round >= 1),
	block INTEGER NOT NULL CHECK (block >= 0), -- index in the round
	server INTEGER NOT NULL,    -- cell.server
	boot INTEGER REFERENCES boot (id),
	attempt INTEGER NOT NULL CHECK (attempt >= 1),
	status TEXT NOT NULL CHECK (status IN (
		'running',          -- begun; if nothing runs: was cut off
		'valid',
		'invalid',          -- a proof did not hold: see proof
		'failed',           -- a step failed: see reason
		'interrupted',
		'superseded')),     -- repeated later: out of the analysis
	failure TEXT,               -- its name: abrun-troubleshooting(7)
	reason TEXT,
	began REAL NOT NULL,
	ended REAL,
	CHECK ((status = 'running') = (ended IS NULL))
) STRICT;

CREATE TABLE start (
	-- One life of the server: the unit of server-class factors.
	id INTEGER PRIMARY KEY CHECK (id > 0),
	visit INTEGER NOT NULL REFERENCES visit (id),
	position INTEGER NOT NULL CHECK (position >= 0), -- in the visit
	pid INTEGER NOT NULL,
	version TEXT,               -- what the server says of itself
	exe_sha256 TEXT,
	ready_ms INTEGER NOT NULL,  -- from start to its first answer
	at REAL NOT NULL            -- when it was ready
) STRICT;

CREATE TABLE proof (
	-- One check before or after the load, or without a server of the load
	-- itself while it ran: wanted, seen, whether it holds.
	id INTEGER PRIMARY KEY CHECK (id > 0),
	visit INTEGER NOT NULL REFERENCES visit (id),
	after INTEGER NOT NULL CHECK (after IN (0, 1)),
	what TEXT NOT NULL,         -- 'library', 'environment', 'owner'...
	about TEXT NOT NULL,        -- its name: a path, a variable, an option
	wanted TEXT NOT NULL,
	seen TEXT NOT NULL,
	verdict TEXT NOT NULL
		CHECK (verdict IN ('yes', 'no', 'unknown', 'not applicable')),
	run INTEGER REFERENCES run (id) -- of whose process; NULL = of the
	                                -- server or the host
) STRICT;

CREATE TABLE run (
	-- One execution of one load for one cell.
	id INTEGER PRIMARY KEY CHECK (id > 0),
	visit INTEGER NOT NULL REFERENCES visit (id),
	start INTEGER REFERENCES start (id), -- NULL = no server
	cell INTEGER NOT NULL REFERENCES cell (id),
	load INTEGER NOT NULL REFERENCES load (id),
	number INTEGER NOT NULL,    -- 1... in start, cell, load; warm-ups <= 0
	warmup INTEGER NOT NULL CHECK (warmup IN (0, 1)),
	good INTEGER NOT NULL CHECK (good IN (0, 1)),
	failure TEXT,               -- its name: abrun-troubleshooting(7)
	reason TEXT,                -- why it is not good
	flag TEXT,                  -- what weakens it
	began REAL NOT NULL,
	wall_ms INTEGER NOT NULL,
	cpu_ms INTEGER,             -- CPU time that its host had meanwhile;
	server_ms INTEGER,          -- of it the server's,
	others_ms INTEGER,          -- neither server's nor load's,
	stolen_ms INTEGER,          -- and of that a hypervisor's; or NULL
	raw TEXT,                   -- file of its output, below raw/
	CHECK (good = 1 OR reason IS NOT NULL)
) STRICT;

CREATE TABLE sample (
	-- One number that a run gave: one a metric.
	run INTEGER NOT NULL REFERENCES run (id),
	metric TEXT NOT NULL,       -- metric.name of the run's load
	value REAL NOT NULL,
	PRIMARY KEY (run, metric)
) STRICT;

CREATE TABLE fact (
	-- Something learned, as text.  Told again with another value, the new
	-- one stands here and an event keeps the old one.
	id INTEGER PRIMARY KEY CHECK (id > 0),
	scope TEXT NOT NULL
		CHECK (scope IN ('host', 'boot', 'visit', 'experiment')),
	of INTEGER NOT NULL,        -- host.id, boot.id, visit.id; else 0
	key TEXT NOT NULL,
	value TEXT NOT NULL,
	at REAL NOT NULL,
	UNIQUE (scope, of, key)
) STRICT;

CREATE TABLE undo (
	-- A change of a target, stored before it is made.
	id INTEGER PRIMARY KEY CHECK (id > 0),
	target INTEGER NOT NULL REFERENCES host (id),
	kind TEXT NOT NULL,         -- 'sysctl', 'command', 'workdir',
	                            -- 'datadir'...
	name TEXT NOT NULL,         -- kind 'command': the command that applies
	old_value TEXT,             -- NULL = was absent; 'command': its undo
	new_value TEXT,
	scope TEXT NOT NULL CHECK (scope IN (
		'process',          -- gone with the process
		'boot',             -- gone with the boot of boot_id
		'disk')),           -- stays
	boot_id TEXT,
	state TEXT NOT NULL CHECK (state IN (
		'intended',         -- may or may not have happened
		'done',             -- read back as new_value
		'undone',           -- read back as old_value, gone by scope,
		                    -- or a later row with this old_value counts
		'foreign')),        -- neither: changed by someone else, left alone
	intended_at REAL NOT NULL,
	changed_at REAL,            -- of the last change of state
	CHECK (scope <> 'boot' OR boot_id IS NOT NULL)
) STRICT;

CREATE TABLE original (
	-- What a setting was on a boot before abrun changed it, as first seen.
	-- It is proved to be so in every cell that does not set it.
	target INTEGER NOT NULL REFERENCES host (id),
	boot_id TEXT NOT NULL,
	kind TEXT NOT NULL,         -- as in undo
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (target, boot_id, kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
	-- What happened that is no result: retries, interruptions, flags.
	id INTEGER PRIMARY KEY CHECK (id > 0),
	at REAL NOT NULL,
	target INTEGER REFERENCES host (id),
	kind TEXT NOT NULL,
	text TEXT NOT NULL
) STRICT;

CREATE INDEX visit_place ON visit (target, round, block, server);
CREATE INDEX run_visit ON run (visit);
CREATE INDEX undo_open ON undo (target) WHERE state <> 'undone';
