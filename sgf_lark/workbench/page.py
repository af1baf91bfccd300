"""The page of the playground: its files, and a folder of it that needs no server of ours.

In such a folder answers come from Python in a worker of the browser (Pyodide).  Nothing leaves
the folder, and any web server can serve it.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import pydantic
import pydantic_core

from sgf_lark.core import decode, detect_grammar, grammars
from sgf_lark.files.archives import SUFFIXES

from .answers import list_examples
from .derive_all import derive_all

#: The files of the page beside itself, and those that answer in a worker.
FILES = ("playground.css", "playground.js", "editor/codemirror.js")
_WORKER_FILES = ("worker.mjs", "python.mjs")

#: What the page may load: its own files, and pictures that it makes.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
    " base-uri 'none'; form-action 'none'"
)

#: Pyodide, and the kind of the wheels that it runs: the one fits the other.
PYODIDE, _KIND = "314.0.7", "cp314-cp314-pyemscripten_2026_0_wasm32"
_RUNTIME = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"),
    *("pyodide-lock.json", "package.json", "README.md"),
)

#: The wheels that answers need.
_WHEELS = {
    **dict.fromkeys(("annotated_types", "interegular", "lark", "pathspec"), "*"),
    "pydantic": f"{pydantic.VERSION}-*",
    "pydantic_core": f"{pydantic_core.__version__}-{_KIND}",
    **dict.fromkeys(("railroad_diagrams", "typing_extensions", "typing_inspection"), "*"),
}

#: The command that brings them into a folder.
_DOWNLOAD = (
    "pip download --dest {} --only-binary :all: --platform pyemscripten_2026_0_wasm32"
    " --implementation cp --python-version 314 --abi cp314"
    f" lark pathspec interegular railroad-diagrams pydantic=={pydantic.VERSION}"
)


def read_file(path: Path) -> dict[str, str]:
    """Return the contents of a file of the playground, of a grammar, or of a record."""
    if path.suffix.lower() in SUFFIXES:
        text, encoding, _ = decode(path.read_bytes())
        grammar = grammars.path(detect_grammar(text))
        return {
            "grammar": grammars.text_of(grammar),
            "grammar_name": grammar.name,
            "text": text,
            "encoding": encoding,
            "name": path.name,
        }
    text = path.read_text(encoding="utf-8")
    if path.suffix.lower() == ".lark":
        return {"grammar": text, "grammar_name": path.name, "text": ""}
    try:
        state = json.loads(text)
    except RecursionError:
        raise ValueError("it nests too deep") from None
    if not isinstance(state, dict) or not {"grammar", "text"} <= state.keys():
        raise ValueError("it is no file of the playground")
    return {name: str(value) for name, value in state.items()}


def write_page(opened: dict[str, str] | None, *, worker: bool = False) -> str:
    state = {"examples": list_examples(), "opened": opened, "worker": worker}
    page = Path(__file__).with_name("playground.html").read_text(encoding="utf-8")
    if worker:
        policy = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
        meta = (
            f'<meta http-equiv="Content-Security-Policy" content="{policy}; worker-src \'self\'">'
        )
        page = page.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{meta}')
    return page.replace("@data@", json.dumps(state).replace("<", "\\u003c"))


def export_page(target: Path, source: Path, opened: dict[str, str] | None = None) -> None:
    """Write the page and all that answers it into an empty folder.

    Args:
        source: A folder with ``node_modules/pyodide`` and the wheels of the packages.

    Raises:
        ValueError: The source lacks something or has another version; the target is not empty.
        OSError: A file cannot be read or written.
    """
    runtime, wheels = source / "node_modules" / "pyodide", _wheels(source)
    about = runtime / "package.json"
    found = json.loads(about.read_text(encoding="utf-8"))["version"] if about.exists() else "none"
    if found != PYODIDE:
        install = f"npm install --prefix {source} pyodide@{PYODIDE}"
        raise ValueError(f"{source} has Pyodide {found}, needed is {PYODIDE}:  {install}")
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise ValueError(f"{target} is not empty")
    page = target / "index.html"
    page.write_text(write_page(opened, worker=True), encoding="utf-8")
    for folder in ("editor", "pyodide", "packages"):
        (target / folder).mkdir()
    own = Path(__file__).parent
    for name in (*FILES, *_WORKER_FILES, "editor/LICENSES.txt"):
        shutil.copyfile(own / name, target / name)
    for name in _RUNTIME:
        shutil.copyfile(runtime / name, target / "pyodide" / name)
    for wheel in wheels:
        shutil.copyfile(wheel, target / "packages" / wheel.name)
    _zip_package(target / "packages" / "sgf_lark.zip")
    files = sorted(file for name in ("packages", "pyodide") for file in (target / name).iterdir())
    sizes = {file.relative_to(target).as_posix(): file.stat().st_size for file in files}
    (target / "files.json").write_text(json.dumps(sizes), encoding="utf-8")


def _wheels(source: Path) -> list[Path]:
    """Return the wheels of the packages in a folder, those of pydantic in the fitting version."""
    found = {name: [*source.glob(f"{name}-{rest}.whl")] for name, rest in _WHEELS.items()}
    missing = [f"{name}-{_WHEELS[name]}.whl" for name, wheels in found.items() if not wheels]
    if missing:
        raise ValueError(f"{source} lacks {', '.join(missing)}:  {_DOWNLOAD.format(source)}")
    return [max(wheels) for wheels in found.values()]


def _zip_package(target: Path) -> None:
    """Write this package as a wheel has it: with the grammars, and what is derived from them."""
    package, folder = Path(__file__).parents[1], grammars.folder()
    with TemporaryDirectory() as made, ZipFile(target, "w", ZIP_DEFLATED) as archive:
        inside = {file.relative_to(package): file for file in package.rglob("*.*")}
        if not folder.is_relative_to(package):
            for file in folder.rglob("*.lark"):
                inside[Path("core", "grammar", "files", file.relative_to(folder))] = file
            inside[Path("core", "grammar", "derived.data")] = Path(made, "derived.data")
            derive_all(Path(made, "derived.data"))
        for name, file in inside.items():
            if file.is_file() and "__pycache__" not in name.parts:
                archive.write(file, "sgf_lark" / name)
