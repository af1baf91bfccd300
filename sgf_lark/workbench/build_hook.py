"""The build hook: a wheel has what is derived from the grammars, an editable install derives it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: Runs where the package of the build is the first that is found.
_COMMAND = (
    "import sys; from pathlib import Path; from sgf_lark.workbench.derive_all import derive_all;"
    " derive_all(Path(sys.argv[1]))"
)


class DerivingHook(BuildHookInterface[Any]):
    """Derives the data for a wheel; see :mod:`sgf_lark.grammar.derived`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file of the data to a wheel."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory()
        file = Path(self._folder.name, "derived.data")
        subprocess.run(  # noqa: S603  # this Python
            [sys.executable, "-c", _COMMAND, str(file)], cwd=self.root, check=True
        )
        build_data["force_include"][str(file)] = "sgf_lark/grammar/derived.data"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was made for the wheel."""
        if version != "editable":
            self._folder.cleanup()
