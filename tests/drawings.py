"""Pictures that a student could hand in, made for a test."""

import base64
from io import BytesIO

from PIL import Image


def drawing(kind: str = "PNG", size: tuple[int, int] = (60, 40), **options: object) -> bytes:
    """A picture whose left half is black and whose right half is white."""
    image = Image.new("RGB", size, "white")
    image.paste("black", (0, 0, size[0] // 2, size[1]))
    made = BytesIO()
    image.save(made, kind, **options)
    return made.getvalue()


def in_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def shown_in(address: str) -> Image.Image:
    """The picture that a page shows by a `data:` address."""
    head, _, data = address.partition(",")
    assert head == "data:image/jpeg;base64"
    return Image.open(BytesIO(base64.b64decode(data)))
