"""nbgrader's tables as far as we read them, since importing its own takes seconds, and ours."""

from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Engine,
    Float,
    Index,
    Integer,
    Interval,
    MetaData,
    String,
    Table,
    TableClause,
    Text,
    and_,
    case,
    column,
    false,
    func,
    or_,
    select,
    table,
)

_KEY = String(32)


def _nbgraders(name: str, /, **columns: Any) -> TableClause:
    return table(name, column("id", _KEY), *(column(each, kind) for each, kind in columns.items()))


ASSIGNMENT = _nbgraders("assignment", name=String, duedate=DateTime)
SUBMISSION = _nbgraders(
    "submitted_assignment",
    assignment_id=_KEY,
    student_id=String,
    timestamp=DateTime,
    extension=Interval,
)
NOTEBOOK = _nbgraders(  # its `assignment_id` is the key of a submission
    "submitted_notebook", assignment_id=_KEY, late_submission_penalty=Float
)
CELL = _nbgraders("base_cell", name=String)
GRADE_CELL, TASK_CELL = (
    _nbgraders(name, max_score=Float, cell_type=String) for name in ("grade_cells", "task_cells")
)
COMMENT = _nbgraders(
    "comment", notebook_id=_KEY, cell_id=_KEY, auto_comment=Text, manual_comment=Text
)
GRADE = _nbgraders(
    "grade",
    notebook_id=_KEY,
    cell_id=_KEY,
    auto_score=Float,
    manual_score=Float,
    extra_credit=Float,
    needs_manual_grade=Boolean,
)
# A table of our own: which reports are recorded.
RECORDED = Table(
    "autograder_recorded",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("student", String(128), primary_key=True),
    Column("entry", String(64), nullable=False),  # the hash of everything that decides the grade
)
# Ours too: which answer a grade is about.
ANSWERS = Table(
    "autograder_answers",
    MetaData(),
    Column("grade", String(32), primary_key=True),
    Column("answer", String(64), nullable=False),  # its hash
    Column("changed", Boolean, nullable=False),  # since a person gave points for it
)
# Ours too: what people gave at the desk, a row each time for each grade. Nothing is deleted.
GIVEN = Table(
    "autograder_given",
    MetaData(),
    Column("number", Integer, primary_key=True),
    Column("action", String(32), nullable=False, index=True),  # what was given at once
    Column("grade", String(32), nullable=False, index=True),
    Column("grader", String(80), nullable=False),
    Column("at", DateTime, nullable=False),  # in UTC
    Column("answer", String(64), nullable=False),  # the hash of the answer that was graded
    Column("rubric", String(64), nullable=False),  # the fingerprint of the rubric it was graded by
    Column("earned", Text, nullable=False),  # the rubric's points that were earned, as JSON
    Column("points", Float),  # None: those of the grader count again
    Column("comment", Text),
    Column("before", Text, nullable=False),  # what the gradebook held, as JSON
    Column("undone", Boolean, nullable=False),
)
# Ours too: which graders share the answers to a question.
SHARES = Table(
    "autograder_shares",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("question", String(128), primary_key=True),
    Column("graders", Text, nullable=False),  # their names, as JSON
)


def _index(name: str, column: str) -> Index:
    found = Table(name, MetaData(), Column(column, _KEY))
    return Index(f"autograder_{name}_{column}", found.c[column])


# On nbgrader's tables, which have none for these: each submission would be looked for among all.
INDEXES = (
    _index("grade", "notebook_id"),
    _index("comment", "notebook_id"),
    _index("submitted_notebook", "assignment_id"),
)


def make_tables(engine: Engine) -> None:
    """Create what is missing of ours in a gradebook that has nbgrader's tables."""
    for own in (RECORDED, ANSWERS, GIVEN, SHARES, *INDEXES):
        own.create(engine, checkfirst=True)


SUBMITTED = ASSIGNMENT.join(SUBMISSION, SUBMISSION.c.assignment_id == ASSIGNMENT.c.id).join(
    NOTEBOOK, NOTEBOOK.c.assignment_id == SUBMISSION.c.id
)
# What a person gave goes before what the grader gave; extra credit is added to either.
_POINTS = func.coalesce(GRADE.c.manual_score, GRADE.c.auto_score) + func.coalesce(
    GRADE.c.extra_credit, 0.0
)
GRADES = GRADE.outerjoin(ANSWERS, ANSWERS.c.grade == GRADE.c.id)
# What a person gave holds, unless it was for another answer than the present one.
WAITS = and_(
    GRADE.c.needs_manual_grade,
    or_(GRADE.c.manual_score.is_(None), func.coalesce(ANSWERS.c.changed, false())),
)
GRADED_POINTS = case((WAITS, None), else_=_POINTS)  # None: not graded yet
GRADED_SCORE = (
    select(func.coalesce(func.sum(GRADED_POINTS), 0.0))
    .select_from(GRADES)
    .where(GRADE.c.notebook_id == NOTEBOOK.c.id)
    .scalar_subquery()
)
