"""What is asked of an exercise finds the settings that the given cells left."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.sandbox.guest.settings import ProcessSettings

torch = pytest.importorskip("torch")
RUN, GIVEN = {"op": "run"}, {"op": "run", "given": True}
# What a student may set in a cell, and how to see it.
SET: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "dtype": (lambda: torch.set_default_dtype(torch.float64), lambda: torch.empty(1).dtype),
    "device": (lambda: torch.set_default_device("meta"), lambda: torch.empty(1).device),
    "an absent device": (lambda: torch.set_default_device("cuda"), lambda: torch.empty(1).device),
    "gradients": (lambda: torch.set_grad_enabled(False), torch.is_grad_enabled),
    "determinism": (
        lambda: torch.use_deterministic_algorithms(True),
        torch.are_deterministic_algorithms_enabled,
    ),
    "anomalies": (
        lambda: torch.autograd.set_detect_anomaly(True),
        torch.is_anomaly_enabled,
    ),
    "threads": (lambda: torch.set_num_threads(3), torch.get_num_threads),
    "precision": (
        lambda: torch.set_float32_matmul_precision("medium"),
        torch.get_float32_matmul_precision,
    ),
    "NumPy's errors": (lambda: np.seterr(all="raise"), np.geterr),
    "warnings": (
        lambda: warnings.filterwarnings("ignore", "a habit"),
        lambda: list(warnings.filters),
    ),
    "recursion": (lambda: sys.setrecursionlimit(5000), sys.getrecursionlimit),
    "folder": (lambda: os.chdir("/"), os.getcwd),
}


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Leave everything as it was."""
    before = ProcessSettings()
    yield
    with before.of({"op": "call"}):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("name", SET)
def test_a_students_cell_sets_it_for_their_cells_alone(name: str) -> None:
    change, look = SET[name]
    settings, before = ProcessSettings(), look()
    with settings.of(dict(RUN)):
        change()
        own = _seen(look)
    assert own != before
    with settings.of({"op": "call"}):
        assert look() == before
    with settings.of(dict(RUN)):
        assert _seen(look) == own


@pytest.mark.parametrize("name", ["dtype", "NumPy's errors", "folder"])
def test_a_given_cell_sets_it_for_all_that_follows(name: str) -> None:
    change, look = SET[name]
    settings = ProcessSettings()
    with settings.of(dict(GIVEN)):
        change()
        given = look()
    for operation in ("call", "run", "call"):
        with settings.of({"op": operation}):
            assert look() == given


def test_a_given_cell_is_run_with_given_settings_and_leaves_a_students_alone() -> None:
    settings = ProcessSettings()
    with settings.of(dict(RUN)):
        torch.set_default_dtype(torch.float64)
    with settings.of(dict(GIVEN)):
        assert torch.get_default_dtype() is torch.float32
    with settings.of(dict(RUN)):
        assert torch.get_default_dtype() is torch.float64


def test_what_a_call_sets_is_gone_at_the_next() -> None:
    settings = ProcessSettings()
    with settings.of({"op": "call"}):
        torch.set_grad_enabled(False)
    with settings.of({"op": "call"}):
        assert torch.is_grad_enabled()


def test_a_folder_that_is_gone_is_left(tmp_path: Path) -> None:
    settings, gone = ProcessSettings(), tmp_path / "gone"
    gone.mkdir()
    before = Path.cwd()
    with settings.of(dict(RUN)):
        os.chdir(gone)
        gone.rmdir()
    with settings.of({"op": "call"}):
        assert Path.cwd() == before


def _seen(look: Any) -> Any:
    try:
        return look()
    except (AssertionError, RuntimeError) as error:  # a device that isn't there
        return str(error)
