"""Pictures that students handed in, drawn anew for a page: bounded, upright, without metadata.

Run it in a process that can be killed: what decodes pictures reads bytes that a student wrote.
"""

import base64
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from markupsafe import Markup
from nbformat import NotebookNode
from PIL import Image, ImageOps, UnidentifiedImageError

from autograder.errors import SubmissionError, shown
from autograder.intake.notebook import Attached, attachment_name, open_regular

MAX_SHOWN = 20  # pictures of a page
MAX_BYTES = 20 << 20  # of one, as it was handed in
MAX_PIXELS = 50_000_000  # of one: telephones take as many
MAX_ALL_PIXELS = 100_000_000  # of all on a page: they are drawn in seconds
MAX_SIDE = 1600  # pixels, of what is shown
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_QUALITY = 85  # of JPEG: handwriting stays sharp
_IMAGE = Markup('<img src="data:image/jpeg;base64,{}" alt="{}">')
_NOT_SHOWN = Markup("""<span class="note">[{} isn't shown: {}.]</span>""")
_FIRST_ALONE = Markup('<span class="note">[Of this animation, the first picture is shown.]</span>')
_BESIDE = Markup('<figure><figcaption class="note">{}</figcaption>{}</figure>\n')


class NotShown(Exception):
    """Why a picture isn't shown: half a sentence."""


@dataclass
class HandedInPictures:
    """The pictures of one page: those in answers, and files that were `beside` the notebook."""

    folder: Path | None = None
    beside: tuple[str, ...] = ()
    attached: dict[str, Attached] = field(default_factory=dict)  # by name
    _seen: set[str] = field(default_factory=set)  # files
    _number: int = 0
    _pixels: int = 0

    def in_text(self, address: str, words: str) -> Markup:
        """Return HTML that shows what a text has at `address`; `words` tell what it shows."""
        name = unquote(address).removeprefix("attachment:").removeprefix("./")
        called = words or "a picture" if address.startswith("attachment:") else name
        return self._html(name, called, words or "A picture that was handed in")

    def drawn(self, kind: str, data: str) -> Markup:
        """Return HTML that shows a picture, in base64, that code drew where its author ran it."""
        self.attached[attachment_name(data)] = {kind: data}
        return self._html(attachment_name(data), "A picture", "A picture that the code drew")

    def unseen(self) -> Markup:
        """Return HTML that shows the files which no text has shown, each under its name."""
        left = [name for name in self.beside if name not in self._seen]
        return Markup().join(
            _BESIDE.format(shown(name), self._html(name, shown(name), f"The file {shown(name)}"))
            for name in left
        )

    def _html(self, name: str, called: str, words: str) -> Markup:
        try:
            picture, is_first = self._drawn(name)
        except NotShown as why:
            return _NOT_SHOWN.format(called[:200], why)
        data = base64.b64encode(picture).decode()
        return _IMAGE.format(data, words[:1000]) + (_FIRST_ALONE if is_first else Markup())

    def _drawn(self, name: str) -> tuple[bytes, bool]:
        self._number += 1
        if self._number > MAX_SHOWN:
            raise NotShown(f"a page shows {MAX_SHOWN} pictures at most")
        raw = self._read(name)
        if len(raw) > MAX_BYTES:
            raise NotShown(f"it is larger than {MAX_BYTES >> 20} MB")
        if raw.startswith(b"%PDF"):
            raise NotShown("it is a PDF, which has to be opened by itself")
        try:
            with Image.open(BytesIO(raw), formats=_FORMATS) as image:
                pixels = image.width * image.height
                if pixels > MAX_PIXELS:
                    raise Image.DecompressionBombError
                if self._pixels + pixels > MAX_ALL_PIXELS:
                    raise NotShown("the pictures before it are all that the page has room for")
                self._pixels += pixels
                return drawn_anew(image)
        except (NotShown, MemoryError):
            raise
        except UnidentifiedImageError:
            raise NotShown("it is none of PNG, JPEG, WebP and GIF, or damaged") from None
        except Image.DecompressionBombError:
            raise NotShown(f"it has more than {MAX_PIXELS // 10**6} million pixels") from None
        except Exception:  # whatever a decoder makes of bytes that a student wrote
            raise NotShown("it is damaged") from None

    def _read(self, name: str) -> bytes:
        if name in self.attached:
            data = next(iter(self.attached[name].values()), "")
            if len(data) > 1.5 * MAX_BYTES:
                return bytes(MAX_BYTES + 1)
            try:
                return base64.b64decode(data)
            except ValueError:
                raise NotShown("it is damaged") from None
        if name not in self.beside:  # collected files lie flat, whatever folder they came in
            name = PurePosixPath(name).name
        if self.folder is None or name not in self.beside:
            raise NotShown("it is neither in the notebook nor among the files beside it")
        self._seen.add(name)
        try:
            with open_regular(self.folder / name, self.folder) as file:
                return file.read(MAX_BYTES + 1)
        except (OSError, SubmissionError):
            raise NotShown("its file can't be read") from None


def drawn_anew(image: Image.Image) -> tuple[bytes, bool]:
    """Return a picture as JPEG of `MAX_SIDE` at most, and whether it is the first of several."""
    is_first = image.format != "MPO" and bool(getattr(image, "is_animated", False))
    image.draft("RGB", (MAX_SIDE, MAX_SIDE))  # a photograph is decoded in its size or near it
    image.load()
    small = image.convert("RGBA")
    small.thumbnail((MAX_SIDE, MAX_SIDE))
    with suppress(Exception):  # EXIF data may be anything; then it stays as it lies
        small = ImageOps.exif_transpose(small)
    paper = Image.new("RGBA", small.size, "white")  # of its own: no metadata comes along
    paper.alpha_composite(small)
    made = BytesIO()
    paper.convert("RGB").save(made, "JPEG", quality=_QUALITY)
    return made.getvalue(), is_first


def drawn_in(notebook: NotebookNode, folder: Path | None) -> HandedInPictures:
    """Return the pictures of a graded notebook, with those that were handed in beside it."""
    attached = [cell.get("attachments", {}) for cell in notebook.cells]
    named = {name: content for each in attached for name, content in each.items()}
    return HandedInPictures(folder, tuple(notebook.get("metadata", {}).get("beside", ())), named)
