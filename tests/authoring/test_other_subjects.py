"""The engine knows no subject: exercises about texts, tables, figures and so on are graded too."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest

from autograder.authoring.release import release
from autograder.course import Course, scaffold, solution
from autograder.diagnosis.suspect import Match, Suspect
from autograder.errors import GraderFault
from autograder.grading.grader import Grader
from autograder.grading.hidden_tests import HiddenTests
from autograder.grading.settings import Settings
from autograder.report import Report
from autograder.sandbox.host.in_process import InProcess
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Isolation
from autograder.testing.misconceptions import Candidate
from tests.graders import full, hand_in, messages, scores
from tests.new_courses import made

pytestmark = pytest.mark.slow

HW, KINDS = "hw2_kinds", scaffold.kinds()
NAMES = {kind: f"{kind}_exercise" for kind in KINDS}
MORE = tomllib.loads(Path(__file__).with_name("other_subjects.toml").read_text("utf-8"))
HOSTILE = MORE.pop("hostile")
WITH_A_BANK = {kind: name for kind, name in NAMES.items() if "mistake" in KINDS[kind]}


def from_template(kind: str, what: str) -> str:
    return str(KINDS[kind][what]).replace("{{ exercise }}", NAMES[kind])


def more(what: str, answers: Mapping[str, Mapping[str, str]] = MORE) -> dict[str, str]:
    return {NAMES[kind]: each[what].replace("NAME", NAMES[kind]) for kind, each in answers.items()}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = made(tmp_path_factory.mktemp("subjects"))
    for kind, name in NAMES.items():
        scaffold.new(course, HW, name, kind)
    (course.solutions / HW).mkdir()
    (course.solutions / HW / "words.txt").write_text("b\na\n")
    release(course, [HW])
    return course


@pytest.fixture(scope="module")
def grader(course: Course) -> Iterator[Grader]:
    with Grader(Settings(course, strongest()), HW) as grader:
        yield grader


def missed(report: Report) -> set[str]:
    return {name for name, points in full(report).items() if scores(report)[name] < points}


def named(report: Report) -> dict[str, str]:
    return {each.name: mistake.tag for each in report.exercises for mistake in each.misconceptions}


def test_right_answers_in_three_styles_get_full_marks(course: Course, grader: Grader) -> None:
    template = {name: from_template(kind, "right") for kind, name in NAMES.items()}
    for answers in (solution.sources(course, HW), template, template | more("right")):
        report = hand_in(grader, {name: answers[name] for name in NAMES.values()})
        assert scores(report) == full(report), [t for e in report.exercises for t in e.tests]


def test_wrong_answers_lose_points_and_are_told_what_is_seen(grader: Grader) -> None:
    report = hand_in(grader, {n: from_template(kind, "wrong") for kind, n in NAMES.items()})
    assert missed(report) == set(NAMES.values())
    report = hand_in(grader, more("wrong"))
    assert missed(report) == set(NAMES.values())  # nothing is written for one of them
    for kind, each in MORE.items():
        assert each["says"] in messages(report, NAMES[kind]), kind


def test_hostile_values_cost_their_own_exercise_alone(grader: Grader) -> None:
    hostile, honest = more("answer", HOSTILE), from_template("array", "right")
    report = hand_in(grader, hostile | {NAMES["array"]: honest})
    assert missed(report) == set(hostile)
    for kind, each in HOSTILE.items():
        assert each["says"].replace("NAME", NAMES[kind]) in messages(report, NAMES[kind]), kind


def test_a_known_mistake_is_named_from_what_came_back(course: Course, grader: Grader) -> None:
    """Whatever that is: a dictionary, a date, a table, a printed text, a figure or a file."""
    solved = solution.sources(course, HW)
    wrong = {}
    for kind, name in WITH_A_BANK.items():
        ((old, new),) = KINDS[kind]["edits"].items()
        wrong[name] = f"# as somebody else would write it\n{solved[name].replace(old, new)}"
    report = hand_in(grader, solved | wrong)
    assert missed(report) == {*WITH_A_BANK.values()}
    assert named(report) == {
        n: f"{n.replace('_', '-')}-{KINDS[k]['mistake']}" for k, n in WITH_A_BANK.items()
    }


def verdicts(course: Course, answers: Mapping[str, str]) -> dict[str, bool]:
    """Tell which answers pass all hidden tests in this process."""
    tests, passed = HiddenTests(course, HW), {}
    for name, source in answers.items():
        channel_of = partial(InProcess, [source], folder=course.root)
        found = tests.examine(name, channel_of, course.seed)
        passed[name] = all(each.passed for each in found)
    return passed


def test_in_this_process_they_get_the_same_verdicts_and_leave_no_files(course: Course) -> None:
    assert set(verdicts(course, more("right")).values()) == {True}
    assert set(verdicts(course, more("wrong")).values()) == {False}
    assert not [*course.root.glob("sorted.txt"), *course.root.glob("elsewhere")]


def test_answers_find_the_files_that_are_given_and_so_does_what_they_are_compared_with(
    course: Course, grader: Grader
) -> None:
    """That is so while a call watches for other files, too."""
    name = NAMES["file"]
    keeping = 'Path("words.txt").read_text() == "b\\na\\n"'
    source = f"from pathlib import Path\n{from_template('file', 'right')}    assert {keeping}\n"
    assert scores(hand_in(grader, {name: source}))[name] == 2
    channel = InProcess([source], folder=course.solutions / HW)
    (found,) = HiddenTests(course, HW).examine(name, lambda: channel, course.seed)
    assert found.passed
    known = Suspect(Candidate((), source), {"__name__": "__main__"}, folder=course.solutions / HW)
    assert known.match(found.calls, known) is Match.AGREES


def test_where_no_file_can_be_written_nobody_loses_points_for_it(course: Course) -> None:
    with (
        Grader(Settings(course, Isolation.LOCKDOWN), HW) as grader,
        pytest.raises(GraderFault, match="At the level lockdown no files can be written"),
    ):
        hand_in(grader, {NAMES["file"]: from_template("file", "right")})
