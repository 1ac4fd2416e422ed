"""What decides a score is in its fingerprint, part by part, and nothing else is."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.grading import fingerprint as module
from autograder.grading.fingerprint import difference, fingerprint
from autograder.grading.settings import Settings
from autograder.sandbox.limits import Isolation, Limits
from tests.courses import ROOT, copy_of_kit

HW1 = "hw1_attention"
MISTAKES = f"autograder/exercises/{HW1}/misconceptions"
OLD = {"seed": "7", "release": "a", "limits": "b"}


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A copy of the course, to change and to change back."""
    return Settings(copy_of_kit(tmp_path_factory.mktemp("kit")), Isolation.ROOTNS)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the engine, which is the one whose fingerprint is taken."""
    ignored = shutil.ignore_patterns("__pycache__", "exercises", "templates")
    copy = Path(shutil.copytree(ROOT / "autograder", tmp_path / "engine", ignore=ignored))
    with monkeypatch.context() as patch:
        patch.setattr(module, "_ENGINE", copy)
        yield copy
    module._engine.cache_clear()


@contextmanager
def with_more(path: Path, text: str = "\n", below: str = "") -> Iterator[None]:
    """Let a file hold more for a while, `below` a line or else at its end."""
    before = path.read_text()
    first, found, last = before.partition(below) if below else (before, "", "")
    path.write_text(first + found + text + last)
    try:
        yield
    finally:
        path.write_text(before)


def changed(old: Settings, new: Settings) -> set[str]:
    """Return the parts of the fingerprint in which two settings differ."""
    before, after = fingerprint(old, HW1), fingerprint(new, HW1)
    assert before.keys() == after.keys()
    return {part for part in before if before[part] != after[part]}


@pytest.mark.parametrize(
    ("path", "part"),
    [
        (f"autograder/exercises/{HW1}/hidden_tests/test_softmax.py", {"hidden tests"}),
        ("autograder/exercises/conftest.py", {"hidden tests"}),
        (f"{MISTAKES}/softmax/reference.py", {"known mistakes"}),
        (f"{MISTAKES}/ideas.toml", {"known mistakes"}),
        (f"assignments/{HW1}/{HW1}.ipynb", {"release"}),
        (f"solutions/{HW1}.py", {"solution"}),
        ("solutions/hw2_encoder.py", set()),
        ("course.toml", set()),  # what is said there counts, not its bytes
    ],
)
def test_a_file_that_decides_a_score_is_in_one_part_and_no_other_file_is(
    kit: Settings, path: str, part: set[str]
) -> None:
    before = fingerprint(kit, HW1)
    with with_more(kit.course.root / path):
        after = fingerprint(Settings(Course.load(kit.course.root), Isolation.ROOTNS), HW1)
    assert {name for name in before if before[name] != after[name]} == part


def test_another_version_of_a_package_that_the_course_names_is_another_fingerprint(
    kit: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = kit.course.settings.model_copy(update={"packages": ("einops",)})
    with_package = replace(kit, course=replace(kit.course, settings=chosen))
    before = fingerprint(with_package, HW1)
    module._versions_of.cache_clear()
    monkeypatch.setattr(
        module, "version", lambda name: "9.9" if name == "einops" else version(name)
    )
    after = fingerprint(with_package, HW1)
    module._versions_of.cache_clear()
    assert {part for part in before if before[part] != after[part]} == {"libraries"}


@pytest.mark.parametrize(
    ("path", "decides"),
    [
        ("sandbox/guest/runner.py", True),
        ("report.py", True),
        ("intake/submission.py", True),
        ("intake/archive.py", False),
        ("grading/worker.py", False),
        ("work/bounded.py", False),
        ("desk/app.py", False),
    ],
)
def test_the_code_that_decides_scores_is_in_the_graders_part(
    kit: Settings, engine: Path, path: str, decides: bool
) -> None:
    def grader() -> str:
        module._engine.cache_clear()
        return fingerprint(kit, HW1)["grader"]

    before = grader()
    with with_more(engine / path):
        assert (grader() != before) is decides


def test_every_file_that_decides_no_score_is_there_to_be_left_out() -> None:
    assert [
        name for name in module._NOT_SCORING if not (ROOT / "autograder" / name).is_file()
    ] == []


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda settings: replace(settings, course=settings.course.with_seed(1)), {"seed"}),
        (lambda settings: replace(settings, limits=Limits(call_seconds=1)), {"limits"}),
        (lambda settings: replace(settings, skip_slow=True), {"limits"}),
        (lambda settings: replace(settings, isolation=Isolation.LOCKDOWN), set()),
    ],
)
def test_settings_decide_but_for_how_the_code_is_confined(
    kit: Settings, change: Callable[[Settings], Settings], part: set[str]
) -> None:
    assert changed(kit, change(kit)) == part


TABLE = f"[assignments.{HW1}]\n"


@pytest.mark.parametrize(
    ("below", "said", "part"),
    [
        ("softmax_examples = 0", ", softmax = 0.5", {"points"}),
        (TABLE, 'left_out = ["worked_example"]\n', {"points"}),
        (TABLE, "limits = { call_seconds = 9 }\n", {"limits"}),
        (TABLE, "due = 2026-10-05T23:59:00Z\n", set()),
    ],
)
def test_what_course_toml_says_decides_where_it_is_about_scores(
    kit: Settings, below: str, said: str, part: set[str]
) -> None:
    with with_more(kit.course.root / "course.toml", said, below):
        said_now = Settings(Course.load(kit.course.root), Isolation.ROOTNS)
    assert changed(kit, said_now) == part


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ({"seed": "0"}, "the seed changed"),
        ({"release": "c"}, "the release changed"),
        ({"seed": "0", "limits": "c"}, "the seed and the limits changed"),
    ],
)
def test_a_difference_is_told_in_words(new: dict[str, str], sentence: str) -> None:
    assert difference(OLD, OLD | new) == sentence


def test_a_report_that_was_made_without_a_fingerprint_differs_in_all() -> None:
    assert difference({}, OLD) == "the seed and the release and the limits changed"


def test_a_part_that_is_gone_is_named_too() -> None:
    assert difference(OLD | {"bugs": "1"}, OLD) == "the bugs changed"
