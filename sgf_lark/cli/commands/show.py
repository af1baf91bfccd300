"""The command ``sgf-lark show``: boards and figures of a record as text, pictures and pages."""

from __future__ import annotations

import re
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from sgf_lark.cli import completion
from sgf_lark.cli.grammars import check_for_records
from sgf_lark.cli.interface import (
    Bundle,
    NumberFrom,
    PathType,
    argument,
    command,
    flag,
    option,
    switch,
)
from sgf_lark.cli.options import RecordOptions, SettingsOptions, reported_settings, verify_settings
from sgf_lark.cli.output import fail, reported_failure
from sgf_lark.core import plural, reason
from sgf_lark.files.paths import ENDLESS, STDIN, Unreadable, find_files, is_endless, read_path
from sgf_lark.report.terminal import has_unicode, say, show as show_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sgf_lark.core import GameTree, Node
    from sgf_lark.pictures.pages.page import GamePage
    from sgf_lark.settings.settings import FileOptions


#: The forms of a picture.
PictureForm: TypeAlias = Literal["text", "svg", "png", "pdf", "html"]


#: Forms by the suffix of the file to write.
SUFFIXES: dict[str, PictureForm] = {
    ".txt": "text",
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".html": "html",
    ".htm": "html",
}

#: Forms that show all figures of a game, unless one position is asked for; and forms with one
#: picture a file.
PAGES, PICTURES = {"pdf", "html"}, {"svg", "png"}

#: The divisions into figures by their names.
DIVISIONS = {"fg": "FG", "comments": "comments"}

#: Most pixels of a picture in width and in height.
MAX_SIZE = 5000

#: Forms that are no text.
BINARY = {"png", "pdf"}


class PositionOptions(Bundle, section="Position"):
    """The position, or the figures."""

    move: str | None = option(
        "The position after move N of the main line, or of the line through PATH;"
        " 0 for the start.  [default: last, or PATH; of a problem its position]",
        metavar="N|last",
        shell_complete=completion.some("last"),
    )
    figures: bool = flag(
        "All figures of the game, as in print (FG), with comments and variations; pdf"
        " and html show them unless --move or PATH is given."
    )
    split: str | None = option(
        "New figures at FG, after comments, or after N moves.  [default: fg if the main"
        " line has any, else 50; and after comments on markup]",
        metavar="fg|comments|N",
        shell_complete=completion.some("fg", "comments"),
    )


class PictureOptions(Bundle, section="Picture"):
    """The form of the picture."""

    numbers: str | None = option(
        "The moves with numbers: from A to B, the last one, those of the figure, all.",
        metavar="A-B|last|figure|all|none",
        shell_complete=completion.some("last", "figure", "all", "none"),
    )
    part: str | None = option(
        "Only a part of the board, such as cc-ff or C3-F6; auto for the part in use.",
        "--range",
        metavar="POINT-POINT|auto",
        shell_complete=completion.some("auto"),
    )
    animate: bool = flag("An animated SVG of the moves up to the position.")
    viewer: bool = flag(
        "A page of html to step through the game, or through all games of the file."
    )
    form: PictureForm | None = option(
        "The form.  [default: by the suffix of the output, else text]", "--format"
    )
    theme: Literal["light", "dark", "print", "wood"] | None = option(
        "The colors of svg, png and html.  [default: light; html adapts to the reader]"
    )
    coordinates: bool = switch("The names of columns and rows.", default=True)
    labels: bool = switch("Labels, and A, B ... on variations.", default=True)
    language: Literal["en", "de", "ja", "zh"] = option(
        "The language of headings and facts in text, pdf and html; the record keeps its own.",
        default="en",
    )
    size: int | None = option(
        f"The width of svg and png in pixels, from 1 to {MAX_SIZE}."
        "  [default: by the columns of the board]",
        type=NumberFrom(1, MAX_SIZE),
    )
    output: str | None = option(
        "Write this file; with several figures as svg or png, files OUT-1, OUT-2 ..."
        "  [default: standard output]",
        "-o",
        "--output",
        type=PathType(),
        metavar="OUT",
    )


@command(
    argument(
        "records",
        "FILE[#GAME][@PATH]...",
        "A game record, or - for standard input; the number of a game in it, from 1, or"
        " all; the path of a node, such as 12 or 12.1/3. Several files, or folders, make one"
        " page of all their games: of problems first the positions, then the solutions.",
    ),
)
def show(
    records: tuple[str, ...],
    position: PositionOptions,
    picture: PictureOptions,
    reading: RecordOptions,
    settings: SettingsOptions,
) -> None:
    """Show the board of a game record: as text, picture or page.

    Exit code: 2 if a record has no such game, node or move, or cannot be drawn so.

    Examples:
        sgf-lark show game.sgf --move 3 --numbers 2-3
        sgf-lark show game.sgf#1 -o position.svg
        sgf-lark show game.sgf --figures -o game.html
        sgf-lark show games -o worksheet.html
        sgf-lark show game.sgf --viewer -o game.html
    """
    asked = [Asked(record, find_place(record), position, picture) for record in records]
    output, form = picture.output, asked[0].form
    for one in asked:
        test_options(one)
    from sgf_lark.pictures.words import in_language

    try:
        with reported_settings():
            by_file = settings.find(reading=reading.over_settings)
            check_for_records(reading)
            found = [*find_record_places(asked, by_file)]
            for one in found:
                by_file.settings_of(one.place.file)
            verify_settings(by_file)
        games: list[tuple[GameTree, Asked]] = []
        for one in found:
            file = one.place.file
            data, own = read_input(file, output), by_file.reading("" if file == STDIN else file)
            games += ((game, one) for game in find_games(data, one.place, reading.loading() | own))
        if picture.viewer:
            from sgf_lark.positions.page import view_games

            look = {"labels": picture.labels, "coordinates": picture.coordinates}
            several = len({one.place.file for _, one in games}) > 1
            places = [Path(one.place.file).name if several else "" for _, one in games]
            theme = picture.theme or "auto"
            page = view_games((game for game, _ in games), theme, places=places, **look)
            write_files([page], output, is_numbered=False)
        else:
            with in_language(picture.language):
                contents = draw(games)
            write_files(contents, output, is_numbered=position.figures and form in PICTURES)
    except OSError:
        raise
    except ModuleNotFoundError as error:  # of an extra
        fail(str(error))
    except Exception as error:  # noqa: BLE001  # a fault of the program
        from sgf_lark.files.many import failure

        fail(f"{' '.join(records)}: {'; '.join(failure('shown', error))}")


# ---- the command line ----


class Asked(NamedTuple):
    """The argument of a command line, and its options."""

    record: str  # the file, perhaps with a game and a node in it
    place: RecordPlace
    position: PositionOptions
    picture: PictureOptions

    @property
    def form(self) -> PictureForm:
        """The form of the picture; exit if the suffix of the output means none."""
        return self.picture.form or form_of(self.picture.output)

    @property
    def division(self) -> str | int | None:
        """The division into figures, as a game takes it; exit if there is no such one."""
        split = self.position.split
        if split is None:
            return None
        if split.lower() in DIVISIONS:
            return DIVISIONS[split.lower()]
        if not (split.isascii() and split.isdecimal() and int(split[:9])):
            fail(f"--split: no division {split!r}: expected fg, comments or a number of moves")
        return int(split[:9])

    @property
    def shows_figures(self) -> bool:
        """All figures are to be seen, and not one position."""
        position = self.position
        is_position = position.move or self.picture.numbers or self.place.path is not None
        return position.figures or (self.form in PAGES and not is_position)


class RecordPlace(NamedTuple):
    file: str  # the path of a file, or -
    game: str | None = None  # the number of the game, from 1, or all; None for the first
    path: str | None = None  # the path of a node; None for none


#: In place of a number: all games.
ALL = "all"

#: A file with the number of a game, the path of a node, or both.
_PLACE = re.compile(r"(.+?)(?:#([^#@/\\]*))?(?:@([0-9./]*))?", re.DOTALL)


def find_place(record: str) -> RecordPlace:
    """Return the place that an argument means; the path of a file that is there comes first."""
    if Path(record).exists():
        return RecordPlace(record)
    found = _PLACE.fullmatch(record)
    return RecordPlace(record) if found is None else RecordPlace(*found.groups())


def find_record_places(asked: Sequence[Asked], options: FileOptions) -> Iterator[Asked]:
    """Yield what is asked for: of one file the first game, else and for a viewer all games."""
    for one in asked:
        if Path(one.place.file).is_dir():
            for file in find_files([one.place.file], options):
                if isinstance(file, Unreadable):
                    fail(f"cannot read {file.path}: {file.reason}")
                yield one._replace(record=file, place=RecordPlace(file, ALL))
        elif (asked[1:] or one.picture.viewer) and one.place[1:] == (None, None):
            yield one._replace(place=one.place._replace(game=ALL))
        else:
            yield one


def form_of(output: str | None) -> PictureForm:
    """Return the form that the suffix of an output means; exit if it means none."""
    if output is None or output == STDIN:
        return "text"
    suffix = Path(output).suffix.lower()
    if suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        fail(f"{output}: the suffix {suffix!r} is none of {known}: give --format")
    return SUFFIXES[suffix]


def test_options(asked: Asked) -> None:
    """Exit if options contradict each other, or the form has no place to go."""
    form, figures, picture = asked.form, asked.position.figures, asked.picture
    position = "--move" if asked.position.move else "--numbers" if picture.numbers else ""
    is_placed = asked.place.path is not None
    if figures and (position or is_placed):
        fail(f"--figures shows all of the game: remove it, or {position or 'the path'}")
    chosen = figures, position, is_placed, asked.position.split, picture.part
    if picture.viewer and (form != "html" or any(chosen)):
        fail("--viewer is a page of all positions: add --format html, and remove what chooses some")
    if picture.animate and (form != "svg" or figures):
        fail("--animate is for one position as svg: add --format svg, and remove --figures")
    is_english = picture.language == "en"
    for is_given, name, forms in (
        (picture.theme, "--theme is for svg, png and html", {*PICTURES, "html"}),
        (picture.size, "--size is for svg and png", PICTURES),
        (not is_english, "--language is for text, pdf and html", {*PAGES, "text"}),
        (not is_english and picture.viewer, "--language is for pages without --viewer", {"pdf"}),
    ):
        if is_given and form not in forms:
            fail(f"{name}, not for {form}")
    if asked.division and not asked.shows_figures:
        fail("--split divides a game into figures: add --figures, or remove it")
    if picture.output in {None, STDIN}:
        if figures and form in PICTURES:
            fail(f"--figures makes several {form} files: name them with -o")
        if form in BINARY and writes_to_terminal():
            fail(f"{form} is not for terminals: write a file with -o")


# ---- the record ----


def find_games(data: bytes, place: RecordPlace, reading: dict[str, Any]) -> Sequence[GameTree]:
    """Return the games at a place of a record; exit if there is none."""
    from sgf_lark.core import load
    from sgf_lark.files.archives import RecordBytes

    try:
        source = RecordBytes(data, place.file)
        collection = load(source, strict=False, validate=False, **reading)
    except ValueError as error:  # no such format
        fail(str(error))
    repaired = sum(finding.severity == "error" for finding in collection.diagnostics)
    if repaired:
        errors = plural(repaired, "error")
        say(f"{place.file}: {errors} of syntax or encoding: see sgf-lark check", err=True)
    if not len(collection):
        fail(f"{place.file}: there is no game in it")
    if place.game == ALL:
        return tuple(collection)
    number = "1" if place.game is None else place.game
    if not (number.isascii() and number.isdecimal() and 1 <= int(number[:9]) <= len(collection)):
        held = plural(len(collection), "game")
        fail(f"{place.file}: no game {number!r}: it has {held}, counted from 1")
    return (collection[int(number) - 1],)


def read_input(file: str, output: str | None) -> bytes:
    """Return the bytes of a file; exit if it cannot be read, or is to be written."""
    from sgf_lark.files.writing import are_same

    if is_endless(file):
        fail(f"cannot read {file}: {ENDLESS}")
    if output not in {None, STDIN} and are_same(0 if file == STDIN else file, output):
        fail(f"{output}: this file is the input of the command; choose another file")
    try:
        return read_path(file)
    except (OSError, ValueError) as error:
        fail(f"cannot read {file}: {reason(error)}")


def find_node(game: GameTree, asked: Asked) -> Node:
    """Return the node whose position is to be seen; exit if there is none."""
    path, move, numbers = asked.place.path, asked.position.move, asked.picture.numbers
    try:
        node = game.root if path is None else game.at(path)
    except KeyError:
        fail(f"{asked.record}: there is no node at the path {path!r}")
    if move is None and numbers and path is None:
        move = numbers.rpartition("-")[2]
        move = move if move.isdecimal() else None
    if path is not None and move is None:
        return node
    problem = game.nodes.numbering.problem if move is None and numbers is None else None
    if problem is not None:
        return game.nodes[problem.last]
    end = last_after(node)
    if move is None or move == "last":
        return end
    moves = game.moves_to(end)
    if not (move.isascii() and move.isdecimal() and int(move[:9]) <= len(moves)):
        fail(f"{asked.record}: no move {move!r}: the line has {plural(len(moves), 'move')}")
    return game.nodes[moves[int(move) - 1].node] if int(move) else game.root


def last_after(node: Node) -> Node:
    """Return the end of the line that goes on from a node along first children."""
    while True:
        children = node.children
        if not children:
            return node
        node = children[0]


# ---- pictures ----


def draw(games: Sequence[tuple[GameTree, Asked]]) -> list[str | bytes]:
    """Return the contents of the files to write; report what could not be drawn."""
    from sgf_lark.positions.page import make_worksheet

    game, asked = games[0]
    form, picture = asked.form, asked.picture
    has_several = any(one.place.game == ALL for _, one in games) or games[1:]
    if has_several and form in PICTURES:
        fail(f"several games make one page: html, pdf or text, not {form}")
    if picture.animate:
        try:
            return [draw_animation(game, asked) + "\n"]
        except ValueError as error:
            fail(f"{asked.record}: {error}")
    pages = [draw_page(*one) for one in games]
    page = make_worksheet(pages) if has_several else pages[0]
    theme = picture.theme or "light"
    match form:
        case "html":
            return [page.html(picture.theme or "auto")]
        case "pdf":
            return [page.pdf()]
        case "text":
            return [page.text("unicode" if has_unicode(sys.stdout.encoding) else "ascii")]
    pictures = [figure.diagram.svg(theme=theme, size=picture.size) for figure in page.figures]
    if form == "svg":
        return [f"{svg}\n" for svg in pictures]
    from sgf_lark.pictures.svg import draw_png

    return [draw_png(svg, pixels(svg, picture.size)) for svg in pictures]


def draw_page(game: GameTree, asked: Asked) -> GamePage:
    """Return the page of a game; exit if nothing of it can be drawn, unless it is one of many."""
    try:
        if asked.shows_figures:
            picture = asked.picture
            page = game.page(split=asked.division, crop=picture.part, labels=picture.labels)
        else:
            page = page_of(game, find_node(game, asked), asked)
            if asked.form == "pdf":  # as large as its picture
                page = page.model_copy(update={"title": "", "facts": (), "comment": ""})
    except ValueError as error:
        if asked.place.game != ALL:
            fail(f"{asked.record}: {error}")
        say(f"{asked.record}: not drawn: {error}", err=True)
        return game.page(()).model_copy(update={"lost": (str(error),)})
    if not asked.picture.coordinates:
        bare = {"coordinates": False}
        figures = tuple(
            figure.model_copy(update={"diagram": figure.diagram.model_copy(update=bare)})
            for figure in page.figures
        )
        page = page.model_copy(update={"figures": figures})
    report_losses(page, asked.record)
    return page


def pixels(svg: str, size: int | None) -> int:
    """Return the width of a PNG in pixels; exit if it would be too high."""
    from sgf_lark.pictures.svg import extent

    width, height = extent(svg)
    if size is None:
        return max(1, int(width * min(CELL, LONGEST / max(width, height))))
    if size * height > MAX_SIZE * width:
        fail(f"--size {size}: the png would be more than {MAX_SIZE} pixels high")
    return size


#: Pixels of a cell of a PNG, and of its longer side at most, if no size is given.
CELL, LONGEST = 44, 1600


def report_losses(page: GamePage, record: str) -> None:
    lost = dict.fromkeys(line for figure in page.figures for line in figure.diagram.left_out)
    for line in islice(lost, MAX_LOST):
        say(f"{record}: not drawn: {line}", err=True)
    if len(lost) > MAX_LOST:
        say(f"{record}: not drawn: {len(lost) - MAX_LOST} more", err=True)


def draw_animation(game: GameTree, asked: Asked) -> str:
    from sgf_lark.pictures.animation import animate

    end, picture = find_node(game, asked), asked.picture
    if end.move_number > MAX_STEPS:
        fail(f"--animate: more than {MAX_STEPS} moves up to here: choose a position by --move")
    crop = {"crop": end.diagram(crop=picture.part).crop, "coordinates": picture.coordinates}
    line = [end]
    while (above := line[-1].parent) is not None:
        line.append(above)
    diagrams = (
        node.diagram(numbers=picture.numbers, labels=picture.labels) for node in reversed(line)
    )
    cropped = (diagram.model_copy(update=crop) for diagram in diagrams)
    return animate(cropped, theme=picture.theme or "light", size=picture.size)


#: Most moves of an animation.
MAX_STEPS = 2000

#: Most lines about what could not be drawn.
MAX_LOST = 20


def page_of(game: GameTree, node: Node, asked: Asked) -> GamePage:
    from sgf_lark.pictures.diagram import GameFigure
    from sgf_lark.pictures.words import word
    from sgf_lark.positions.diagram import remark_on

    picture = asked.picture
    diagram = node.diagram(numbers=picture.numbers, crop=picture.part, labels=picture.labels)
    number, moves = node.move_number, len(game.moves_to(last_after(node)))
    place = word("move {} of {}", number, moves) if number else word("start")
    if "." in node.path:
        place = word("{}, in a variation", place)
    name = f"{diagram.title} ({place})" if diagram.title else place
    remark = remark_on(game.nodes.contents[node.index])._replace(name="")
    figure = GameFigure(number="1", name=name, path=node.path, diagram=diagram, comments=(remark,))
    return game.page((figure,))


def writes_to_terminal() -> bool:
    return sys.stdout.isatty()


# ---- output ----


def write_files(contents: list[str | bytes], output: str | None, *, is_numbered: bool) -> None:
    """Write files, or to standard output.

    Args:
        output: The file; None or ``-`` for standard output.
        is_numbered: Each name gets a number: ``game-1.svg`` for ``game.svg``.
    """
    from sgf_lark.files.writing import write_file

    for number, content in enumerate(contents, 1):
        if output is None or output == STDIN:
            show_text(content)
            continue
        path = Path(output)
        name = path.with_name(f"{path.stem}-{number}{path.suffix}") if is_numbered else path
        data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
        with reported_failure(f"cannot write {name}"):
            write_file(name, data)
