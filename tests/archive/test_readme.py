"""The page about archives on many machines: its programs run where they can."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.places import RECORDS, ROOT
from support.readmes import GUIDES

from sgf_lark import archive

PAGE = (ROOT / GUIDES / "cluster.md").read_text(encoding="utf-8")

#: The order of rows, of programs that give them in any.
ORDER = [("source", "ascending"), ("member", "ascending"), ("game", "ascending")]

#: Seconds until a cluster answers.
PATIENCE = 60


def blocks(language: str) -> list[str]:
    """The blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with records, and with an archive of them that one process has made."""
    shutil.copytree(RECORDS, tmp_path / "games")
    monkeypatch.chdir(tmp_path)
    archive.build(["games"], "one", jobs=1)
    return tmp_path


# ---- programs and clusters ----


def environment() -> dict[str, str]:
    """Of programs that import this package, and of the workers of Spark."""
    local = {"SPARK_LOCAL_IP": "127.0.0.1", "RAY_AUTH_MODE": "disabled"}
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, **local, "PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable}


@pytest.mark.night
@pytest.mark.parametrize("package", ["pyspark", "ray"])
def test_spark_and_ray_give_the_rows_of_build(package: str, folder: Path) -> None:
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    import pyarrow.parquet as pq

    (program,) = [
        text
        for text in blocks("py")
        if re.search(rf"^(import|from) {package}\b", text, re.MULTILINE)
    ]
    program += '\nimport pyarrow.parquet as pq\npq.write_table(games, "found.parquet")\n'
    (folder / "program.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "program.py"]
    subprocess.run(command, cwd=folder, env=environment(), check=True, timeout=300)  # noqa: S603
    found = pq.read_table("found.parquet").sort_by(ORDER)
    with archive.read("one") as made:
        rows = made.games.to_table().sort_by(ORDER)

    assert found.num_rows > 5
    assert found.equals(rows.cast(found.schema, safe=False))


@contextmanager
def cluster() -> Iterator[list[str]]:
    """Start the servers of the page, on a port that is free; return its last command."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    (block,) = blocks("sh")
    python = [sys.executable, "-m"]
    programs = {"dask": [*python, "dask"], "sgf-lark": [*python, "sgf_lark"]}
    lines = [shlex.split(line.replace("8786", str(port))) for line in block.splitlines()]
    *servers, build = [[*programs[line[0]], *line[1:]] for line in lines]
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with ExitStack() as stack:
        for command in servers:
            process = stack.enter_context(subprocess.Popen(command, env=environment(), **quiet))  # noqa: S603  # of the page
            stack.callback(process.terminate)
        client = stack.enter_context(distributed.Client(build[-1], timeout=PATIENCE))
        client.wait_for_workers(len(servers) - 1, timeout=PATIENCE)
        yield build


@pytest.mark.night
def test_a_cluster_that_is_set_up_as_shown_writes_the_bytes_of_one_process(folder: Path) -> None:
    with cluster() as build:
        subprocess.run(build, env=environment(), check=True, timeout=300)  # noqa: S603  # of the page

    assert parts(folder / "go.archive") == parts(folder / "one")


def parts(folder: Path) -> dict[str, bytes]:
    """The bytes of the tables of an archive."""
    found = {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.glob("*/*")}
    assert len(found) > 3
    return found
