"""List every sentence that a person can read, by room and file: `python -m tests.words [ROOM …]`.

Sentences stand in string constants (errors, notes, feedback), in the docstrings of hidden tests and
commands, in tables, in templates, and in the prose of solutions. What is computed shows as `{…}`.
"""

import argparse
import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tests.courses import ROOT

SOURCES = ("autograder", "solutions")
PAGES = {".html", ".jinja"}
_FEW = 3  # words; what has fewer is a label or a name
_WORD = re.compile(r"[^\W\d_]{2,}")
_CODE = re.compile(
    r"^\s*(def|class|import|from|return|assert|@)\b"  # Python
    r"|[\[(]\?[:P!<=]|\\[bdsw]"  # patterns
    r"|^(\(value|value|result)\b|-src '|\b\w+_\w+ \w+_\w+ ",  # wrappers, policies, system calls
    re.MULTILINE,
)
_UNSEEN = re.compile(r"<(script|style)\b.*?</\1>|{#.*?#}|{%.*?%}|<!--.*?-->", re.DOTALL)
_BLOCK = re.compile(r"</?(p|div|h\d|li|ul|ol|t[dhr]|d[dt]|section|summary|button|label)\b.*?>")
_HOLDS_CODE = re.compile(r"REFERENCE|_?WRAPPER|__all__|edits|source|pattern")


class Sentence(NamedTuple):
    """What a person can read, and where it stands."""

    file: Path
    line: int
    text: str

    @property
    def room(self) -> str:
        """The folder in which it stands: a room of the engine, or `solutions`."""
        first, *rest = self.file.relative_to(ROOT).parts
        return rest[0] if first == "autograder" and len(rest) > 1 else first


def sentences(file: Path) -> Iterator[Sentence]:
    """Yield what a person can read of a file, in order."""
    text = file.read_text("utf-8")
    if file.suffix in PAGES:
        found = _in_page(text)
    elif file.suffix == ".toml":
        found = _in_table(text)
    elif file.parent == ROOT / "solutions":
        found = iter(sorted([*_in_prose(text), *_in_code(text, shows_all=True)]))
    else:
        found = _in_code(text)
    for line, words in found:
        said = " ".join(words.split())
        if is_prose(said):
            yield Sentence(file, line, said)


def is_prose(text: str) -> bool:
    """Tell words for people from code, names and patterns."""
    return len(_WORD.findall(text)) >= _FEW and " " in text and not _CODE.search(text)


def _in_page(text: str) -> Iterator[tuple[int, str]]:
    """Yield the text between the tags of a template."""
    text = _UNSEEN.sub(lambda found: "\n" * found[0].count("\n"), text)
    text = re.sub(r"{{.*?}}", "{…}", text, flags=re.DOTALL)
    line = 1
    for part in re.split(r"(\n\s*\n|\0)", _BLOCK.sub("\0", text)):
        yield line, re.sub(r"<[^<>]+>", "", part)
        line += part.count("\n")


def _in_table(text: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of a TOML table, each with the line in which it begins."""
    waiting: list[object] = [tomllib.loads(text)]
    while waiting:
        match waiting.pop(0):
            case dict() as table:
                waiting[:0] = table.values()
            case list() as values:
                waiting[:0] = values
            case str(words):
                first = words.split("\n")[0][:40]
                yield text.count("\n", 0, text.find(first)) + 1, words


def _in_prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a percent script."""
    lines = list(enumerate(text.splitlines(), 1))
    for is_prose_here, group in groupby(lines, lambda each: each[1].startswith("# ")):
        found = [(line, words) for line, words in group if not words.startswith("# %%")]
        if is_prose_here and found:
            yield found[0][0], "\n".join(words[2:] for _, words in found)


def _in_code(text: str, *, shows_all: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that aren't code; `shows_all` docstrings, or those of tests."""
    tree = ast.parse(text)
    left_out: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg=str(name), value=value) if _HOLDS_CODE.fullmatch(name):
                left_out.update(ast.walk(value))
            case ast.Assign(targets=[ast.Name(id=name)]) if _HOLDS_CODE.fullmatch(name):
                left_out.update(ast.walk(node))
            case ast.JoinedStr():
                left_out.update(set(ast.walk(node)) - {node})
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() if not shows_all:
                left_out.update(_unseen_docstring(node))
    said = (
        (node.lineno, _words(node))
        for node in set(ast.walk(tree)) - left_out
        if hasattr(node, "lineno")
    )
    return iter(sorted(each for each in said if each[1]))


def _unseen_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> list[ast.AST]:
    """Return a docstring, unless people see it: that of a hidden test, or of a command."""
    is_test = isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    is_command = isinstance(node, ast.FunctionDef) and any(
        re.search(r"\.(command|callback)\b", ast.unparse(each)) for each in node.decorator_list
    )
    if is_test or is_command or ast.get_docstring(node) is None:
        return []
    return list(ast.walk(node.body[0]))


def _words(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_words(part) or "{…}" for part in parts)
    return ""


def files() -> Iterator[Path]:
    """Yield the files in which people's sentences stand."""
    for name in SOURCES:
        for path in sorted((ROOT / name).rglob("*")):
            if path.suffix in {".py", ".toml", *PAGES} and "__pycache__" not in path.parts:
                yield path


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rooms", nargs="*", help="the rooms to list; all if none is named")
    wanted = parser.parse_args().rooms
    found = [each for file in files() for each in sentences(file)]
    listed = [each for each in found if not wanted or each.room in wanted]
    for room, group in groupby(sorted(listed, key=lambda each: each.room), lambda each: each.room):
        print(f"# {room}")
        for file, said in groupby(group, lambda each: each.file):
            print(f"\n## {file.relative_to(ROOT)}\n")
            for each in said:
                print(f"{each.line:5} {each.text}")
        print()


if __name__ == "__main__":
    main()
