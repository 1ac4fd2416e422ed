#!/usr/bin/env python3
"""Run by Classroom 50 on each submission, in the student's checkout; leaves `result.json` there.

AUTOGRADER_PYTHON names an interpreter that has the packages of `requirements.txt` already.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Nothing is imported from the working directory: a student may call a file of theirs `pip.py`.
ISOLATED = "-I"


def main() -> int:
    """Grade; return the exit status, which is not 0 if nothing could be graded."""
    python = os.environ.get("AUTOGRADER_PYTHON") or installed()
    environment = os.environ | {"PYTHONPATH": str(HERE / "grader"), "PYTHONUTF8": "1"}
    command = [python, "-s", "-P", "-m", "autograder.platforms.classroom50"]
    return subprocess.run(command, env=environment, check=False).returncode


def installed() -> str:
    """Install the packages into an environment of their own; return its interpreter."""
    python = HERE / ".venv" / "bin" / "python"
    requirements = str(HERE / "requirements.txt")
    try:
        subprocess.run([sys.executable, ISOLATED, "-m", "venv", str(HERE / ".venv")], check=True)
        install = [str(python), ISOLATED, "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, "--requirement", requirements], check=True)
    except subprocess.CalledProcessError as error:
        sys.exit(f"The packages in requirements.txt can't be installed ({error}): run this again.")
    return str(python)


if __name__ == "__main__":
    sys.exit(main())
