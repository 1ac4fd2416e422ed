"""The class report says what a class misunderstood, and nothing in it comes alive."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from autograder.course import Course
from autograder.errors import CourseError
from autograder.report import Report
from autograder.statistics.class_report import class_page, content_of, tables, write_class_report
from tests.statistics.reports import blank, broken
from tests.statistics.reports import exercise as graded
from tests.statistics.reports import report as small
from tests.toys import course_of

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course of toys."""
    return course_of(tmp_path)


def crowd(number: int) -> list[Report]:
    """A class in which half fail a check, and hold a misconception."""
    failed, passed = graded("double", [0, 2], 2, "t"), graded("double", [2, 2], 2)
    return [small(f"s{n:04}", passed if n % 2 else failed) for n in range(number)]


CLASS = [
    small("ada", graded("double", [2, 2], 2)),
    small("bo", graded("double", [2, 0], 2, "thrice")),
    small("cy", graded("double", [0, 0], 2, "thrice")),
    small("di", blank("double")),
    small(SCRIPT, broken("double")).model_copy(update={"warnings": (f"{SCRIPT} was edited",)}),
]


def store(course: Course, report: Report) -> None:
    path = course.report_path(report.student, "toys")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report.to_json())


def page_of(course: Course, reports: Sequence[Report]) -> str:
    return class_page(course, content_of(course, "toys", reports))


def test_a_students_script_is_text_on_the_page(course: Course) -> None:
    page = page_of(course, CLASS)
    assert SCRIPT not in page
    # its name with the fault of ours and in the table, its name and words in a note
    assert page.count("&lt;script&gt;") == 4
    assert "default-src 'none'" in page


def test_the_page_is_written_from_the_reports_on_file(course: Course) -> None:
    assert write_class_report(course, "toys") is None
    for each in CLASS[:2]:
        store(course, each)
    page = write_class_report(course, "toys")
    assert page is not None
    text = BeautifulSoup(page.read_text(), "html.parser").get_text(" ", strip=True)
    assert "2 submissions 3.0 of 4 points on average" in text


def test_who_missed_points_for_no_known_reason_is_named(course: Course) -> None:
    unknown = small("eve", graded("double", [2, 0], 2))
    soup = BeautifulSoup(page_of(course, [*CLASS[:2], unknown]), "html.parser")
    (who,) = (
        each.find_next("p", class_="who")
        for each in soup.select("summary")
        if "1 student missed points without showing a known" in each.text
    )
    assert who is not None
    assert who.text == "eve"


def test_sections_are_compared_and_each_has_a_page_of_its_own(course: Course) -> None:
    roster = "student_id,section\nada,A\nbo,Lab 2/b\ncy,Lab 2/b\nzed,Lab 2/b\n"
    (course.root / "roster.csv").write_text(roster)
    for each in CLASS[:3]:
        store(course, each)
    path = write_class_report(course, "toys")
    assert path is not None
    # bo has 2 of 4 points, cy 0 of 4
    assert "A 1 0 100% Lab 2/b 3 1 25%" in text_of(path.read_text())
    own = write_class_report(course, "toys", course.section("lab 2/b"))
    assert own == course.reports / "toys-section-lab-2-b.html"
    text = text_of(own.read_text())
    assert "toys, section lab 2/b" in text
    assert "2 submissions 1.0 of 4 points on average" in text
    assert "ada" not in text
    assert "Sections" not in text
    students = (course.reports / "toys-section-lab-2-b-students.csv").read_text()
    assert [line.partition(",")[0] for line in students.splitlines()[1:]] == ["bo", "cy", "zed"]
    with pytest.raises(CourseError, match="Nobody is in a section 'C': there are A, Lab 2/b"):
        course.section("C")


def test_a_damaged_report_is_named(course: Course) -> None:
    path = course.report_path("ada", "toys")
    path.parent.mkdir(parents=True)
    for raw in (b"{", b"\xff"):
        path.write_bytes(raw)
        with pytest.raises(CourseError, match=r"ada\.json\. Run `make grade`, which makes"):
            write_class_report(course, "toys")


def text_of(page: str) -> str:
    return " ".join(BeautifulSoup(page, "html.parser").get_text(" ").split())


def test_a_small_class_is_told_what_a_figure_needs_and_shown_no_picture_of_it(
    course: Course,
) -> None:
    page = page_of(course, CLASS[:4])
    assert "It needs 20 students" in text_of(page)
    assert "With fewer than 5 scores there is no distribution" in text_of(page)
    assert "A trend begins with the second assignment." in text_of(page)
    assert BeautifulSoup(page, "html.parser").select("svg.plane") == []


def test_pictures_have_a_name_and_their_numbers_in_words(course: Course) -> None:
    soup = BeautifulSoup(page_of(course, crowd(40)), "html.parser")
    pictures = soup.select("svg")
    assert pictures
    for picture in pictures:
        assert picture["role"] == "img"
        assert picture.get("aria-label") or picture.select_one("title")
    assert "50% to below 60% 20" in text_of(str(soup))
    assert "c0. 20 of 40 50%" in text_of(str(soup))


def test_lists_are_cut_and_say_so_and_the_tables_are_whole(course: Course) -> None:
    for each in crowd(300):
        store(course, each)
    page = write_class_report(course, "toys")
    assert page is not None
    text = text_of(page.read_text())
    assert "150 students. Who s0000, s0002" in text
    assert "and 130 more" in text
    assert "These are the first 100; all 300 are in toys-students.csv" in text
    assert page.stat().st_size < 100_000
    assert (course.reports / "toys-students.csv").read_text().count("\n") == 301


def test_the_page_says_in_plain_words_what_confined_the_code(course: Course) -> None:
    text = text_of(page_of(course, CLASS))
    assert "The code of 5 students ran in a space of its own: it saw Python" in text
    loose = [each.model_copy(update={"isolation": "unsafe"}) for each in CLASS[:1]]
    text = text_of(page_of(course, [*loose, *CLASS[1:]]))
    assert "! The code of 1 student was confined by nothing but limits" in text


def test_modules_that_the_grader_lacks_are_listed_with_who_imports_them(course: Course) -> None:
    lacking = [each.model_copy(update={"missing_modules": ("rope",)}) for each in CLASS[:1]]
    text = text_of(page_of(course, [*lacking, *CLASS[1:]]))
    assert "! The grader has no module `rope`, which 1 student imports." in text


def test_what_is_graded_wrongly_by_us_stands_before_everything_else(course: Course) -> None:
    text = text_of(page_of(course, CLASS))
    assert text.index("could not be run") < text.index("submissions")


WHO = "who (ids divided by /)"
TABLED = [
    small("=cmd|'C calc'!A0", graded("f", [0, 1], 1, "@SUM(A1)"), written=["why"]),
    *(small(f"s{n}", graded("f", [n % 2, 1], 1, "wrong"), written=["why"]) for n in range(150)),
]


def rows(course: Course, name: str, reports: Sequence[Report] = TABLED) -> list[dict[str, str]]:
    (course.root / "roster.csv").write_text("student_id,name\ns1,\nzoe,\n")
    raw = tables(content_of(course, "toys", reports))[name]
    return list(csv.DictReader(io.StringIO(raw.decode())))


def test_every_student_has_a_row_and_so_has_who_handed_in_nothing(course: Course) -> None:
    found = {row["student_id"]: row for row in rows(course, "students")}
    assert len(found) == len(TABLED) + 1
    assert found["s1"]["f"] == "2"
    assert (found["s1"]["why"], found["s1"]["something is not graded yet"]) == ("", "yes")
    assert (found["zoe"]["notes"], found["zoe"]["share"]) == ("no report", "")


def test_items_have_both_figures_or_say_why_not(course: Course) -> None:
    whole, first, second, why = rows(course, "items")
    assert (whole["exercise"], whole["check"], first["check"]) == ("f", "", "c0.")
    assert first["students graded"] == "151"
    assert first["without full points"] == "76"
    assert first["difficulty (mean share of points)"] == "0.4967"
    assert second["discrimination"] == ""
    assert "needs" in second["why none"]
    assert (why["exercise"], why["not graded yet"]) == ("why", "151")


def test_misconceptions_name_all_who_hold_them(course: Course) -> None:
    first, second = rows(course, "misconceptions")
    assert (first["misconception"], first["students"]) == ("wrong", "150")
    assert len(first[WHO].split(" / ")) == 150
    assert second["share of those who attempted it"] == "0.0066"


def test_ids_with_blanks_and_commas_stay_apart(course: Course) -> None:
    names = ["ada lovelace", "turing, alan", "bo"]
    reports = [small(name, graded("f", [0], 1, "wrong")) for name in names]
    (row,) = rows(course, "misconceptions", reports)
    assert row[WHO].split(" / ") == names


def test_no_cell_is_a_formula(course: Course) -> None:
    for each in TABLED:
        store(course, each)
    write_class_report(course, "toys")
    files = sorted(course.reports.glob("*.csv"))
    assert [path.name for path in files] == [
        "toys-items.csv",
        "toys-misconceptions.csv",
        "toys-students.csv",
    ]
    for path in files:
        cells = [cell for row in csv.reader(io.StringIO(path.read_text())) for cell in row]
        assert [cell for cell in cells if cell[:1] in ("=", "+", "@")] == []
    assert "'=cmd" in (course.reports / "toys-students.csv").read_text()
    assert "'@SUM" in (course.reports / "toys-misconceptions.csv").read_text()
