"""Words of other tools for formatting, checking and archives, and ours that do the same."""

#: Commands; those of a group after its name.
COMMANDS = {
    "dedupe": "archive dupes",
    "diff": "check --diff",
    "export": "convert",
    "fix": "check --fix",
    "format": "fmt",
    "help": "--help",
    "join": "merge",
    "lint": "check",
    "parse": "tree",
    "players": 'archive sql FOLDER "FROM players"',
    "print": "show",
    "render": "show",
    "rule": "explain",
    "search": "archive sql",
    "stats": "check --format statistics",
    "strip": "fmt --drop",
    "validate": "check",
    "version": "--version",
    "view": "show",
}

#: Options; a command that lacks ours does not name it.
OPTIONS = {
    "-V": "--version",
    "-f": "--format",
    "-j": "--jobs",
    "-w": "--in-place",
    "--charset": "--encoding",
    "--dry-run": "--diff",
    "--inplace": "--in-place",
    "--json": "--format json",
    "--line-length": "--width",
    "--out": "--output",
    "--output-file": "--output",
    "--output-format": "--format",
    "--statistics": "--format statistics",
    "--write": "--in-place",
}

#: Options of one command that others have in another place.
INSTEAD = {
    "convert --from": "--as",
    "explain --all": "explain without an argument",
    "fmt --in-place": "fmt without --check and --diff",
    "fmt --inplace": "fmt without --check and --diff",
    "fmt --write": "fmt without --check and --diff",
    "fmt -w": "fmt without --check and --diff",
}
