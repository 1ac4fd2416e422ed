"""Gradescope: the archive of submissions, its rosters and grades, and grading on its machines.

`submission_metadata.yml` alone says who handed in what, and when; a group's submission belongs to
all of it. `python -m autograder.platforms.gradescope [ROOT]` runs on each submission. A test that
is shown later hides the total until then: that keeps students from taking a zero for their grade.
"""

import json
import os
import re
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from autograder.course import Course
from autograder.course.roster import SECTION, Person
from autograder.course.saving import save_whole
from autograder.course.settings import GradescopeSettings
from autograder.errors import AutograderError, SubmissionError, in_digits, rounded
from autograder.intake.archive import File
from autograder.intake.times import parse_time
from autograder.platforms.archives import Account, ArchiveEntry
from autograder.platforms.packaged import grade_folder, packaged_course
from autograder.report import ExerciseReport, Outcome, Report
from autograder.sandbox.host.program import ONE_THREAD
from autograder.telling.record import summary_of
from autograder.telling.text import beginning, exercise_text, fault_lines

TITLE = "Gradescope"
NOTE = ""
STUDENT_IDS = ("gradescope_sid", "email")  # to choose from, the best first
ROOT = "/autograder"  # of all that Gradescope lays out on its machines
MAX_METADATA = 64 << 20  # bytes: earlier submissions with their results are in there
_SUBMISSIONS = "submission_metadata.yml"
_EXPORT = re.compile(r"assignment_\d+_export.*")
# It makes nothing but texts, lists and mappings, whatever a tag asks for: a student id of 007 stays
# one.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_UNTIL_PUBLISHED = "after_published"
_FAULT = "For the instructor: the grader failed"

Json = dict[str, Any]

# Archives


def recognises(files: Sequence[File], course: Course) -> bool:
    """Tell whether metadata lie where Gradescope puts them: deeper, they can be a student's own."""
    metadata = _metadata(files)
    return metadata is not None and all(map(_EXPORT.fullmatch, metadata.parts[:-1]))


def entries(files: Sequence[File], course: Course) -> Iterator[ArchiveEntry]:
    """Yield each file with those who submitted it; a submission without files is an entry too."""
    metadata = _metadata(files)
    if metadata is None:
        raise SubmissionError(
            f"There is no {_SUBMISSIONS}: download the submissions from Gradescope as a whole."
        )
    root = metadata.parts[:-1]
    by_name: dict[str, list[File]] = {}
    for file in files:
        if file is metadata:
            continue
        is_inside = file.parts[: len(root)] == root and len(file.parts) > len(root)
        by_name.setdefault(file.parts[len(root)] if is_inside else file.name, []).append(file)
    for name, said in _submissions(metadata).items():
        for file in by_name.pop(name, None) or [File(name)]:
            yield _entry(file, said, course.settings.time_zone)
    for file in (file for left in by_name.values() for file in left):
        yield ArchiveEntry(file, doubt=f"{_SUBMISSIONS} doesn't name it")


def _metadata(files: Sequence[File]) -> File | None:
    """Return the outermost metadata: students can hand in files of that name."""
    found = [file for file in files if file.parts[-1] == _SUBMISSIONS]
    return min(found, key=lambda file: len(file.parts), default=None)


def _submissions(metadata: File) -> dict[str, Any]:
    raw, content = metadata.path.read_bytes() if metadata.path else b"", None
    with suppress(yaml.YAMLError, ValueError, RecursionError):
        content = yaml.load(raw, _LOADER)  # noqa: S506
    if not isinstance(content, dict):
        raise SubmissionError(f"{_SUBMISSIONS} can't be read: download the submissions again.")
    return {str(key): value for key, value in content.items()}


def _entry(file: File, said: Any, zone: str) -> ArchiveEntry:
    fields = said if isinstance(said, Mapping) else {}
    listed = fields.get(":submitters")
    people = []
    for each in (each for each in listed or () if isinstance(each, Mapping)):
        texts = (str(each.get(key, "")) for key in (":name", ":sid", ":email"))
        name, sid, email = ("" if text in ("null", "~") else text for text in texts)
        ids = {"gradescope_sid": sid, "student_id": sid, "email": email}
        people.append(Account.of(name, ids))
    # Somebody without an id isn't left behind: the whole submission is asked about.
    is_known = bool(people) and all(person.ids for person in people)
    return ArchiveEntry(
        file,
        tuple((person,) for person in people) if is_known else (),
        time=parse_time(str(fields.get(":created_at", "")), zone),
        doubt="" if is_known else f"{_SUBMISSIONS} gives no student id and no email",
    )


# Tables


def roster_in(table: Sequence[Mapping[str, str]]) -> list[Person] | None:
    """Return the students in a roster; None if the table is none."""
    names = set(table[0])
    has_names = "Name" in names or {"First Name", "Last Name"} <= names
    if not has_names or not {"SID", "Email"} <= names:
        return None
    return [
        Person(
            student_id="",
            name=row.get("Name") or f"{row['First Name']} {row['Last Name']}".strip(),
            email=row["Email"],
            gradescope_sid=row["SID"],
            section=row.get(SECTION, ""),
        )
        for row in table
        if row.get("Role", "Student").casefold() == "student"
    ]


# On Gradescope's machines


def main() -> None:
    """Grade what was handed in. What is printed, only the instructor sees."""
    os.environ.update(ONE_THREAD)
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT)
    content = json.dumps(results(root), ensure_ascii=False, indent=2)
    save_whole(content.encode(), root / "results" / "results.json")


def results(root: Path) -> Json:
    """Return the results of the submission under `root`; a fault of ours is one of them."""
    began = time.monotonic()
    try:
        course, assignment = packaged_course()
        report = grade_folder(course, assignment, root / "submission")
        _tell_instructor(report, root / "submission_metadata.json")
        settings = course.settings.assignment(assignment).gradescope
        return results_of(report, settings, time.monotonic() - began)
    except SubmissionError as error:  # its author hands in another
        sentence = str(error)
        print(f"Not graded: {sentence}")
        return _results(0, sentence, [_unmarked("Your submission", sentence)])
    except Exception as error:  # whatever it is, the student reads a sentence
        details = str(error) if isinstance(error, AutograderError) else traceback.format_exc()
        print(f"Not graded: {details}")
        sentence = (
            "Not graded yet: the grader failed, not you. Your instructor can see what happened, "
            "and can run it again."
        )
        told = _unmarked("Not graded yet", sentence, _UNTIL_PUBLISHED)
        return _results(0, sentence, [told, _unmarked(_FAULT, details, "hidden")])


def results_of(report: Report, settings: GradescopeSettings, seconds: float) -> Json:
    """Return the results of a submission that was graded: a test for each exercise."""
    visibility = settings.visibility
    tests = [_test(number, e, visibility) for number, e in enumerate(report.exercises, 1)]
    if details := fault_lines(report):
        tests.append(_unmarked(_FAULT, "\n".join(details), "hidden"))
    told = beginning(summary_of(report)) if visibility == "visible" else ()
    said = "\n".join([*told, *report.warnings])
    return _results(report.score, said, tests, visibility) | {"execution_time": round(seconds, 1)}


def _tell_instructor(report: Report, metadata: Path) -> None:
    print(f"Students' code ran at isolation level {report.isolation}.")
    try:
        with metadata.open("rb") as file:
            said: Any = json.loads(file.read(MAX_METADATA))
        expected = float(said["assignment"]["total_points"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return
    written = sum(answer.max_score for answer in report.manual)
    if rounded(expected) not in map(rounded, (report.max_score, report.max_score + written)):
        print(
            f"note: Gradescope says this assignment has {in_digits(expected)} points, but its "
            f"exercises are worth {in_digits(report.max_score)}, and its written answers "
            f"{in_digits(written)}: correct the points on Gradescope."
        )


def _results(score: float, output: str, tests: list[Json], visibility: str = "visible") -> Json:
    shown = {"output": output, "output_format": "text", "visibility": visibility}
    return {"score": score, **shown, "stdout_visibility": "hidden", "tests": tests}


def _test(number: int, exercise: ExerciseReport, visibility: str) -> Json:
    shown_from = _UNTIL_PUBLISHED if exercise.faults else visibility
    return _unmarked(exercise.name, exercise_text(exercise), shown_from) | {
        "number": str(number),
        "score": exercise.score,
        "max_score": exercise.max_score,
        "status": "passed" if exercise.outcome is Outcome.PASSED else "failed",
        "tags": [mistake.tag for mistake in exercise.misconceptions],
    }


def _unmarked(name: str, output: str, visibility: str = "visible") -> Json:
    shown = {"output": output, "output_format": "text", "visibility": visibility}
    return {"name": name, "score": 0, "max_score": 0, "status": "failed", **shown}


if __name__ == "__main__":
    main()
