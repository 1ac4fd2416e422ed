"""Who is graded next, and what a page tells meanwhile."""

from autograder.serve.line import Line
from autograder.serve.tables import TryState
from tests.serve.houses import School


def students(line: Line) -> list[str]:
    return [each.student for each in line.order()]


def test_who_came_first_is_first(school: School) -> None:
    for student in ("bob", "ada", "eve"):
        school.keep(student)
    assert students(school.house.line) == ["bob", "ada", "eve"]


def test_who_was_graded_already_lets_others_go_first(school: School) -> None:
    line = school.house.line
    school.keep("ada", "1")
    begun = line.next()
    assert begun is not None
    school.keep("ada", "2")
    school.keep("bob")
    assert students(line) == ["bob", "ada"]


def test_a_newer_try_keeps_the_place_of_the_one_that_waited(school: School) -> None:
    school.keep("ada", "1")
    school.keep("bob")
    school.keep("ada", "2")
    assert students(school.house.line) == ["ada", "bob"]


def test_what_is_begun_is_not_begun_again(school: School) -> None:
    line = school.house.line
    school.keep()
    assert line.next() is not None
    assert line.next() is None


def test_what_was_begun_waits_again_if_the_server_was_killed(school: School) -> None:
    school.keep()
    assert school.house.line.next() is not None
    after = Line(school.tries, workers=2)
    assert students(after) == ["ada"]


def test_what_was_begun_waits_again_if_grading_failed_as_a_whole(school: School) -> None:
    line = school.house.line
    school.keep()
    assert line.next() is not None
    line.begin_anew()
    assert students(line) == ["ada"]


def test_a_page_is_told_the_place_and_how_long_it_takes(school: School) -> None:
    line = school.house.line
    numbers = [school.keep(student).number for student in ("ada", "bob", "eve")]
    assert line.next()
    found = line.standings()
    assert found[numbers[0]].state == "running"
    assert [found[number].place for number in numbers[1:]] == [1, 2]
    assert all(0 < each.seconds < 100 for each in found.values())


def test_a_page_is_told_which_exercises_were_examined(school: School) -> None:
    number = school.keep().number
    job = school.house.line.next()
    assert job
    assert job.progress
    job.progress.write_text("double\nCounter\ndouble\n<script>\n")
    assert school.house.line.standings()[number].examined == ("double", "Counter")


def test_a_closed_line_has_no_jobs(school: School) -> None:
    school.keep()
    school.house.line.is_closed = True
    assert not school.house.line.has_jobs()
    assert school.house.line.next() is None


def test_what_is_done_leaves_the_line(school: School) -> None:
    line = school.house.line
    found = school.keep()
    job = line.next()
    assert job
    school.tries.update(found.number, state=TryState.GRADED)
    line.finished(job, timed=True)
    assert line.standings() == {}
    assert job.progress
    assert not job.progress.exists()


def test_what_is_graded_again_comes_after_what_was_not_graded_yet(school: School) -> None:
    again = school.grade(school.keep("ada"))
    school.keep("bob")
    school.tries.update(again.number, state=TryState.WAITING)
    assert students(school.house.line) == ["bob", "ada"]


def test_what_is_graded_again_counts_meanwhile_as_it_was(school: School) -> None:
    school.grade(school.keep("ada", "1"))
    again = school.grade(school.keep("ada", "2"))
    school.tries.update(again.number, state=TryState.WAITING)
    counts = school.tries.counting("ada", again.assignment)
    assert counts is not None
    assert counts.number == again.number
