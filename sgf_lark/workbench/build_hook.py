"""The build hooks: what is derived from the grammars, and the README of an index page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: Runs where the package of the build is the first that is found.
_COMMAND = (
    "import sys; from pathlib import Path; from sgf_lark.workbench.derive_all import derive_all;"
    " derive_all(Path(sys.argv[1]))"
)


class DerivingHook(BuildHookInterface[Any]):
    """Derives the data of a wheel, not of an editable install; :mod:`.derived`."""

    _folder: TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file of the data to a wheel; keep the file that git reads out of an sdist."""
        if self.target_name == "sdist":
            build_data["force_include"].pop(str(Path(self.root, ".gitignore")), None)
        elif version != "editable":
            self._folder = TemporaryDirectory()
            file = Path(self._folder.name, "derived.data")
            subprocess.run(  # noqa: S603  # this Python
                [sys.executable, "-c", _COMMAND, str(file)], cwd=self.root, check=True
            )
            build_data["force_include"][str(file)] = "sgf_lark/core/grammar/derived.data"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if self._folder:
            self._folder.cleanup()


class LinkingHook(MetadataHookInterface):
    """Makes the links of the README absolute: an index page has no files beside it."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README to the metadata; its links lead to the repository that the URLs name."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        address = metadata["urls"]["Repository"]
        text = re.sub(r"\]\(([\w./-]+(?:#[\w-]+)?)\)", rf"]({address}/blob/HEAD/\1)", text)
        text = re.sub(r"(!\[.*\]\(.*)/blob/", r"\1/raw/", text)  # pictures
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
