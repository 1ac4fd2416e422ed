"""The courses under `examples/` are released as they stand, and their classes get their due."""

import shutil
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.grading.submissions import read_report
from autograder.report import Report
from tests.commands import autograder
from tests.courses import ROOT

EXAMPLES = ROOT / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/course.toml"))
LEFT_OUT = shutil.ignore_patterns(".course", ".demo", ".venv", "__pycache__", "seed.txt*")

pytestmark = pytest.mark.slow


class Played:
    """An example that was released anew in a copy, and whose class was graded there."""

    def __init__(self, name: str, folder: Path) -> None:
        self.here = Course.load(EXAMPLES / name, environment={})
        (self.assignment,) = self.here.assignment_names()
        copy = Path(shutil.copytree(self.here.root, folder / name, ignore=LEFT_OUT))
        for command in ("release", "demo"):
            done = autograder(copy, command)
            assert done.returncode == 0, done.stderr
        self.copy = Course.load(copy, environment={})
        self.demo = Course.load(copy / ".demo", environment={})

    def report(self, student: str) -> Report:
        return read_report(self.demo.report_path(student, self.assignment))

    def wrong_answers(self) -> dict[str, str]:
        """Return by exercise what a wrong answer says in its first line that it is named."""
        found = {}
        for path in sorted(self.here.answers.glob(f"{self.assignment}/*/wrong/*.py")):
            said = path.read_text("utf-8").splitlines()[0].removeprefix("# named: ")
            if said != "nothing":
                found[path.parts[-3]] = said
        return found


def needs_packages(name: str) -> None:
    """Skip the test where what this example teaches isn't installed."""
    if name == "pytorch":
        pytest.importorskip("torch")


# PyTorch takes longest, and grades in all that is tested of this repository's own course.
SOME = [pytest.param(n, marks=[pytest.mark.exhaustive] if n == "pytorch" else []) for n in NAMES]


@pytest.fixture(scope="module", params=SOME)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    needs_packages(request.param)
    return Played(request.param, tmp_path_factory.mktemp("examples"))


def test_there_is_one_for_each_way_to_teach() -> None:
    assert NAMES == ["numpy-statistics", "plain-python", "pytorch"]


def test_the_committed_release_is_what_a_release_makes(played: Played) -> None:
    """And a release proves that the solution gets full marks."""
    made = played.copy.release_path(played.assignment).read_bytes()
    assert played.here.release_path(played.assignment).read_bytes() == made


def test_who_is_right_in_their_own_way_gets_full_marks(played: Played) -> None:
    report = played.report("ada")
    assert report.score == report.max_score > 0


def test_each_known_mistake_costs_points_and_is_called_by_its_name(played: Played) -> None:
    report = played.report("bo")
    assert all(each.score < each.max_score for each in report.exercises)
    named = {each.name: [one.tag for one in each.misconceptions] for each in report.exercises}
    assert named == {name: [tag] for name, tag in played.wrong_answers().items()}


def test_a_cell_that_is_no_python_costs_its_own_exercise_and_no_other(played: Played) -> None:
    scores = [(each.score, each.max_score) for each in played.report("cy").exercises]
    assert sorted(score == full for score, full in scores)[:2] == [False, True]
    assert min(score for score, _ in scores) == 0


def test_the_notebook_as_it_was_released_earns_nothing(played: Played) -> None:
    assert played.report("dana").score == 0


@pytest.mark.exhaustive  # it tries each known mistake
@pytest.mark.parametrize("name", NAMES)
def test_all_answers_and_misconceptions_on_file_get_what_they_should(
    name: str, tmp_path: Path
) -> None:
    needs_packages(name)
    copy = Path(shutil.copytree(EXAMPLES / name, tmp_path / name, ignore=LEFT_OUT))
    done = autograder(copy, "test")
    assert done.returncode == 0, done.stdout
    assert "all as it should be" in done.stdout
