"""The edition of our pages: the same submission makes another page in another edition."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

_ENGINE = Path(__file__).resolve().parents[2]
_CODE = ("telling",)
_LIBRARIES = ("jinja2", "latex2mathml", "markupsafe", "mistune", "nbconvert", "nh3", "pygments")


@cache  # within a process, the engine doesn't change: it has been imported
def edition() -> str:
    """Return the hash of the code, templates and libraries that make pages of what is told."""
    found = hashlib.sha256(repr([(name, version(name)) for name in _LIBRARIES]).encode())
    for path in _files():
        found.update(f"{path.relative_to(_ENGINE)}\0".encode() + path.read_bytes())
    return found.hexdigest()


def _files() -> list[Path]:
    below = [path for name in _CODE for path in (_ENGINE / name, *(_ENGINE / name).rglob("*"))]
    return sorted(p for p in below if p.is_file() and "__pycache__" not in p.parts)
