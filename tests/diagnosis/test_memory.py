"""What suspects have replied is remembered, within a bound, and handed on as plain data."""

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis import memory
from autograder.diagnosis.memory import Memory, ReplyFile
from autograder.sandbox import wire
from autograder.sandbox.guest.runner import described

ONE, TWO = b"\x01" * 32, b"\x02" * 32  # histories


def reply(number: float, length: int = 3) -> bytes:
    return wire.pack({"value": np.full(length, number), "changed": False, "output": ""})


def value_of(known: Memory, suspect: str, history: bytes = ONE) -> list[float] | None:
    """Return what a suspect is remembered to have replied, if it is."""
    found = known.of(suspect, history)
    return found.message["value"].tolist() if found else None


def learned(here: Memory) -> Memory:
    """Return the memory of another process, which has learned what was found here."""
    there = Memory()
    there.learn(here.found())
    return there


def test_what_one_process_has_found_another_learns() -> None:
    here = Memory()
    here.add("softmax:no-shift", ONE, reply(0.5), True)
    there = learned(here)
    assert value_of(there, "softmax:no-shift") == [0.5] * 3
    assert there.of("softmax:", ONE) is None
    assert there.of("softmax:no-shift", TWO) is None


def test_equal_replies_are_kept_and_told_once() -> None:
    here, large = Memory(), reply(1, length=10_000)
    first = here.add("a", ONE, large, False)
    assert here.add("b", ONE, large, False) is first
    assert here.add("c", ONE, large, True) is not first
    assert here.add("d", ONE, reply(2), False) is not first
    assert len(here.found()) < 200_000
    there = learned(here)
    assert value_of(there, "b") == [1.0] * 10_000
    assert there.of("a", ONE) is there.of("b", ONE)


def test_what_was_learned_was_not_found_here() -> None:
    here = Memory()
    here.add("a", ONE, reply(1), False)
    assert len(learned(learned(here))) == 0


def test_what_does_not_fit_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_FOUND", 10_000)
    here = Memory()
    here.add("large", ONE, reply(1, length=10_000), False)
    here.add("small", ONE, reply(2), False)
    there = learned(here)
    assert (value_of(here, "large"), value_of(there, "large")) == ([1.0] * 10_000, None)
    assert value_of(there, "small") == [2.0] * 3


def test_of_many_replies_as_many_are_told_as_a_frame_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MAX_ITEMS", 20)
    here = Memory()
    for number in range(30):
        here.add(f"{number}", ONE, reply(number), number == 17)
    there = learned(here)
    assert [value_of(there, f"{n}") for n in range(20)] == [[float(n)] * 3 for n in range(20)]
    assert [n for n in range(30) if (kept := there.of(f"{n}", ONE)) and kept.used_random] == [17]


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
    here = Memory()
    here.add("a", ONE, wire.pack({"error": described(error), "output": ""}), False)
    here.add("b", ONE, wire.pack({"error": described(ValueError()), "output": ""}), False)
    there = learned(here)
    assert here.of("a", ONE)
    assert (there.of("a", ONE), there.of("b", ONE) is not None) == (None, True)


def test_no_more_is_kept_than_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_BYTES", 100_000)
    kept = Memory()
    for number in range(50):
        kept.add(f"{number}", ONE, reply(number, length=1000), False)
        assert len(kept) <= 12
    kept.found()  # what was forgotten is left out
    for number in range(2000):
        kept.add(f"{number}", ONE, reply(1), False)
        assert len(kept) <= 400


SOUND = ["a", ONE.hex(), 0]
REPLY = [np.frombuffer(reply(1), np.uint8), False]


@pytest.mark.parametrize(
    ("known", "replies"),
    [
        ([["a", ONE.hex(), 7]], [REPLY]),
        ([["a", "no digits", 0]], [REPLY]),
        ([["a", ONE.hex()]], [REPLY]),
        ([["a", ONE.hex(), "0"]], [REPLY]),
        (3, [REPLY]),
        ([SOUND], None),
        ([SOUND], [["a frame", False]]),
        ([SOUND], [[np.frombuffer(b"xyz", np.uint8), False]]),
        ([SOUND], [[np.frombuffer(wire.pack({"value": 1}), np.uint8), False]]),
    ],
)
def test_what_is_not_sound_is_refused_whole(known: Any, replies: Any) -> None:
    there = Memory()
    with pytest.raises(wire.WireError):
        there.learn(wire.pack({"known": known, "replies": replies}))
    assert len(there) == 0


@pytest.mark.parametrize("content", [b"x", b"\x00" * 8, b"\x00\x00\x00\x02\x00\x00\x00\x00{}"])
def test_what_was_not_found_by_anybody_is_refused(content: bytes) -> None:
    with pytest.raises(wire.WireError):
        Memory().learn(content)


def written(file: ReplyFile, **values: float) -> None:
    """Have a process that keeps `file` learn what another found: a value for each suspect."""
    here = Memory()
    for suspect, value in values.items():
        here.add(suspect, ONE, reply(value), False)
    Memory(file).learn(here.found())


@pytest.fixture
def file(tmp_path: Path) -> ReplyFile:
    return ReplyFile(tmp_path / "replies" / "now.db")


def test_what_one_process_has_learned_all_find_in_the_file(file: ReplyFile) -> None:
    written(file, a=1, b=2)
    written(file, b=2, c=3)
    another = Memory(ReplyFile(file.path))
    found = [value_of(another, suspect) for suspect in ("a", "b", "c", "d")]
    assert found == [[1.0] * 3, [2.0] * 3, [3.0] * 3, None]
    assert another.of("a", TWO) is None


def test_what_is_found_in_the_file_the_process_that_waits_learns_too(file: ReplyFile) -> None:
    written(file, a=1)
    forked = Memory(ReplyFile(file.path))
    forked.of("a", ONE)
    file.path.unlink()
    assert value_of(learned(forked), "a") == [1.0] * 3


def test_a_file_that_is_deleted_or_damaged_costs_only_what_it_held(file: ReplyFile) -> None:
    written(file, a=1)
    file.path.write_bytes(b"no database" * 1000)
    assert Memory(ReplyFile(file.path)).of("a", ONE) is None
    written(file, b=2)  # finds out, and removes it
    written(file, c=3)
    another = Memory(ReplyFile(file.path))
    assert [value_of(another, each) for each in ("a", "b", "c")] == [None, None, [3.0] * 3]
    file.path.unlink()
    assert Memory(ReplyFile(file.path)).of("c", ONE) is None


def test_a_reply_that_was_changed_in_the_file_is_not_known(file: ReplyFile) -> None:
    written(file, a=1, b=2)
    with sqlite3.connect(file.path) as database:
        database.execute("UPDATE replies SET frame = ? WHERE frame = ?", (reply(7), reply(1)))
    another = Memory(ReplyFile(file.path))
    assert [value_of(another, each) for each in ("a", "b")] == [None, [2.0] * 3]


def test_where_no_file_can_be_made_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    file = ReplyFile(tmp_path / "a file" / "now.db")
    written(file, a=1)
    assert Memory(file).of("a", ONE) is None


def test_a_file_that_is_full_keeps_what_it_has(
    file: ReplyFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(file, a=1)
    monkeypatch.setattr(memory, "_TABLES", "PRAGMA max_page_count = 8;")
    here = Memory()
    here.add("large", ONE, reply(1, length=100_000), False)
    Memory(file).learn(here.found())
    another = Memory(ReplyFile(file.path))
    assert (value_of(another, "a"), another.of("large", ONE)) == ([1.0] * 3, None)


def test_the_oldest_files_of_an_assignment_are_removed(tmp_path: Path) -> None:
    for number in range(6):
        written(ReplyFile(tmp_path / f"{number}.db"), a=number)
    assert {path.name for path in tmp_path.iterdir()} == {"3.db", "4.db", "5.db"}
