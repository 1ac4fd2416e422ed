"""What a student leaves in a folder beside a notebook, or in its place.

Each deed gets the folder of a submission, which holds an honest notebook, in the course of a class.
"""

import os
import shutil
import socket
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

Deed = Callable[[Path, Path], object]  # with the folder and the course's root
_HUGE = 1 << 30  # bytes
_NO_TEXTS = (b"\xff\xfe.png", b"\x1b[2J\x07.txt", b"a\nb.csv", b"<script>.svg", b"*[a-z]?.txt")
_FOR_THE_TERMINAL = ("\x1b[2J\x1b[H graded: 28 of 28.ipynb", "a\rb.ipynb", "\x9b31m.ipynb")


def _notebook(folder: Path) -> Path:
    return folder / f"{folder.name}.ipynb"


def _of_another(folder: Path) -> Path:
    return folder.parents[1] / "ada" / folder.name


def _without_notebook(folder: Path) -> Path:
    """Return where the notebook belongs, with nothing there."""
    _notebook(folder).unlink()
    return _notebook(folder)


def the_folder_is_a_link_to_anothers(folder: Path, root: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(_of_another(folder))


def the_student_is_a_link_to_another(folder: Path, root: Path) -> None:
    shutil.rmtree(folder.parent)
    folder.parent.symlink_to(_of_another(folder).parent)


def other_files_are_links(folder: Path, root: Path) -> None:
    for name, target in {
        "grades.db": root / "gradebook.db",
        "passwd.png": Path("/etc/passwd"),
        "notes.ipynb": _notebook(_of_another(folder)),
        "course": root,
        "reports": root / "reports",
        "nowhere": Path("nowhere"),
        "self": Path("self"),
    }.items():
        (folder / name).symlink_to(target)


def other_files_are_pipes_and_sockets(folder: Path, root: Path) -> None:
    os.mkfifo(folder / "data.csv")
    os.mkfifo(folder / "timestamp.txt")
    with chdir(folder), socket.socket(socket.AF_UNIX) as door:  # a socket's path has to be short
        door.bind("socket.png")


def other_files_are_thousands(folder: Path, root: Path) -> None:
    for number in range(100):
        inner = folder / f"folder{number}"
        inner.mkdir()
        for each in range(50):
            (inner / f"{each}.txt").touch()


def another_file_is_huge(folder: Path, root: Path) -> None:
    """Lay a file beside the notebook that takes no room here, and much where it is copied."""
    with (folder / "film.mp4").open("wb") as file:
        file.truncate(_HUGE)


def names_of_files_are_no_text(folder: Path, root: Path) -> None:
    for name in _NO_TEXTS:
        (folder / os.fsdecode(name)).touch()


def folders_are_deep(folder: Path, root: Path) -> None:
    """Nest folders until paths are nearly too long."""
    folder.joinpath(*60 * ["d" * 40]).mkdir(parents=True)


def a_name_in_the_download_is_anothers(folder: Path, root: Path) -> None:
    """Hand in a file called after another student, by what a platform hands out."""
    _into_the_download(folder, root, f"ada_{folder.name}.ipynb")


def names_in_the_download_are_for_the_terminal(folder: Path, root: Path) -> None:
    _into_the_download(folder, root, *_FOR_THE_TERMINAL)


def _into_the_download(folder: Path, root: Path, *names: str) -> None:
    download = root / "incoming" / "mallory"
    download.mkdir(parents=True)
    for name in names:
        shutil.copy(_notebook(folder), download / name)
    shutil.rmtree(folder.parent)


DEEDS: dict[str, Deed] = {
    "the_notebook_is_a_link_to_anothers": lambda folder, _: _without_notebook(folder).symlink_to(
        _notebook(_of_another(folder))
    ),
    "the_notebook_is_a_link_to_the_gradebook": lambda folder, root: _without_notebook(
        folder
    ).symlink_to(root / "gradebook.db"),
    "the_notebook_is_a_device": lambda folder, _: _without_notebook(folder).symlink_to("/dev/zero"),
    "the_notebook_is_a_pipe": lambda folder, _: os.mkfifo(_without_notebook(folder)),
    "the_notebook_is_a_folder": lambda folder, _: _without_notebook(folder).mkdir(),
    "another_file_is_a_device": lambda folder, _: (folder / "data.bin").symlink_to("/dev/zero"),
    "the_time_is_a_link": lambda folder, _: (folder / "timestamp.txt").symlink_to(
        _notebook(_of_another(folder))
    ),
} | {
    deed.__name__: deed
    for deed in (
        the_folder_is_a_link_to_anothers,
        the_student_is_a_link_to_another,
        other_files_are_links,
        other_files_are_pipes_and_sockets,
        other_files_are_thousands,
        another_file_is_huge,
        names_of_files_are_no_text,
        folders_are_deep,
        a_name_in_the_download_is_anothers,
        names_in_the_download_are_for_the_terminal,
    )
}
