"""Text outside the games of a file, and parts of games that are there by mistake."""

from __future__ import annotations

from sgf_lark.core import late
from sgf_lark.core.findings.finding import NOWHERE, Finding, Severity, register
from sgf_lark.core.grammar.tokens import GameSpan, lexer
from sgf_lark.core.model.tree_rules import extra_close
from sgf_lark.core.places import Span
from sgf_lark.core.read.split import has_property, other_file
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import PropertyTable

PROPERTY_OUTSIDE_GAMES = register(
    "S116 property-outside-games error: properties outside every game"
)
TEXT_OUTSIDE_GAMES = register(
    "S103 text-outside-games warning: text before, between or after the games"
)


def check_outside_games(
    text: str, part: GameSpan, table: PropertyTable, *, first: bool, before: Format | None
) -> list[Finding]:
    """Report text that belongs to no game; ``first`` if none stands before it."""
    part_text = text[part.start : part.end]
    content = part_text.strip()
    if not content:
        return []
    start = part.start + len(part_text) - len(part_text.lstrip())
    end = part.start + len(part_text.rstrip())
    findings: list[Finding] = []
    closing = content[: len(content) - len(content.lstrip(") \t\r\n\x0b\x0c"))].rstrip()
    content = content[len(closing) :].lstrip()
    span = Span(end - len(content), end)
    wide = _wide_signs(content)
    bare = content.lstrip(wide)
    holds = (
        has_property(bare, Span(0, len(bare)), table) if wide else has_property(text, span, table)
    )
    if content and before is not Format.GGF and holds:
        message = "these properties are in no game, and are not read"
        help_ = "put them into the game: a ')' before them may stand too early"
        if first:
            help_ = "put '(;' before them, if they belong to the game"
        if wide:
            message = f"'{wide}' in full width, which is no sign of SGF: {message}"
            facts = {"text": FULL_WIDTH}
            return [PROPERTY_OUTSIDE_GAMES.found(message, span, _IN_ASCII, facts=facts)]
        return [PROPERTY_OUTSIDE_GAMES.found(message, span, help_)]
    if closing:
        close = Span(start, start + len(closing))
        findings.append(extra_close(close))
    if content:
        where = (
            "before the first game"
            if first
            else "between the games"
            if before
            else "after the last game"
        )
        message, help_ = f"text {where} is skipped", ""
        if wide and not bare.strip(f"{wide}(); \t\r\n\x0b\x0c"):
            message = f"'{wide}' in full width, which is no sign of SGF, {where} is skipped"
            help_ = _IN_ASCII
        severity = Severity.INFO if first and before is Format.FF1 else None
        if not content.strip(END_OF_DOS):
            message, severity = "Ctrl-Z, with which DOS ended texts, is skipped", Severity.INFO
        findings.append(TEXT_OUTSIDE_GAMES.found(message, span, help_, severity))
    return findings


def _wide_signs(text: str) -> str:
    found = lexer("wide_signs").finditer(text)
    signs = (match[0] for match in found if match.lastgroup == "WIDE_SIGN")
    return "".join(dict.fromkeys(sign for sign in signs if not sign.isalpha()))


#: The help of a finding about signs in full width.
_IN_ASCII = "write the signs ( ) ; [ ] in ASCII"


#: Old programs put this after a text: Ctrl-Z, and zeros up to the end of a sector.
END_OF_DOS = "\x1a\0"


NO_GAME_RECORD = register("S101 no-game-record error: the text holds no game record")


#: The fact of a finding about signs of a record in full width.
FULL_WIDTH = "full-width"


def report_no_game(text: str, table: PropertyTable) -> Finding:
    start = len(text) - len(text.lstrip())
    span = Span(start, min(start + 1, len(text)))
    other = other_file(text)
    if other is not None:
        what, help_ = OTHER_FILES[other]
        return no_game(f"this is {what}, not SGF or GGF", span, help_)
    foreign = late.find_format(text)
    if foreign is not None:
        what = f"a game record in {foreign.name}"
        return no_game(f"this is {what}, not SGF or GGF", span, "read it without a format")
    wide = lexer("wide_opening").match(text)
    if wide is not None:
        shown = wide[0].strip()
        message = f"'{shown}' has full-width signs: a game begins with '(;'"
        return NO_GAME_RECORD.found(message, span, _IN_ASCII, facts={"text": FULL_WIDTH})
    if has_property(text, Span(start, len(text)), table):
        message = "no '(' begins a game, though there are properties"
        help_ = "put '(;' before them and ')' after them"
        return NO_GAME_RECORD.found(message, span, help_, facts={"text": "properties"})
    return no_game("this is not a game record", span, "one begins with '(;'")


_EXPORT = "export the game as SGF with the program or server it comes from"
_UNPACK = "unpack it, and check the records in it"
_COPY = "save the record alone, as plain text"

#: Other files, by the terminals of ``lexical.lark``: what they are, and what helps.
OTHER_FILES = {
    "KIF": ("a game record of Shogi (KIF)", "SGF has no notation for its moves"),
    "CSA": ("a game record of Shogi (CSA)", "SGF has no notation for its moves"),
    "PGN": ("a game record in PGN, usual for chess", "export the game as SGF"),
    "JSON": ("data in JSON, as servers such as OGS give it", _EXPORT),
    "HTML": ("a web page", "open it in a browser, and download the record it shows or links to"),
    "XML": ("data in XML", _EXPORT),
    "RTF": ("a document of a word processor (RTF)", _COPY),
    "PDF": ("a document (PDF)", _COPY),
    "OFFICE": ("a document of an old office program", _COPY),
    "PNG": ("a picture (PNG)", _EXPORT),
    "JPEG": ("a picture (JPEG)", _EXPORT),
    "GIF": ("a picture (GIF)", _EXPORT),
    "BMP": ("a picture (BMP)", _EXPORT),
    "WEBP": ("a picture (WebP)", _EXPORT),
    "ZIP": ("a zip archive", "rename it to *.zip, or unpack it, and check the records in it"),
    "GZIP": ("compressed data (gzip)", _UNPACK),
    "BZIP2": ("compressed data (bzip2)", _UNPACK),
    "XZ": ("compressed data (xz)", _UNPACK),
    "RAR": ("an archive (RAR)", _UNPACK),
    "SEVEN_ZIP": ("an archive (7-Zip)", _UNPACK),
    "TAR": ("an archive (tar)", "rename it to *.tar, or unpack it, and check the records in it"),
    "SQLITE": ("a database (SQLite)", _EXPORT),
    "CODE": ("the source code of a program", ""),
}


def no_game(message: str, span: Span = NOWHERE, help_: str = "") -> Finding:
    """Return the finding about something that is no game record."""
    return NO_GAME_RECORD.found(message, span, help_)
