"""The level is found by trying, and each level that can be had is tested as the user who has it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.sandbox.host.probe import strongest, why_not
from autograder.sandbox.limits import Isolation
from tests.sandbox.plain_user import COURSE, UID

FIND = "from autograder.sandbox.host.probe import strongest; print(strongest({}))"
REFUSE = """
import errno, pyseccomp
rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
for name in {!r}:
    rules.add_rule(pyseccomp.ERRNO(errno.EPERM), name)
rules.load()
"""
TESTS = [
    f"tests/sandbox/{name}.py"
    for name in (
        *("guest/test_confinement", "guest/test_hidden_course", "guest/test_limits"),
        *("guest/test_old_kernels", "guest/test_channels", "host/test_lifetime"),
    )
]
NO_NAMESPACES = ["unshare"]
NOTHING = ["unshare", "landlock_create_ruleset"]


def python(*lines: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "\n".join(lines)]
    return subprocess.run(command, cwd=COURSE, text=True, capture_output=True, check=False)


def test_the_level_found_is_the_first_that_works() -> None:
    levels = [Isolation.ROOTNS, Isolation.USERNS, Isolation.LOCKDOWN]
    assert strongest() is next(level for level in levels if not why_not(level))


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes another user")
def test_where_python_is_roots_alone_it_is_said() -> None:
    places = Path(os.__file__).resolve().parents
    if all(place.stat().st_mode & 0o001 for place in places):
        pytest.skip("others may read Python here")
    assert "only root may read Python here" in why_not(Isolation.USERNS)


def test_unsafe_is_never_chosen_where_there_is_better() -> None:
    assert strongest(allow_unsafe=True) is strongest()


def test_where_namespaces_are_refused_filters_are_found() -> None:
    if why_not(Isolation.LOCKDOWN):
        pytest.skip("not offered here")
    assert python(REFUSE.format(NO_NAMESPACES), FIND.format("")).stdout == "lockdown\n"


def test_where_nothing_works_one_sentence_says_what_to_do() -> None:
    said = python(REFUSE.format(NOTHING), FIND.format("")).stderr.splitlines()[-1]
    assert "SandboxUnavailable: This machine can't confine students' code: run" in said


def test_where_libseccomp_is_missing_only_unsafe_works_and_it_is_said_what_to_install() -> None:
    done = python(
        "import sys; sys.modules['pyseccomp'] = None",
        "from autograder.sandbox.guest.confinement import AT_LEVEL",
        "from autograder.sandbox.limits import Isolation, Limits",
        "AT_LEVEL[Isolation.UNSAFE](Limits(), 0, (), '').lock()",
        "AT_LEVEL[Isolation.ROOTNS](Limits(), 0, (), '').drop_after_import()",
    )
    assert "OSError: libseccomp can't be loaded: install the package" in done.stderr


def test_where_nothing_works_unsafe_must_be_asked_for() -> None:
    assert python(REFUSE.format(NOTHING), FIND.format("allow_unsafe=True")).stdout == "unsafe\n"


@pytest.mark.exhaustive  # CI runs all tests as a plain user anyway
@pytest.mark.skipif(os.getuid() != 0, reason="a plain user runs these tests anyway")
def test_a_plain_user_is_confined_as_well() -> None:
    """Run the other tests of this folder again, as somebody with the levels of a plain user."""
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, UID, UID)
        plain_user = [sys.executable, "-m", "tests.sandbox.plain_user"]
        options = ["-pno:cacheprovider", f"--basetemp={folder}/tests", "-rs"]
        done = subprocess.run(
            [*plain_user, sys.executable, "-m", "pytest", *options, *TESTS],
            cwd=COURSE,
            env={"PATH": os.environ["PATH"], "HOME": folder},
            text=True,
            capture_output=True,
            check=False,
        )
        if "unshare" in done.stderr:
            pytest.skip("this root may not make namespaces")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
