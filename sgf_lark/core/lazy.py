"""Modules that are loaded when they are used: those of the names of stubs, and of extras."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # importing typing takes longer than all that `import sgf_lark` needs
if TYPE_CHECKING:
    from typing import Any


def load_module(name: str, package: str | None = None) -> Any:
    """Return a module; garbage is not searched for while it is imported.

    What imports make stays, and to search it again and again takes a fifth of their time.
    """
    if not gc.isenabled():
        return import_module(name, package)
    gc.disable()
    try:
        return import_module(name, package)
    finally:
        gc.enable()


def load_extra(name: str, words: str) -> Any:
    """Return a module of a package that may be missing: ImportError with ``words``."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(words) from error


#: The names of each stub that was read.
_homes: dict[str, dict[str, str]] = {}


def read_homes(module: str) -> dict[str, str]:
    """Return the module of every name that the stub of a package or of a module imports."""
    if module not in _homes:
        import re
        from pathlib import Path

        stub = Path(f"{sys.modules[module].__file__}i").read_text(encoding="utf-8")
        imports = re.findall(r"^from (\S+) import (\([^)]*\)|.*)", stub, re.MULTILINE)
        _homes[module] = {
            name: home for home, names in imports for name in re.findall(r"(\w+) as", names)
        }
    return _homes[module]


def load_names_lazily(module: str) -> None:
    """Let a package or a module have the names of its stub."""
    sys.modules[module].__class__ = _LazyModule


class _LazyModule(ModuleType):
    def __getattr__(self, name: str) -> object:
        homes = {} if name.startswith("_") else read_homes(self.__name__)
        if name not in homes:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        home = load_module(homes[name], self.__package__)
        if not hasattr(home, name):  # a module of that package
            load_module(f"{home.__name__}.{name}")
        found = getattr(home, name)
        super().__setattr__(name, found)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in read_homes(self.__name__)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted(read_homes(self.__name__))
