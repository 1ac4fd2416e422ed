"""List the licences of all pinned packages, as these say them: `python -m tests.licences`."""

import re
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from tests.courses import ROOT

PAGE = ROOT / "docs" / "licences.md"
_HEAD = """# Licences of what is installed

None of these packages is part of this repository: pip brings them, each with its licence. The page
is made under Python 3.11 by `python -m tests.licences`, from what the pinned releases say.

| package | version | licence |
|---|---|---|
"""
_LINE = re.compile(r"^[A-Za-z0-9].*?(?= \\$|$)", re.MULTILINE)


def pins(file: Path) -> list[Requirement]:
    """Return the pins of a lock, without hashes, by name."""
    return [Requirement(line) for line in _LINE.findall(file.read_text("utf-8"))]


def licence(package: metadata.PackageMetadata) -> str:
    """Return what a package says: an SPDX expression, or else a name."""
    if expressions := package.get_all("License-Expression", []):
        return str(expressions[0])
    named = [each for each in package.get_all("Classifier", []) if each.startswith("License ::")]
    said = str((package.get_all("License", []) or [""])[0]).strip().split("\n")[0]
    return " or ".join(each.rpartition(" :: ")[2] for each in named) or said


def table() -> list[str]:
    """Return a row for each pinned package that is installed here: others are for older Pythons."""
    rows = []
    for pin in pins(ROOT / "constraints.txt"):
        try:
            package = metadata.metadata(pin.name)
        except metadata.PackageNotFoundError:
            continue
        rows.append(
            f"| {pin.name} | {str(pin.specifier).removeprefix('==')} | {licence(package)} |"
        )
    return rows


if __name__ == "__main__":
    PAGE.write_text(_HEAD + "\n".join(table()) + "\n", encoding="utf-8")
