"""Hooks for pre-commit and recipes for CI, and git repositories that use them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from support import commands, readmes
from support.places import ROOT

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]
PAGE = (ROOT / readmes.GUIDES / "hooks.md").read_text("utf-8")

#: The recipes, by the names of their files.
RECIPES: dict[str, Any] = {
    name: yaml.safe_load(text)
    for name, text in re.findall(r"^```yaml\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
}
PRE_COMMIT = RECIPES[".pre-commit-config.yaml"]
GITHUB = RECIPES[".github/workflows/records.yml"]
GITLAB = RECIPES[".gitlab-ci.yml"]


def lines_of_github() -> list[str]:
    """Return the lines that the recipe for GitHub runs."""
    (job,) = GITHUB["jobs"].values()
    return [step["run"] for step in job["steps"] if "run" in step]


def run_lines(lines: list[str], folder: Path) -> list[commands.Done]:
    """Run the lines of a recipe that call sgf-lark."""
    split = [shlex.split(line) for line in lines]
    return [commands.run(*words, folder=folder) for name, *words in split if name == "sgf-lark"]


#: The parts of the project from which it is installed.
PARTS = (
    *("pyproject.toml", "README.md", ".pre-commit-hooks.yaml", "sgf_lark"),
    *PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"],
)


def do(*command: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # programs of the test environment
        [*map(str, command)],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )


def repository(folder: Path) -> str:
    """Commit all files of a folder as a new git repository; return the commit."""
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    for arguments in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "All"]):
        assert do("git", *arguments, folder=folder).returncode == 0
    return do("git", "rev-parse", "HEAD", folder=folder).stdout.strip()


def install(folder: Path) -> Path:
    """Return a git repository of this project in a folder, as people name it in a hook."""
    if shutil.which("git") is None:
        pytest.skip("not installed: git")
    download = (sys.executable, "-m", "pip", "download", "-q", "--no-deps", "lark")
    if do(*download, folder=folder).returncode:
        pytest.skip("not reachable: PyPI")
    tool = folder / "tool"
    tool.mkdir()
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        (tool / part).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / part, tool / part)
    for cache in [*tool.rglob("__pycache__")]:
        shutil.rmtree(cache)
    repository(tool)
    do("git", "tag", PRE_COMMIT["repos"][0]["rev"], folder=tool)
    return tool


def use_hooks(project: Path, tool: Path) -> None:
    """Write the recipe for pre-commit into a repository."""
    config = PRE_COMMIT | {"repos": [PRE_COMMIT["repos"][0] | {"repo": str(tool)}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")


def run_hooks(project: Path, tool: Path) -> subprocess.CompletedProcess[str]:
    """Run the hooks of a repository on all that is new in it, with the real program."""
    do("git", "add", "-A", folder=project)
    command = (sys.executable, "-m", "pre_commit", "run")
    return do(*command, folder=project, PRE_COMMIT_HOME=str(tool.parent / "home"))
