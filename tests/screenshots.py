"""Take the README's pictures: `make screenshots`, after `make demo`, where there is a Chromium.

All four are of the demo's class: a notebook that a student handed in, run once more; the page that
the student gets back; the report on the class; and the desk.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder import demo
from autograder.course import Course
from autograder.errors import AutograderError, CourseError
from tests.browser import PROGRAM, Browser, browser
from tests.courses import ROOT
from tests.desk.desks import desk

PICTURES = ROOT / "docs" / "pictures"
ASSIGNMENT, STUDENT, QUESTION = "hw1_attention", "dana", "why_scale"
LATER = "hw2_encoder"  # its report shows a trend, too
WIDTH, HEIGHT = 1040, 860


def main() -> None:
    """Take all pictures anew; say what is missing if they can't be taken."""
    try:
        take(demo.open_demo(Course.load(ROOT)))
    except AutograderError as error:
        sys.exit(f"screenshots: {error}")


def take(course: Course) -> None:
    """Take the pictures of a class that was graded and given its feedback.

    Raises `CourseError` if there is no browser to take them with.
    """
    if not PROGRAM:
        raise CourseError(
            "There is no Chromium here: install one as `chromium` or `google-chrome`, or leave the "
            "pictures in docs/pictures as they are."
        )
    with browser() as tab, tempfile.TemporaryDirectory() as folder:
        tab.look(WIDTH, HEIGHT)
        page = as_page(course.submission_path(STUDENT, ASSIGNMENT), Path(folder))
        for name, path in (
            ("notebook", page),
            ("feedback", course.feedback_path(STUDENT, ASSIGNMENT)),
            ("report", course.reports / f"{LATER}.html"),
        ):
            tab.open(path.as_uri())
            keep(tab, name)
        with desk(course) as opened:
            tab.open(opened.address)
            tab.open(f"{opened.site}/question/{ASSIGNMENT}/{QUESTION}")
            keep(tab, "desk")


def as_page(notebook: Path, folder: Path) -> Path:
    """Run a notebook of the demo's and return it as a web page, as Jupyter shows it.

    Of a folded cell, Jupyter shows the first line; nbconvert shows all of it.
    """
    run, page = folder / "run.ipynb", folder / "notebook.html"
    options = ("--execute", "--allow-errors", "--log-level=ERROR")
    convert = [sys.executable, "-m", "nbconvert"]
    subprocess.run([*convert, "--to=notebook", *options, f"--output={run}", notebook], check=True)
    content = json.loads(run.read_text("utf-8"))
    for cell in content["cells"]:
        if cell["metadata"].get("jupyter", {}).get("source_hidden"):
            cell["source"] = cell["source"][:1]
    run.write_text(json.dumps(content), "utf-8")
    subprocess.run(
        [*convert, "--to=html", "--log-level=ERROR", f"--output={page}", run], check=True
    )
    return page


def keep(tab: Browser, name: str) -> None:
    path = PICTURES / f"{name}.webp"
    tab.picture(path)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size >> 10} KB")


if __name__ == "__main__":
    main()
