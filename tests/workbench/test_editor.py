"""The vendored editor is what its build makes of the packages that its lock names."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from sgf_lark.workbench import playground

EDITOR = Path(playground.__file__).with_name("editor")

#: What the build makes.
BUILT = ("codemirror.js", "LICENSES.txt", "editor.cdx.json")


def test_every_package_that_is_inside_has_its_licence() -> None:
    licences = (EDITOR / "LICENSES.txt").read_text(encoding="utf-8")
    wanted = json.loads((EDITOR / "package.json").read_text(encoding="utf-8"))["dependencies"]
    packages = dict(re.findall(r"^(@?[\w/-]+) ([\d.]+)\n\n", licences, re.MULTILINE))

    assert wanted.items() <= packages.items()
    assert licences.count("Permission is hereby granted, free of charge") == len(packages)


def test_the_bill_of_materials_names_the_editor_its_packages_and_their_licences() -> None:
    bill = json.loads((EDITOR / "editor.cdx.json").read_text(encoding="utf-8"))
    (digest,) = bill["metadata"]["component"]["hashes"]
    listed = [(one["name"], one["version"]) for one in bill["components"]]

    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert digest["content"] == sha256((EDITOR / "codemirror.js").read_bytes()).hexdigest()
    assert [f"{name} {version}" for name, version in listed] == re.findall(
        r"^@?[\w/-]+ [\d.]+(?=\n\n)", (EDITOR / "LICENSES.txt").read_text("utf-8"), re.MULTILINE
    )
    for one in bill["components"]:
        assert one["licenses"] == [{"license": {"id": "MIT"}}]  # as the wheel's own
        assert one["purl"] == f"pkg:npm/{one['name'].replace('@', '%40')}@{one['version']}"


@pytest.mark.night
def test_the_editor_is_built_from_its_lock_byte_by_byte(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm: apt-get install npm")
    folder = tmp_path / "editor"
    shutil.copytree(EDITOR, folder)
    for name in BUILT:
        (folder / name).unlink()
    installed = subprocess.run([npm, "ci", "--silent"], cwd=folder, check=False, timeout=100)  # noqa: S603  # found on the path
    if installed.returncode:
        pytest.skip("npm ci cannot get CodeMirror and esbuild")
    subprocess.run([npm, "run", "--silent", "build"], cwd=folder, check=True, timeout=100)  # noqa: S603

    assert [(folder / name).read_bytes() for name in BUILT] == [
        (EDITOR / name).read_bytes() for name in BUILT
    ]
