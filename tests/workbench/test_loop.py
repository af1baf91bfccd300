"""Productions of any format become grammars that are tested, linted, drawn, sampled, exported."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from sgf_lark.cli.main import app

#: Games with their moves alone.
PGN = """\
<game>     ::= <moves> <result>
<moves>    ::= <number> <move> <moves> | <move> <moves> | <empty>
<number>   ::= <rank> "."
<move>     ::= <piece> <square> | <square> | <file> "x" <square> | "O-O" | "O-O-O"
<square>   ::= <file> <rank>
<piece>    ::= "K" | "Q" | "R" | "B" | "N"
<file>     ::= "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h"
<rank>     ::= "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8"
<result>   ::= "1-0" | "0-1" | "1/2-1/2" | "*"
<empty>    ::=
"""

#: Sections of names and values.
SETTINGS = """\
config  = { section } ;
section = "(", symbol, { entry }, ")" ;
entry   = "(", symbol, "=", value, ")" | section ;
value   = symbol | number | "#t" | "#f" | "'", "(", { value, "," }, ")" ; (* a list at the end *)
number  = [ "-" ], ?/[0-9]+/? ;
symbol  = ?/[a-z][a-z0-9-]*/? ;
"""

#: A part of RFC 3339, whose last rule is the one to begin with.
DATES = """\
   date-fullyear   = 4DIGIT
   date-month      = 2DIGIT  ; 01-12
   date-mday       = 2DIGIT  ; 01-28, 01-29, 01-30, 01-31 based on
                             ; month/year
   time-numoffset  = ("+" / "-") 2DIGIT ":" 2DIGIT
   time-offset     = "Z" / time-numoffset
   partial-time    = 2DIGIT ":" 2DIGIT [":" 2DIGIT]
                     ["." 1*DIGIT]
   full-date       = date-fullyear "-" date-month "-" date-mday
   date-time       = full-date "T" partial-time time-offset
"""


@pytest.mark.parametrize(
    ("productions", "start", "right", "wrong"),
    [
        (PGN, "game", "1.e4Nf6exd5O-O1-0", "1.e4Nf9*"),
        (SETTINGS, "config", "(net(port=-80)(on=#t)(hosts='(a,b,)))", "(net(port))("),
        (DATES, "date_time", "1985-04-12T23:20:50.52Z", "1985-4-12T23:20Z"),
    ],
    ids=["PGN", "settings", "dates"],
)
def test_the_way_from_productions_to_a_tested_grammar(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    productions: str,
    start: str,
    right: str,
    wrong: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("standard.txt").write_text(productions, encoding="utf-8")
    cases = f"===\nRight\n===\n{right}\n---\n\n===\nWrong\n:error\n===\n{wrong}\n---\n"
    Path("cases.txt").write_text(cases, encoding="utf-8")

    def run(command: str, *more: str) -> str:
        result = CliRunner().invoke(app, ["grammar", *command.split(), *more])
        assert (result.exit_code, result.stderr) == (0, ""), command
        return result.stdout

    run("from-ebnf standard.txt -o mine.lark")
    run("lint mine.lark --start", start)
    run("test mine.lark --cases cases.txt --update --start", start)
    assert "2 passed" in run("test mine.lark --cases cases.txt --start", start)
    run("draw mine.lark -o mine.html")
    Path("sample.txt").write_text(run("sample mine.lark --start", start)[:-1], encoding="utf-8")
    assert "1 accepted" in run("test mine.lark sample.txt --start", start)
    for target in ("gbnf", "w3c"):
        assert run(f"export mine.lark --to {target} --start", start)
