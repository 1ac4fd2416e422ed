"""A course works wherever it lies, and whatever the machine around it is like."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.courses import ROOT

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


@pytest.mark.exhaustive  # it plays a term, command by command
@pytest.mark.parametrize(
    "environment",
    [
        {},  # not even a home folder
        {
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
            "COLUMNS": "40",
            "HOME": "/proc/nowhere",
            "TMPDIR": "a place é/" + 10 * "deeper/",
            "TZ": "Mars/Olympus",
            "TERM": "dumb",
        },
    ],
    ids=["nothing set", "ASCII and odd places"],
)
def test_a_term_in_a_folder_with_blanks_and_accents_and_odd_surroundings(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    if "TMPDIR" in environment:
        (tmp_path / environment["TMPDIR"]).mkdir(parents=True)
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
