"""Each figure on a page for readers is the one in the code, or in the file of what was measured.

Somebody who changes a bound, or measures anew, is told here which page says so.
"""

import re
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from autograder.authoring.notes.author import MIN_TELLING, SEVERAL
from autograder.authoring.script import MAX_WRITTEN_SHARE
from autograder.cli import serving
from autograder.course import roster, solution
from autograder.diagnosis.banks import banks_of
from autograder.gradebook.second_readings import MIN_PAIRS
from autograder.intake import attachments
from autograder.intake.notebook import MAX_NOTEBOOK
from autograder.sandbox.limits import Limits
from autograder.serve import id_tokens, invites, logins, outgoing, people, tokens
from autograder.serve.lti import courier, keys, passback
from autograder.statistics.figures import MIN_STUDENTS
from autograder.statistics.similar import MIN_CLASS
from tests.benchmarks import timeline
from tests.courses import KIT, ROOT
from tests.demo_class import CLASS
from tests.hostile.cases import catalogue
from tests.mutants import page as page_of_results

DOCS, BENCHMARKS = ROOT / "docs", ROOT / "tests" / "benchmarks"
RESULTS, SCALE = BENCHMARKS / "RESULTS.md", BENCHMARKS / "SCALE.md"
MB = 1 << 20


def days(time: timedelta) -> str:
    return f"{time.days} days"


def minutes(time: timedelta) -> int:
    return int(time.total_seconds() // 60)


TEN = {10: "ten"}
BOUNDS = [
    ("README.md", f"a bundled class of {len(tomllib.loads(CLASS.read_text('utf-8')))} students"),
    ("docs/for-students.md", f"{Limits().cell_seconds:g} seconds a cell"),
    ("docs/for-students.md", f"{Limits().memory_mb >> 10} GB of memory"),
    (
        "docs/lti.md",
        f"given up after {outgoing.MAX_SECONDS:g} seconds or {outgoing.MAX_BYTES // MB} MB",
    ),
    ("docs/lti.md", f"hold for {TEN[minutes(logins.PATIENCE)]} minutes"),
    ("docs/lti.md", f"follow within {TEN[int(courier.SWEEP // 60)]} minutes"),
    ("SECURITY.md", f"{Limits().threads:,} threads"),
    ("docs/results.md", f"| `rootns` | {len(catalogue())} |"),
    ("docs/security.md", f"a catalogue of {len(catalogue())} hostile submissions"),
    ("docs/serve.md", f"good for {serving.DAYS} days"),
    ("docs/serve.md", f"within {TEN[minutes(invites.AGAIN)]} minutes"),
    ("docs/serve.md", f"stay signed in for {days(people.SESSION)}"),
    ("docs/serve.md", f"ends after {days(tokens.VALID)}"),
    ("docs/serve.md", f"client_max_body_size {MAX_NOTEBOOK // MB + 1}m"),
    ("docs/teach-with-it.md", f"Discrimination needs {MIN_STUDENTS} students"),
    ("docs/teach-with-it.md", f"With {TEN[MIN_CLASS]} submissions or more"),
    ("docs/teach-with-it.md", f"from {MIN_PAIRS} on Cohen's kappa"),
    ("docs/teach-with-it.md", f"at most {roster.MAX_ID} characters"),
    (
        "docs/teach-with-it.md",
        f"at most {attachments.MAX_FILES} of {attachments.MAX_BYTES // MB} MB together",
    ),
    (
        "docs/write-an-exercise.md",
        f"At most {solution.MAX_FILES} files of {solution.MAX_BYTES // MB} MB together",
    ),
]


@pytest.mark.parametrize(("page", "figure"), BOUNDS)
def test_a_bound_that_a_page_names_is_the_one_in_the_code(page: str, figure: str) -> None:
    assert figure in words_of(ROOT / page)


def test_bounds_in_words_are_those_in_the_code() -> None:
    assert Fraction(MAX_WRITTEN_SHARE).limit_denominator(10) == Fraction(1, 5)
    assert "worth at most a fifth of the assignment" in words_of(DOCS / "write-an-exercise.md")
    assert MIN_TELLING * SEVERAL == 6
    assert "for at least six numbers" in words_of(DOCS / "write-an-exercise.md")
    waits = [passback.FIRST_WAIT * 2**n for n in range(passback.MAX_FAILURES)]
    in_all = sum((min(each, passback.LONGEST_WAIT) for each in waits), timedelta())
    assert (waits[:3], round(in_all / timedelta(days=1))) == (
        [timedelta(minutes=n) for n in (1, 2, 4)],
        4,
    )
    assert timedelta(hours=6) == passback.LONGEST_WAIT
    assert (
        "again after 1, 2, 4 minutes, and so on up to every six hours, for four days"
        in words_of(DOCS / "lti.md")
    )
    assert (60 / id_tokens.TRIED_AGAIN) == 2
    assert "once more when a key is new, at most twice a minute" in words_of(DOCS / "lti.md")
    assert (id_tokens.KEPT, courier.MEMBERS) == (24 * 3600, 24 * 3600)
    assert "fetched once a day" in words_of(DOCS / "lti.md")
    assert (keys.PUBLISHED_BEFORE.days, keys.ROTATED.days, keys.PUBLISHED_AFTER.days) == (1, 90, 30)
    assert "every three months a new one is made, published a day before" in words_of(
        DOCS / "lti.md"
    )


MEASURED = [
    ("scale.md", "0.05 s (median; 95% within 0.51 s)", RESULTS, "0.05 s | 0.51 s | 1.65 s"),
    ("scale.md", "570 MB in the first five minutes and 640 MB in", RESULTS, "571 and 643 MB"),
    ("scale.md", "takes 1.4 s (hw1)", RESULTS, "check hw1_attention | 1.4"),
    ("scale.md", "3.7 s (hw2)", RESULTS, "check hw2_encoder | 3.7"),
    ("scale.md", "6.3 s (hw3", RESULTS, "check hw3_transformer | 6.3"),
    ("scale.md", "3.7 s (hw4", RESULTS, "check hw4_efficient_attention | 3.7"),
    ("scale.md", "importing PyTorch alone takes 1.4 s", RESULTS, "`import torch` | 1.4"),
    ("scale.md", "everything | 237 s | 1.8 GB", SCALE, "everything | 237 s | 406 s | 1.8 GB"),
    ("scale.md", "nothing to do | 3.4 s | 75 MB", SCALE, "nothing to do | 3.4 s | 3 s | 75 MB"),
    ("scale.md", "the 500 of hw1 | 48 s | 0.8 GB", SCALE, "the 500 of hw1 | 48 s | 85 s | 0.8 GB"),
    ("scale.md", "about forty workers on hw2", SCALE, "about forty workers on hw2"),
    (
        "compared.md",
        "310 of our hostile submissions: 14 earned",
        RESULTS,
        "310 | 14 | 39 | 30 | 99",
    ),
    ("compared.md", "39 got no grade at all, and 30 did harm", RESULTS, "310 | 14 | 39 | 30 | 99"),
    ("compared.md", "99 went wrong", RESULTS, "310 | 14 | 39 | 30 | 99"),
    ("teach-with-it.md", "397 of 400 disguised copies", RESULTS, "400 | 397 | 141,200 | 2"),
    ("teach-with-it.md", "2 of 141,200 other pairs", RESULTS, "400 | 397 | 141,200 | 2"),
]


@pytest.mark.parametrize(("page", "said", "file", "measured"), MEASURED)
def test_what_a_page_says_was_measured(page: str, said: str, file: Path, measured: str) -> None:
    assert said in words_of(DOCS / page)
    assert measured in words_of(file)


def test_the_table_of_speeds_is_the_newest_of_hw2() -> None:
    """Each row of the page, and what the text below it makes of them."""
    newest = RESULTS.read_text("utf-8").split("## hw2_encoder\n", 1)[1].split("\n## ", 1)[0]
    measured = {(row[0], row[1], row[2]): row for row in rows_of(newest) if len(row) == 10}

    def column(by: str, number: str, place: int) -> list[str]:
        classes = ("solved", "mixed", "wrong")
        return [measured[each, by, number][place] for each in classes]

    said = {row[0]: row[1:] for row in rows_of((DOCS / "scale.md").read_text("utf-8"))}
    one, two = "ours, --jobs=1", "ours, --jobs=2"
    stock = "stock nbgrader 0.9.6, visible checks without a sandbox: a minute"
    assert said[stock] == column("stock nbgrader", "8", 3)
    assert said["this kit, one worker, start included"] == column(one, "80", 3)
    assert said["two workers, start included"] == column(two, "80", 3)
    steady = "two workers, once they have started (after 7 to 13 s)"
    assert said[steady] == column(two, "80", 9)
    floor = "the floor: the students' code alone, in one warm interpreter"
    assert said[floor] == column("the floor", "80", 3)
    multiple = "processor time with two workers, as a multiple of the floor's"
    assert said[multiple] == column(two, "80", 6)
    starts = [float(each) for each in column(two, "80", 8)]
    assert (round(min(starts)), round(max(starts))) == (7, 13)
    times, fast = float(column("the floor", "80", 4)[0]), measured["solved", two, "80"]
    page = words_of(DOCS / "scale.md")
    assert f"twice the floor, which is {2 * times:.0f} times stock nbgrader" in page
    assert f"two workers reach {float(fast[4]) * int(fast[9]) / int(fast[3]):.0f} times" in page


@pytest.mark.slow
def test_the_picture_of_where_time_goes_is_that_of_the_tables() -> None:
    assert timeline.PICTURE.read_text("utf-8") == timeline.drawn(RESULTS.read_text("utf-8"))


def test_the_table_of_answers_is_that_of_the_files() -> None:
    is_there = page_of_results.table() in page_of_results.PAGE.read_text("utf-8")
    assert is_there, "paste what `python -m tests.mutants.page` prints"


@pytest.mark.parametrize(
    ("page", "quoted"),
    [
        ("README.md", "attention-root-forgotten"),
        ("docs/for-students.md", "attention-not-scaled"),
    ],
)
def test_a_message_that_a_page_quotes_is_one_that_students_get(page: str, quoted: str) -> None:
    (message,) = (
        mistake.variants[0].message
        for mistake in banks_of(KIT, "hw1_attention")["scaled_dot_product_attention"].singles()
        if mistake.variants[0].tag == quoted
    )
    (said,) = re.findall(r'\*"((?:Your|The) scores .*?)"\*', words_of(ROOT / page))
    assert message.startswith(said)


def words_of(page: Path) -> str:
    """The text of a page, as if it were one line."""
    return " ".join(page.read_text("utf-8").split())


def rows_of(text: str) -> Iterator[list[str]]:
    for line in re.findall(r"^\| (.*) \|$", text, re.MULTILINE):
        yield [cell.strip() for cell in line.split("|")]
