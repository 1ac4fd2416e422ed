"""What is about students, and the seed, is for who grades alone, or for the group that grades."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course.course import SEED_FILE
from autograder.report import Report
from tests.commands import autograder_under, environment, run
from tests.courses import ROOT
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, with_settings

pytestmark = pytest.mark.slow
OTHERS = stat.S_IRWXO
SEED = 8_675_309_123_456_789
TERM = (
    ("grade",),
    ("feedback",),
    ("report",),
    ("export", "--to", "csv"),
    ("check", "--json", f"submitted/ada/{TOYS}/{TOYS}.ipynb"),
    ("package", "gradescope", TOYS),
)
# Two users of one group, in a mount namespace of their own: see tests.sandbox.plain_user.
AS_TA = """
import os, sys
from tests.sandbox import plain_user
from autograder.sandbox import kernel
kernel.unshare(kernel.CLONE_NEWNS)
kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
plain_user.make_reachable()
os.setgroups([])
os.setresgid(60_000, 60_000, 60_000)
os.setresuid(*3 * [int(sys.argv[1])])
os.environ["HOME"] = "/nowhere"
os.execv(sys.executable, [sys.executable, "-m", "autograder", *sys.argv[2:]])
"""


@pytest.fixture
def mask() -> Iterator[None]:
    """A umask that closes nothing."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder that other users can reach."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def written(root: Path, *, but: set[Path]) -> set[Path]:
    return {path for path in root.rglob("*") if path not in but and not path.is_symlink()}


def test_a_term_leaves_nothing_that_others_can_read_and_its_seed_in_one_file(
    toys: ToyClass, mask: None
) -> None:
    root = toys.course.root
    toys.hand_in("ada", RIGHT)
    (root / "course.toml").write_text('id = "toys"\n')  # which names no seed
    given, said = written(root, but=set()), ""
    for words in TERM:
        if words == ("grade",):  # its workers begin with the rights of the program
            done = run(root, "-m", "autograder", *words)
        else:
            done = autograder_under(0, root, *words)
        assert done.returncode == 0, done.stderr
        said += done.stdout + done.stderr
    ours = written(root, but=given)
    assert {"ada.json", f"{TOYS}.html"} <= {path.name for path in ours}
    open_ = [path for path in ours if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
    assert not open_
    seed = (root / SEED_FILE).read_text().strip()
    files = {path for path in ours if path.is_file() and path.parent != toys.course.packages}
    assert [path for path in files if seed.encode() in path.read_bytes()] == [root / SEED_FILE]
    assert seed not in said


def test_a_report_of_an_earlier_version_is_read_without_its_seed(toys: ToyClass) -> None:
    toys.hand_in("ada", RIGHT)
    report = toys.report("ada", *[])
    old = json.loads(report.to_json()) | {"seed": SEED}
    assert Report.model_validate_json(json.dumps(old)) == report


@pytest.mark.exhaustive  # it starts six programs
@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes two users")
def test_two_users_of_a_group_grade_one_course_and_nobody_else_reads_it(
    toys: ToyClass, mask: None, outside: Path
) -> None:
    for name in ("ada", "bo"):
        toys.hand_in(name, RIGHT)
    root = outside / "course"
    shutil.copytree(toys.course.root, root)
    with_settings(root, 'share = "group"\n')
    for path in (root, *root.rglob("*")):
        os.chown(path, 60_001, 60_000)
        path.chmod(0o2770 if path.is_dir() else 0o660)
    for user, words in ((60_001, "grade"), (60_002, "grade --force"), (60_001, "feedback")):
        done = subprocess.run(
            [sys.executable, "-c", AS_TA, str(user), *words.split()],
            cwd=root,
            env=environment(PYTHONPATH=str(ROOT), TMPDIR="/tmp"),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert {path.stat().st_uid for path in written(root, but=set())} == {60_001, 60_002}
    assert not [path for path in written(root, but=set()) if path.stat().st_mode & OTHERS]
