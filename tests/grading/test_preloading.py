"""Students' processes find imported what homework needs, however late a package imports it."""

from collections.abc import Iterator

import pytest

from autograder.grading.warming import needed_by_many
from autograder.intake.release import Release
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Limits
from tests.courses import KIT
from tests.sandbox.conftest import Intruder

MASKED_ATTENTION = """
    import sys, torch
    before = set(sys.modules)
    x, hidden = torch.ones(1, 2, 4), torch.tensor([[False, True]])
    torch.nn.MultiheadAttention(4, 2, batch_first=True)(x, x, x, key_padding_mask=hidden)
    answer = len(set(sys.modules) - before)
"""
AN_OPTIMISER = """
    import sys, torch
    before = set(sys.modules)
    torch.optim.Adam(torch.nn.Linear(1, 1).parameters())
    answer = len(set(sys.modules) - before)
"""


@pytest.fixture(scope="module")
def warm() -> Iterator[WarmProcess]:
    """What students' processes are forked from: to import so much takes seconds."""
    preload = needed_by_many(Release.load(KIT, "hw3_transformer"))
    with WarmProcess(strongest(), Limits(), preload, service="tests.sandbox.inside") as warm:
        yield warm


@pytest.mark.slow
@pytest.mark.parametrize("source", [MASKED_ATTENTION, AN_OPTIMISER])
def test_nothing_is_left_to_import_at_first_use(warm: WarmProcess, source: str) -> None:
    with Intruder(warm.spawn()) as student:
        assert student.run(source) == 0
