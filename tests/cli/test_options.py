"""Options: one name means one thing in every command."""

from __future__ import annotations

from collections import defaultdict

from support.command_list import COMMANDS, options_of

#: Options whose help differs from command to command, and the reason for it.
REASONS = {
    "--at": "a place in a text, or in a game",
    "--config": "an archive reads no settings unless they are named",
    "--diff": "changes are those of fixes, or of the layout",
    "--engine": "the parser of records, or of an experiment: LALR or Earley's",
    "--fix": "convert makes them before it converts",
    "--format": "always the form of the output: each command has its own forms",
    "--game": "of a typed grammar, whose default is Go; samples are of any game",
    "--level": "convert says what its severities mean: losses, guesses, changes",
    "--output": "always the file for the result; pictures and figures say which files",
    "--size": "of a picture in pixels, of a board in points",
    "--symmetric": "lines of openings are counted as one, a pattern is found turned, too",
    "--to": "the format of records, or the notation of a grammar",
    "--typed": "a typed grammar, or records made by one",
    "--viewer": "a page for each record with findings, or for one record",
}

#: Options of all commands that read records.
OF_READERS = {"--as", "--encoding"}


def test_options_of_one_name_are_one_option() -> None:
    known: dict[str, set[tuple[object, ...]]] = defaultdict(set)
    for words in COMMANDS:
        for option in options_of(words):
            for name in option.opts:
                known[name].add((option.help, option.is_flag, option.multiple))
    differ = {name for name, kinds in known.items() if len(kinds) > 1 and name[:2] == "--"}

    assert differ == {*REASONS}


def test_commands_that_read_one_record_or_many_decode_and_read_it_as_told() -> None:
    for words in ("check", "convert", "show", "tree", "grammar explain"):
        names = {name for option in options_of(tuple(words.split())) for name in option.opts}
        assert names >= OF_READERS, words


def test_commands_that_read_values_read_them_by_custom_grammars_and_classes() -> None:
    for words in ("check", "fmt", "convert", "show", "infer", "archive build"):
        names = {name for option in options_of(tuple(words.split())) for name in option.opts}
        assert names >= {"--grammar", "--values", "--config"}, words


def test_the_result_goes_to_o_or_output_in_every_command_that_writes_one() -> None:
    for words in COMMANDS:
        for option in options_of(words):
            assert ("-o" in option.opts) == ("--output" in option.opts), words
