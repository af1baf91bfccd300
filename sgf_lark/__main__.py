"""The command ``sgf-lark``, also as ``python -m sgf_lark``."""

from __future__ import annotations

import atexit
import gc
import os
import sys

from ._version import __version__

#: Exit code of a program that was stopped by Ctrl-C.
INTERRUPTED = 130


def main() -> None:
    """Run the command; the answer to ``--version`` waits for no import."""
    if sys.argv[1:] == ["--version"]:
        _show_version()
        return
    _prepare()
    try:
        from .cli.main import app

        app(prog_name="sgf-lark")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"click", "rich"}:
            raise
        sys.exit("error: sgf-lark needs click and rich (extra cli):  pip install 'sgf_lark[cli]'")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception:  # noqa: BLE001  # a traceback quotes what a file holds
        from traceback import format_exc

        from .report.terminal import say_lines

        say_lines(format_exc(), err=True)
        sys.exit(1)


def _show_version() -> None:
    try:
        print(f"sgf-lark {__version__}", flush=True)  # noqa: T201  # what was asked for
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print("error: cannot write the output", file=sys.stderr)  # noqa: T201
        sys.exit(2)


def _freeze() -> None:
    """Search no objects for garbage at the end, unless DuckDB would report those that it made."""
    if "duckdb" not in sys.modules:
        gc.freeze()


def _prepare() -> None:
    """Set what speeds up this process, before it imports anything large."""
    # The imports make 200,000 objects that stay: searching them for garbage takes a sixth of the
    # time of `check` with one small file.  The same number as mypy's.
    gc.set_threshold(200_000, 30, 30)
    # Python searches them again at its end, several times; that takes a fifth.
    atexit.register(_freeze)
    # The search for plugins of pydantic reads the metadata of all installed packages; they are for
    # programs that watch their own models.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


if __name__ == "__main__":
    main()
