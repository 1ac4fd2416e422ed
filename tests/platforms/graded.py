"""A graded class of toys, of all that happens in a class, and the points that it should get."""

from collections.abc import Mapping

from autograder.course import Course
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.gradebook.books import book_of
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, with_settings

ROSTER = """\
student_id,name,email,canvas_id,canvas_sis_id,canvas_login,moodle_id,gradescope_sid
ada,Ada Lovelace,ada@uni.example,101,S101,ada@uni.example,501,9001
sean,Seán O'Brien,sean@uni.example,102,S102,sean,502,9002
wei1,Wei Zhang,wei1@uni.example,103,S103,wei1,,9003
wei2,Wei Zhang,wei2@uni.example,104,S104,wei2,,9004
mei,林 梅,mei@uni.example,,S105,,505,9005
late,"Díaz, Jr., Luis",luis@uni.example,,,luis,506,9006
unread,Noor Khan,noor@uni.example,108,,,508,9008
faulty,Emre Öz,emre@uni.example,109,,,509,9009
absent,Bo Holm,bo@uni.example,110,,,510,9010
"""
DUE = "late = { per_day = 0.25 }\n[assignments.toys]\ndue = 2030-01-01T00:00:00Z\n"
HALF_A_DAY_LATE = "2030-01-01T12:00:00+00:00\n"
# Passed of the five tests of `double`, the four of `Counter`; points by hand; the late penalty.
MARKS: Mapping[str, tuple[int, int, float | None, float]] = {
    "ada": (5, 4, 2, 0),
    "sean": (3, 4, 1.5, 0),
    "wei1": (5, 0, 0, 0),
    "wei2": (0, 4, 2, 0),
    "mei": (1, 1, 0.5, 0),
    "late": (5, 4, 1, 2.5),
    "107": (2, 2, 0, 0),
    "unread": (5, 4, None, 0),
    "faulty": (5, 4, 2, 0),
    "ghost": (4, 4, 1, 0),
}
# 5 + 4 + 2, 3 + 4 + 1.5, … in the head; `unread` and `faulty` have none yet.
POINTS = {
    "ada": "11",
    "sean": "8.5",
    "wei1": "5",
    "wei2": "6",
    "mei": "2.5",
    "late": "7.5",
    "107": "4",
    "ghost": "9",
}
UNGRADED = ("faulty", "unread")


def grade(toys: ToyClass) -> Course:
    """Hand in, grade, and give points by hand, as `MARKS` says; return the course."""
    course = with_settings(toys.course.root, DUE)
    toys = ToyClass(course)
    (course.root / "roster.csv").write_text(ROSTER, encoding="utf-8")
    reports = []
    for student, (double, counter, _, penalty) in MARKS.items():
        toys.hand_in(student, RIGHT | {"why": "Because."})
        if penalty:
            path = course.submission_path(student, TOYS).with_name("timestamp.txt")
            path.write_text(HALF_A_DAY_LATE)
        outcomes = [*_passed(double, 5), *_passed(counter, 4)]
        if student == "faulty":
            outcomes[0] = Outcome.GRADER_ERROR
        reports.append(toys.report(student, *outcomes))
    assert record(course, reports) == []
    with book_of(course) as book:
        for student, (_, _, written, _) in MARKS.items():
            found = book.find_grade("why", TOYS, TOYS, student)
            found.manual_score, found.needs_manual_grade = written, written is None
        book.db.commit()
    return course


def _passed(number: int, of: int) -> list[Outcome]:
    return number * [Outcome.PASSED] + (of - number) * [Outcome.FAILED]
