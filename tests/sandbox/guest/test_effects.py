"""What a call prints, draws and writes becomes bounded plain data, and no link is followed."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from autograder.sandbox import wire
from autograder.sandbox.guest.effects import MAX_FILES, watching
from autograder.sandbox.limits import MAX_TEXT


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work as a student's process does: in its home, where it has written before."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "left_over.txt").write_text("by an earlier cell")
    (tmp_path / "given.txt").write_text("given")
    (tmp_path / "given.txt").chmod(0o444)
    yield tmp_path
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.txt", "left_over.txt"]


def written(*files: wire.TextFile) -> Any:
    """Run what follows `yield`, as a call that is watched for files."""
    return watching("files", files)


def test_files_are_those_of_this_call_alone() -> None:
    with written(wire.TextFile("in.txt", "1\n2\n")) as seen:
        assert Path("in.txt").read_text() == "1\n2\n"
        assert Path("given.txt").read_text() == "given"
        assert not Path("left_over.txt").exists()
        Path("left_over.txt").write_text("anew\r\n")
        Path("deeper").mkdir()
        Path("deeper/data.bin").write_bytes(b"\xff\x00")
        found = seen(None)
    assert found == {"left_over.txt": "anew\n", "deeper/data.bin": b"\xff\x00"}


def test_no_link_is_followed_and_nothing_but_files_is_read() -> None:
    with written() as seen:
        Path("link").symlink_to("/etc/passwd")
        Path("folder").symlink_to("/etc")
        os.mkfifo("pipe")
        assert seen(None) == {}


def test_large_files_and_many_are_refused() -> None:
    with written() as seen:
        with Path("sparse").open("wb") as file:
            file.truncate(10**9)
        with pytest.raises(wire.WireError, match="the file sparse has more than 200,000 bytes"):
            seen(None)
    with written() as seen:
        for number in range(MAX_FILES + 1):
            Path(str(number)).touch()
        with pytest.raises(wire.WireError, match="more than 20 files"):
            seen(None)


def test_what_is_printed_has_no_blanks_that_nobody_sees_and_is_bounded() -> None:
    with watching("printed", []) as seen:
        print("a  \n\n b\t\n\n")
    assert seen(None) == "a\n\n b"
    with watching("printed", []) as seen:
        for _ in range(3):
            print("x" * MAX_TEXT)
    with pytest.raises(wire.WireError, match="prints more than 200,000 characters"):
        seen(None)


def test_a_figure_is_its_numbers_and_words_whichever_way_it_was_drawn() -> None:
    plt.title("drawn before")
    with watching("figure", []) as seen:
        figure, (first, second) = plt.subplots(1, 2)
        first.plot([1, 2], [3, np.nan], label="line")
        first.hist([0.0, 0.1, 1.0], bins=2)
        first.legend()
        second.scatter([1, 2], [5, 6])
        second.barh(["a", "b"], [7, 8])
        drawn = [seen(each) for each in (figure, first, np.array([first, second]), None)]
    for left, right in drawn:
        assert (left["title"], left["legend"]) == ("", ["line"])
        assert left["lines"][0]["x"].tolist() == [1, 2]
        assert np.isnan(left["lines"][0]["y"][1])
        assert left["bars"][0]["y"].tolist() == [2, 1]
        assert left["bars"][0]["x"].tolist() == [0.25, 0.75]
        assert right["points"][0]["y"].tolist() == [5, 6]
        assert (right["bars"][0]["x"].tolist(), right["bars"][0]["y"].tolist()) == ([0, 1], [7, 8])
    assert plt.get_fignums() == []


def test_where_nothing_is_drawn_there_are_no_axes() -> None:
    with watching("figure", []) as seen:
        pass
    assert seen(3) == []
