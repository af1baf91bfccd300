"""What the commands of the READMEs print, each block in a folder of its own."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from . import readmes
from .golden_kinds import Said
from .golden_texts import Text


def say_consoles() -> Iterator[tuple[Text, list[Said]]]:
    """Yield each command, and what it prints."""
    seen: Counter[str] = Counter()
    for block in readmes.BLOCKS:
        if block.language != "console" or (block.file, block.section) in readmes.CHANGES:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            readmes.copy_records(folder)
            readmes.write_files(block.file, folder)
            for command, _ in readmes.commands_of(block):
                begun = time.process_time()
                done = readmes.run(command, folder)
                seconds = time.process_time() - begun
                title = f"console/{block.file}/{command}"
                seen[title] += 1
                text = Text(
                    f"{title} {seen[title]}" if seen[title] > 1 else title, command.encode()
                )
                streams = {"stdout": done.stdout, "stderr": done.stderr}
                said = [
                    Said(
                        f"console {kind}",
                        data.decode("utf-8", "backslashreplace").replace(name, "FOLDER"),
                        seconds,
                    )
                    for kind, data in streams.items()
                ]
                yield text, [*said, Said("console status", str(done.returncode), seconds)]
