"""The drawing of the packages is that of their imports."""

import pytest
from support.drawing import BEGIN, END, PAGE, draw, floors_of_packages, imports_of_packages
from support.house import house


@pytest.mark.night
def test_the_page_has_the_drawing_of_today() -> None:
    drawn = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]

    assert drawn == draw(house()), "python -m tests.support.drawing writes it"


def test_every_package_is_on_one_floor_above_what_it_imports() -> None:
    imports = imports_of_packages(house())
    floors = floors_of_packages(imports)
    floor = {name: number for number, names in enumerate(floors) for name in names}

    assert floor.keys() == imports.keys()
    assert sum(map(len, floors)) == len(floor)
    assert all(floor[name] < floor[below] for name in imports for below in imports[name])


def test_packages_that_import_each_other_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="import each other: a, b"):
        floors_of_packages({"a": {"b"}, "b": {"a"}, "c": set()})
