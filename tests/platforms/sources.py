"""Thirty invented students, and the same work of theirs as each platform would hand it out."""

import os
import subprocess
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from autograder.course import Course, roster
from autograder.course.roster import Person
from autograder.platforms.collecting import assigning
from autograder.platforms.collecting.collect import Collected, collect_archive
from tests.notebooks import code, notebook
from tests.toys import TOYS, course_of

DUE = datetime(2026, 10, 5, 21, 59, tzinfo=UTC)
SETTINGS = f"""\
time_zone = "Europe/Berlin"
[assignments.{TOYS}]
due = {DUE.isoformat()}
"""


@dataclass(frozen=True)
class Student:
    """Somebody, and what they hand in."""

    person: Person
    file: str = f"{TOYS}.ipynb"
    raw: bytes = b""
    time: datetime = DUE - timedelta(hours=1)
    name: str = ""  # as the platform writes it

    @property
    def is_late(self) -> bool:
        return self.time > DUE


def answered(number: int) -> bytes:
    """A notebook of toys that nobody else hands in."""
    return notebook(
        code(f"def double(x):\n    return {number} * x", "double", solution=True),
        code("assert double(2) == 4", "double_test", grade=True, locked=True, points=5),
    )


def toys_course(root: Path, settings: str = SETTINGS) -> Course:
    """A course of toys whose release is made by hand."""
    course = course_of(root, settings=settings)
    path = course.release_path(TOYS)
    path.parent.mkdir()
    path.write_bytes(answered(0))
    return course


_NAMES = (
    "O'Neil, Ann",
    "D’Arcy, Fitz William",
    "王小明",
    "田中, 太郎",
    "Garcia, Maria",
    "Garcia, Maria",
    "محمد علي",
    "כהן, יעל",
    "Müller, Renée",
    "van der Berg, Jan",
    "ŁUKASZEWSKI, Paweł",
    "de la Cruz-Ortiz, José",
)


def _person(number: int) -> Person:
    name = _NAMES[number] if number < len(_NAMES) else f"Family{number}, Given{number}"
    return Person(
        student_id=f"s{number:02}",
        name=name,
        email=f"s{number:02}@example.edu",
        canvas_id=str(4000 + number),
        moodle_id=str(7000 + number),
        gradescope_sid=f"00{number:02}",
        github=f"user-{number:02}",
    )


def the_class() -> list[Student]:
    """Thirty students: three are late, one isn't in the roster, one hands in something else."""
    students = [Student(_person(n), raw=answered(n + 1)) for n in range(30)]
    changes: Mapping[int, dict[str, object]] = {
        8: {"name": unicodedata.normalize("NFD", _NAMES[8])},
        11: {"file": "My homework - final (2).ipynb"},
        12: {"file": "Untitled.ipynb.txt"},
        13: {"file": "s07 notebook.json"},
        14: {"time": DUE + timedelta(minutes=1)},
        15: {"time": DUE + timedelta(days=2)},
        2: {"time": DUE + timedelta(hours=5)},
        20: {"raw": notebook(code("print('shopping list')"))},
    }
    return [replace(s, **changes.get(n, {})) for n, s in enumerate(students)]  # type: ignore[arg-type]


ADA, BO = answered(1), answered(2)
STRANGER, ODD = 29, 20  # not in the roster; whose notebook is no assignment's


def write_roster(course: Course, students: Iterable[Student]) -> None:
    """Write the roster of all but the stranger, in NFC."""
    people = [s.person for s in students if s.person.student_id != f"s{STRANGER}"]
    roster.write_roster(course.root / roster.FILE, people)


def zipped(path: Path, files: Mapping[str, bytes]) -> Path:
    """A zip file of these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def laid(path: Path, files: Mapping[str, bytes]) -> Path:
    """A folder of these files."""
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def _name(student: Student) -> str:
    return student.name or student.person.name


def _full_name(student: Student) -> str:
    last, _, first = _name(student).partition(", ")
    return f"{first} {last}".strip()


def canvas(folder: Path, students: Sequence[Student]) -> Path:
    """Canvas's "Download submissions"."""
    files = {}
    for number, student in enumerate(students):
        plain = "".join(c for c in _name(student).lower() if c.isalnum() or c == "_")
        late = "_LATE" if student.is_late else ""
        name = f"{plain}{late}_{student.person.canvas_id}_{90000 + number}_{student.file}"
        files[name] = student.raw
    return zipped(folder / "submissions.zip", files)


def moodle(folder: Path, students: Sequence[Student]) -> Path:
    """Moodle's "Download all submissions", in folders."""
    return zipped(folder / "moodle.zip", {_moodle(s) + "/" + s.file: s.raw for s in students})


def moodle_flat(folder: Path, students: Sequence[Student]) -> Path:
    """The same, not in folders."""
    return zipped(folder / "moodle.zip", {_moodle(s) + s.file: s.raw for s in students})


def _moodle(student: Student) -> str:
    return f"{_full_name(student)}_{student.person.moodle_id}_assignsubmission_file_"


def gradescope(folder: Path, students: Sequence[Student]) -> Path:
    """Gradescope's export."""
    lines, files = ["---"], {}
    for number, student in enumerate(students):
        key = f"submission_{500 + number}"
        time = student.time.strftime("%Y-%m-%d %H:%M:%S.000000000 Z")
        lines += [
            f"{key}:",
            "  :submitters:",
            f'  - :name: "{_full_name(student)}"',
            f"    :sid: '{student.person.gradescope_sid}'",
            f"    :email: {student.person.email}",
            f"  :created_at: {time}",
            "  :score: 3.0",
            "  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess",
            "    tests: []",
        ]
        files[f"assignment_77_export/{key}/{student.file}"] = student.raw
    files["assignment_77_export/submission_metadata.yml"] = "\n".join(lines).encode()
    return zipped(folder / "export.zip", files)


def classroom50(folder: Path, students: Sequence[Student]) -> Path:
    """A folder of clones."""
    root = folder / "clones"
    for student in students:
        _commit(root / f"{TOYS}-{student.person.github}", student)
    return root


def _commit(repository: Path, student: Student) -> None:
    laid(repository, {student.file: student.raw, "README.md": b"# Toys"})
    time = {f"GIT_{who}_DATE": student.time.isoformat() for who in ("AUTHOR", "COMMITTER")}
    who = ["-c", "user.name=x", "-c", "user.email=x@example.edu"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "work"]):
        subprocess.run(["git", *command], cwd=repository, env=os.environ | time, check=True)


def plain_folder(folder: Path, students: Sequence[Student]) -> Path:
    """A folder of folders by student_id, as nbgrader's exchange writes it."""
    files = {}
    for student in students:
        place = f"{student.person.student_id}/{TOYS}"
        files[f"{place}/{student.file}"] = student.raw
        files[f"{place}/timestamp.txt"] = student.time.strftime("%Y-%m-%d %H:%M:%S UTC").encode()
    return laid(folder / "class", files)


def plain_zip(folder: Path, students: Sequence[Student]) -> Path:
    """A zip file of folders by email."""
    files = {f"class/{s.person.email}/{s.file}": s.raw for s in students}
    return zipped(folder / "class.zip", files)


def notebooks(course: Course) -> dict[str, bytes]:
    """The notebooks in their places, by student."""
    found = course.submitted.glob(f"*/{TOYS}/{TOYS}.ipynb")
    return {path.parent.parent.name: path.read_bytes() for path in found}


@dataclass(frozen=True)
class Inbox:
    """A course of toys that collects zip files."""

    course: Course

    def hand(self, files: Mapping[str, bytes], platform: str | None = None) -> Collected:
        """Collect a zip file of these files, perhaps from a platform."""
        source = zipped(self.course.root.parent / "class.zip", files)
        return collect_archive(self.course, source, platform)

    def lists(self, *people: Person) -> None:
        """Let the roster list these people."""
        roster.write_roster(self.course.root / roster.FILE, people)

    @property
    def notebooks(self) -> dict[str, bytes]:
        """The notebooks in their places, by student."""
        return notebooks(self.course)

    @property
    def asked(self) -> list[tuple[str, str]]:
        """What `unassigned.csv` asks about, and why."""
        rows = assigning.read_unassigned(self.course)
        return [(row.entry, row.why) for row in rows if row.is_open]

    @property
    def unassigned(self) -> Path:
        return self.course.root / assigning.UNASSIGNED

    def answer(self, entry: str, student: str) -> None:
        """Give an entry, by the beginning of its name, to a student."""
        lines = self.unassigned.read_text("utf-8").splitlines()
        lines = [f"{line.rstrip(',')},{student}" if f",{entry}" in line else line for line in lines]
        self.unassigned.write_text("\n".join(lines), "utf-8")


EXPORT = """\
submission_1:
  :submitters:
  - :name: Ada
    :sid: '007'
    :email: ada@x.edu
  - :name: Bo
    :sid: '008'
    :email: bo@x.edu
  :created_at: 2026-10-05 12:00:00.5 Z
submission_2:
  :submitters:
  - :name: Ada
    :sid: '007'
    :email: ada@x.edu
  :created_at: 2026-10-05 13:00:00 +02:00
submission_3:
  :submitters:
  - :name: Nobody
    :sid:
    :email: ''
  :created_at: 2026-10-05 13:00:00 Z
submission_4:
  :submitters:
  - :name: Empty
    :sid: '9'
    :email: e@x.edu
"""
EXPORTED = {
    "assignment_1_export/submission_metadata.yml": EXPORT.encode(),
    "assignment_1_export/submission_1/hw.ipynb": ADA,
    "assignment_1_export/submission_2/hw.ipynb": BO,
    "assignment_1_export/submission_3/hw.ipynb": answered(3),
}
