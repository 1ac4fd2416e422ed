"""In a real browser: nothing that a student wrote runs, on any page that somebody opens."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.gradebook.feedback import write_feedback
from autograder.gradebook.recording import record
from autograder.report import Misconception, Outcome
from autograder.statistics.class_report import class_page, content_of, reports_on
from tests.browser import PROGRAM
from tests.telling.pages.test_feedback_page import formgrader_page
from tests.toy_class import SCRIPT, ToyClass

HEADLESS = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000")
PAYLOADS = (
    SCRIPT,
    "<img src=x onerror=\"document.title='pwned'\">",
    "<svg onload=\"document.title='pwned'\">",
    "<iframe srcdoc=\"<script>parent.document.title='pwned'</script>\"></iframe>",
    "<details open ontoggle=\"document.title='pwned'\">",
    "$\\text{<img src=x onerror=\"document.title='pwned'\">}$",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=\"document.title='pwned'\">",
    "</pre></div><script>document.title='pwned'</script>",
    "[x](javascript:document.title='pwned')",
    "\x1b]0;pwned\x07",
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAM, reason="no chromium here"),
]


def title_of(page: Path) -> str:
    """The title that a page has in the browser, once all that can run in it has run."""
    done = subprocess.run(
        [PROGRAM, *HEADLESS, "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.partition("<title>")[2].partition("</title>")[0].strip()


@pytest.fixture(scope="module")
def attacked(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course in which everything that a student can write holds payloads."""
    toys = ToyClass.like(fresh, tmp_path_factory.mktemp("attacked"))
    everything = "\n\n".join(PAYLOADS)
    toys.hand_in(
        "eve",
        {"double": f"def double(x):\n    return r'''{everything}'''", "why": everything},
        {"cell_type": "markdown", "id": "own", "metadata": {}, "source": everything},
    )
    report = toys.report("eve", *9 * [Outcome.FAILED], warnings=PAYLOADS)
    record(toys.course, [report])
    write_feedback(toys.course, ["toys"])
    return toys.course


def feedback(course: Course, folder: Path) -> Path:
    return course.feedback / "eve" / "toys" / "toys.html"


def formgrader(course: Course, folder: Path) -> Path:
    path = folder / "formgrader.html"
    path.write_text(str(formgrader_page(course, "eve")))
    return path


def report_on_the_class(course: Course, folder: Path) -> Path:
    (eve,) = reports_on(course, "toys")
    double, counter = eve.exercises
    held = tuple(Misconception(tag=payload, message=payload) for payload in PAYLOADS)
    double = double.model_copy(update={"misconceptions": held})
    eve = eve.model_copy(update={"exercises": (double, counter)})
    named = [eve.model_copy(update={"student": payload}) for payload in PAYLOADS]
    path = folder / "report.html"
    path.write_text(class_page(course, content_of(course, "toys", [eve, *named])))
    assert "For example:" in path.read_text()
    return path


@pytest.mark.parametrize("page", [feedback, formgrader, report_on_the_class])
def test_no_payload_runs(
    attacked: Course, tmp_path: Path, page: Callable[[Course, Path], Path]
) -> None:
    title = title_of(page(attacked, tmp_path))
    assert "toys" in title
    assert "pwned" not in title


@pytest.mark.parametrize("payload", PAYLOADS[1:5])  # the first waits for a person
def test_a_payload_that_is_not_cleaned_runs(tmp_path: Path, payload: str) -> None:
    """Or else the test above would prove nothing."""
    page = tmp_path / "page.html"
    page.write_text(f"<html><head><title>toys</title></head><body>{payload}</body></html>")
    assert title_of(page) == "pwned"
