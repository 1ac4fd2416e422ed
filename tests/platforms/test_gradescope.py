"""What Gradescope runs on each submission, in a tree like its own: `results.json` comes of all."""

import json
import shutil
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.platforms import gradescope
from autograder.platforms.packaging.bundle import write_package
from tests.notebooks import code, filled, notebook
from tests.platforms.gradescope_trees import BARE_CONTAINER, CONTAINER, Results, Tree
from tests.toys import RIGHT, TOYS, WRONG, with_settings

pytestmark = pytest.mark.slow  # most runs are a program of their own

FORGED = "FORGED"


@pytest.fixture(scope="module")
def package(fresh: Course) -> Path:
    return write_package(fresh, "gradescope", TOYS)


@pytest.fixture
def tree(package: Path, tmp_path: Path) -> Tree:
    return Tree.of(package, tmp_path / "autograder")


@pytest.fixture
def here(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine in this process grades the packaged course, as the packaged engine would."""
    packaged = Course.load(tree.grader, {}), TOYS
    monkeypatch.setattr(gradescope, "packaged_course", lambda: packaged)


def solved(tree: Tree, answers: dict[str, str], *cells: str) -> bytes:
    release = tree.grader / "assignments" / TOYS / f"{TOYS}.ipynb"
    content = filled(release, answers)
    content["cells"] += [code(source) for source in cells]
    return json.dumps(content).encode()


def test_an_honest_submission_gets_its_points_a_test_an_exercise(tree: Tree) -> None:
    results, printed = tree.run({"my homework.ipynb": solved(tree, RIGHT)})
    assert (results.score, results.scores) == (9, {"double": 5, "Counter": 4})
    assert [test.status for test in results.tests] == ["passed", "passed"]
    assert "✓ Twice two is four. (1/1)" in results.seen
    assert "toys: You have all 9 points so far; 2 more wait for a person." in results.seen
    assert "note:" not in printed


def test_a_wrong_submission_reads_what_is_wrong_and_keeps_the_rest(tree: Tree) -> None:
    results, _ = tree.run({"toys.ipynb": solved(tree, WRONG)})
    double, counter = results.tests
    assert (double.score, double.max_score, double.status) == (2, 5, "failed")
    assert (counter.score, counter.status) == (4, "passed")
    assert results.score == 6
    assert "You don't double three." in (double.output or "")


@pytest.mark.parametrize("container", [(), CONTAINER], ids=["here", "no namespaces"])
def test_a_hostile_submission_writes_no_results_and_reads_no_secret(
    tree: Tree, container: tuple[str, ...]
) -> None:
    forged = json.dumps({"score": 9, "output": FORGED, "tests": []})
    answers = RIGHT | {"double": hostile(tree, forged)}
    results, printed = tree.run(
        {"toys.ipynb": solved(tree, answers, f"print({forged!r})")}, *container
    )
    assert results.scores == {"double": 0, "Counter": 4}
    everything = tree.results.read_text("utf-8") + printed
    assert FORGED not in everything
    assert "secret_factor" not in everything
    assert [path.name for path in tree.results.parent.iterdir()] == ["results.json"]
    assert (tree.root / "source").is_dir()
    assert ("level lockdown" in printed) or not container


def hostile(tree: Tree, forged: str) -> str:
    """Return an answer that forges results, steals the solution, and signals other processes.

    It does no harm outside `tree` where nothing stops it: signal 0 only asks whether one may.
    """
    secret = tree.grader / "solutions" / f"{TOYS}.py"
    return f"""\
import os
def attempt(action):
    try:
        return action()
    except BaseException:
        return None
def forge():
    with open({str(tree.results)!r}, "w") as file:
        return file.write({forged!r})
def double(x):
    stolen = attempt(lambda: open({str(secret)!r}).read())
    signalled = attempt(lambda: os.kill(os.getppid(), 0) or {FORGED!r})
    started = attempt(lambda: os.system("true") == 0 and {FORGED!r})
    attempt(lambda: os.replace({str(tree.root / "source")!r}, {str(tree.root / "gone")!r}))
    attempt(forge)
    for fd in range(3, 64):
        attempt(lambda: os.write(fd, {forged.encode()!r}))
    if stolen or signalled or started:
        raise ValueError(f"{{stolen}} {{signalled}} {{started}}")
    os._exit(0)
"""


def rejection(results: Results) -> str:
    """Return the sentence of a submission that was not graded."""
    assert results.score == 0
    assert all(test.score == test.max_score == 0 for test in results.tests)
    assert "Traceback" not in results.seen
    return results.output or ""


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, "There is no notebook in what you handed in: hand in toys.ipynb."),
        ({"toys.pdf": b"%PDF"}, "There is no notebook in what you handed in: hand in toys.ipynb."),
        ({"toys.ipynb": b"[" * 100_000}, "The file isn't a notebook (invalid JSON)"),
        (
            {"a.ipynb": b"{}", "b/c.ipynb": b"{}"},
            "There are 2 notebooks in what you handed in (a.ipynb, b/c.ipynb)",
        ),
        ({"toys.ipynb": notebook(code("1 + 1"))}, "This isn't the notebook of toys"),
    ],
    ids=["nothing", "a pdf", "deep", "two", "another"],
)
@pytest.mark.usefixtures("here")
def test_what_is_no_submission_is_answered_by_a_sentence(
    tree: Tree, files: dict[str, bytes], sentence: str
) -> None:
    assert sentence in rejection(tree.outcome(files))


def test_a_link_in_a_submission_is_not_followed(tree: Tree) -> None:
    release = tree.grader / "assignments" / TOYS / f"{TOYS}.ipynb"
    (tree.root / "submission" / "toys.ipynb").symlink_to(release)
    (tree.root / "submission" / "more").symlink_to(release.parent)
    assert "There is no notebook" in rejection(tree.again()[0])


def test_checkpoints_and_what_a_mac_adds_are_no_second_notebook(tree: Tree) -> None:
    raw = solved(tree, RIGHT)
    copies = (".ipynb_checkpoints/toys-checkpoint.ipynb", "__MACOSX/._toys.ipynb", "._toys.ipynb")
    results, _ = tree.run({"toys.ipynb": raw} | dict.fromkeys(copies, raw))
    assert results.score == 9


def test_where_nothing_confines_code_nothing_runs_and_the_instructor_reads_why(tree: Tree) -> None:
    results, printed = tree.run({"toys.ipynb": solved(tree, RIGHT)}, *BARE_CONTAINER)
    assert_not_graded_yet(results)
    hidden = [test.output for test in results.tests if test.visibility == "hidden"]
    assert "This machine can't confine students' code" in "".join(text or "" for text in hidden)
    assert "lockdown" in printed
    assert "lockdown" not in results.seen


def assert_not_graded_yet(results: Results) -> None:
    assert "Not graded yet: the grader failed, not you." in results.seen
    assert all(test.max_score == 0 and test.status == "failed" for test in results.tests)
    assert "after_published" in {test.visibility for test in results.tests}  # hides the total


def test_a_grader_that_can_not_start_leaves_results_too(tree: Tree) -> None:
    tree.results.write_text(json.dumps({"score": 9}))  # of an earlier run
    results, printed = tree.run({"toys.ipynb": solved(tree, RIGHT)}, python="/bin/false")
    assert_not_graded_yet(results)
    assert "The grader ended with status 1" in printed


def test_a_grader_that_fails_says_where_to_the_instructor_alone(tree: Tree) -> None:
    broken = tree.grader / "exercises" / TOYS / "hidden_tests" / "test_double.py"
    broken.write_text("import nowhere_to_be_found")
    results, printed = tree.run({"toys.ipynb": solved(tree, RIGHT)})
    assert_not_graded_yet(results)
    assert "nowhere_to_be_found" in printed
    assert "nowhere_to_be_found" not in results.seen


def test_a_mistake_in_a_hidden_test_is_told_to_the_instructor(tree: Tree) -> None:
    broken = tree.grader / "exercises" / TOYS / "hidden_tests" / "test_double.py"
    broken.write_text(broken.read_text().replace("np.array([2.0])", "np.arra([2.0])"))
    results, _ = tree.run({"toys.ipynb": solved(tree, RIGHT)})
    double, counter, hidden = results.tests
    assert (double.status, double.visibility) == ("failed", "after_published")  # hides the total
    assert (double.output or "").startswith("Not graded yet: something is wrong with a hidden test")
    assert (counter.status, counter.visibility) == ("passed", "visible")
    assert (hidden.visibility, hidden.max_score) == ("hidden", 0)
    assert "double, test_two_becomes_four" in (hidden.output or "")
    assert "arra" in (hidden.output or "")
    assert "arra" not in results.seen + (double.output or "")


@pytest.mark.parametrize(("total", "is_told"), [("100.0", True), ("9.00000001", False)])
def test_points_that_gradescope_does_not_expect_are_told_to_the_instructor(
    tree: Tree, total: str, is_told: bool
) -> None:
    metadata = {"assignment": {"total_points": total}}
    (tree.root / "submission_metadata.json").write_text(json.dumps(metadata))
    results, printed = tree.run({"toys.ipynb": solved(tree, RIGHT)})
    assert ("Gradescope says this assignment has 100 points" in printed) == is_told
    assert results.score == 9


@pytest.mark.parametrize("metadata", [None, b"\xff", b"[]", b'{"assignment": null}'])
@pytest.mark.usefixtures("here")
def test_damaged_metadata_costs_nobody_a_grade(tree: Tree, metadata: bytes | None) -> None:
    path = tree.root / "submission_metadata.json"
    path.unlink() if metadata is None else path.write_bytes(metadata)
    assert tree.outcome({"toys.ipynb": solved(tree, RIGHT)}).score == 9


def test_visibility_is_what_course_toml_says(fresh: Course, tmp_path: Path) -> None:
    root = Path(shutil.copytree(fresh.root, tmp_path / "course"))
    settings = '[assignments.toys]\ngradescope = { visibility = "after_due_date" }\n'
    course = with_settings(root, settings)
    tree = Tree.of(write_package(course, "gradescope", TOYS), tmp_path / "autograder")
    results, _ = tree.run({"toys.ipynb": solved(tree, WRONG)})
    assert {test.visibility for test in results.tests} == {"after_due_date"}
    assert results.visibility == "after_due_date"
    assert "double three" not in results.seen
