"""Points and feedback, in the files that platforms take back, or as a table of our own."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course
from autograder.course.saving import refuse_links, save_whole
from autograder.course.sheets import table_bytes
from autograder.errors import CourseError, in_digits
from autograder.gradebook.decisions import not_yet
from autograder.gradebook.marks import read_marks
from autograder.grading.submissions import students_of
from autograder.platforms import canvas, moodle
from autograder.platforms.archives import source_entry, zip_bytes
from autograder.platforms.points import Choices, Exported, Scores, people, scores_on

_FILL = {"canvas": canvas.fill_gradebook, "moodle": moodle.fill_worksheet}
_TABLES = {"gradescope": "gradescope", "csv": "grades"}  # what their files are called
_RETURN = {"canvas": canvas, "moodle": moodle}


def export_points(
    course: Course, target: str, words: Sequence[str], choices: Choices, out: Path | None
) -> tuple[Path, Exported]:
    """Export points; `words` are the platform's file to fill, if it has one, and assignments."""
    if target in _TABLES:
        names = [course.check_assignment(name) for name in words]
        raw, done = points_table(course, target, names, choices)
        path = out or course.exports / f"{_TABLES[target]}{choices.section.suffix}.csv"
    else:
        file = Path(*words[:1])
        if not file.is_file():
            name_it = f"There is no file {file}: name" if words else "Name"
            raise CourseError(
                f"{name_it} the CSV file to fill, as {target.title()} exported it: `autograder "
                f"export --to {target} FILE.csv`."
            )
        names = [course.check_assignment(name) for name in words[1:]]
        if choices.by_exercise:
            raise CourseError("Leave out --by-exercise: it is for --to csv and --to gradescope.")
        raw, done = _FILL[target](course, file, names, choices)
        path = out or course.exports / f"{target}{choices.section.suffix}-{file.name}"
        if path.exists() and path.samefile(file):
            raise CourseError(
                f"{path} is the file to fill, which stays as it is: name another --out."
            )
    save_whole(raw, path)
    return path, done


def columns_in(course: Course, texts: Sequence[str]) -> dict[str, str]:
    """Return the column of each assignment, from texts such as `hw1=Homework 1 (123)`."""
    columns = {}
    for text in texts:
        assignment, _, column = text.partition("=")
        if not column.strip():
            raise CourseError(f"--column {text}: write it as --column ASSIGNMENT='TITLE (ID)'.")
        columns[course.check_assignment(assignment.strip())] = column.strip()
    return columns


def points_table(
    course: Course, target: str, names: Sequence[str], choices: Choices
) -> tuple[bytes, Exported]:
    """Return a table of our own as CSV, "csv" or "gradescope"; no names mean all assignments.

    Raises `CourseError` if nobody has handed anything in.
    """
    maximum = "{} - Max Points" if target == "gradescope" else "{} max"
    done = Exported()
    scores: dict[str, Scores] = {
        name: found
        for name in names or course.released()
        if (found := scores_on(course, name, choices))
    }
    if not scores:
        raise CourseError("There is nothing to export: nobody has handed anything in.")
    for assignment, each in scores.items():
        done.tell_scores(assignment, each, choices)
        done.grades += sum(choices.points(score) is not None for score in each.values())
    handed_in = {student: None for each in scores.values() for student in each}
    rows = []
    everybody = people(course, handed_in)
    for student, person in ((s, p) for s, p in everybody.items() if s in choices.section):
        row = {"student_id": student, "name": person.name, "email": person.email}
        if target == "gradescope":  # as in the grades that it exports
            sid = person.gradescope_sid or student
            row = {"Name": person.name, "SID": sid, "Email": person.email}
        for assignment, each in scores.items():
            row |= _cells(assignment, student, each, choices, maximum)
        rows.append(row)
    return table_bytes(list(rows[0]), [list(row.values()) for row in rows]), done


def _cells(
    assignment: str, student: str, scores: Scores, choices: Choices, maximum: str
) -> dict[str, str]:
    """Return a student's total, the most that it could be, how far grading is, and the parts."""
    marks = scores.get(student)
    graded = "graded" if marks and marks.is_final else "not graded yet"
    graded = "kept back" if marks and marks.kept_back else graded
    cells = {
        assignment: in_digits(choices.points(marks)),
        maximum.format(assignment): in_digits(marks.full_score if marks and marks.each else None),
        f"{assignment} status": graded if marks else "not handed in",
    }
    if choices.by_exercise:
        names = dict.fromkeys(each.name for one in scores.values() for each in one.each)
        known = marks if marks and not (marks.outdated or marks.kept_back) else None
        points = {each.name: each.score for each in known.each} if known else {}
        cells |= {f"{assignment}: {name}": in_digits(points.get(name)) for name in names}
        cells[f"{assignment}: late penalty"] = in_digits(known.penalty if known else None)
    return cells


@dataclass(frozen=True)
class Returned:
    """What became of the feedback on an assignment; without `students`, nothing was written."""

    students: int
    left_out: int
    notes: tuple[str, ...]


def pack_feedback(course: Course, target: str, assignment: str, path: Path) -> Returned:
    """Write the feedback pages to `path`, a zip file, named as the platform wants them back."""
    if why := not_yet(course, assignment):
        return Returned(0, 0, (f"{assignment}: nothing was packed, because {why}.",))
    marks = read_marks(course, [assignment])
    kept_back = {each.student for each in marks if len(each.withheld) == len(each.each)}
    handed_in = [each for each in students_of(course, assignment) if each not in kept_back]
    known = people(course, handed_in)
    found: dict[str, dict[str, Path]] = {}  # each student's pages, by the platform's names
    for student in handed_in:
        folder = course.feedback / student / assignment
        pages = [refuse_links(page, course.feedback) for page in sorted(folder.glob("*.html"))]
        if pages := [page for page in pages if page.is_file()]:
            entry = source_entry(course, student, assignment, target)
            own = [page.name for page in pages]
            names = _RETURN[target].feedback_names(entry, known[student], own)
            found[student] = dict(zip(names, pages, strict=False))  # or none of them has a name
    uses = Counter(name for pages in found.values() for name in pages)
    returned = {
        student: pages
        for student, pages in found.items()
        if pages and all(uses[name] == 1 for name in pages)
    }
    if returned:
        files = {name: p.read_bytes() for own in returned.values() for name, p in own.items()}
        save_whole(zip_bytes(files), path)
    done, platform = Exported(), target.title()
    pageless = [student for student in handed_in if student not in found]
    nameless = [student for student in found if student not in returned]
    done.tell(f"{assignment}: withheld, so nothing is returned to", sorted(kept_back))
    done.tell(f"{assignment}: no feedback yet, run `make feedback`", pageless)
    done.tell(
        f"{assignment}: not returned, because {platform}'s name for what they handed in isn't "
        f"known, or is somebody else's too; collect {platform}'s zip again",
        nameless,
    )
    return Returned(len(returned), len(handed_in) - len(returned), tuple(done.notes))
