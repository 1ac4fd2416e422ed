"""What Classroom 50 runs on each submission, in a student's checkout, as its runner calls it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from autograder.course import Course
from autograder.platforms import classroom50
from autograder.platforms.packaging.bundle import write_package
from tests.notebooks import filled
from tests.toys import RIGHT, TOYS, WRONG

Text = Annotated[str, Field(min_length=1)]
RUNNER = {
    "CLASSROOM": "winter",
    "ASSIGNMENT": "week-1",
    "ASSIGNMENT_TYPE": "individual",
    "OWNER": "ada",
    "SUBMISSION_TAG": "submit/2026-10-05T12-00-00Z-abc1234",
    "COMMIT_URL": "https://example.org/winter-week-1-ada/commit/abc",
    "RELEASE_URL": "https://example.org/winter-week-1-ada/releases/tag/submit",
}


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class Test(BaseModel):
    """A test of `result.json`."""

    __test__ = False
    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=_kebab)

    test_name: Text
    passed: bool
    score: int
    max_score: int


class Result(BaseModel):
    """`result.json`, as Classroom 50 documents it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    schema_: Literal["classroom50/result/v1"] = Field(alias="schema")
    classroom: Text
    assignment: Text
    assignment_type: Literal["individual", "group", "team"]
    owner: str
    submission: Text
    commit: Text
    release: Text
    review: Text
    datetime: Text
    score: int
    max_score: int = Field(alias="max-score")
    tests: list[Test]

    @model_validator(mode="after")
    def _adds_up(self) -> Result:
        assert self.score == sum(test.score for test in self.tests)
        assert self.max_score == sum(test.max_score for test in self.tests)
        return self


@dataclass(frozen=True)
class Checkout:
    """A student's checkout, and the folder that the runner unpacked the package to."""

    folder: Path
    package: Path

    def run(
        self, files: Mapping[str, str], *inside: str, **more: str
    ) -> subprocess.CompletedProcess[str]:
        for name, text in files.items():
            (self.folder / name).write_text(text)
        own = {"PATH": os.environ["PATH"], "AUTOGRADER_PYTHON": sys.executable}
        return subprocess.run(
            [*(inside or ()), sys.executable, str(self.package / "autograder.py")],
            cwd=self.folder,
            env=own | RUNNER | more,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    @property
    def result(self) -> Result:
        return Result.model_validate_json((self.folder / "result.json").read_bytes())

    @property
    def body(self) -> str:
        return (self.folder / "release-body.md").read_text()

    @property
    def is_graded(self) -> bool:
        return (self.folder / "result.json").exists()


@pytest.fixture(scope="module")
def package(fresh: Course) -> Path:
    return write_package(fresh, "classroom50", TOYS)


@pytest.fixture
def checkout(package: Path, tmp_path: Path) -> Checkout:
    with zipfile.ZipFile(package) as archive:
        archive.extractall(tmp_path / "package")
    (tmp_path / "checkout").mkdir()
    return Checkout(tmp_path / "checkout", tmp_path / "package")


def solved(checkout: Checkout, answers: dict[str, str]) -> str:
    release = checkout.package / "grader" / "assignments" / TOYS / f"{TOYS}.ipynb"
    return json.dumps(filled(release, answers))


@pytest.mark.slow
def test_a_submission_gets_whole_numbers_in_hundredths_and_text_to_read(checkout: Checkout) -> None:
    done = checkout.run({"toys.ipynb": solved(checkout, WRONG)})
    assert done.returncode == 0, done.stderr
    result = checkout.result
    assert (result.score, result.max_score) == (600, 900)
    assert [(test.test_name, test.passed) for test in result.tests] == [
        ("double", False),
        ("Counter", True),
    ]
    assert (result.classroom, result.assignment, result.owner) == ("winter", "week-1", "ada")
    assert datetime.fromisoformat(result.datetime).tzinfo
    assert (
        "    ✗ Three becomes six. (0/1)".replace("Three becomes", "Twice three is") in checkout.body
    )
    assert "### why: not graded yet (2 points)" in checkout.body


@pytest.mark.slow
def test_files_in_the_checkout_are_neither_imported_nor_results(
    checkout: Checkout, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("untouched")
    for name in ("result.json", "release-body.md"):
        (checkout.folder / name).symlink_to(elsewhere)
    shadows = ("autograder", "numpy", "json", "pip", "venv", "sitecustomize", "conftest", "pytest")
    files = {f"{name}.py": "raise SystemExit('imported')" for name in shadows}
    done = checkout.run(files | {"toys.ipynb": solved(checkout, RIGHT)})
    assert done.returncode == 0, done.stderr
    assert checkout.result.score == 900
    assert elsewhere.read_text() == "untouched"


@pytest.mark.slow
def test_what_is_no_submission_gets_a_sentence_and_none_of_the_points(checkout: Checkout) -> None:
    done = checkout.run({"README.md": "Later."})
    assert done.returncode == 0
    assert (checkout.result.score, checkout.result.max_score) == (0, 900)
    assert "There is no notebook in what you handed in" in checkout.body


@pytest.mark.slow
def test_a_grader_that_fails_leaves_no_result_and_quotes_no_hidden_test(checkout: Checkout) -> None:
    tests = checkout.package / "grader" / "exercises" / TOYS / "hidden_tests" / "test_double.py"
    tests.write_text(tests.read_text().replace("np.array([2.0])", "np.arra([2.0])"))
    done = checkout.run({"toys.ipynb": solved(checkout, RIGHT), "result.json": "{}"})
    assert done.returncode == 1
    assert not checkout.is_graded
    assert "1 of the hidden tests failed through a fault of their own" in done.stderr
    assert "arra" not in done.stdout + done.stderr


@pytest.mark.slow
def test_without_the_runners_environment_it_says_what_is_missing(checkout: Checkout) -> None:
    done = checkout.run({"toys.ipynb": solved(checkout, RIGHT)}, CLASSROOM="")
    assert (done.returncode, checkout.is_graded) == (1, False)
    assert "The environment lacks CLASSROOM" in done.stderr


@pytest.mark.parametrize(
    ("score", "hundredths"), [(1 / 3, 33), (0.1 + 0.2, 30), (0.29, 29), (4.9999, 499), (5.0, 500)]
)
def test_scores_are_rounded_down_so_that_nothing_less_becomes_full_marks(
    score: float, hundredths: int
) -> None:
    test = classroom50._test("double", score, 5, passed=False)
    assert (test["score"], test["max-score"]) == (hundredths, 500)


def test_the_package_names_its_runtime_and_a_workflow_that_calls_it(package: Path) -> None:
    with zipfile.ZipFile(package) as archive:
        runtime = json.loads(archive.read("runtime.json"))
        workflow = yaml.safe_load(archive.read("workflow.yaml"))
        names = set(archive.namelist())
    assert runtime["python"] == f"{sys.version_info.major}.{sys.version_info.minor}"
    (job,) = workflow["jobs"].values()
    (step,) = [step for step in job["steps"] if "run" in step]
    assert step["run"] == "python3 ../package/autograder.py"
    needed = set(classroom50.NEEDED)
    assert needed <= step["env"].keys()
    assert not [value for value in step["env"].values() if "secrets" in value]
    assert {"autograder.py", "requirements.txt", f"grader/solutions/{TOYS}.py"} <= names
