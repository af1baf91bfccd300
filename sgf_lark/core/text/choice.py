"""The choice of an encoding: what decides, and what is reported of it.

What decides, first to last: the caller, a byte order mark, and what :func:`choose` says.
:class:`sgf_lark.core.text.encoding.Decoder` asks in this order.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import NamedTuple

from sgf_lark.core.findings.diagnostic import Edit, new_edit, new_fix, shorten
from sgf_lark.core.findings.finding import Finding, Rule, register
from sgf_lark.core.places import Span

from .byte_scan import CharsetPiece, all_of
from .charset_names import UNKNOWN_ENCODING, WIDE, declared, label
from .detection import KEPT, Evidence, guess, is_usual, kept

#: With what a text in a codec begins: a byte order mark, or the first bracket.
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"(\0\0\0", "utf-32-le"),
    (b"\0\0\0(", "utf-32-be"),
    (b"(\0", "utf-16-le"),
    (b"\0(", "utf-16-be"),
)
#: Codecs of UTF-8.
UTF8 = ("utf-8", "utf-8-sig")
#: Beginnings of the names of codecs whose characters look like ASCII.
SHIFTING = ("hz", "utf-7", "iso2022")
_MULTIBYTE = ("gb18030", "gbk", "gb2312", "big5", "big5hkscs", "cp932", "cp949", "cp950", "euc")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


ASSUMED_ENCODING = register("E401 assumed-encoding info: an encoding that is not declared")
FALSE_ENCODING = register("E402 false-encoding warning: a CA that the bytes contradict")
SEVERAL_ENCODINGS = register("E405 several-encodings info: games of one file in several encodings")


class CodecChoice(NamedTuple):
    """A codec, rule and message of a finding; and whether the bytes can be nothing else."""

    codec: str
    rule: Rule | None = None
    message: str = ""
    is_certain: bool = True


def choose(evidence: Evidence, name: bytes | None) -> CodecChoice:
    """Choose the codec for the games of one CA: the first of these that holds.

    * Escape sequences of ISO-2022 are nothing else.
    * UTF-8 that is valid, but for a few bytes, is UTF-8: other text hardly ever is so by chance.
    * A CA by which most values have no end is not believed.
    * The CA is believed if it gives usual characters, or none that another codec gives better.
    * Brackets that make a better record, and then the letters, decide: :func:`.detection.guess`.

    Args:
        evidence: Of the bytes of these games.
        name: The value of CA; None without one.

    Source:
        FF[4], property CA: names as in RFC 1345 and MIME, ISO-8859-1 if there is none.  A file
        is read by CA as a whole, or game by game if the games differ, never value by value.
    """
    ca_codec = declared(name) if name is not None else None
    if evidence.is_ascii and not (ca_codec or "").startswith(SHIFTING):
        if evidence.escapes is None:
            return CodecChoice(ascii_name(ca_codec))
        return _assumed(evidence, evidence.escapes, name, ca_codec)
    is_utf8 = evidence.fits("utf-8")
    if is_utf8 and ca_codec == "utf-8":
        return CodecChoice("utf-8")
    return _choose_by_characters(evidence, name, ca_codec, is_utf8=is_utf8)


def _choose_by_characters(
    evidence: Evidence, name: bytes | None, ca_codec: str | None, *, is_utf8: bool
) -> CodecChoice:
    is_utf8 = is_utf8 or _mostly_utf8(evidence.sample, 3)
    legible = ca_codec
    if ca_codec is None or ca_codec.startswith(WIDE) or evidence.swallows(ca_codec):
        legible = None
    is_true = legible is not None and _is_true(legible, evidence, is_utf8=is_utf8)
    if legible is not None and is_true and is_usual(evidence.sample, legible):
        return CodecChoice(_plain_name(legible, evidence))  # without a guess, which takes long
    codec, sure = ("utf-8", False) if is_utf8 else guess(evidence)
    is_plain = codec != legible and (is_utf8 or (sure and is_usual(evidence.sample, codec)))
    if legible is not None and (
        not is_plain if is_true else _is_nearly_true(legible, evidence, codec, sure=sure)
    ):
        return CodecChoice(_plain_name(legible, evidence))
    codec = _plain_name(codec, evidence)
    if name is None and sure and codec == "iso8859-1":
        return CodecChoice(codec)
    return _assumed(evidence, codec, name, ca_codec)


def _assumed(
    evidence: Evidence, codec: str, name: bytes | None, ca_codec: str | None
) -> CodecChoice:
    if name is None:
        return CodecChoice(
            codec, ASSUMED_ENCODING, f"no CA names the encoding; read as {label(codec)}"
        )
    charset, is_certain = name.decode("latin-1"), True
    if ca_codec is None:
        message = f"unknown encoding in CA[{charset}]; read as {label(codec)}"
        return CodecChoice(codec, UNKNOWN_ENCODING, message)
    if ca_codec.startswith(WIDE):  # a file is read as a whole; see above
        wrong = f"the brackets are single bytes, and no {charset}"
    elif evidence.fits(ca_codec) and (word := evidence.first_word) is not None:
        is_certain = False
        read, meant = (shorten(kept(word, one)) for one in (ca_codec, codec))
        wrong = f"by that '{meant}' is '{read}'"
    else:
        wrong = f"the bytes are not {charset}"
    message = f"CA says {charset}, but {wrong}; read as {label(codec)}"
    return CodecChoice(codec, FALSE_ENCODING, message, is_certain)


def _is_true(ca_codec: str, evidence: Evidence, *, is_utf8: bool) -> bool:
    """Return whether the bytes alone show that they are in the codec of CA."""
    sample = evidence.sample
    if is_utf8:
        characters = _BEYOND_ASCII.findall(sample.decode("utf-8", "replace"))
        # By chance a character of another charset is seldom UTF-8; six Chinese ones never.
        enough = 6 if ca_codec.startswith(_MULTIBYTE) else 1
        return ca_codec == "utf-8" or (
            len(characters) < enough
            and evidence.fits(ca_codec)
            and is_usual(sample, ca_codec) >= is_usual(sample, "utf-8")
        )
    return _mostly_utf8(sample, 1) if ca_codec == "utf-8" else evidence.fits(ca_codec)


def _is_nearly_true(ca_codec: str, evidence: Evidence, codec: str, *, sure: bool) -> bool:
    """Return whether a few damaged bytes do not make CA false, though a guess is another one."""
    if ca_codec == "utf-8" or codec == "utf-8":
        return False
    sample = evidence.sample
    nearly = _mostly_fits(sample, ca_codec, 10) or _fits_but_once(sample, ca_codec)
    return ca_codec == codec or (nearly and not sure)


def ascii_name(codec: str | None) -> str:
    """The codec of pure ASCII: the one that CA declares, if it can be so."""
    return "ascii" if codec is None or codec.startswith(WIDE) else codec


def _plain_name(codec: str, evidence: Evidence) -> str:
    """ISO-8859-1 where it says the same as its superset."""
    return "iso8859-1" if codec == "cp1252" and not evidence.has_controls else codec


def _mostly_fits(sample: bytes, codec: str, times: int) -> bool:
    """Return whether valid characters beyond ASCII are at least ``times`` the damaged bytes."""
    text = kept(sample, codec)
    damaged = sum(len(run) for run in KEPT.findall(text))
    return damaged * (times + 1) <= len(_BEYOND_ASCII.findall(text))


def _mostly_utf8(sample: bytes, times: int) -> bool:
    """Return the same for UTF-8, fast for much damage; a cut character is damaged once."""
    text = sample.decode("utf-8", "replace")
    damaged = text.count("\ufffd") - sample.count("\ufffd".encode())
    damaged += sum(len(run) for run in KEPT.findall(text))
    return damaged * (times + 1) <= len(_BEYOND_ASCII.findall(text))


def _fits_but_once(sample: bytes, codec: str) -> bool:
    """Return whether one place is damaged, and there are enough valid characters."""
    text = kept(sample, codec)
    damaged = KEPT.findall(text)
    return len(damaged) == 1 and len(_BEYOND_ASCII.findall(text)) >= len(damaged[0]) + _MIN_VALID


#: At least this many characters are hardly valid by chance.
_MIN_VALID = 2


def about(
    choice: CodecChoice, data: bytes, piece: CharsetPiece, text: str, offset: int
) -> Finding | None:
    """Return the finding about a choice, at CA, or at the first character beyond ASCII."""
    beyond = _BEYOND_ASCII.search(text)
    if choice.rule is None or beyond is None:
        return None
    span = Span(offset + beyond.start(), offset + beyond.end())
    if piece.charset:
        before, value = data[piece.start : piece.charset.start], data[slice(*piece.charset)]
        start = offset + len(kept(before, choice.codec))
        span = Span(start, start + len(kept(value, choice.codec)))
    ident = "CA" if piece.charset else None
    finding = choice.rule.found(choice.message, span, property=ident)
    return in_utf8(finding, is_utf8=choice.codec in UTF8, is_certain=choice.is_certain)


def several(used: list[str]) -> Finding:
    message = f"the games of this file are in different encodings: {', '.join(used[:5])}"
    return in_utf8(SEVERAL_ENCODINGS.found(message, Span(0, 1)))


def about_mark(text: str, codec: str) -> Finding | None:
    """The finding about a text whose first bytes tell its codec, whatever CA says."""
    data = text.encode("ascii", "replace")  # a byte for a character
    span = all_of(data).charset
    if span is None:
        if not codec.endswith(("-le", "-be")):  # known by the first bracket, not by a mark
            return None
        message = f"nothing names the encoding; read as {label(codec)}, which the text begins with"
        return in_utf8(ASSUMED_ENCODING.found(message, Span(0, 1)))
    ca_codec = declared(data[slice(*span)])
    if ca_codec is not None and ca_codec[:6] == codec.removesuffix("-sig")[:6]:
        return None
    name = text[slice(*span)]
    message = f"CA says {name}, but the file is marked as {label(codec)} and was read so"
    return in_utf8(FALSE_ENCODING.found(message, span, property="CA"))


def in_utf8(finding: Finding, *, is_utf8: bool = False, is_certain: bool = True) -> Finding:
    """Give a finding its fix, UTF-8: safe if it is that already, or games declare theirs."""
    message = "declare CA[UTF-8]" if is_utf8 else "save the file as UTF-8, with CA[UTF-8]"
    is_safe = (is_utf8 and is_certain) or finding.name == "several-encodings"
    add = _InUtf8(message, safe=is_safe)
    return finding._replace(help=message, later=(add,))


@dataclass(frozen=True, slots=True)
class _InUtf8:
    message: str
    safe: bool

    def __call__(self, finding: Finding) -> Finding:
        edits: tuple[Edit, ...] = ()
        if finding.property == "CA":
            start, end = finding.span
            edits = (new_edit(start, end, "UTF-8"),)
        fix = new_fix(self.message, edits, safe=self.safe, encoding="utf-8")
        return finding._replace(fix=fix)
