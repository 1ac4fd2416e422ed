"""At level `lockdown` no file is made, changed or emptied, whatever version of Landlock there is.

Versions 1 and 2 (Linux 5.13 to 6.1) don't know that a file can be emptied: tests emulate them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.sandbox import kernel
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Isolation
from tests.conftest import offered
from tests.sandbox.conftest import LIMITS, Intruder

WORDS = "what its owner wrote"
GIVEN = "given.csv"
# Each way by which a process may try to empty, to lengthen or to make the file `path`.
WAYS = {
    "reading, and emptying it": "os.open(path, os.O_RDONLY | os.O_TRUNC)",
    "neither reading nor writing": "os.open(path, 3 | os.O_TRUNC)",
    "writing": "os.open(path, os.O_WRONLY | os.O_TRUNC)",
    "appending": "os.open(path, os.O_WRONLY | os.O_APPEND)",
    "by its folder": "os.open(name, 3 | os.O_TRUNC, dir_fd=os.open(folder, os.O_PATH))",
    "open": "libc.open(path.encode(), 3 | os.O_TRUNC)",
    "syscall": "libc.syscall(2, path.encode(), 3 | os.O_TRUNC, 0)",
    "odd bits above": "libc.syscall(257, -100, path.encode(), 3 | os.O_TRUNC | 1 << 40, 0)",
    "openat2": "libc.syscall(437, -100, path.encode(), (ctypes.c_uint64 * 3)(512 | 3), 24)",
    "creat": "libc.creat(path.encode(), 0o666)",
    "truncate": "libc.truncate(path.encode(), 0)",
    "ftruncate": "os.ftruncate(os.open(path, os.O_RDONLY), 0)",
    "fallocate": "os.posix_fallocate(os.open(path, os.O_RDONLY), 0, 100)",
    "removing": "os.remove(path)",
    "renaming": "os.rename(path, path + '~')",
    "linking": "os.link(path, path + '~')",
    "a new file": "os.open(path + '~', os.O_RDONLY | os.O_CREAT)",
    "a file without a name": "os.write(os.open(folder, os.O_TMPFILE | os.O_RDWR), b'x')",
    "a folder": "os.mkdir(path + '~')",
    "its mode": "os.chmod(path, 0o777)",
    "its times": "os.utime(path)",
    "its attributes": "os.setxattr(path, 'user.note', b'x')",
}


@pytest.fixture(scope="module", params=[1, 2, 3, "its own"])
def warm(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WarmProcess]:
    """A warm process on a kernel with one version of Landlock after the other."""
    level = offered(Isolation.LOCKDOWN)
    given = tmp_path_factory.mktemp("given") / GIVEN
    given.write_text(WORDS)
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "its own":
            patch.setenv(kernel.LANDLOCK_ABI, str(request.param))
        service, files = "tests.sandbox.inside", {GIVEN: given}
        with WarmProcess(level, LIMITS, preload=(), service=service, files=files) as warm:
            yield warm


@pytest.fixture
def victim(tmp_path: Path, intruder: Intruder) -> Path:
    """A file that belongs to the student's user, in a folder that does: only filters protect it."""
    path = tmp_path / "folder" / "thesis.txt"
    path.parent.mkdir()
    path.write_text(WORDS)
    if os.getuid() == 0:
        uid = intruder.run("import os; answer = os.getuid()")
        for each in (path, path.parent):
            os.chown(each, uid, uid)
        for parent in list(path.parents)[1:-1]:
            if not parent.stat().st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o001)
    return path


def attempt(intruder: Intruder, way: str, path: str) -> None:
    folder, _, name = path.rpartition("/")
    intruder.reply(
        "import ctypes, os; libc = ctypes.CDLL(None); "
        f"path, folder, name = {path!r}, {folder!r}, {name!r}; {way}"
    )


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_no_file_of_its_users_is_changed(intruder: Intruder, victim: Path, way: str) -> None:
    before = victim.stat()
    attempt(intruder, way, str(victim))
    after = victim.stat()
    assert victim.read_text() == WORDS
    assert (after.st_mode, after.st_mtime_ns, after.st_nlink) == (
        before.st_mode,
        before.st_mtime_ns,
        1,
    )
    assert list(victim.parent.iterdir()) == [victim]
    assert "user.note" not in os.listxattr(victim)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_no_file_that_it_may_read_is_changed(intruder: Intruder, way: str) -> None:
    path = intruder.run("import os; answer = os.getcwd()") + f"/{GIVEN}"
    attempt(intruder, way, path)
    assert Path(path).read_text() == WORDS
    assert intruder.run(f"answer = open({path!r}).read()") == WORDS


def test_all_can_still_be_thrown_away(intruder: Intruder) -> None:
    intruder.run(
        """
        import contextlib, os, pathlib
        with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
            print("nobody reads this")
        with open(pathlib.Path("/dev/null"), mode="wb") as null:
            null.write(b"nor this")
        pathlib.Path(os.devnull).write_text("nor this")
        """
    )


def test_root_keeps_no_right_but_to_read(intruder: Intruder) -> None:
    if os.getuid():
        pytest.skip("a plain user has no rights to give up")
    reading = 1 << kernel.CAP_DAC_READ_SEARCH
    status = Path(f"/proc/{intruder.child._pid}/status").read_text()
    held = [
        int(line.split()[1], 16) for line in status.splitlines() if line[:6] in ("CapPrm", "CapEff")
    ]
    assert held == [reading, reading]
