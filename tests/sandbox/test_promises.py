"""Each promise in SECURITY.md names a test that shows it, and that there is."""

import re

from tests.courses import ROOT
from tests.hostile.cases import catalogue

TABLE = (ROOT / "SECURITY.md").read_text("utf-8").partition("### Which test shows it")[2]


def test_each_promise_names_a_test_that_there_is() -> None:
    _, *rows = re.findall(r"^\| (.+) \|$", TABLE.partition("\n## ")[0], re.MULTILINE)
    assert len(rows) > 10
    for row in rows:
        promise, *_, shown = row.split(" | ")
        named = re.findall(r"`([\w/]+\.py)(?:::(test_\w+))?`", shown)
        assert named or shown.startswith("the same"), promise
        for path, test in named:
            assert f"def {test}" in (ROOT / "tests" / path).read_text("utf-8"), promise


def test_the_number_of_hostile_submissions_is_as_said() -> None:
    said = re.findall(r"(\d+) hostile submissions", (ROOT / "docs/security.md").read_text("utf-8"))
    assert said == [str(len(catalogue()))]
