"""A folder that is watched gets a page beside each notebook, once, whatever lies in it."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import ExaminerDied
from autograder.grading.settings import Settings
from autograder.sandbox.host.probe import strongest
from autograder.watch import Watch
from tests.commands import autograder, running
from tests.notebooks import filled
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, WRONG
from tests.waiting import comes_true

pytestmark = pytest.mark.slow
MISTAKE = "double three."
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")


def put(course: Course, path: Path, answers: dict[str, str] = WRONG) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(filled(course.release_path(TOYS), answers)))
    return path


def page_on(path: Path) -> Path:
    return path.with_name(f"{path.stem}.feedback.html")


class Watched:
    """A watched folder, and what was said of it."""

    def __init__(self, course: Course, folder: Path) -> None:
        self.said: list[str] = []
        self.watch = Watch(Settings(course, strongest()), folder, self.said.append)
        self.course, self.folder = course, folder

    def look_twice(self) -> list[str]:
        """Look as often as it takes to grade what doesn't change; return what is said then."""
        del self.said[:]
        for _ in range(2):
            for path in self.watch.look():
                self.watch.see_to(path)
        return list(self.said)

    def again(self) -> "Watched":
        """Start again, as after a `kill -9`."""
        return Watched(self.course, self.folder)


@pytest.fixture
def watched(toys: ToyClass, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    yield Watched(toys.course, tmp_path_factory.mktemp("drive"))


def test_a_notebook_gets_its_page_once_and_again_when_it_changes(watched: Watched) -> None:
    path = put(watched.course, watched.folder / "ada" / "my last try.ipynb")
    assert watched.look_twice() == [
        f"ada/{path.name}: You have 6 of 9 points so far; 2 more wait for a person."
    ]
    assert MISTAKE in page_on(path).read_text()
    assert watched.look_twice() == []
    assert watched.again().look_twice() == []
    os.utime(path, (1, 1))  # the same content, from another machine
    assert watched.look_twice() == []
    put(watched.course, path, RIGHT)
    (said,) = watched.look_twice()
    assert "all 9 points" in said
    assert MISTAKE not in page_on(path).read_text()


def test_what_was_kept_may_be_deleted_and_so_may_a_page(watched: Watched) -> None:
    path = put(watched.course, watched.folder / "ada.ipynb")
    watched.look_twice()
    page_on(path).unlink()
    assert len(watched.look_twice()) == 1
    (kept,) = watched.course.work.glob("watched-*.json")
    assert "ada" not in DIGEST.sub("", kept.read_text())  # three letters that one may hold, too
    for content in (None, "{", "[]"):
        kept.unlink() if content is None else kept.write_text(content)
        assert len(watched.again().look_twice()) == 1
    assert page_on(path).is_file()


def test_a_file_that_is_still_being_written_waits(watched: Watched) -> None:
    path = put(watched.course, watched.folder / "ada.ipynb")
    whole = path.read_text()
    for end in (10, 200, len(whole)):
        path.write_text(whole[:end])
        assert watched.watch.look() == []
    assert watched.watch.look() == [path.resolve()]


def test_what_is_no_notebook_of_the_course_says_so_and_stops_nothing(watched: Watched) -> None:
    (watched.folder / "a.ipynb").write_text("no notebook")
    (watched.folder / "deep.ipynb").write_text("[" * 100_000)
    (watched.folder / "link.ipynb").symlink_to(watched.course.root / "course.toml")
    (watched.folder / "away").symlink_to(watched.course.root)
    os.mkfifo(watched.folder / "pipe.ipynb")
    (watched.folder / ".ipynb_checkpoints").mkdir()
    put(watched.course, watched.folder / ".ipynb_checkpoints" / "z.ipynb")
    path = put(watched.course, watched.folder / "z.ipynb")
    said = watched.look_twice()
    assert [line.partition(":")[0] for line in said] == [
        "a.ipynb",
        "deep.ipynb",
        "pipe.ipynb",
        "z.ipynb",
    ]
    assert "a notebook (invalid JSON)" in page_on(watched.folder / "a.ipynb").read_text()
    assert page_on(path).is_file()
    assert watched.look_twice() == []


def test_a_link_in_the_pages_place_is_not_followed(watched: Watched) -> None:
    path = put(watched.course, watched.folder / "ada.ipynb")
    target = watched.course.root / "target"
    page_on(path).symlink_to(target)
    (said,) = watched.look_twice()
    assert "links are not followed" in said
    assert not target.exists()


def test_a_fault_of_the_grader_is_told_and_tried_again_by_the_next_run(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(watched.course, watched.folder / "ada.ipynb")

    def dies(*_: object) -> None:
        raise ExaminerDied("It was killed.")

    with monkeypatch.context() as patched:
        patched.setattr("autograder.watch.call_beside", dies)
        assert watched.look_twice() == ["ada.ipynb: It was killed."]
        assert watched.look_twice() == []
    assert not page_on(path).exists()
    assert len(watched.again().look_twice()) == 1


def test_other_hidden_tests_or_another_seed_grade_it_again(watched: Watched) -> None:
    put(watched.course, watched.folder / "ada.ipynb")
    watched.look_twice()
    other = Watched(watched.course.with_seed(8), watched.folder)
    assert len(other.look_twice()) == 1


def test_the_page_is_for_whoever_may_read_the_notebook(watched: Watched) -> None:
    path = put(watched.course, watched.folder / "ada.ipynb")
    path.chmod(0o640)
    watched.look_twice()
    assert page_on(path).stat().st_mode & 0o777 == 0o640


def test_once_for_scripts_ends_with_a_summary_and_a_status(
    toys: ToyClass, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("work")
    put(toys.course, folder / "a_b.ipynb")
    summary = folder / "summary.md"
    once = ("watch", str(folder), "--once", "--every", "0.1", "--markdown", str(summary))
    before = (toys.course.root / "gradebook.db").read_bytes()
    done = autograder(toys.course.root, *once)
    assert (done.returncode, done.stderr) == (0, "")
    assert "a_b.ipynb: You have 6 of 9" in done.stdout
    assert MISTAKE in summary.read_text()
    assert "## toys: a\\_b.ipynb" in summary.read_text()
    (folder / "b.ipynb").write_text("no notebook")
    for _ in range(2):
        done = autograder(toys.course.root, *once)
        assert (done.returncode, done.stdout.count("\n")) == (1, 1)
    assert (toys.course.root / "gradebook.db").read_bytes() == before


def test_it_goes_on_until_it_is_ended(
    toys: ToyClass, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("drive")
    with running(toys.course.root, "watch", str(folder), "--every", "0.2") as program:
        assert program.stdout
        assert "Watching" in program.stdout.readline()
        path = put(toys.course, folder / "ada.ipynb")
        assert comes_true(page_on(path).is_file, 120)
        assert "ada.ipynb: You have 6 of 9" in program.stdout.readline()
        program.terminate()
        assert program.wait(60) == 143
