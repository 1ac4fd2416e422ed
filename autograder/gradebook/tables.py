"""nbgrader's tables as far as we read them, since importing its own takes seconds, and ours."""

import hashlib
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

_KEY = sa.String(32)
OWN = sa.MetaData()  # of the tables that are ours


def _nbgraders(name: str, /, **columns: Any) -> sa.TableClause:
    return sa.table(
        name, sa.column("id", _KEY), *(sa.column(each, kind) for each, kind in columns.items())
    )


STUDENT = _nbgraders("student")
ASSIGNMENT = _nbgraders("assignment", name=sa.String, duedate=sa.DateTime)
SUBMISSION = _nbgraders(
    "submitted_assignment",
    assignment_id=_KEY,
    student_id=sa.String,
    timestamp=sa.DateTime,
    extension=sa.Interval,
)
NOTEBOOK = _nbgraders(  # its `assignment_id` is the key of a submission
    "submitted_notebook", assignment_id=_KEY, late_submission_penalty=sa.Float
)
CELL = _nbgraders("base_cell", name=sa.String)
GRADE_CELL, TASK_CELL = (
    _nbgraders(name, max_score=sa.Float, cell_type=sa.String)
    for name in ("grade_cells", "task_cells")
)
COMMENT = _nbgraders(
    "comment", notebook_id=_KEY, cell_id=_KEY, auto_comment=sa.Text, manual_comment=sa.Text
)
GRADE = _nbgraders(
    "grade",
    notebook_id=_KEY,
    cell_id=_KEY,
    auto_score=sa.Float,
    manual_score=sa.Float,
    extra_credit=sa.Float,
    needs_manual_grade=sa.Boolean,
)
# Our own tables begin here. Which reports are recorded.
RECORDED = sa.Table(
    "autograder_recorded",
    OWN,
    sa.Column("assignment", sa.String(128), primary_key=True),
    sa.Column("student", sa.String(128), primary_key=True),
    sa.Column("entry", sa.String(64), nullable=False),  # the hash of what decides the grade
)
# Which answer a grade is about.
ANSWERS = sa.Table(
    "autograder_answers",
    OWN,
    sa.Column("grade", sa.String(32), primary_key=True),
    sa.Column("answer", sa.String(64), nullable=False),  # its hash
    sa.Column("changed", sa.Boolean, nullable=False),  # since a person gave points for it
)


def answer_hash(text: str, beside: Iterable[str] = ()) -> str:
    """Return the hash of an answer; of a written one, with those of files `beside` the notebook.

    The answer may be in one of them, on paper.
    """
    return hashlib.sha256("\0".join([text, *sorted(beside)]).encode()).hexdigest()


# What people gave at the desk, a row each time for each grade. Nothing is deleted.
GIVEN = sa.Table(
    "autograder_given",
    OWN,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("action", sa.String(32), nullable=False, index=True),  # what was given at once
    sa.Column("grade", sa.String(32), nullable=False, index=True),
    sa.Column("grader", sa.String(80), nullable=False),
    sa.Column("at", sa.DateTime, nullable=False),  # in UTC
    sa.Column("answer", sa.String(64), nullable=False),  # the hash of what was graded
    sa.Column("rubric", sa.String(64), nullable=False),  # the fingerprint of its rubric
    sa.Column("earned", sa.Text, nullable=False),  # the rubric's points that were earned, as JSON
    sa.Column("points", sa.Float),  # None: those of the grader count again
    sa.Column("comment", sa.Text),
    sa.Column("before", sa.Text, nullable=False),  # what the gradebook held, as JSON
    sa.Column("undone", sa.Boolean, nullable=False),
)
# The rubrics that answers were graded by.
RUBRICS = sa.Table(
    "autograder_rubrics",
    OWN,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("rubric", sa.String(64), nullable=False, index=True),  # its fingerprint
    sa.Column("max_score", sa.Float, nullable=False),
    sa.Column("text", sa.Text, nullable=False),  # markdown
)
# Which graders share the answers to a question.
SHARES = sa.Table(
    "autograder_shares",
    OWN,
    sa.Column("assignment", sa.String(128), primary_key=True),
    sa.Column("question", sa.String(128), primary_key=True),
    sa.Column("graders", sa.Text, nullable=False),  # their names, as JSON
)
# Of which questions one in so many answers is read by two people.
TWICE = sa.Table(
    "autograder_twice",
    OWN,
    sa.Column("assignment", sa.String(128), primary_key=True),
    sa.Column("question", sa.String(128), primary_key=True),
    sa.Column("one_in", sa.Integer, nullable=False),
)
# What second readers gave, and what the first had given by then. Nothing is deleted.
READINGS = sa.Table(
    "autograder_readings",
    OWN,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("action", sa.String(32), nullable=False),  # what was read at once
    sa.Column("grade", sa.String(32), nullable=False, index=True),
    sa.Column("answer", sa.String(64), nullable=False),  # the hash of what was read
    sa.Column("grader", sa.String(80), nullable=False),
    sa.Column("at", sa.DateTime, nullable=False),  # in UTC
    sa.Column("earned", sa.Text, nullable=False),  # as it is in what is given
    sa.Column("points", sa.Float, nullable=False),
    sa.Column("first_grader", sa.String(80), nullable=False),
    sa.Column("first_points", sa.Float, nullable=False),
    sa.Column("decided", sa.String(32), nullable=False),  # the action that did; or else empty
)
# What an instructor decided about marks after grading. Nothing is deleted.
DECISIONS = sa.Table(
    "autograder_decisions",
    OWN,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("assignment", sa.String(128), nullable=False, index=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("exercise", sa.String(128), nullable=False),  # or a written answer; empty: all
    sa.Column("test", sa.String(256), nullable=False),  # empty: all of the exercise
    sa.Column("student", sa.String(128), nullable=False),  # empty: everybody
    sa.Column("amount", sa.Float, nullable=False),  # points, or a factor
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("by", sa.String(80), nullable=False),
    sa.Column("at", sa.DateTime, nullable=False),  # in UTC
    sa.Column("restored_by", sa.String(80)),  # None: it holds
    sa.Column("restored_at", sa.DateTime),
)
# What decisions did to a grade. It is put back before they do something else.
SHIFTS = sa.Table(
    "autograder_shifts",
    OWN,
    sa.Column("grade", sa.String(32), primary_key=True),
    sa.Column("points", sa.Float, nullable=False),  # our share of nbgrader's extra credit
    sa.Column("opened", sa.Boolean, nullable=False),  # whether it waited, and waits no more
    sa.Column("auto", sa.Float),  # what the grader gave where it was opened
)
# Each submission's marks as they were last told, and what they came from.
TOLD = sa.Table(
    "autograder_told",
    OWN,
    sa.Column("assignment", sa.String(128), primary_key=True),
    sa.Column("student", sa.String(128), primary_key=True),
    sa.Column("marks", sa.Text, nullable=False),  # as JSON
)


def _index(name: str, column: str) -> sa.Index:
    found = sa.Table(name, sa.MetaData(), sa.Column(column, _KEY))
    return sa.Index(f"autograder_{name}_{column}", found.c[column])


# On nbgrader's tables, which have none for these: each submission would be looked for among all.
INDEXES = (
    _index("grade", "notebook_id"),
    _index("comment", "notebook_id"),
    _index("submitted_notebook", "assignment_id"),
)


# Which version all of these have, in one row. Version 1.0.0 had no such table.
SCHEMA = sa.Table(
    "autograder_schema",
    OWN,
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
)
VERSION = 3  # raise it whenever our tables change, so that an older version refuses them

SUBMITTED = ASSIGNMENT.join(SUBMISSION, SUBMISSION.c.assignment_id == ASSIGNMENT.c.id).join(
    NOTEBOOK, NOTEBOOK.c.assignment_id == SUBMISSION.c.id
)
# What a person gave goes before what the grader gave; extra credit is added to either.
_POINTS = sa.func.coalesce(GRADE.c.manual_score, GRADE.c.auto_score) + sa.func.coalesce(
    GRADE.c.extra_credit, 0.0
)
GRADES = GRADE.outerjoin(ANSWERS, ANSWERS.c.grade == GRADE.c.id)
CELL_TYPE = sa.func.coalesce(GRADE_CELL.c.cell_type, TASK_CELL.c.cell_type).label("cell_type")
GRADED_CELLS = (  # with the grades of submissions
    SUBMITTED.join(GRADES, GRADE.c.notebook_id == NOTEBOOK.c.id)
    .join(CELL, CELL.c.id == GRADE.c.cell_id)
    .outerjoin(GRADE_CELL, GRADE_CELL.c.id == CELL.c.id)
    .outerjoin(TASK_CELL, TASK_CELL.c.id == CELL.c.id)
)
# What a person gave holds, unless it was for another answer than the present one.
CHANGED = sa.func.coalesce(ANSWERS.c.changed, sa.false())
WAITS = sa.and_(GRADE.c.needs_manual_grade, sa.or_(GRADE.c.manual_score.is_(None), CHANGED))
GRADED_POINTS = sa.case((WAITS, None), else_=_POINTS)  # None: not graded yet
GRADED_SCORE = (
    sa.select(sa.func.coalesce(sa.func.sum(GRADED_POINTS), 0.0))
    .select_from(GRADES)
    .where(GRADE.c.notebook_id == NOTEBOOK.c.id)
    .scalar_subquery()
)
