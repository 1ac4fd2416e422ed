"""A course works wherever it lies, and whatever the machine around it is like."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.courses import ROOT
from tests.desk.test_command import running
from tests.new_courses import made
from tests.toy_class import ToyClass

UNKNOWN = "54321"  # no user has this id
BARE = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
CSV = "Student,ID,SIS Login ID,HW (7)\n    Points Possible,,,10\nNguyễn Bảo,102,bảo,\n"
STEPS = (  # of a term, after the release
    ("roster", "import", "grades é.csv"),
    ("grade",),
    ("feedback",),
    ("report",),
    ("export", "--to", "canvas", "grades é.csv", "--column", "hw1_statistics=7"),
    ("check", "submitted/bảo/hw1_statistics/hw1_statistics.ipynb"),
)


def run(folder: Path, environment: dict[str, str], *words: str) -> str:
    done = subprocess.run(
        ["/bin/sh", "-c", 'umask 077; exec "$@"', "sh", sys.executable, "-m", "autograder", *words],
        cwd=folder,
        env=BARE | environment,
        capture_output=True,
        check=False,
    )
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, f"{words}\n{said}"
    return said


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {},  # not even a home folder
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "COLUMNS": "40"},
        {"HOME": "/proc/nowhere", "TMPDIR": "a place é", "TZ": "Mars/Olympus", "TERM": "dumb"},
    ],
    ids=["nothing set", "ASCII", "odd places"],
)
def test_a_term_in_a_folder_with_blanks_and_accents_and_odd_surroundings(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    if "TMPDIR" in environment:
        (tmp_path / environment["TMPDIR"]).mkdir()
        environment = environment | {"TMPDIR": str(tmp_path / environment["TMPDIR"])}
    folder = tmp_path / "Térm 1"
    folder.mkdir()
    run(folder, environment, "init", "100% o'clock")
    course = folder / "100% o'clock"
    (course / "grades é.csv").write_text(CSV, "utf-8")
    run(course, environment, "release")
    handed_in = course / "submitted" / "bảo" / "hw1_statistics"
    handed_in.mkdir(parents=True)
    shutil.copy(course / "assignments/hw1_statistics/hw1_statistics.ipynb", handed_in)
    for words in STEPS:
        said = run(course, environment, *words)
        assert "Traceback" not in said
        if words == ("grade",):
            assert all(
                len(line) <= int(environment.get("COLUMNS", 80)) for line in said.splitlines()
            )
    assert (course / "feedback/bảo/hw1_statistics/hw1_statistics.html").is_file()
    assert "Nguyễn Bảo,102,bảo," in (course / "exports/canvas-grades é.csv").read_text("utf-8")


@pytest.mark.slow
def test_a_user_without_a_name_has_a_desk(
    one_answer: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    as_nobody = ("unshare", "--user", f"--map-user={UNKNOWN}")
    if subprocess.run([*as_nobody, "true"], capture_output=True, check=False).returncode:
        pytest.skip("here nobody can be such a user")
    with running(one_answer, before=as_nobody) as (_, address):
        assert address


@pytest.mark.slow
def test_a_new_course_installs_what_it_came_from_and_moves(tmp_path: Path) -> None:
    """`make` names what it would install; with another program, it installs nothing."""
    course = made(tmp_path / "my course").root
    asked = subprocess.run(
        ["make", "--dry-run", "release"], cwd=course, capture_output=True, text=True, check=True
    )
    assert "pip install --quiet --requirement requirements.txt" in asked.stdout
    lines = (course / "requirements.txt").read_text("utf-8").splitlines()
    assert f"--constraint {ROOT / 'requirements.lock'}" in lines
    assert f"--editable {ROOT}" in lines
    moved = course.rename(tmp_path / "moved")
    program = tmp_path / "a program"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m autograder "$@"\n')
    program.chmod(0o755)
    done = subprocess.run(
        ["make", "release", f"AUTOGRADER='{program}'"],
        cwd=moved,
        env=os.environ | BARE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (moved / ".venv").exists()
