"""Points in a table that goes back to a platform: which line is whose, what is given, what is said.

Lines are matched by unique ids, never by half a name. A cell stays as it is unless its points are
known.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.course import Course
from autograder.course.roster import EVERYBODY, Person, Section, folded, unique
from autograder.course.sheets import Sheet, number_in
from autograder.errors import CourseError, counted, first_of, in_digits, shown
from autograder.gradebook.marks import Marks, marks_to_export

NAME = "name"
Keys = Mapping[str, str]  # what is known of one student or one line: a text for each kind of id
Scores = Mapping[str, Marks]  # by student
MAX_NAMED, MAX_NAME = 20, 80  # names in a sentence, and characters of each
_EXCUSED = ("EX", "N/A")  # on Canvas: excused, and not assigned to the student
_NO_GRADE = ("", "-")


@dataclass(frozen=True)
class Choices:
    """What an instructor chose: `columns` names the column of an assignment in a file."""

    columns: Mapping[str, str] = field(default_factory=dict)
    partial: bool = False  # give the points so far where not all is graded
    scale: bool = False  # convert to the platform's points, where they differ
    by_exercise: bool = False
    section: Section = EVERYBODY  # whose points are given

    def points(self, marks: Marks | None) -> float | None:
        """Return the points to give; None as long as they aren't known."""
        if marks is None or marks.outdated or marks.kept_back:
            return None
        so_far = self.partial and any(each.score is not None for each in marks.each)
        return marks.score if marks.is_final or so_far else None


@dataclass
class Exported:
    grades: int = 0
    blank: int = 0
    kept_back: int = 0
    lost: int = 0  # submissions of students who are not in the file
    absent: int = 0  # lines of the file without a submission
    notes: list[str] = field(default_factory=list)

    def tell_scores(self, assignment: str, scores: Scores, choices: Choices) -> None:
        """Say which submissions aren't graded yet, and why."""
        reasons: dict[str, list[str]] = {}
        kept_back: dict[str, list[str]] = {}
        for student, score in scores.items():
            if score.kept_back:
                kept_back.setdefault(score.kept_back, []).append(student)
            elif not score.is_final:
                reasons.setdefault(score.why_not_final, []).append(student)
        for reason, students in kept_back.items():
            self.kept_back += len(students)
            self.tell(f"{assignment}: given no points ({reason})", students)
        for reason, students in reasons.items():
            given = [name for name in students if choices.points(scores[name]) is not None]
            blank = [name for name in students if name not in given]
            self.blank += len(blank)
            self.tell(f"{assignment}: not graded yet, so given no points ({reason})", blank)
            self.tell(f"{assignment}: given the points so far ({reason})", given)

    def summary(self) -> str:
        parts = {
            "not graded yet": self.blank,
            "kept back": self.kept_back,
            "not in the file": self.lost,
            "in the file without a submission": self.absent,
        }
        told = [f"{n} {what}" for what, n in parts.items() if n]
        return " · ".join([counted(self.grades, "grade"), *told])

    def tell(self, sentence: str, names: Iterable[str]) -> None:
        """Say something of these names; nothing if there are none."""
        if listed := listing(names):
            self.notes.append(f"{sentence}: {listed}.")


def listing(names: Iterable[str]) -> str:
    """Return names in a line, the first ones if there are many."""
    return first_of([shown(name)[:MAX_NAME].strip() or "?" for name in names], MAX_NAMED)


def scores_on(course: Course, assignment: str, choices: Choices) -> Scores:
    found = marks_to_export(course, assignment)
    return {student: marks for student, marks in found.items() if student in choices.section}


def collected(course: Course) -> list[str]:
    return [name for name in course.released() if any(course.submitted.glob(f"*/{name}"))]


def people(course: Course, scored: Iterable[str]) -> dict[str, Person]:
    """Return everybody in the roster, and after them others who handed something in."""
    folders: dict[str, list[str]] = {}
    for student in scored:
        folders.setdefault(folded(student), []).append(student)
    found = {
        student: person
        for person in course.people
        for student in folders.pop(folded(person.student_id), [person.student_id])
    }
    return found | {student: Person(student) for each in folders.values() for student in each}


@dataclass(frozen=True)
class Column:
    """A column of a file, the students' names in it by row, and those that we know as `owners`."""

    file: str
    assignment: str
    number: int
    maximum: float | None
    lines: Mapping[int, str]
    owners: Mapping[int, str]
    write: Callable[[float], str] = in_digits

    def factor(self, scores: Scores, choices: Choices) -> float:
        """Return what points are multiplied by; refuse to give points out of another maximum."""
        ours = max((score.full_score for score in scores.values()), default=0)
        if not ours or self.maximum is None or abs(self.maximum - ours) < 0.005:
            return 1
        if not choices.scale:
            raise CourseError(
                f"{self.assignment} is worth {in_digits(ours)} points here and "
                f"{in_digits(self.maximum)} in {self.file}: change the points there, or convert "
                "them by --scale. Nothing was written: what was exported before has other points."
            )
        return self.maximum / ours


def fill_column(
    sheet: Sheet, column: Column, scores: Scores, choices: Choices, done: Exported
) -> dict[int, str]:
    """Fill in what is known, and tell `done` about it; return the students by row."""
    factor = column.factor(scores, choices)
    held, excused, changed, filled = [], [], [], {}
    for row, student in column.owners.items():
        present = sheet.value(row, column.number).strip()
        points = choices.points(scores.get(student))
        if student in scores and present.upper() in _EXCUSED:
            excused.append(student)
        elif points is not None:
            text = column.write(points * factor)
            old = number_in(present)
            if old is not None and abs(old - points * factor) > 0.0001:
                changed.append(f"{student} {present} → {text}")
            sheet.put(row, column.number, text)
            filled[row] = student
        elif student in scores and present not in _NO_GRADE:
            held.append(student)
    owners = set(column.owners.values())
    lost = [student for student in scores if student not in owners]
    lines = [(name, column.owners.get(row, "")) for row, name in column.lines.items()]
    absent = [name for name, who in lines if who not in scores and who in choices.section]
    done.grades += len(filled)
    done.lost += len(lost)
    done.absent += len(absent)
    done.tell_scores(column.assignment, scores, choices)
    about, file = column.assignment, column.file
    done.tell(f"{about}: the grade differs from that in {file}", changed)
    done.tell(f"{about}: in {file}, excused or not assigned, and left so", excused)
    done.tell(f"{about}: in {file} with an earlier grade, which was left as it is", held)
    done.tell(f"{about}: handed in, but not in {file} by an id that we know", lost)
    done.tell(f"{about}: in {file}, but nothing of theirs was collected", absent)
    return filled


def match(
    kinds: Sequence[str], lines: Mapping[int, Keys], students: Mapping[str, Keys]
) -> dict[int, str]:
    """Return the student of each line, where one is known.

    `kinds` are the ids that both may have, the surest first, and last of all `NAME`. An id counts
    if one line and one student have it, and if no surer id contradicts it. A student
    without any of these ids is found by a `student_id` that is an id of one line alone.
    """
    pairs: list[tuple[int, str, Sequence[str]]] = []  # and the ids that mustn't contradict them
    for number, kind in enumerate(kinds):
        of_line = unique({line: keys.get(kind, "") for line, keys in lines.items()})
        of_student = unique({student: keys.get(kind, "") for student, keys in students.items()})
        both = of_line.keys() & of_student.keys()
        pairs += [(of_line[text], of_student[text], kinds[:number]) for text in both]
    ids = [kind for kind in kinds if kind != NAME]
    pairs += [(line, student, ids) for line, student in _by_student_id(lines, students).items()]
    found: dict[int, str] = {}
    taken: set[str] = set()
    for line, student, surer in pairs:
        texts = (map(folded, (lines[line].get(k, ""), students[student].get(k, ""))) for k in surer)
        agree = all(theirs == ours or not (theirs and ours) for theirs, ours in texts)
        if agree and line not in found and student not in taken:
            found[line] = student
            taken.add(student)
    return {line: found[line] for line in lines if line in found}


def _by_student_id(lines: Mapping[int, Keys], students: Iterable[str]) -> dict[int, str]:
    """Return the students whose `student_id` is an id of one line alone, and of no other's."""
    having: dict[str, set[int]] = defaultdict(set)
    for line, keys in lines.items():
        for text in (text for kind, text in keys.items() if kind != NAME):
            having[folded(text)].add(line)
    claimed = [(student, having[folded(student)]) for student in students]
    sure = [(next(iter(found)), student) for student, found in claimed if len(found) == 1]
    claims = Counter(line for line, _ in sure)
    return {line: student for line, student in sure if claims[line] == 1}
