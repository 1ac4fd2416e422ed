"""Commands for when something was wrong: they change marks after grading, and grade nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from autograder.cli.app import (
    Assignments,
    app,
    named,
    note,
    open_course,
    own_name,
    tell_changes,
)
from autograder.errors import shown

PANEL = "Change marks after grading"
Assignment = Annotated[str, typer.Argument(help="The assignment.")]
Exercise = Annotated[str, typer.Argument(help="The exercise, or the written question.")]
Reason = Annotated[str, typer.Option(help="Why, in a sentence that students read.")]
By = Annotated[
    str, typer.Option("--by", default_factory=own_name, help="Your name, kept with the decision.")
]


@app.command(rich_help_panel=PANEL)
def drop(
    assignment: Assignment,
    exercise: Exercise,
    reason: Reason,
    by: By,
    test: Annotated[
        str, typer.Argument(help="One of its hidden tests, as reports name it; else all of it.")
    ] = "",
    leave_out: Annotated[
        bool, typer.Option("--leave-out", help="Leave it out of the total instead.")
    ] = False,
) -> None:
    """Drop a wrong question or hidden test: everybody who handed in has its points."""
    kind = "leave out" if leave_out else "drop"
    _decide(kind, assignment, exercise, reason, by, test=test)


@app.command(rich_help_panel=PANEL)
def add(
    assignment: Assignment,
    exercise: Exercise,
    points: Annotated[float, typer.Argument(min=0.01, help="How many more.")],
    reason: Reason,
    by: By,
) -> None:
    """Give everybody who handed in more points for an exercise, up to the most that there are."""
    _decide("add", assignment, exercise, reason, by, amount=points)


@app.command(rich_help_panel=PANEL)
def reweigh(
    assignment: Assignment,
    exercise: Exercise,
    factor: Annotated[float, typer.Argument(min=0, help="What its points are multiplied by.")],
    reason: Reason,
    by: By,
) -> None:
    """Let an exercise count more or less than it did, after grading."""
    _decide("reweigh", assignment, exercise, reason, by, amount=factor)


@app.command(rich_help_panel=PANEL)
def withhold(
    assignment: Assignment,
    by: By,
    reason: Annotated[str, typer.Option(help="Why; you read it, students don't.")],
    exercise: Annotated[str, typer.Argument(help="One exercise; else all of them.")] = "",
    student: Annotated[str, typer.Option(help="One student; else everybody.")] = "",
) -> None:
    """Hold marks back: no page, export or zip has them until you take this back."""
    _decide("withhold", assignment, exercise, reason, by, student=student)


@app.command(rich_help_panel=PANEL)
def restore(
    number: Annotated[int, typer.Argument(help="Its number in `autograder decisions`.")], by: By
) -> None:
    """Take a decision back: marks are as if it had never been made."""
    from autograder.gradebook import deciding

    course = open_course()
    decision = deciding.restore(course, number, by)
    typer.echo(f"Taken back: {number}.")
    tell_changes(course, [decision.assignment])


@app.command(rich_help_panel=PANEL)
def decisions(assignments: Assignments = None) -> None:
    """List what was decided after grading: who, when and why."""
    from autograder.gradebook.deciding import list_decisions
    from autograder.gradebook.decisions import place

    course = open_course()
    found = list_decisions(course, named(course, assignments))
    for each in found:
        about = each.sentence(place(each))
        if each.exercise:
            about = f"{each.assignment}: {about}"
        typer.echo(shown(f"{each.number}. {about} ({each.by}, {each.at:%Y-%m-%d %H:%M} UTC)"))
        if not each.holds:
            typer.echo(
                shown(f"   taken back by {each.restored_by}, {each.restored_at:%Y-%m-%d %H:%M} UTC")
            )
    if not found:
        typer.echo("Nothing was decided.")


def _decide(
    kind: str,
    assignment: str,
    exercise: str,
    reason: str,
    by: str,
    *,
    test: str = "",
    student: str = "",
    amount: float = 1,
) -> None:
    from autograder.gradebook import deciding
    from autograder.gradebook.decisions import Kind, Wish, place
    from autograder.platforms.points import listing

    course = open_course()
    name = course.check_assignment(assignment)
    wish = Wish(Kind(kind), name, exercise, test, student, amount)
    decision = deciding.decide(course, wish, reason, by)
    typer.echo(
        f"Decision {decision.number}: {shown(decision.sentence(place(decision)))} "
        f"`autograder restore {decision.number}` takes it back."
    )
    if kept := deciding.keep_theirs(course, decision):
        note(f"What a person gave stays, for {listing(kept)}.")
    tell_changes(course, [assignment])
