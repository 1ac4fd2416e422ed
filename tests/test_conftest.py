"""The tests know nothing of the gradebook and the seed of the person who runs them."""

import os
import subprocess
import sys

import pytest

from tests.courses import ROOT

ASK = """
import tests.conftest
from autograder.course import Course
from tests.courses import KIT, ROOT
course = Course.load(ROOT)
print(KIT.seed, course.settings.seed, course.database.startswith("sqlite"), course.overrides)
"""


@pytest.mark.slow
def test_the_tests_do_not_see_the_gradebook_and_the_seed_in_the_environment() -> None:
    environment = os.environ | {"AUTOGRADER_DB_URL": "postgresql://db/x", "AUTOGRADER_SEED": "9"}
    command = [sys.executable, "-c", ASK]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, text=True, capture_output=True, check=True
    )
    assert done.stdout == "0 None True ()\n"
