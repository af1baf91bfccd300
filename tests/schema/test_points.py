"""Points as GTP names them."""

import pytest

from sgf_lark import Point
from sgf_lark.core.schema.points import LETTERS, column_name


@pytest.mark.parametrize(
    ("point", "rows", "vertex"),
    [
        (Point(0, 18), 19, "A1"),
        (Point(15, 3), 19, "Q16"),
        (Point(7, 0), 9, "H9"),
        (Point(8, 0), 9, "J9"),  # I is left out
        (Point(24, 0), 25, "Z25"),
        (Point(25, 29), 30, "AA1"),
        (Point(50, 0), 52, "BA52"),
    ],
)
def test_a_vertex_of_gtp_is_a_point_and_back(point: Point, rows: int, vertex: str) -> None:
    assert point.gtp(rows) == vertex
    assert Point.from_gtp(vertex, rows) == point
    assert Point.from_gtp(f" {vertex.lower()} ", rows) == point


def test_each_point_of_the_largest_board_has_a_vertex_of_its_own() -> None:
    points = [Point(column, row) for column in range(52) for row in range(52)]

    vertices = [point.gtp(52) for point in points]

    assert len(set(vertices)) == len(points)
    assert [Point.from_gtp(vertex, 52) for vertex in vertices] == points


@pytest.mark.parametrize("vertex", ["", "pass", "I5", "Q", "16", "Q0", "Q20", "Q016", "Q16x", "Ä1"])
def test_what_is_no_vertex_is_rejected(vertex: str) -> None:
    with pytest.raises(ValueError, match="no point"):
        Point.from_gtp(vertex)


def test_a_point_beyond_the_rows_has_no_vertex() -> None:
    with pytest.raises(ValueError, match="on a board of 9 rows"):
        Point(0, 9).gtp(9)


def test_columns_beyond_z_have_two_letters() -> None:
    assert [column_name(one, LETTERS) for one in (0, 25, 26, 27, 701, 702)] == [
        "a", "z", "aa", "ab", "zz", "aaa",
    ]  # fmt: skip
