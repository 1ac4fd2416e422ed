"""What suspects have replied is remembered, within a bound, and handed on as plain data."""

import numpy as np
import pytest

from autograder.diagnosis import memory
from autograder.diagnosis.memory import Answer, Memory
from autograder.sandbox.wire import WireError

KEY = b"\x01" * 32


def answer(number: float, length: int = 3) -> Answer:
    return Answer({"value": np.full(length, number), "changed": False, "output": ""}, True)


def test_what_one_process_has_found_another_learns() -> None:
    here, there = Memory(), Memory()
    here.add("softmax:no-shift", KEY, answer(0.5))
    there.learn(here.news(1 << 20))
    found = there.of("softmax:no-shift", KEY)
    assert found is not None
    assert found.used_random
    np.testing.assert_array_equal(found.reply["value"], [0.5, 0.5, 0.5])
    assert there.of("softmax:", KEY) is None


def test_news_are_told_once_and_what_was_learned_is_no_news() -> None:
    here, there = Memory(), Memory()
    here.add("a", KEY, answer(1))
    news = here.news(1 << 20)
    there.learn(news)
    assert (here.news(1 << 20), there.news(1 << 20)) == (b"", b"")


def test_news_that_do_not_fit_are_left_out_whole() -> None:
    here, there = Memory(), Memory()
    here.add("small", KEY, answer(1))
    here.add("large", KEY, answer(2, length=10_000))
    there.learn(here.news(10_000))
    assert (there.of("small", KEY) is not None, there.of("large", KEY)) == (True, None)


def test_no_more_is_kept_than_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_BYTES", 100_000)
    kept = Memory()
    for number in range(50):
        kept.add(f"{number}", KEY, answer(number, length=1000))
        assert len(kept) <= 12
    kept.news(1 << 20)  # of what was forgotten there is no news


@pytest.mark.parametrize("bytes_", [b"x", b"\x00" * 8, b"\x00\x00\x00\x02\x00\x00\x00\x00{}"])
def test_what_is_no_news_is_refused(bytes_: bytes) -> None:
    with pytest.raises(WireError):
        Memory().learn(bytes_)
