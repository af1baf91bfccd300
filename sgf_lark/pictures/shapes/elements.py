"""Elements of an SVG: groups of them, and texts as paths, by a font of strokes.

A program without fonts leaves out the text of an SVG, without a word.  So all that ASCII can
write is drawn as strokes, of a font made for this purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from sgf_lark.pictures.text import clean, text_width

from .geometry import num

#: Units of the font: height of capitals and digits, of the small ones, between two glyphs,
#: and the thickness of a stroke.
HEIGHT, SMALL, GAP, WEIGHT = 20, 14, 5.5, 3

#: The characters, their widths, where their first stroke begins, from the left end of the base
#: line, and their strokes.
_TABLE = r"""
0 11 0 -14 a5.5 6 0 0 1 11 0v8a5.5 6 0 0 1-11 0z
1 6 0 -16 l6-4v20
2 11 .3 -14.5 c.2-7.5 10.4-7.2 10.4-.3c0 4.8-5.2 7.8-10.7 14.8h11
3 11 .5 -16.5 c1.5-5 10-4.5 10 1.2c0 3-2.5 4.5-5.5 4.5c3.5 0 6 1.8 6 5.2c0 7-9.5 7.6-11 1.3
4 12 9 0 v-20l-9 14h12
5 11 10 -20 h-8.5l-1 9c3-2.6 10.5-2.3 10.5 4.3c0 7.6-9 8.5-11 2.9
6 11 8.5 -20 c-5 3-8.5 8-8.5 13.5a5.5 6.2 0 1 0 1.3-3.9
7 11 0 -20 h11l-7 20
8 11 5.5 -10.8 a4.7 4.6 0 1 1 .1 0a5.5 5.4 0 1 1-.1 0
9 11 2.5 0 c5-3 8.5-8 8.5-13.5a5.5 6.2 0 1 0-1.3 3.9
A 13 0 0 l6.5-20l6.5 20m-11-6.5h9
B 11 0 0 v-20h6a4.7 4.7 0 0 1 0 9.5h-6m6 0a5 5.25 0 0 1 0 10.5h-6
C 12 12 -3.5 c-3 5-12 5.5-12-6.5s9-11.5 12-6.5
D 12 0 0 v-20h4c11 0 11 20 0 20z
E 10 10 0 h-10v-20h10m-10 9.5h8
F 10 0 0 v-20h10m-10 9.5h8
G 13 12 -16.5 c-3-5-12-5-12 6.5s9 12 13 5v-4h-5.5
H 12 0 0 v-20m0 9.5h12m0-9.5v20
I 0 0 0 v-20
J 9 9 -20 v14.5c0 7.5-9 7-9 1
K 11 0 0 v-20m11 0l-11 12m3.5-3.8l8 11.8
L 9 0 -20 v20h9
M 15 0 0 v-20l7.5 13l7.5-13v20
N 12 0 0 v-20l12 20v-20
O 14 0 -10 c0-13.3 14-13.3 14 0s-14 13.3-14 0z
P 11 0 0 v-20h6a5 5.5 0 0 1 0 11h-6
Q 14 0 -10 c0-13.3 14-13.3 14 0s-14 13.3-14 0zm9 5l5 6
R 11 0 0 v-20h6a5 5.25 0 0 1 0 10.5h-6m6 0l5 9.5
S 11 10.5 -16.5 c-1.5-5-10-4.5-10 1c0 6.5 10.5 3.5 10.5 10.2c0 6.3-9.8 7-11 1.5
T 12 0 -20 h12m-6 0v20
U 12 0 -20 v13.5c0 8.7 12 8.7 12 0v-13.5
V 13 0 -20 l6.5 20l6.5-20
W 18 0 -20 l4.5 20l4.5-16l4.5 16l4.5-20
X 12 0 -20 l12 20m0-20l-12 20
Y 13 0 -20 l6.5 10.5v9.5m0-9.5l6.5-10.5
Z 11 0 -20 h11l-11 20h11
a 10 10 -14 v14m0-7c0-9.3-10-9.3-10 0s10 9.3 10 0
b 10 0 -20 v20m0-7c0-9.3 10-9.3 10 0s-10 9.3-10 0
c 9 9 -2.5 c-2.5 4-9 3.5-9-4.5s6.5-8.5 9-4.5
d 10 10 -20 v20m0-7c0-9.3-10-9.3-10 0s10 9.3 10 0
e 10 0 -7.5 h10c0-8.7-10-8.7-10 .5s7.5 8.7 9.5 4
f 7 2.5 0 v-15.5c0-4 2-5 4.5-4m-7 5.5h7
g 10 10 -14 v14.5c0 6.5-8 6.5-9.5 2.5m9.5-10c0-9.3-10-9.3-10 0s10 9.3 10 0
h 10 0 -20 v20m0-8.5c0-7 10-7.5 10 0v8.5
i 0 0 0 v-13.5m0-6h0
j 3 3 -13.5 v15.5c0 3-1.5 3.5-3 3.5m3-25h0
k 9 0 -20 v20m8.5-14l-8.5 8.5m3-3l6 8.5
l 2 0 -20 v17.5c0 2 .8 2.5 2.2 2.5
m 16 0 0 v-14m0 5.5c0-7 8-7.5 8 0v8.5m0-8.5c0-7 8-7.5 8 0v8.5
n 10 0 0 v-14m0 5.5c0-7 10-7.5 10 0v8.5
o 11 0 -7 c0-9.3 11-9.3 11 0s-11 9.3-11 0z
p 10 0 -14 v19.5m0-12.5c0-9.3 10-9.3 10 0s-10 9.3-10 0
q 10 10 -14 v19.5m0-12.5c0-9.3-10-9.3-10 0s10 9.3 10 0
r 7 0 0 v-14m0 6c0-4.5 3.5-6.5 7-5.5
s 9 8.5 -11.5 c-1.5-3.5-8-3.5-8 .3c0 5 8.5 2.5 8.5 7.2c0 4.7-7.5 5-9 1
t 7 2.5 -19 v15.5c0 3.5 2.5 4 4.5 3m-7-13.5h7
u 10 0 -14 v8.5c0 7.5 10 7 10 0v-8.5v14
v 10 0 -14 l5 14l5-14
w 14 0 -14 l3.5 14l3.5-11l3.5 11l3.5-14
x 9 0 -14 l9 14m0-14l-9 14
y 10 0 -14 l5 14m5-14l-5 14c-1 3.5-2.5 5.5-5 5
z 9 0 -14 h9l-9 14h9
! 0 0 -20 v13.5m0 6.5h0
" 4 0 -20 v5m4 0v-5
# 12 4.5 -19 l-3 18m6 0l3-18m-10.5 6h12m0 6.5h-12
$ 11 10.5 -15.5 c-1.5-4-10-3.5-10 1c0 5 10.5 3 10.5 8.7c0 5.3-9.8 6-11 1.5m5.5-18v24
% 15 13 -20 l-11 20m1.5-11.5a3.5 4.2 0 1 1 .1 0m8 3a3.5 4.2 0 1 1-.1 0
& 13 13 0 l-10-12.5c-3-4 0-7.5 3-7.5c4 0 5.5 5 .5 8c-9 5-7.5 12-1 12c4 0 6.5-3 7-8
' 0 0 -20 v5
( 4 4 -22 c-5.3 6-5.3 20 0 26
) 4 0 -22 c5.3 6 5.3 20 0 26
* 9 4.5 -19 v9m-4-6.8l8 4.5m0-4.5l-8 4.5
+ 11 5.5 -14 v11m-5.5-5.5h11
, 1 1 -.5 l-1 4
- 7 0 -8 h7
. 0 0 0 h0
/ 9 0 3 l9-25
: 0 0 -2 h0m0-10h0
; 1 1 -2 l-1 4.5m1-14.5h0
< 10 10 -15 l-10 6.5l10 6.5
= 11 0 -11.5 h11m0 6.5h-11
> 10 0 -15 l10 6.5l-10 6.5
? 9 0 -16.5 c1-5 9-4.5 9 .8c0 4.2-4.5 4.2-4.5 9.2m0 6.5h0
@ 18 13 -13 v6c0 5 5 4 5-3c0-13-18-14-18 0c0 10 8 12 14 9m-1-9c0-5.5-8-5.5-8 0s8 5.5 8 0
[ 4 4 -22 h-4v26h4
\ 9 9 3 l-9-25
] 4 0 -22 h4v26h-4
^ 10 0 -13 l5-7l5 7
_ 12 0 2 h12
` 3 0 -20 l3 4
{ 5 5 -22 c-5 0-2 5-2.5 9c-.3 2.5-1 4-2.5 4c1.5 0 2.2 1.5 2.5 4c.5 4-2.5 9 2.5 9
| 0 0 -22 v26
} 5 0 -22 c5 0 2 5 2.5 9c.3 2.5 1 4 2.5 4c-1.5 0-2.2 1.5-2.5 4c-.5 4 2.5 9-2.5 9
~ 12 0 -7 c2-5 5-3 6-1.5s4 3.5 6-1.5
… 12 0 0 h0m6 0h0m6 0h0
"""

#: A dot of a glyph, ``h0`` in the table, which is a little thicker than a stroke.
_DOT = "m-.7 0a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0m.7 0"

#: For each character its width, where its first stroke begins, and its strokes.
_GLYPHS: dict[str, tuple[int, float, float, str]] = {" ": (5, 0, 0, "")} | {
    line[0]: (int(width), float(x), float(y), strokes)
    for line in _TABLE.strip().split("\n")
    for width, x, y, strokes in (line[2:].replace("h0", _DOT).split(" ", 3),)
}


def can_write(text: str) -> bool:
    return all(char in _GLYPHS for char in text)


def measure(text: str) -> float:
    """Return the width of a text in units of the font, from the middle of stroke to stroke."""
    return sum(_GLYPHS[char][0] + GAP for char in text) - GAP


def draw_strokes(text: str, x: float = 0, y: float = 0) -> str:
    """Return the strokes of a text as the data of a path."""
    parts = []
    for char in text:
        width, start, top, strokes = _GLYPHS[char]
        if strokes:
            parts.append(f"M{x + start:g} {y + top:g}{strokes}")
        x += width + GAP
    return "".join(parts)


class Layer(NamedTuple):
    """Elements that lie on one level, each of which stands for itself."""

    attributes: str  # of the element g around them; empty for none
    elements: list[str]

    def __str__(self) -> str:
        content = "".join(self.elements)
        return f"<g {self.attributes}>{content}</g>" if self.attributes and content else content


def join_groups(groups: Iterable[Layer]) -> str:
    """Return the elements of groups, from the bottom to the top."""
    return "".join(map(str, groups))


#: Small characters that lie between base line and half height.
_LOW = frozenset("acegmnopqrsuvwxyz")

#: Part of the height of a text of other scripts that lies over its base line.
_RISE = 0.36


def write_text(
    text: str, x: float, y: float, ink: str, *, height: float, width: float, extra: str = ""
) -> str:
    """Return a text as an element, with its middle on a place.

    It is a path if the font has all its characters, and an element ``text`` otherwise.

    Args:
        width: The largest width, in cells; a longer text is made smaller.
    """
    text = clean(text)
    if not can_write(text):
        size = min(height * 1.5, width * 2 / max(1, text_width(text)))
        name = ink.replace("sgf-", "sgf-text-", 1) if ink.startswith("sgf-on") else f"{ink}-text"
        return write_words(text, x, y, name, size, extra)
    length = measure(text)
    scale = min(height / HEIGHT, width / (length + WEIGHT))
    base = SMALL if _LOW.issuperset(text) else HEIGHT
    return (
        f'<path class="sgf-glyph {ink}"{extra} transform="translate({num(x)} {num(y)})'
        f'scale({scale:.4f})" d="{draw_strokes(text, -length / 2, base / 2)}"/>'
    )


def write_words(text: str, x: float, y: float, ink: str, size: float, extra: str = "") -> str:
    """Return an element ``text``, with its middle on a place."""
    return (
        f'<text class="sgf-words {ink}"{extra} x="{num(x)}" y="{num(y + size * _RISE)}"'
        f' font-size="{num(size)}" text-anchor="middle">{escape(text)}</text>'
    )


def write_names(
    places: Sequence[tuple[str, float, float]], ink: str, *, height: float, width: float
) -> Iterator[str]:
    """Yield short texts as elements: all that the font can write as one path."""
    scale = height / HEIGHT
    data = []
    for name, x, y in places:
        if can_write(name):
            left = round(x / scale - measure(name) / 2, 1)
            data.append(draw_strokes(name, left, round(y / scale + HEIGHT / 2, 1)))
        else:
            yield write_text(name, x, y, ink, height=height, width=width)
    if data:
        yield (
            f'<path class="sgf-glyph {ink}" transform="scale({num(scale)})" d="{"".join(data)}"/>'
        )


def widest(names: Iterable[str], height: float) -> float:
    """Return the largest width of names of a height, in cells; 0 without names."""
    return max(
        (
            (measure(name) + WEIGHT) * height / HEIGHT
            if can_write(name)
            else height * 1.5 * len(name)
            for name in names
        ),
        default=0,
    )


def describe(name: str, text: str) -> str:
    """Return an element that describes the picture or a part of it: ``title`` or ``desc``."""
    text = "\n".join(map(clean, text.split("\n")))
    return f"<{name}>{escape(text)}</{name}>"
