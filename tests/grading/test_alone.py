"""A notebook that is graded alone gets the report that it would get in a class."""

import json
import threading
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.grading.alone import check_file, grade_alone
from autograder.grading.settings import Settings
from autograder.grading.worker import grade_bytes
from autograder.sandbox.host.probe import strongest
from autograder.work.processes import call_beside
from tests.courses import KIT, solved
from tests.notebooks import filled
from tests.toys import RIGHT, TOYS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def settings(fresh: Course) -> Settings:
    return Settings(fresh, strongest())


@pytest.mark.parametrize("name", [f"{TOYS}.ipynb", "my final version (2).ipynb"])
@pytest.mark.parametrize("double", [RIGHT["double"], "def double(x):\n    return x"])
def test_whatever_the_file_is_called(
    settings: Settings, tmp_path: Path, name: str, double: str
) -> None:
    release = settings.course.release_path(TOYS)
    path = tmp_path / name
    path.write_text(json.dumps(filled(release, RIGHT | {"double": double})))
    report = call_beside(check_file, path, settings)
    assert report == call_beside(grade_bytes, path.read_bytes(), settings, TOYS)


@pytest.mark.parametrize("changed", [{}, {"softmax": "def softmax(x):\n    return x / x.sum()"}])
def test_its_report_is_that_of_a_notebook_in_a_class(
    tmp_path: Path, changed: dict[str, str]
) -> None:
    settings, name = Settings(KIT, strongest()), "hw1_attention"
    answers = solved(KIT, name) | changed
    path = tmp_path / f"{name}.ipynb"
    path.write_text(json.dumps(filled(KIT.release_path(name), answers)))
    report = call_beside(check_file, path, settings)
    assert report == call_beside(grade_bytes, path.read_bytes(), settings, name)


def test_a_file_that_has_the_name_of_another_assignment_is_graded_as_what_it_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "hw2_encoder.ipynb"
    path.write_bytes(KIT.release_path("hw1_attention").read_bytes())
    report = call_beside(check_file, path, Settings(KIT, strongest()))
    assert (report.assignment, report.score) == ("hw1_attention", 0)


def test_a_process_with_several_threads_has_it_done_beside_it(
    settings: Settings, tmp_path: Path
) -> None:
    path = tmp_path / f"{TOYS}.ipynb"
    path.write_text(json.dumps(filled(settings.course.release_path(TOYS), RIGHT)))
    ended = threading.Event()
    threading.Thread(target=ended.wait).start()
    try:
        report = check_file(path, settings)
        assert report == grade_alone(path.read_bytes(), settings, TOYS)
    finally:
        ended.set()
    assert report == call_beside(grade_bytes, path.read_bytes(), settings, TOYS)


def test_a_file_that_is_of_no_assignment_is_refused(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / f"{TOYS}.ipynb"
    path.write_text('{"nbformat": 4, "cells": []}')
    with pytest.raises(SubmissionError, match="belongs to no assignment"):
        call_beside(check_file, path, settings)
    with pytest.raises(SubmissionError, match=r"The file can't be read \(No such file"):
        call_beside(check_file, tmp_path / "gone.ipynb", settings)
