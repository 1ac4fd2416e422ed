"""What runs on GitHub's machines says what it is about, and leaves nothing out."""

import os
import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest
import yaml

from tests.courses import ROOT
from tests.hostile.modes import modes, older_kernels

WORKFLOWS = ROOT / ".github" / "workflows"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def jobs(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((WORKFLOWS / name).read_text("utf-8"))["jobs"]
    return found


def runs(job: dict[str, Any]) -> str:
    return "\n".join(step.get("run", "") for step in job["steps"])


def test_every_python_that_the_project_names_is_tested() -> None:
    named = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if ":: 3." in text]
    assert jobs("ci.yml")["test"]["strategy"]["matrix"]["python"] == named


def test_every_job_of_a_matrix_ends_on_its_own_and_each_has_a_time_limit() -> None:
    for path in WORKFLOWS.glob("*.yml"):
        for name, job in jobs(path.name).items():
            assert job["timeout-minutes"] < 360, f"{path.name}: {name}"
            assert not job.get("strategy", {}).get("fail-fast"), f"{path.name}: {name}"


def test_each_night_all_that_exhaustive_does_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts are those that the Makefile names, and all the columns for who isn't root."""
    named = re.findall(r"^exhaustive: \S+ (.*?) ##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert named == ["mutants withheld hostile"]
    night = jobs("nightly.yml")
    parts = [each["run"] for each in night["parts"]["strategy"]["matrix"]["include"]]
    assert [part.split()[1] for part in parts[:2]] == ["mutants", "withheld"]
    assert parts[2].endswith("-m exhaustive")
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    columns = [str(mode) for mode in (*modes(), *older_kernels())]
    assert night["hostile"]["strategy"]["matrix"]["mode"] == columns
    assert '-m tests.hostile --mode "${{ matrix.mode }}"' in runs(night["hostile"])


@pytest.mark.slow
def test_a_column_that_there_is_not_is_refused_and_not_passed_over() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile", "--mode", "lockdwon"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--mode is one of: " in done.stderr


def test_a_release_publishes_wheel_source_archive_and_hashes_of_all() -> None:
    (job,) = jobs("release.yml").values()
    steps = runs(job)
    assert "python -m build\n" in f"{steps}\n".replace(" #", "\n#")
    hashed, published = steps.index("sha256sum"), steps.index("gh release create")
    assert steps.index("sbom.cdx.json") < hashed < published
    assert "dist/*" in steps[published:]
