"""Commands about a whole term: keep it, open it again, begin the next one."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

import autograder
from autograder.cli.app import NewFolder, app, finish, in_course, note, open_course
from autograder.errors import counted, shown, within_sentence

PANEL = "Course and term"
person_commands = typer.Typer(
    no_args_is_help=True, help="What is stored about one student: pack it, or forget it."
)
app.add_typer(person_commands, name="person", rich_help_panel=PANEL)
ZipFile = Annotated[
    Path | None, typer.Argument(help="The zip file to write, if not one in exports/.")
]
StudentId = Annotated[str, typer.Argument(metavar="ID", help="The student's id.")]


@app.command(rich_help_panel=PANEL)
def archive(file: ZipFile = None) -> None:
    """Freeze the term in one file: work, marks, reports, roster, seed, tests and versions."""
    from autograder.gradebook.term_archive import HOLDS, write_archive

    course = open_course()
    name = f"{course.settings.id}-{datetime.now(UTC):%Y-%m-%d}.zip"
    path = file or course.exports / name
    made = write_archive(course, path, note)
    assignments = counted(len(made.assignments), "assignment")
    typer.echo(
        f"Wrote {in_course(course, path)}: {assignments}, {counted(made.students, 'student')}, "
        f"{len(made.files)} files, {path.stat().st_size / (1 << 20):.1f} MB."
    )
    typer.echo(f"It holds: {within_sentence(HOLDS)}")


@app.command("open", rich_help_panel=PANEL)
def open_term(
    file: Annotated[Path, typer.Argument(help="What `autograder archive` wrote.")],
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A new folder, if not named as the file.")
    ] = None,
) -> None:
    """Unpack a frozen term into a new folder, to report, export and look at it there.

    It holds hidden tests and settings, which are programs: open only what you or a colleague froze.
    """
    from autograder.gradebook.term_archive import open_archive

    target = folder or Path(file.stem)
    made = open_archive(file, target)
    if (version := made.versions.get("autograder", "")) != autograder.__version__:
        note(f"It was made by autograder {version}: use that one if something can't be read.")
    typer.echo(
        f"Opened {target}: {made.course}, {counted(made.students, 'student')}, "
        f"frozen on {made.made:%Y-%m-%d}"
    )


@app.command(rich_help_panel=PANEL)
def migrate(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be changed, and change nothing.")
    ] = False,
) -> None:
    """Bring a course that an earlier version made to this one; other commands do so as they go."""
    from autograder.gradebook.migration import migrate as migrate_course

    changes = migrate_course(open_course(), note, dry_run=dry_run)
    for sentence in changes:
        typer.echo(f"{'Would change' if dry_run else 'Changed'}: {sentence}")
    if not changes:
        typer.echo("Nothing to change.")


@person_commands.command("export")
def export_person(student: StudentId, file: ZipFile = None) -> None:
    """Pack all that is stored about one student, such as for somebody who asks what you keep."""
    from autograder.gradebook import person
    from autograder.serve import store

    course = open_course()
    path = file or course.exports / f"person-{student}.zip"
    served = store.known_about(course, student)
    number = person.export_person(course, person.find_person(course, student), path, served)
    typer.echo(f"Wrote {in_course(course, path)}: {number} files. Give it to nobody else.")


@person_commands.command()
def forget(
    student: StudentId,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask; for scripts.")] = False,
) -> None:
    """Delete all that is stored about one student; what was made of the class can be made again.

    Exit status 1 while a file still names the student: it says which.
    """
    from autograder.gradebook import person
    from autograder.serve import store

    course = open_course()
    found = person.find_person(course, student)
    if not yes:
        called = f" ({found.name})" if found.name else ""
        typer.confirm(
            shown(f"Delete all work, marks and reports of {student}{called}, for good?"), abort=True
        )
    store.forget(course, student)
    done = person.forget_person(course, found)
    for path in done.deleted:
        typer.echo(f"Deleted {in_course(course, path)}")
    typer.echo(
        f"Forgot {student}. `autograder report`, `similar` and `export` make again, without them, "
        "what was made of the class. Backups, and what a platform holds, are yours to see to."
    )
    for path in done.archives:
        where = in_course(course, path)
        note(f"{where} is a frozen term, and stays as it is: delete it if you must.")
    for path in done.remaining:
        where = in_course(course, path)
        typer.echo(f"{where} still names {student}: edit or delete it by hand.", err=True)
    finish(done.remaining)


@app.command("next-term", rich_help_panel=PANEL)
def next_term(folder: NewFolder) -> None:
    """Make the course of the next term: the same exercises, and no student, date or seed."""
    from autograder.course import scaffold

    course = open_course()
    left = scaffold.next_term(course, folder)
    if left:
        note(f"Not copied, because only you know what is in them: {', '.join(left)}.")
    typer.echo(
        f"Made {folder}: the same exercises, and nothing of this term's students. Its seed is "
        f"drawn when it is first needed. Write the new dates into {folder / 'course.toml'}, then "
        "run `autograder release` there."
    )
