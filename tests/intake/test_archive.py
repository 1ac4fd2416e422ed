"""What a class handed in is unpacked, and can do nothing else."""

import errno
import io
import os
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import pytest

from autograder.errors import SubmissionError
from autograder.intake import archive
from autograder.intake.archive import File, unpack
from autograder.intake.notebook import MAX_NOTEBOOK, open_regular
from tests.platforms.sources import laid, zipped

Pack = Callable[[Path, Mapping[str, bytes]], Path]


def as_zip(folder: Path, files: Mapping[str, bytes]) -> Path:
    return zipped(folder / "class.zip", files)


def as_tar(folder: Path, files: Mapping[str, bytes]) -> Path:
    with tarfile.open(folder / "class.tar.gz", "w:gz") as opened:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            opened.addfile(info, io.BytesIO(content))
    return folder / "class.tar.gz"


def as_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    return laid(folder / "class", files)


archived = pytest.mark.parametrize("pack", [as_zip, as_tar])
any_way = pytest.mark.parametrize("pack", [as_zip, as_tar, as_folder])


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """Where copies are put."""
    path = tmp_path / "copies"
    path.mkdir()
    return path


def read(files: tuple[File, ...]) -> dict[str, bytes | None]:
    return {file.name: file.path.read_bytes() if file.path else None for file in files}


@any_way
def test_what_can_be_a_notebook_or_a_page_is_copied(
    tmp_path: Path, copies: Path, pack: Pack
) -> None:
    files = {
        "ada/hw.ipynb": b"",
        "ada/hw.ipynb.txt": b'\xef\xbb\xbf\n {"cells": []}',
        "ada/notebook.json": b'{"cells": []}',
        "ada/report.pdf": b"%PDF",
        "bo/data.csv": b"1,2",
        "ada/.ipynb_checkpoints/hw.ipynb": b"{}",
        "__MACOSX/ada/._hw.ipynb": b"{}",
    }
    found = unpack(pack(tmp_path, files), copies)
    hidden = ("ada/.ipynb_checkpoints/hw.ipynb", "__MACOSX/ada/._hw.ipynb")
    copied = {n: content for n, content in files.items() if n not in hidden}
    assert list(read(found).items()) == list((copied | {"bo/data.csv": None}).items())
    notes = {file.name: file.note for file in found if file.note}
    assert notes == {"ada/hw.ipynb.txt": "ada/hw.ipynb.txt is a notebook, and was read."}


@archived
@pytest.mark.parametrize(
    "name", ["../../x.ipynb", "/etc/x.ipynb", "a/../../b/x.ipynb", "..\\x.ipynb"]
)
def test_no_path_leads_out(tmp_path: Path, copies: Path, pack: Pack, name: str) -> None:
    source = pack(tmp_path, {name: b"{}"})
    before = set(tmp_path.rglob("*"))
    (file,) = unpack(source, copies)
    assert ".." not in file.parts
    assert not file.name.startswith("/")
    assert {path.parent for path in set(tmp_path.rglob("*")) - before} == {copies}


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_in_a_tar_are_left_out(tmp_path: Path, copies: Path, kind: bytes) -> None:
    with tarfile.open(tmp_path / "class.tar", "w") as opened:
        info = tarfile.TarInfo("ada.ipynb")
        info.type, info.linkname = kind, "/etc/passwd"
        opened.addfile(info)
    assert unpack(tmp_path / "class.tar", copies) == ()


def test_links_in_a_zip_file_are_left_out(tmp_path: Path, copies: Path) -> None:
    info = zipfile.ZipInfo("ada.ipynb")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as opened:
        opened.writestr(info, "/etc/passwd")
    assert unpack(tmp_path / "class.zip", copies) == ()


def test_a_link_in_a_folder_is_not_followed_but_told(tmp_path: Path, copies: Path) -> None:
    secret = laid(tmp_path / "elsewhere", {"secret.ipynb": b"{}"})
    source = tmp_path / "class"
    source.mkdir()
    (source / "cy.ipynb").symlink_to(secret / "secret.ipynb")
    (linked,) = unpack(source, copies)
    assert (linked.name, linked.path) == ("cy.ipynb", None)
    assert "it is a link: put the file itself there" in linked.problem


def test_linked_folders_and_pipes_in_a_folder_keep_nobody_waiting(
    tmp_path: Path, copies: Path
) -> None:
    secret = laid(tmp_path / "elsewhere", {"secret.ipynb": b"{}"})
    source = laid(tmp_path / "class", {"ada/hw.ipynb": b"{}"})
    (source / "bo").symlink_to(secret)
    os.mkfifo(source / "dee.ipynb")
    assert [file.name for file in unpack(source, copies)] == ["ada/hw.ipynb"]


def test_a_file_that_cannot_be_read_keeps_none_of_the_others(
    tmp_path: Path, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(path: Path, root: Path) -> IO[bytes]:
        if path.parent.name == "bo":
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_regular(path, root)

    monkeypatch.setattr(archive, "open_regular", opened)
    ada, bo = unpack(
        laid(tmp_path / "class", {"ada/hw.ipynb": b"{}", "bo/hw.ipynb": b"{}"}), copies
    )
    assert (ada.problem, bo.name) == ("", "bo/hw.ipynb")
    assert (
        bo.problem
        == "The file can't be read, or it is a link: put the file itself there, readable."
    )


@any_way
def test_a_full_disk_is_no_fault_of_a_file(
    tmp_path: Path, copies: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = pack(tmp_path, {"ada/hw.ipynb": b"{}"})

    def write(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(OSError, match="No space left"):
        unpack(source, copies)


def test_a_tar_file_that_breaks_off_is_no_class(tmp_path: Path, copies: Path) -> None:
    path = tmp_path / "class.tar"
    with tarfile.open(path, "w") as opened:
        for n in range(3):
            info = tarfile.TarInfo(f"s{n}.ipynb")
            info.size = 40_000
            opened.addfile(info, io.BytesIO(bytes(info.size)))
    path.write_bytes(path.read_bytes()[:60_000])
    with pytest.raises(SubmissionError, match="download it again"):
        unpack(path, copies)


@any_way
def test_a_class_with_too_many_entries_is_refused(
    tmp_path: Path, copies: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_ENTRIES", 5)
    with pytest.raises(SubmissionError, match="more than 5 entries"):
        unpack(pack(tmp_path, {f"{n}.txt": b"" for n in range(6)}), copies)


@any_way
@pytest.mark.parametrize("inner", ["{}.txt", "{}/{}.ipynb", "a/b/{}/x.ipynb"])
def test_who_hands_in_too_many_files_is_left_out_alone(
    tmp_path: Path, copies: Path, pack: Pack, inner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_ENTRIES", 50)
    monkeypatch.setattr(archive, "MAX_IN_FOLDER", 40)
    files = {f"class/{name}/hw.ipynb": b"{}" for name in ("ada", "bo", "cy")}
    many = {f"class/eve/{inner}".format(n, n): b"{}" for n in range(51)}
    head = {"class/eve/.git/HEAD": b""}  # by which a set of clones is recognised
    found = {file.name: file for file in unpack(pack(tmp_path, files | many | head), copies)}
    left_out = found.pop("class/eve/*.ipynb")
    assert set(found) == {*files, *head}
    assert all(found[name].path for name in files)
    assert left_out.problem == "More than 40 files were handed in: ask for the notebook alone."


@pytest.mark.slow
@any_way
def test_what_a_bomb_grows_to_is_never_copied_and_its_neighbours_are(
    tmp_path: Path, copies: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_KEPT", 30 << 20)
    bombs = {f"eve/{n}.ipynb": bytes(19 << 20) for n in range(3)}
    files = {"ada/hw.ipynb": b"{}", **bombs, "zoe/hw.ipynb": b"{}"}
    found = {file.name: file for file in unpack(pack(tmp_path, files), copies)}
    assert [found[name].path is not None for name in ("ada/hw.ipynb", *bombs)] == [
        True,
        True,
        False,
        False,
    ]
    assert found["zoe/hw.ipynb"].path
    assert "no room" in found["eve/2.ipynb"].problem
    assert sum(path.stat().st_size for path in copies.iterdir()) <= 30 << 20


def test_a_file_that_is_too_large_is_named_but_not_copied(tmp_path: Path, copies: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as opened:  # stored: it doesn't grow
        opened.writestr("ada.ipynb", b"a" * (MAX_NOTEBOOK + 1))
    (file,) = unpack(tmp_path / "class.zip", copies)
    assert file.problem == "It has more than 20 MB: ask for it with its outputs cleared."
    assert file.path is None


def test_of_little_room_pictures_get_what_notebooks_leave(
    tmp_path: Path, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_KEPT", 10)
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "a.jpg").write_bytes(bytes(9))
    (tmp_path / "class" / "b.ipynb").write_bytes(bytes(10))
    assert read(unpack(tmp_path / "class", copies)) == {"a.jpg": None, "b.ipynb": bytes(10)}


@pytest.mark.parametrize("raw", [b"", b"hello", b"PK\x05\x06" + bytes(3), b"PK\x03\x04" * 99])
def test_what_is_no_archive_is_told_in_a_sentence(tmp_path: Path, copies: Path, raw: bytes) -> None:
    (tmp_path / "class.zip").write_bytes(raw)
    with pytest.raises(SubmissionError, match=r"^class\.zip "):
        unpack(tmp_path / "class.zip", copies)


@archived
@pytest.mark.parametrize("place", range(0, 100, 7))
def test_an_archive_that_is_damaged_anywhere_is_read_or_told_in_a_sentence(
    tmp_path: Path, copies: Path, pack: Pack, place: int
) -> None:
    path = pack(tmp_path, {f"s{n}.ipynb": bytes(range(256)) * 40 for n in range(9)})
    raw = bytearray(path.read_bytes())
    middle = len(raw) * place // 100
    raw[middle : middle + 8] = b"\xff" * 8
    path.write_bytes(raw)
    try:
        unpack(path, copies)
    except SubmissionError as error:
        assert str(error).startswith("class")
        assert "\n" not in str(error)
