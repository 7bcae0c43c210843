# Reads tests/floors.txt, then sources; prints one line a violation.
# Usage: awk -f floors.awk floors.txt src/FILE...   (from the tree's top)

function complain(text) {
	print FILENAME ":" FNR ": " text
}

# The floor of src/FLOOR/FILE; src/FILE is of floor main.
function floor_of(path, parts, n) {
	n = split(path, parts, "/")
	return n == 3 ? parts[2] : "main"
}

# A line without comments, and with strings emptied.
function code_of(line, out, i, c, quote) {
	out = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (in_comment) {
			if (substr(line, i, 2) == "*/") {
				in_comment = 0
				i++
			}
		} else if (quote != "") {
			if (c == "\\")
				i++
			else if (c == quote) {
				quote = ""
				out = out c
			}
		} else if (substr(line, i, 2) == "/*") {
			in_comment = 1
			i++
		} else if (substr(line, i, 2) == "//") {
			break
		} else {
			if (c == "\"" || c == "'")
				quote = c
			out = out c
		}
	}
	return out
}

function check_include(line, name, angle, to) {
	if (line !~ /["<]/) {
		complain("includes what a macro says")
		return
	}
	angle = line ~ /^[ \t]*#[ \t]*include[ \t]*</
	name = line
	sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", name)
	sub(/[">].*/, "", name)
	if (name ~ /\.c$/)
		complain("includes source file " name)
	to = name
	sub(/\/.*/, "", to)
	if (to in known && name ~ /\//) {
		if (to != floor && !((floor, to) in may_know))
			complain("floor " floor " may not include " name)
		return
	}
	if (!angle)
		complain("includes \"" name "\", which names no floor")
	for (to in header)
		if (index(name, to) == 1 && !((to, floor) in may_include))
			complain("floor " floor " may not include <" name ">")
}

# The kind of a call, "" for one of no interest.
function kind_of(name, word) {
	if (name in kind)
		return kind[name]
	for (word in prefix)
		if (index(name, word) == 1)
			return prefix[word]
	return ""
}

function check_calls(line, name, before, what) {
	while (match(line, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/)) {
		name = substr(line, RSTART, RLENGTH - 1)
		sub(/[ \t]+$/, "", name)
		before = RSTART > 1 ? substr(line, RSTART - 1, 1) : ""
		line = substr(line, RSTART + RLENGTH)
		what = before == "." || before == ">" ? "" : kind_of(name)
		if (what == "" || !((floor, what) in never))
			continue
		if ((FILENAME, what) in except)
			used[FILENAME, what] = 1
		else
			complain("floor " floor " may not " words[what] \
			    ": " name "()")
	}
}

BEGIN {
	words["disk"] = "touch the disk"
	words["network"] = "touch the network"
	words["process"] = "touch processes or their environment"
	words["clock"] = "look at the clock"
	words["chance"] = "draw from a foreign random source"
	words["print"] = "print"
	words["figures"] = "compute figures"
	words["banned"] = "use what nobody may"
	table = ARGV[1]
}

FILENAME == table && /^[ \t]*(#|$)/ { next }

FILENAME == table {
	if ($3 != ":" || $1 !~ /^(floor|header|calls|never|file)$/) {
		complain("is no row of this table")
		next
	}
	if ($1 == "floor")
		known[$2] = 1
	if ($1 == "header")
		header[$2] = 1
	for (i = 4; i <= NF; i++) {
		if ($1 == "floor")
			may_know[$2, $i] = 1
		else if ($1 == "header")
			may_include[$2, $i] = 1
		else if ($1 == "never")
			never[$2, $i] = 1
		else if ($1 == "file") {
			except[$2, $i] = 1
			row[$2, $i] = FNR
		} else if (sub(/\*$/, "", $i))
			prefix[$i] = $2
		else
			kind[$i] = $2
	}
	next
}

FNR == 1 {
	in_comment = 0
	sources++
	floor = floor_of(FILENAME)
	if (!(floor in known))
		complain("floor " floor " is not in the table")
}

/^[ \t]*#[ \t]*include/ && !in_comment {
	check_include($0)
	next
}

{ check_calls(code_of($0)) }

END {
	FILENAME = table
	if (sources == 0) {
		FNR = 0
		complain("no sources to check")
	}
	for (entry in except)
		if (!(entry in used)) {
			split(entry, part, SUBSEP)
			FNR = row[entry]
			complain(part[1] " does not " words[part[2]] \
			    ": the row is stale")
		}
}
