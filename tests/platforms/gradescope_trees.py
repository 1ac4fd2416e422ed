"""What Gradescope lays out on its machines, in a folder; and what it takes back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from autograder.platforms import gradescope

Visibility = Literal["hidden", "after_due_date", "after_published", "visible"]
Format = Literal["text", "html", "simple_format", "md", "ansi"]
# A seccomp filter that answers as containers do that refuse namespaces: `unshare` and `mount` are
# not permitted, and `clone3` isn't known. Landlock's three calls are refused on demand.
_CONTAINER = """
import errno, os, sys
import pyseccomp as seccomp
rules = seccomp.SyscallFilter(seccomp.ALLOW)
for name in ("unshare", "setns", "mount", "pivot_root"):
    rules.add_rule(seccomp.ERRNO(errno.EPERM), name)
rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
if sys.argv[1] == "without-landlock":
    for number in (444, 445, 446):
        rules.add_rule(seccomp.ERRNO(errno.ENOSYS), number)
rules.load()
os.execv(sys.argv[2], sys.argv[2:])
"""
CONTAINER = (sys.executable, "-c", _CONTAINER, "with-landlock")
BARE_CONTAINER = (sys.executable, "-c", _CONTAINER, "without-landlock")


class _Documented(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class TestCase(_Documented):
    """A test case, as Gradescope documents it."""

    __test__ = False

    score: float | None = None
    max_score: float | None = None
    status: Literal["passed", "failed"] | None = None
    name: str | None = None
    number: str | None = None
    output: str | None = None
    output_format: Format | None = None
    tags: list[str] | None = None
    visibility: Visibility | None = None
    extra_data: dict[str, Any] | None = None


class Results(_Documented):
    """`results.json`, as Gradescope documents it."""

    score: float | None = None
    execution_time: float | None = None
    output: str | None = None
    output_format: Format | None = None
    visibility: Visibility | None = None
    stdout_visibility: Visibility | None = None
    tests: list[TestCase] = Field(default_factory=list)
    leaderboard: list[dict[str, Any]] | None = None
    extra_data: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _has_a_score(self) -> Results:
        assert self.score is not None or all(test.score is not None for test in self.tests)
        return self

    @property
    def scores(self) -> dict[str | None, float | None]:
        """The score of each test, by its name."""
        return {test.name: test.score for test in self.tests}

    @property
    def seen(self) -> str:
        """All texts that students see at once."""
        texts = [test.output for test in self.tests if test.visibility == "visible"]
        return "\n".join(text for text in (self.output, *texts) if text)


@dataclass(frozen=True)
class Tree:
    """The folder that is `/autograder` on Gradescope's machines."""

    root: Path

    @classmethod
    def of(cls, package: Path, root: Path) -> Tree:
        """Lay out `package` at `root` as Gradescope does before it runs `setup.sh`."""
        for name in ("source", "submission", "results"):
            (root / name).mkdir(parents=True)
        with zipfile.ZipFile(package) as archive:
            archive.extractall(root / "source")
        run = Path(shutil.copy(root / "source" / "run_autograder", root))
        run.chmod(0o755)
        metadata = {"assignment": {"title": "Toys", "total_points": "9.0"}, "users": [{"id": 7}]}
        (root / "submission_metadata.json").write_text(json.dumps(metadata))
        return cls(root)

    @property
    def grader(self) -> Path:
        """The engine and the course."""
        return self.root / "source" / "grader"

    @property
    def results(self) -> Path:
        return self.root / "results" / "results.json"

    def run(
        self, files: Mapping[str, bytes], *inside: str, python: str = sys.executable
    ) -> tuple[Results, str]:
        """Hand in `files`, and run the autograder; return its results, and what it printed.

        `inside` is a command that runs it, as a container would.
        """
        self._hand_in(files)
        return self.again(*inside, python=python)

    def outcome(self, files: Mapping[str, bytes]) -> Results:
        """Hand in `files`, and return the results without running a program for them."""
        self._hand_in(files)
        return Results.model_validate_json(json.dumps(gradescope.results(self.root)))

    def _hand_in(self, files: Mapping[str, bytes]) -> None:
        for name, content in files.items():
            path = self.root / "submission" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def again(self, *inside: str, python: str = sys.executable) -> tuple[Results, str]:
        """Run the autograder on what was handed in."""
        done = subprocess.run(
            [*inside, str(self.root / "run_autograder")],
            cwd=self.root,
            env={
                "PATH": os.environ["PATH"],
                "AUTOGRADER_ROOT": str(self.root),
                "AUTOGRADER_PYTHON": python,
            },
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
        results = Results.model_validate_json(self.results.read_bytes())
        return results, done.stdout + done.stderr
