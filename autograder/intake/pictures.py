"""The pictures that a student's own run left in a notebook: for the student to see again.

They have no effect on grading. Only PNG and JPEG are kept, which can't contain anything active, and
only as many and as large as a page has room for.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

MAX_BYTES = 400_000  # of one picture
MAX_SIDE = 4000  # pixels
MAX_PICTURES = 4  # of one cell
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


class Picture(NamedTuple):
    """A picture: its type, and its bytes in base64."""

    kind: Literal["image/png", "image/jpeg"]
    data: str


def joined(text: Any) -> Any:
    """Return a text that a notebook file may hold as a list of lines; anything else as it is."""
    is_lines = isinstance(text, list) and all(isinstance(line, str) for line in text)
    return "".join(text) if is_lines else text


def pictures_in(outputs: Any) -> tuple[Picture, ...]:
    """Return the pictures among the outputs of a code cell, which may be anything."""
    found = _pictures(outputs) if isinstance(outputs, list) else iter(())
    return tuple(picture for picture, _ in zip(found, range(MAX_PICTURES), strict=False))


def _pictures(outputs: list[Any]) -> Iterator[Picture]:
    for output in outputs[:100]:
        data = output.get("data") if isinstance(output, dict) else None
        for kind in ("image/png", "image/jpeg"):
            text = joined(data.get(kind)) if isinstance(data, dict) else None
            if isinstance(text, str) and (checked := _checked(text)) is not None:
                if checked.kind == kind:
                    yield checked
                break


def _checked(text: str) -> Picture | None:
    """Return the picture if it is what it says it is, and of an ordinary size."""
    if len(text) > MAX_BYTES * 4 / 3 + 100:
        return None
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    plain = base64.b64encode(raw).decode()
    if raw.startswith(_PNG) and len(raw) > 24:
        width, height = struct.unpack(">II", raw[16:24])
        return Picture("image/png", plain) if 0 < width <= MAX_SIDE >= height > 0 else None
    return Picture("image/jpeg", plain) if raw.startswith(_JPEG) else None
