"""Names of encodings: in CA, of Python, for people."""

from __future__ import annotations

import codecs
import re

from sgf_lark.core.findings.finding import register

UNKNOWN_ENCODING = register("E403 unknown-encoding warning: a CA that names no known encoding")

#: Names seen in CA, reduced to letters and digits, that Python does not know or that are
#: used for a superset: what calls itself GB2312 holds GBK characters, and so on.
#: ISO-8859-1 is read as its superset too: its own bytes 80-9F are no letters.
_ALIASES = {
    alias: codec
    for codec, aliases in {
        "gb18030": "gb2312 gb231280 csgb2312 gbk xgbk cp936 ms936 windows936 euccn chinese gb",
        "big5hkscs": "big5 big5eten csbig5 xbig5 cnbig5 big5tw cp950 ms950 windows950",
        "cp932": "shiftjis sjis xsjis mskanji csshiftjis windows31j cswindows31j ms932 xmscp932",
        "cp949": "euckr xeuckr cseuckr ksc5601 ksc56011987 ksc56011989 csksc56011987 korean uhc"
        " windows949 ms949 isoir149",
        "euc_jp": "xeucjp xeuc cseucpkdfmtjapanese extendedunixcodepackedformatforjapanese",
        "cp1252": "iso88591 iso885911987 latin1 l1 isoir100 csisolatin1 ibm819 cp819 latin",
        "iso8859-15": "latin9 iso885915 csiso885915",
        "cp874": "tis620 windows874",
        "koi8-r": "koi8",
        "mac-roman": "xmacroman",
        "utf-8": "csutf8 utf8bom xutf8 unicode11utf8",
        "utf-16": "unicode ucs2 csunicode iso10646ucs2 csutf16",
        "utf-16-le": "utf16le csutf16le",
        "utf-16-be": "utf16be csutf16be",
    }.items()
    for alias in aliases.split()
}
_LABELS = {
    "gb18030": "GB18030 (simplified Chinese)",
    "big5hkscs": "Big5 (traditional Chinese)",
    "cp932": "Shift_JIS (Japanese)",
    "cp949": "EUC-KR (Korean)",
    "euc_jp": "EUC-JP (Japanese)",
    "cp1251": "Windows-1251 (Russian)",
    "koi8-r": "KOI8-R (Russian)",
    "cp1252": "Windows-1252 (Western European)",
    "iso8859-1": "ISO-8859-1 (Western European)",
    "utf-8-sig": "UTF-8",
    "cp1250": "Windows-1250 (Central European)",
    "iso8859-2": "ISO-8859-2 (Central European)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "cp874": "Windows-874 (Thai)",
    "cp866": "IBM866 (Russian)",
    "iso8859-5": "ISO-8859-5 (Russian)",
    "cp850": "IBM850 (Western European)",
    "mac-roman": "Macintosh (Western European)",
    "iso2022_jp": "ISO-2022-JP (Japanese)",
    "iso2022_kr": "ISO-2022-KR (Korean)",
}
WIDE = ("utf-16", "utf-32")


def fits(data: bytes, codec: str) -> bool:
    """Return whether bytes are valid in a codec."""
    try:
        data.decode(codec)
    except UnicodeError:
        return False
    return True


def is_known(name: str) -> bool:
    """A name, as CA has it, names an encoding that can be read."""
    return codec_of(name.strip()) is not None


def require_codec(name: str) -> str:
    """Return Python's name of a text encoding that a caller asks for; or LookupError."""
    codec = codec_of(name)
    if codec is None:
        raise LookupError(
            f"no text encoding is called {name!r}; "
            "give a name such as 'utf-8', 'gb18030', 'shift_jis', 'euc-kr' or 'latin-1'; "
            "leave it out to detect the encoding"
        )
    return codec


def label(codec: str) -> str:
    """An encoding as people call it."""
    return _LABELS.get(codec, codec.upper())


def codec_of(name: str) -> str | None:
    """Python's name of an encoding that bytes of a game record can be in, or None."""
    name = _ALIASES.get(re.sub(r"[^a-z0-9]", "", name.lower()), name)
    try:
        codec = codecs.lookup(name).name
        fits(b" ", codec)  # rejects what is no text: base64, zlib
    except (LookupError, ValueError):
        return None
    if codec in {"idna", "punycode", "undefined"}:  # for names of hosts, and for nothing
        return None
    return _ALIASES.get(re.sub(r"[^a-z0-9]", "", codec), codec)


def declared(value: bytes) -> str | None:
    """The codec that a CA names; one in which CA could not have been read does not count."""
    codec = codec_of(value.strip().decode("latin-1"))
    if codec is None or codec.startswith(WIDE):
        return codec
    probe = rb"(;CA[\u0041]:)"
    return codec if fits(probe, codec) and probe.decode(codec) == probe.decode() else None
