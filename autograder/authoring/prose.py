"""What a release fills into an assignment's prose: points, what the course says, and pictures.

A script writes a name in capitals where the text of `course.toml` or the points belong; a picture
that lies in `solutions/`, `![what it shows](pictures/name.png)`, becomes an attachment of its cell.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import Course
from autograder.errors import ReleaseError

if TYPE_CHECKING:  # nbformat is slow to import
    from nbformat import NotebookNode

MAX_PICTURE = 200_000  # bytes: a notebook carries its pictures wherever it goes
_BADGE = "https://colab.research.google.com/assets/colab-badge.svg"
_PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>[\w./-]+\.png)\)")


def words(course: Course, assignment: str, worth: Mapping[str, float]) -> dict[str, str]:
    """Return what is written for each name in capitals; `worth` are points by exercise."""
    said = course.settings
    return {
        "TOTAL_POINTS": f"{sum(worth.values()):g}",
        "POINTS_EACH": " · ".join(f"`{name}` {points:g}" for name, points in worth.items()),
        "COLAB_BADGE": _badge(course, assignment),
        "HAND_IN": said.hand_in.replace("NOTEBOOK", f"`{assignment}.ipynb`"),
        "ALLOWED_TOOLS": said.allowed_tools,
        "AI_POLICY": said.ai_policy,
        "WHERE_TO_ASK": said.where_to_ask,
    }


def fill(notebook: NotebookNode, said: Mapping[str, str], pictures: Path) -> None:
    """Write the words into the markdown cells of `notebook`, and attach the pictures."""
    names = re.compile(rf"\b({'|'.join(said)})\b")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = names.sub(lambda found: said[found[0]], cell.source).strip()
            _attach_pictures(cell, pictures)


def _badge(course: Course, assignment: str) -> str:
    """Return a link that opens the released notebook in Colab; nothing without a repository."""
    if not course.settings.repository:
        return ""
    owner_and_name, _, place = course.settings.repository.partition("/tree/")
    branch, _, folder = place.strip("/").partition("/")
    notebook = course.release_path(assignment).relative_to(course.root).as_posix()
    path = f"{folder}/{notebook}" if folder else notebook
    site = owner_and_name.strip("/").replace("https://", "https://colab.research.google.com/", 1)
    site = site.replace("github.com", "github", 1)
    return f"[![Open in Colab]({_BADGE})]({site}/blob/{branch or 'main'}/{path})"


def _attach_pictures(cell: NotebookNode, folder: Path) -> None:
    attachments = {}
    for alt, path in _PICTURE.findall(cell.source):
        attachments[Path(path).name] = {"image/png": _content(folder / path, alt)}
    if attachments:
        cell.attachments = attachments
        cell.source = _PICTURE.sub(_attached, cell.source)


def _attached(picture: re.Match[str]) -> str:
    alt = " ".join(picture["alt"].split())
    return f"![{alt}](attachment:{Path(picture['path']).name})"


def _content(path: Path, alt: str) -> str:
    shown = "/".join(path.parts[-2:])
    if not alt.strip():
        raise ReleaseError(f"{shown} is shown without words: say in `![…]` what can be seen.")
    if not path.is_file():
        raise ReleaseError(f"{shown} is shown, but isn't there: put it into solutions/.")
    content = path.read_bytes()
    if len(content) > MAX_PICTURE:
        raise ReleaseError(f"{shown} has {len(content):,} bytes: keep it to {MAX_PICTURE:,}.")
    return base64.b64encode(content).decode("ascii")
