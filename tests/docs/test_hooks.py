"""Hooks for pre-commit and recipes for CI: what they name exists, and what they run works."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from support import commands
from support.hooks import (
    GITHUB,
    GITLAB,
    HOOKS,
    PAGE,
    PRE_COMMIT,
    PROJECT,
    do,
    install,
    lines_of_github,
    repository,
    run_lines,
)
from support.places import ROOT

from sgf_lark.files.paths import SUFFIXES

#: A record with a fix, an error without one, and an error in a layout of its own.
FIXABLE, WRONG, RIGHT = "(;FF[4]KM[6,5];B[pd])", "(;FF[4];B[Q4x])", "(;FF[4]\n;B[pd]\n)\n"


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

    assert program in PROJECT["scripts"]
    assert done.returncode == (1 if hook["id"] == "sgf-lark-check" else 0), done
    changed = (tmp_path / "a.sgf").read_text("utf-8") != FIXABLE
    assert changed == (hook["id"] != "sgf-lark-check")


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_a_hook_gets_the_files_that_a_folder_is_searched_for(hook: dict[str, Any]) -> None:
    wanted = re.compile(hook["files"])

    for suffix in SUFFIXES:
        assert wanted.search(f"games/a b{suffix}")
        assert wanted.search(f"A{suffix.upper()}")
    for name in ("sgf", "a.txt", "a.sgfx", "sgf_lark/cli.py"):
        assert not wanted.search(name)
    assert hook["types"] == ["file"]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_a_hook_is_installed_with_extras_that_exist(hook: dict[str, Any]) -> None:
    for package in hook["additional_dependencies"]:
        extra = package.removeprefix(".[").removesuffix("]")
        assert extra in PROJECT["optional-dependencies"]


def test_pre_commit_accepts_hooks_and_recipe(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
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
    assert all(f"`{hook['id']}`" in PAGE for hook in HOOKS)


# ---- what the recipes of CI run ----


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    records(folder)
    repository(folder)
    return folder


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
    return install(tmp_path)


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
