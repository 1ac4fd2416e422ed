"""What decides a score is in the hash of the rules, and nothing else is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.grading.settings import Settings
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.limits import Limits
from tests.toys import ROOT

HW1 = "hw1_attention"
Kit = tuple[Settings, Path]


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """A copy of the course and of the package, to change."""
    for name in ("solutions", "assignments", "autograder"):
        shutil.copytree(ROOT / name, tmp_path / name)
    package = tmp_path / "autograder"
    monkeypatch.setattr(rules, "_ENGINE", package)
    monkeypatch.setattr(rules, "EXERCISES", package / "exercises")
    return Settings(Course(tmp_path), Isolation.ROOTNS), tmp_path


@pytest.mark.parametrize(
    "path",
    [
        f"autograder/exercises/{HW1}/hidden_tests/test_softmax.py",
        f"autograder/exercises/{HW1}/misconceptions/softmax/formula.py",
        f"autograder/exercises/{HW1}/conftest.py",
        "autograder/exercises/drawing.py",
        "autograder/sandbox/runner.py",
        f"assignments/{HW1}/{HW1}.ipynb",
        f"solutions/{HW1}.py",
    ],
)
def test_a_change_of_what_decides_a_score_changes_the_rules(kit: Kit, path: str) -> None:
    settings, root = kit
    before = rules_of(settings, HW1)
    (root / path).write_text((root / path).read_text() + "\n")
    assert rules_of(settings, HW1) != before


@pytest.mark.parametrize(
    "path",
    [
        "autograder/exercises/hw2_encoder/hidden_tests/test_Encoder.py",
        "autograder/gradebook/comments.py",
        "solutions/hw2_encoder.py",
    ],
)
def test_what_decides_other_scores_or_none_does_not(kit: Kit, path: str) -> None:
    settings, root = kit
    before = rules_of(settings, HW1)
    (root / path).write_text((root / path).read_text() + "\n")
    assert rules_of(settings, HW1) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda settings: replace(settings, seed=1),
        lambda settings: replace(settings, isolation=Isolation.LOCKDOWN),
        lambda settings: replace(settings, limits=Limits(call_seconds=1)),
        lambda settings: replace(settings, brief=True),
    ],
)
def test_settings_are_rules(kit: Kit, change: Callable[[Settings], Settings]) -> None:
    settings, _ = kit
    assert rules_of(change(settings), HW1) != rules_of(settings, HW1)
