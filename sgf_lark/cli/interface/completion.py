"""Completion in bash, zsh and fish: scripts for the shells, and the answers to them.

A script runs the command with the words of the line, up to the cursor, in the environment.  The
command prints candidates, one a line; if it prints none, the shell completes names of files.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Any

from sgf_lark.cli.output import fail
from sgf_lark.diagnostics.terminal import never_fail, reason, say, show

#: The variables of the environment: the shell that asks, the complete words after the command,
#: one a line, and the word at the cursor.
SHELL, WORDS, WORD = "_SGF_LARK_COMPLETE", "_SGF_LARK_WORDS", "_SGF_LARK_WORD"

BASH = """\
# Completion of sgf-lark in bash.
_sgf_lark() {
    local IFS=$'\\n'
    COMPREPLY=($(_SGF_LARK_COMPLETE=bash _SGF_LARK_WORDS="${COMP_WORDS[*]:1:COMP_CWORD-1}" \\
        _SGF_LARK_WORD="${COMP_WORDS[COMP_CWORD]}" "$1" 2>/dev/null))
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o bashdefault -o default -F _sgf_lark sgf-lark
"""

ZSH = """\
#compdef sgf-lark
# Completion of sgf-lark in zsh.
_sgf_lark() {
    local -a found values shown
    local line
    found=("${(@f)$(_SGF_LARK_COMPLETE=zsh _SGF_LARK_WORDS="${(pj:\\n:)words[2,CURRENT-1]}" \\
        _SGF_LARK_WORD="$words[CURRENT]" "$words[1]" 2>/dev/null)}")
    [[ "$words[CURRENT]" == --*=* ]] && compset -P 1 '*='
    if [[ -n "$found" ]]; then
        for line in $found; do
            values+=("${line%%$'\\t'*}")
            shown+=("${line/$'\\t'/  -- }")
        done
        compadd -l -V sgf-lark -d shown -a values
    else
        _files
    fi
}
if [[ "$funcstack[1]" == _sgf-lark ]]; then
    _sgf_lark "$@"
else
    compdef _sgf_lark sgf-lark
fi
"""

FISH = """\
# Completion of sgf-lark in fish.
function __sgf_lark
    set --local words (commandline --tokenize --cut-at-cursor --current-process)
    set --local word (commandline --current-token --cut-at-cursor)
    set --local found (env _SGF_LARK_COMPLETE=fish _SGF_LARK_WORD="$word" \\
        _SGF_LARK_WORDS=(string join \\n -- $words[2..] | string collect) $words[1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete --command sgf-lark --no-files --keep-order --arguments '(__sgf_lark)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def answer(command: Any, program: str) -> None:
    """Print the candidates for the words in the environment."""
    from typer._completion_classes import BashComplete

    never_fail()
    shell = os.environ[SHELL]
    words = [_unquoted(word) for word in os.environ.get(WORDS, "").split("\n") if word]
    word = _unquoted(os.environ.get(WORD, ""))
    if shell == "bash":  # which divides --level=info into three words
        words = [word for word in words if word != "="]
        word = "" if word == "=" else word
    asking = BashComplete(command, {}, program, SHELL)
    prefix = ""
    if shell == "fish" and word.startswith("--"):
        option, equals, _ = word.partition("=")
        prefix = option + equals if equals else ""
    lines = (_line(item, shell, prefix) for item in asking.get_completions(words, word))
    show("".join(f"{line}\n" for line in lines))


def _unquoted(word: str) -> str:
    """Return a word of a line as the command would get it; a quote may be open."""
    try:
        return "".join(shlex.split(word, posix=True)) if set(word) & set("\\'\"") else word
    except ValueError:
        return word.lstrip("'\"")


def _line(item: Any, shell: str, prefix: str) -> str:
    text = re.split(r"[.:;] ", " ".join((item.help or "").split()))[0].rstrip(".")
    return prefix + (f"{item.value}\t{text}" if text and shell != "bash" else item.value)


def show_script() -> None:
    """Print the script for the shell that runs the command."""
    show(SCRIPTS[_shell()])


def install_script() -> None:
    """Install the completion for the shell that runs the command, and say what was done."""
    try:
        script, settings = install(_shell())
    except OSError as error:
        fail(f"cannot install the completion: {error.filename}: {reason(error)}")
    say(f"wrote {script}")
    if settings is not None:
        say(f"added to {settings} what reads it")
    say("completion works in the next shell that you open")


def _shell() -> str:
    """Return the name of the shell that runs the command; exit if it has no completion."""
    shell = detect_shell()
    if shell not in SCRIPTS:
        this = f"this is {shell}" if shell else "no shell was found"
        fail(f"there is completion for bash, zsh and fish, and {this}")
    return shell


def detect_shell() -> str:
    """Return the name of the shell that runs this command, or that of the user."""
    try:
        from shellingham import (  # type: ignore[import-untyped]  # publishes no types
            ShellDetectionFailure,
            detect_shell,
        )
    except ModuleNotFoundError:
        return Path(os.environ.get("SHELL", "")).name
    try:
        name: str = detect_shell()[0]
    except ShellDetectionFailure:
        return Path(os.environ.get("SHELL", "")).name
    return name


def install(shell: str) -> tuple[Path, Path | None]:
    """Install the completion for a shell of the user.

    Returns:
        The file of the script, and the file of the shell's settings if it was changed.

    Raises:
        OSError: A file cannot be written.
    """
    home = Path.home()
    if shell == "fish":
        settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
        return _write(settings / "fish" / "completions" / "sgf-lark.fish", FISH), None
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "sgf_lark"
    if shell == "bash":
        script = _write(data / "completion.bash", BASH)
        return script, _add_lines(home / ".bashrc", f"source {shlex.quote(str(script))}")
    script = _write(data / "zsh" / "_sgf-lark", ZSH)
    lines = f"fpath+=({shlex.quote(str(script.parent))})\nautoload -Uz compinit && compinit"
    return script, _add_lines(Path(os.environ.get("ZDOTDIR") or home) / ".zshrc", lines)


def _write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def _add_lines(file: Path, lines: str) -> Path | None:
    """Add lines at the end of a file, unless it has them; return it if it was changed."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if lines in text:
        return None
    end = "\n" if text and not text.endswith("\n") else ""
    with file.open("a", encoding="utf-8") as stream:
        stream.write(f"{end}\n# completion of sgf-lark\n{lines}\n")
    return file
