"""What a student leaves in a folder beside a notebook, or in its place.

Each gets the folder of a submission, which holds an honest notebook, in the course of a class.
"""

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

Deed = Callable[[Path, Path], None]  # with the folder and the course's root
DEEDS: dict[str, Deed] = {}
_HUGE = 1 << 30  # bytes


def deed(function: Deed) -> Deed:
    """Let cases name `function` as their change."""
    DEEDS[function.__name__] = function
    return function


def _notebook(folder: Path) -> Path:
    return folder / f"{folder.name}.ipynb"


def _of_another(folder: Path) -> Path:
    return folder.parents[1] / "ada" / folder.name


@deed
def the_notebook_is_a_link_to_anothers(folder: Path, root: Path) -> None:
    """Hand in another student's notebook by its path."""
    _notebook(folder).unlink()
    _notebook(folder).symlink_to(_notebook(_of_another(folder)))


@deed
def the_folder_is_a_link_to_anothers(folder: Path, root: Path) -> None:
    """Let one's own folder lead to another student's."""
    shutil.rmtree(folder)
    folder.symlink_to(_of_another(folder))


@deed
def the_student_is_a_link_to_another(folder: Path, root: Path) -> None:
    """Let all of one's folders be another student's."""
    shutil.rmtree(folder.parent)
    folder.parent.symlink_to(_of_another(folder).parent)


@deed
def the_notebook_is_a_link_to_the_gradebook(folder: Path, root: Path) -> None:
    """Hand in the gradebook."""
    _notebook(folder).unlink()
    _notebook(folder).symlink_to(root / "gradebook.db")


@deed
def the_notebook_is_a_pipe(folder: Path, root: Path) -> None:
    """Let a reader of the notebook wait for a writer."""
    _notebook(folder).unlink()
    os.mkfifo(_notebook(folder))


@deed
def the_notebook_is_a_device(folder: Path, root: Path) -> None:
    """Let a reader of the notebook read for ever."""
    _notebook(folder).unlink()
    _notebook(folder).symlink_to("/dev/zero")


@deed
def the_notebook_is_a_folder(folder: Path, root: Path) -> None:
    """Put a folder where the notebook belongs."""
    _notebook(folder).unlink()
    _notebook(folder).mkdir()


@deed
def other_files_are_links(folder: Path, root: Path) -> None:
    """Lay links beside the notebook to whatever one would like to get back."""
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


@deed
def other_files_are_pipes_and_sockets(folder: Path, root: Path) -> None:
    """Lay beside the notebook what waits for its reader."""
    os.mkfifo(folder / "data.csv")
    os.mkfifo(folder / "timestamp.txt")
    here = Path.cwd()
    os.chdir(folder)  # the path of a socket has to be short
    with socket.socket(socket.AF_UNIX) as door:
        door.bind("socket.png")
    os.chdir(here)


@deed
def another_file_is_a_device(folder: Path, root: Path) -> None:
    """Lay beside the notebook a file without an end."""
    (folder / "data.bin").symlink_to("/dev/zero")


@deed
def the_time_is_a_link(folder: Path, root: Path) -> None:
    """Let the time of handing in be another file's content."""
    (folder / "timestamp.txt").symlink_to(_notebook(_of_another(folder)))


@deed
def other_files_are_thousands(folder: Path, root: Path) -> None:
    """Lay thousands of files beside the notebook, in hundreds of folders."""
    for number in range(100):
        inner = folder / f"folder{number}"
        inner.mkdir()
        for each in range(50):
            (inner / f"{each}.txt").touch()


@deed
def another_file_is_huge(folder: Path, root: Path) -> None:
    """Lay a file beside the notebook that takes no room here, and much where it is copied."""
    with (folder / "film.mp4").open("wb") as file:
        file.truncate(_HUGE)


@deed
def names_of_files_are_no_text(folder: Path, root: Path) -> None:
    """Call files what a terminal, a page or a path takes for something else."""
    for name in (b"\xff\xfe.png", b"\x1b[2J\x07.txt", b"a\nb.csv", b"<script>.svg", b"*[a-z]?.txt"):
        (folder / os.fsdecode(name)).touch()


@deed
def folders_are_deep(folder: Path, root: Path) -> None:
    """Nest folders until paths are nearly too long."""
    inner = folder
    for _ in range(60):
        inner /= "d" * 40
    inner.mkdir(parents=True)


@deed
def a_name_in_the_download_is_anothers(folder: Path, root: Path) -> None:
    """Hand in a file called after another student, by what a platform hands out."""
    download = root / "incoming" / "mallory"
    download.mkdir(parents=True)
    name = f"ada_{folder.name}.ipynb"
    shutil.move(_notebook(folder), download / name)
    shutil.rmtree(folder.parent)


@deed
def names_in_the_download_are_for_the_terminal(folder: Path, root: Path) -> None:
    """Hand in files whose names move the cursor of the terminal."""
    download = root / "incoming" / "mallory"
    download.mkdir(parents=True)
    for name in ("\x1b[2J\x1b[H graded: 28 of 28.ipynb", "a\rb.ipynb", "\x9b31m.ipynb"):
        shutil.copy(_notebook(folder), download / name)
    shutil.rmtree(folder.parent)
