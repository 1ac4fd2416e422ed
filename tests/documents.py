"""The documentation as what it tells people to type, and a shell that types it.

Of a fenced block, `sh` holds commands, a line each, and `console` commands after `$` with what they
print: `…` stands for anything, and blanks don't count. A block that says `file=PATH` is written
there first, and `status=1` is what the block's last command ends with.
"""

import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.courses import ROOT

PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "examples").rglob("README.md")),
)
_BLOCK = re.compile(r"^```(\w*) ?(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
_INLINE = re.compile(r"`((?:\.venv/bin/)?(?:autograder|make|python -m tests\.\w+) [^`]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
_MARK = "\x1e"  # between what two commands print


@dataclass(frozen=True)
class Command:
    """A command that a page tells people to type, and what it should do."""

    text: str
    prints: str | None = None  # None if the page doesn't say
    status: int = 0
    files: tuple[tuple[str, str], ...] = ()  # names and texts, to be written first


@dataclass(frozen=True)
class Done:
    printed: str
    status: int


def commands(page: Path) -> Iterator[Command]:
    """Yield the commands in the blocks of a page, in order."""
    files: list[tuple[str, str]] = []
    for language, said, text in _BLOCK.findall(page.read_text("utf-8")):
        options = dict(word.split("=", 1) for word in said.split() if "=" in word)
        if "file" in options:
            files.append((options["file"], text))
        elif language in ("sh", "console"):
            for command in _typed(language, text, int(options.get("status", 0))):
                yield Command(command.text, command.prints, command.status, tuple(files))
                files.clear()


def mentioned(page: Path) -> set[str]:
    """Return the commands that a page names anywhere: in blocks, and in the text."""
    text = page.read_text("utf-8")
    return {*(each.text for each in commands(page)), *_INLINE.findall(_BLOCK.sub("", text))}


def links(page: Path) -> set[str]:
    """Return where the links and pictures of a page lead."""
    text = re.sub(r"`[^`]*`", "", _BLOCK.sub("", page.read_text("utf-8")))
    return {first or second for first, second in _LINK.findall(text)}


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", _BLOCK.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def _typed(language: str, text: str, status: int) -> Iterator[Command]:
    lines = text.splitlines()
    if language == "sh":
        found: list[tuple[str, str | None]]
        found = [(line, None) for line in lines if shlex.split(line, comments=True)]
    else:
        first, *rest = re.split(r"^\$ ", text, flags=re.MULTILINE)
        assert not first.strip(), f"a console block begins with a command, not with {first!r}"
        found = [(line, prints) for line, _, prints in (each.partition("\n") for each in rest)]
    for place, (line, prints) in enumerate(found, 1):
        yield Command(line, prints, status if place == len(found) else 0)


def typed(folder: Path, session: list[Command], environment: Mapping[str, str]) -> list[Done]:
    """Type commands into one shell that begins in `folder`; it ends at the first surprise."""
    done = subprocess.run(
        ["bash", "-c", "\n".join(map(_script, session))],
        cwd=folder,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    found = []
    for each in done.stdout.split(_MARK)[1:]:
        printed, _, status = each.rpartition("\n")
        found.append(Done(printed.strip(), int(status)))
    return found


def _script(command: Command) -> str:
    files = "".join(
        f"mkdir -p {shlex.quote(str(Path(name).parent))}\n"
        f"printf %s {shlex.quote(text)} > {shlex.quote(name)}\n"
        for name, text in command.files
    )
    mark = r"\036"
    return (
        f"{files}printf '{mark}'\n{{ {command.text}\n}} < /dev/null; status=$?\n"
        f"printf '\\n%d' $status; [ $status -eq {command.status} ] || exit 1"
    )


def agrees(printed: str, expected: str) -> bool:
    """Tell whether a command printed what the page says, but for blanks; `…` is anything."""
    parts = (re.escape(" ".join(part.split())) for part in expected.split("…"))
    pattern = r"\s?.*?\s?".join(parts)
    return bool(re.fullmatch(pattern, " ".join(printed.split()), re.DOTALL))
