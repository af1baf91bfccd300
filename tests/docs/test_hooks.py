"""Hooks for pre-commit and recipes for CI: what they name exists, and what they run works."""

from __future__ import annotations

import json
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
from support import commands
from support.places import ROOT

from sgf_lark.cli.paths import SUFFIXES

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
README = (ROOT / "sgf_lark" / "cli" / "README.md").read_text("utf-8")

#: The recipes, by the names of their files.
RECIPES: dict[str, Any] = {
    name: yaml.safe_load(text)
    for name, text in re.findall(r"^```yaml\n# (\S+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
}
PRE_COMMIT = RECIPES[".pre-commit-config.yaml"]
GITHUB = RECIPES[".github/workflows/records.yml"]
GITLAB = RECIPES[".gitlab-ci.yml"]

#: A record with a fix, an error without one, and an error in a layout of its own.
FIXABLE, WRONG, RIGHT = "(;FF[4]KM[6,5];B[pd])", "(;FF[4];B[Q4x])", "(;FF[4]\n;B[pd]\n)\n"

#: The parts of the project from which it is installed.
PARTS = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "grammars", "sgf_lark")


def do(*command: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # programs of the test environment
        [*map(str, command)],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def repository(folder: Path) -> str:
    """Commit all files of a folder as a new git repository; return the commit."""
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    for arguments in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "All"]):
        assert do("git", *arguments, folder=folder).returncode == 0
    return do("git", "rev-parse", "HEAD", folder=folder).stdout.strip()


def records(folder: Path) -> None:
    (folder / "games").mkdir(parents=True)
    for name, text in (("a.sgf", FIXABLE), ("B 2.SGF", WRONG), ("games/c.sgf", RIGHT)):
        (folder / name).write_text(text, encoding="utf-8")


# ---- what the files name ----


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_the_entry_of_a_hook_is_a_command_that_takes_files(
    hook: dict[str, Any], tmp_path: Path
) -> None:
    program, *arguments = shlex.split(hook["entry"])
    records(tmp_path)
    done = commands.run(*arguments, "a.sgf", "games/c.sgf", folder=tmp_path)

    assert (
        program in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    )
    assert done.returncode == (1 if hook["id"] == "sgf-lark-check" else 0), done
    changed = (tmp_path / "a.sgf").read_text("utf-8") != FIXABLE
    assert changed == (hook["id"] != "sgf-lark-check")


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_a_hook_gets_the_files_that_a_folder_is_searched_for(hook: dict[str, Any]) -> None:
    wanted = re.compile(hook["files"])

    for suffix in SUFFIXES:
        assert wanted.search(f"games/a b{suffix}")
        assert wanted.search(f"A{suffix.upper()}")
    for name in ("sgf", "a.sgf.txt", "a.sgfx", "sgf_lark/cli.py"):
        assert not wanted.search(name)
    assert hook["types"] == ["file"]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_a_hook_is_installed_with_extras_that_exist(hook: dict[str, Any]) -> None:
    for package in hook["additional_dependencies"]:
        extra = package.removeprefix(".[").removesuffix("]")
        assert extra in PROJECT["optional-dependencies"]


def test_pre_commit_accepts_hooks_and_recipe(tmp_path: Path) -> None:
    recipe = tmp_path / ".pre-commit-config.yaml"
    recipe.write_text(yaml.safe_dump(PRE_COMMIT), encoding="utf-8")
    for command, file in (
        ("validate-manifest", ROOT / ".pre-commit-hooks.yaml"),
        ("validate-config", recipe),
    ):
        done = do(sys.executable, "-m", "pre_commit", command, file, folder=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_recipe_names_hooks_that_exist() -> None:
    (source,) = PRE_COMMIT["repos"]

    assert {hook["id"] for hook in source["hooks"]} <= {hook["id"] for hook in HOOKS}
    assert all(f"`{hook['id']}`" in README for hook in HOOKS)


# ---- what the recipes of CI run ----


def lines_of_github() -> list[str]:
    (job,) = GITHUB["jobs"].values()
    return [step["run"] for step in job["steps"] if "run" in step]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    records(folder)
    repository(folder)
    return folder


def run_lines(lines: list[str], folder: Path) -> list[commands.Done]:
    """Run the lines of a recipe that call sgf-lark; what they print is in the answers."""
    split = [shlex.split(line) for line in lines]
    return [commands.run(*words, folder=folder) for name, *words in split if name == "sgf-lark"]


def test_the_recipe_for_github_annotates_and_uploads(project: Path) -> None:
    annotated, written = run_lines(lines_of_github(), project)
    (job,) = GITHUB["jobs"].values()
    (upload,) = (step for step in job["steps"] if "upload-sarif" in step.get("uses", ""))
    log = json.loads((project / upload["with"]["sarif_file"]).read_text("utf-8"))

    assert annotated.returncode == 1
    assert b",file=a.sgf,line=1," in annotated.stdout
    assert written.returncode == 0
    assert {result["ruleId"] for result in log["runs"][0]["results"]} >= {"V301"}
    assert upload["if"] == "always()"


def test_the_recipe_for_gitlab_reports_code_quality(project: Path) -> None:
    (done,) = run_lines(GITLAB["records"]["script"], project)
    report = GITLAB["records"]["artifacts"]["reports"]["codequality"]
    findings = json.loads((project / report).read_text("utf-8"))

    assert done.returncode == 1
    assert {finding["location"]["path"] for finding in findings} == {"a.sgf", "B 2.SGF"}
    assert GITLAB["records"]["artifacts"]["when"] == "always"


# ---- with the real programs ----


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """A git repository of this project, as people name it in a hook."""
    if shutil.which("git") is None:
        pytest.skip("not installed: git")
    wheel = do(
        *(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "lark"), folder=tmp_path
    )
    if wheel.returncode:
        pytest.skip("not reachable: PyPI")
    folder = tmp_path / "tool"
    folder.mkdir()
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, folder / part)
    for cache in [*folder.rglob("__pycache__")]:
        shutil.rmtree(cache)
    repository(folder)
    do("git", "tag", PRE_COMMIT["repos"][0]["rev"], folder=folder)
    return folder


@pytest.mark.night
def test_the_hooks_fix_what_can_be_fixed_and_stop_a_commit_until_the_rest_is(
    tool: Path, project: Path
) -> None:
    config = PRE_COMMIT | {"repos": [PRE_COMMIT["repos"][0] | {"repo": str(tool)}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")

    def commit() -> subprocess.CompletedProcess[str]:
        do("git", "add", "-A", folder=project)
        return do(
            *(sys.executable, "-m", "pre_commit", "run"),
            folder=project,
            PRE_COMMIT_HOME=str(tool.parent / "home"),
        )

    (project / "a.sgf").write_text(f"{FIXABLE}\n", encoding="utf-8")
    (project / "B 2.SGF").write_text(f"{WRONG}\n", encoding="utf-8")
    first = commit()
    second = commit()
    (project / "B 2.SGF").write_text("(;FF[4]\n;B[pd]\n)\n", encoding="utf-8")
    third = commit()

    assert first.returncode == 1, first.stdout
    assert "files were modified by this hook" in first.stdout
    assert "B 2.SGF:1:11: error: invalid value 'Q4x' for B" in first.stdout
    assert (project / "a.sgf").read_text("utf-8") == "(;FF[4]\nKM[6.5]\n;B[pd]\n)\n"
    assert second.returncode == 1
    assert "sgf-lark fmt....." in second.stdout
    assert "files were modified" not in second.stdout
    assert (third.returncode, third.stdout.count("Passed")) == (0, 2)


@pytest.mark.night
def test_the_recipe_for_github_runs_in_a_new_environment(tool: Path, project: Path) -> None:
    venv = tool.parent / "venv"
    assert do(sys.executable, "-m", "venv", venv, folder=project).returncode == 0
    source = f"git+file://localhost{tool}@{GITHUB['env']['SGF_LARK'].rpartition('@')[2]}"
    path = f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = [
        do("bash", "-e", "-c", line, folder=project, SGF_LARK=source, PATH=path, PYTHONPATH="")
        for line in lines_of_github()
    ]

    assert [one.returncode for one in done] == [0, 1, 0], done
    assert ",file=a.sgf," in done[1].stdout
    assert (project / "records.sarif").exists()
