"""Pictures in answers are drawn anew, and what can't be drawn hides nothing else."""

import struct
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from autograder.telling.pages import pictures as module
from autograder.telling.pages.pictures import MAX_SHOWN, MAX_SIDE, HandedInPictures
from autograder.telling.pages.safe_html import with_pictures
from tests.drawings import drawing, in_base64, shown_in

ANSWER = "Before. ![a sketch](attachment:x) **After.**"
GREY = Image.new("L", (9, 9))


def page(text: str, raw: bytes | str = b"", folder: Path | None = None) -> BeautifulSoup:
    data = raw if isinstance(raw, str) else in_base64(raw)
    beside = tuple(each.name for each in folder.iterdir()) if folder else ()
    pictures = HandedInPictures(folder, beside, {"x": {"image/png": data}})
    return BeautifulSoup(with_pictures(pictures, text) + pictures.unseen(), "html.parser")


def picture(raw: bytes) -> Image.Image:
    (image,) = page(ANSWER, raw).select("img")
    return shown_in(str(image["src"]))


def chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def bomb() -> bytes:
    """A small PNG that claims a width and a height of 30,000 pixels each."""
    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 0, 0, 0, 0)
    rows = chunk(b"IDAT", zlib.compress(bytes(10**6)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + rows + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_picture_is_shown_where_it_stands_with_its_words(kind: str) -> None:
    soup = page(ANSWER, drawing(kind))
    (image,) = soup.select("img")
    assert image["alt"] == "a sketch"
    assert soup.get_text(" ", strip=True) == "Before. After."
    shown = shown_in(str(image["src"])).convert("L")
    assert shown.size == (60, 40)
    assert shown.getpixel((5, 20)) < 50 < 200 < shown.getpixel((55, 20))  # type: ignore[operator]


def test_a_picture_in_html_is_shown_too_and_keeps_nothing_else() -> None:
    (image,) = page('<img src="attachment:x" onerror="alert(1)" width=9>', drawing()).select("img")
    assert set(image.attrs) == {"src", "alt"}


def test_a_photograph_stands_upright_and_tells_nothing_of_the_telephone() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x010F] = "A telephone"
    for kind in ("JPEG", "PNG", "WEBP"):
        shown = picture(drawing(kind, exif=exif))
        assert shown.size == (40, 60)
        assert not shown.getexif()
    shown = picture(drawing("JPEG", exif=exif, comment=b"where I live"))
    assert "comment" not in shown.info
    assert shown.convert("L").getpixel((20, 5)) < 50  # type: ignore[operator]


@pytest.mark.slow
def test_a_large_photograph_is_made_smaller() -> None:
    assert picture(drawing("JPEG", (6000, 3000))).size == (MAX_SIDE, MAX_SIDE // 2)


def test_what_is_transparent_is_white_as_paper() -> None:
    made = BytesIO()
    Image.new("RGBA", (9, 9), (0, 0, 0, 0)).save(made, "PNG")
    assert picture(made.getvalue()).getpixel((4, 4)) == (255, 255, 255)


def test_of_an_animation_the_first_picture_is_shown_and_that_is_said() -> None:
    made = BytesIO()
    GREY.save(made, "GIF", save_all=True, append_images=[Image.new("L", (9, 9), 255)])
    soup = page(ANSWER, made.getvalue())
    assert len(soup.select("img")) == 1
    assert "Of this animation, the first picture is shown." in soup.get_text()


def test_a_picture_that_is_too_large_takes_no_room_from_the_next() -> None:
    pictures = {"x": {"image/png": in_base64(bomb())}, "y": {"image/png": in_base64(drawing())}}
    text = "![large](attachment:x) ![small](attachment:y)"
    soup = BeautifulSoup(with_pictures(HandedInPictures(None, (), pictures), text), "html.parser")
    assert [image["alt"] for image in soup.select("img")] == ["small"]


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (bomb(), "more than 50 million pixels"),
        (drawing(size=(2000, 2000))[:-500], "damaged"),
        (drawing("JPEG", (200, 200))[:900], "damaged"),
        (drawing("BMP"), "none of PNG, JPEG, WebP and GIF"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "none of PNG"),
        (b"%PDF-1.7", "it is a PDF"),
        (b"", "none of PNG"),
        ("no base64!", "damaged"),
        ("A" * (31 << 20), "larger than 20 MB"),
    ],
    ids=["bomb", "truncated", "cut JPEG", "BMP", "SVG", "PDF", "empty", "no base64", "large"],
)
def test_in_place_of_what_cannot_be_shown_stands_why(raw: bytes | str, why: str) -> None:
    soup = page(ANSWER, raw)
    assert soup.select("img, svg") == []
    said = soup.get_text()
    assert said.startswith("Before. [a sketch isn't shown: ")
    assert why in said
    assert soup.find("strong", string="After.")


@pytest.mark.slow
def test_ten_thousand_pictures_are_no_more_than_a_page_has_room_for() -> None:
    soup = page("![a](attachment:x)\n" * 10_000 + "\n**End.**", drawing(size=(2, 2)))
    assert len(soup.select("img")) == MAX_SHOWN
    assert f"a page shows {MAX_SHOWN} pictures at most" in soup.get_text()
    assert soup.find("strong", string="End.")


def test_pictures_are_drawn_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ALL_PIXELS", 3 * 60 * 40)
    soup = page(ANSWER * 4, drawing())
    assert len(soup.select("img")) == 3
    assert "all that the page has room for" in soup.get_text()


def test_a_file_is_shown_where_it_is_named_or_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "my page.jpg").write_bytes(drawing("PNG"))  # whatever its name says
    (tmp_path / "second.png").write_bytes(drawing())
    (tmp_path / "proof.pdf").write_bytes(b"%PDF-1.7")
    soup = page("![first](my%20page.jpg) Text.", folder=tmp_path)
    assert [image["alt"] for image in soup.select("img")] == ["first", "The file second.png"]
    assert "[proof.pdf isn't shown: it is a PDF" in soup.get_text()


def test_a_file_is_found_whatever_folder_the_text_says_it_came_in(tmp_path: Path) -> None:
    (tmp_path / "page.jpg").write_bytes(drawing("JPEG"))
    soup = page("![mine](photos/page.jpg)", folder=tmp_path)
    assert [image["alt"] for image in soup.select("img")] == ["mine"]


@pytest.mark.parametrize("name", ["../secret.png", "/etc/hostname", "link.png", "gone.png"])
def test_no_other_file_is_shown(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(drawing())
    folder = tmp_path / "hw"
    folder.mkdir()
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    soup = page(f"![x]({name})", folder=folder)
    assert soup.select("img") == []
    assert f"[{name} isn't shown: " in soup.get_text()


@pytest.mark.parametrize(
    "text",
    [
        "![x](http://evil.example/x.png)",
        "<img src='//evil.example/x.png'>",
        "<img src=http://evil.example/x.png srcset=http://evil.example/x.png>",
        "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
        '<p title=\'<img src="attachment:x" alt="onclick=alert(1)">\'>x</p>',
        '![" onerror="alert(1)](attachment:x)',
        "![<script>alert(1)</script>](attachment:x)",
        "![![a](attachment:x) onerror=alert(1)](attachment:x)",
        "<a href='attachment:x'>x</a>",
    ],
)
def test_nothing_but_our_own_pictures_is_shown_or_fetched(text: str) -> None:
    soup = page(text, drawing())
    for tag in soup.find_all(True):
        assert not {"srcset", "onerror", "onclick", "style", "width"} & set(tag.attrs)
        assert tag.name not in ("script", "svg")
    assert all(str(each["src"]).startswith("data:image/jpeg;") for each in soup.select("[src]"))
