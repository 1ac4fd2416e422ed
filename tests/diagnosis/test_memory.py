"""What suspects have replied is remembered, within a bound, and handed on as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis import memory
from autograder.diagnosis.memory import Answer, Memory
from autograder.sandbox import wire
from autograder.sandbox.guest.output import described

ONE, TWO = b"\x01" * 32, b"\x02" * 32  # histories
MUCH = 1 << 20  # bytes


def reply(number: float, length: int = 3) -> bytes:
    return wire.pack({"value": np.full(length, number), "changed": False, "output": ""})


def value_of(known: Memory, suspect: str, history: bytes = ONE) -> list[float] | None:
    """Return what a suspect is remembered to have replied, if it is."""
    answer = known.of(suspect, history)
    return answer.reply["value"].tolist() if answer else None


def test_what_one_process_has_found_another_learns() -> None:
    here, there = Memory(), Memory()
    here.add("softmax:no-shift", ONE, reply(0.5), True)
    there.learn(here.news(MUCH))
    found = there.of("softmax:no-shift", ONE)
    assert found is not None
    assert found.used_random
    np.testing.assert_array_equal(found.reply["value"], [0.5, 0.5, 0.5])
    assert there.of("softmax:", ONE) is None
    assert there.of("softmax:no-shift", TWO) is None


def test_equal_answers_are_kept_once() -> None:
    kept = Memory()
    first = kept.add("a", ONE, reply(1), False)
    assert kept.add("b", ONE, reply(1), False) is first
    assert kept.of("b", ONE) is first
    assert kept.add("c", ONE, reply(1), True) is not first
    assert kept.add("d", ONE, reply(2), False) is not first


def test_news_are_told_once_and_what_was_learned_is_no_news() -> None:
    here, there = Memory(), Memory()
    here.add("a", ONE, reply(1), False)
    news = here.news(MUCH)
    there.learn(news)
    assert (here.news(MUCH), there.news(MUCH)) == (b"", b"")


def test_what_both_know_is_not_told_again_with_who_else_replied_so() -> None:
    here, there = Memory(), Memory()
    here.add("a", ONE, reply(1, length=10_000), False)
    there.learn(here.news(MUCH))
    there.add("b", ONE, reply(1, length=10_000), False)
    news = there.news(MUCH)
    assert len(news) < 10_000
    here.learn(news)
    assert value_of(here, "b") == [1.0] * 10_000


def test_what_is_taken_for_known_and_is_not_is_left_out() -> None:
    here, there = Memory(), Memory()
    here.add("a", ONE, reply(1), False)
    here.news(MUCH)  # which nobody learns
    here.add("b", ONE, reply(1), False)
    here.add("c", ONE, reply(2), False)
    there.learn(here.news(MUCH))
    assert (value_of(there, "b"), value_of(there, "c")) == (None, [2.0] * 3)


def test_what_is_too_much_for_a_frame_is_told_in_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_CHUNK", 3000)
    monkeypatch.setattr(memory, "MAX_KEYS", 4)
    here, there = Memory(), Memory()
    for number in range(30):
        here.add(f"{number}", ONE, reply(number % 10, length=100), number == 17)
    there.learn(here.news(MUCH))
    assert [value_of(there, f"{number}") for number in range(30)] == [
        [float(number % 10)] * 100 for number in range(30)
    ]
    assert [n for n in range(30) if (kept := there.of(f"{n}", ONE)) and kept.used_random] == [17]


def test_a_reply_too_large_to_be_handed_on_is_kept_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_CHUNK", 3000)
    here, there = Memory(), Memory()
    here.add("large", ONE, reply(1, length=1000), False)
    here.add("small", ONE, reply(2), False)
    there.learn(here.news(MUCH))
    assert (value_of(here, "large"), value_of(there, "large")) == ([1.0] * 1000, None)
    assert value_of(there, "small") == [2.0] * 3


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        type("_ArrayMemoryError", (MemoryError,), {})("Unable to allocate 9.00 TiB"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to"),
    ],
    ids=["python", "numpy", "torch"],
)
def test_for_lack_of_memory_here_nobody_else_has_to_suffer(error: Exception) -> None:
    here, there = Memory(), Memory()
    here.add("a", ONE, wire.pack({"error": described(error), "output": ""}), False)
    here.add("b", ONE, wire.pack({"error": described(ValueError()), "output": ""}), False)
    there.learn(here.news(MUCH))
    there.learn(here.after({ONE}, MUCH))
    assert here.of("a", ONE)
    assert (there.of("a", ONE), there.of("b", ONE) is not None) == (None, True)


def test_news_that_do_not_fit_are_left_out_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_KEYS", 1)
    here, there = Memory(), Memory()
    here.add("small", ONE, reply(1), False)
    here.add("large", ONE, reply(2, length=10_000), False)
    there.learn(here.news(10_000))
    assert (value_of(there, "small"), value_of(there, "large")) == ([1.0] * 3, None)


def test_what_is_known_of_some_calls_is_told_alone() -> None:
    here, there = Memory(), Memory()
    here.add("a", ONE, reply(1), False)
    here.add("a", TWO, reply(2), False)
    there.learn(here.after({TWO}, MUCH))
    assert (value_of(there, "a", ONE), value_of(there, "a", TWO)) == (None, [2.0] * 3)
    assert here.after({ONE, TWO}, 10) == b""  # which isn't enough for anything
    assert here.news(MUCH)  # is still to be told


def test_no_more_is_kept_than_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_BYTES", 100_000)
    kept = Memory()
    for number in range(50):
        kept.add(f"{number}", ONE, reply(number, length=1000), False)
        assert len(kept) <= 12
    kept.news(MUCH)  # of what was forgotten there is no news
    for number in range(2000):
        kept.add(f"{number}", ONE, reply(1), False)
        assert len(kept) <= 400


def frame(**changed: Any) -> bytes:
    """Make news of one answer, with parts replaced."""
    here = Memory()
    here.add("a", ONE, reply(1), False)
    return wire.pack({**wire.unpack(here.news(MUCH)), **changed})


def test_a_frame_that_is_all_right_is_learned() -> None:
    there = Memory()
    there.learn(frame())
    assert value_of(there, "a") == [1.0] * 3


@pytest.mark.parametrize(
    "changed",
    [
        {"suspects": []},
        {"suspects": 3},
        {"histories": np.zeros(0, np.uint8)},
        {"answers": "x"},
        {"known": np.array([0, 7, 0], np.uint32)},
        {"known": np.array([0, 0], np.uint32)},
        {"sizes": np.zeros(2, np.uint32)},
        {"replies": np.zeros(9, np.uint8), "sizes": np.array([9], np.uint32)},
        {"used_random": None},
    ],
    ids=str,
)
def test_news_with_a_part_that_does_not_fit_are_refused(changed: Mapping[str, Any]) -> None:
    damaged = frame(**changed)
    there = Memory()
    if "replies" in changed:  # nobody asks for a reply that has another digest
        there.learn(damaged)
    else:
        with pytest.raises(wire.WireError):
            there.learn(damaged)
    assert len(there) == 0


@pytest.mark.parametrize("content", [b"xyz", wire.pack({"value": 1})], ids=["cut off", "no reply"])
def test_an_answer_that_is_no_reply_is_refused_whatever_its_digest(content: bytes) -> None:
    damaged = frame(
        answers=np.frombuffer(Answer(content, False).digest, np.uint8),
        sizes=np.array([len(content)], np.uint32),
        replies=np.frombuffer(content, np.uint8),
    )
    there = Memory()
    there.recall(damaged)
    with pytest.raises(wire.WireError):
        there.learn(damaged)
    assert len(there) == 0


@pytest.mark.parametrize("bytes_", [b"x", b"\x00" * 8, b"\x00\x00\x00\x02\x00\x00\x00\x00{}"])
def test_what_is_no_news_is_refused(bytes_: bytes) -> None:
    with pytest.raises(wire.WireError):
        Memory().learn(bytes_)
