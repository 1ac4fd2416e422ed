"""The hidden tests against right and wrong answers: what decides whether the tests are good.

An exercise left unwritten earns nothing, and the release is what the solution makes.
"""

import pkgutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from autograder.authoring.notes.notebook import RIGHT as ALL_RIGHT
from autograder.authoring.opening import LockedNotes, Openings, notes_in
from autograder.authoring.release import in_a_line, solved_notebook
from autograder.course import Course, solution
from autograder.course.solution import source_files
from autograder.diagnosis.banks import banks_of
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.errors import AutograderError, CourseError, GraderFault, counted, in_digits
from autograder.grading.examiner import Examiner
from autograder.grading.hidden_tests import HiddenTests
from autograder.grading.session import SandboxSession
from autograder.grading.warming import needed_by_many
from autograder.grading.worker import Told, forked
from autograder.intake.notebook import read_notebook
from autograder.intake.release import Release, filled
from autograder.intake.submission import normalise
from autograder.report import ONE_CHANGE, ExerciseReport, Outcome
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Isolation
from autograder.work.bounded import Reason, Unfinished
from autograder.work.processes import processes

# The sandbox sees to answers that hang; this is for hidden tests and misconceptions that do.
_GRACE_SECONDS = 60


class AnswerKind(StrEnum):
    """What an answer is, which says what should come of it. Two are names of folders."""

    SOLUTION = "solution"
    STUB = "stub"
    RIGHT = "right"
    WRONG = "wrong"
    REFERENCE = "reference"
    MISCONCEPTION = "misconception"


_ADVICE = {
    AnswerKind.RIGHT: "in another style than the solution's",
    AnswerKind.WRONG: "with a mistake that students make",
}
_WRONG = (AnswerKind.WRONG, AnswerKind.MISCONCEPTION)
_WHAT = {
    AnswerKind.SOLUTION: "the solution of",
    AnswerKind.REFERENCE: "REFERENCE of",
    AnswerKind.RIGHT: "this right answer to",
}


@dataclass(frozen=True)
class TrialAnswer:
    """An answer to try, and the file that it comes from; a misconception has a tag.

    One that can be made in any exercise has its `common` name, too.
    """

    kind: AnswerKind
    source: str
    where: str
    tag: str = ""
    common: str = ""


@dataclass(frozen=True)
class Trial:
    course: Course
    assignment: str
    name: str
    released: str  # the text of the assignment's release
    answers: tuple[TrialAnswer, ...]
    isolation: Isolation
    skip_slow: bool
    notes: LockedNotes | None = None
    lacks_notes: bool = False  # though the notebook has some, or a cell for them
    seeds: int = 0  # further ones, under which right answers are tried as well


@dataclass(frozen=True)
class TrialResult:
    """What trying an exercise showed, or what is wrong with a whole assignment: a line each."""

    subject: str
    tried: tuple[AnswerKind, ...] = ()
    problems: tuple[str, ...] = ()
    openings: Openings | None = None
    lacks_notes: bool = False

    def summary(self) -> str:
        if not self.tried:
            return self.subject
        kinds = Counter(self.tried)
        counts = [
            counted(kinds[kind], name)
            for kind, name in (
                (AnswerKind.RIGHT, "right answer"),
                (AnswerKind.WRONG, "wrong answer"),
                (AnswerKind.MISCONCEPTION, "misconception"),
            )
        ]
        if self.openings:
            counts.append(self.openings.summary())
        if self.lacks_notes:
            counts.append("no locked notes")
        said = f"{len(self.problems)} to correct" if self.problems else "all as it should be"
        return f"{self.subject}: {', '.join(counts)}: {said}"


def try_course(
    course: Course,
    assignments: Sequence[str],
    isolation: Isolation,
    jobs: int,
    *,
    only: Collection[str] = (),
    skip_slow: bool = False,
    seeds: int = 0,
) -> Iterator[TrialResult]:
    """Yield a result for each exercise of `assignments`, while `jobs` are tried at a time.

    With `only`, it is for those exercises. Right answers are tried under so many further `seeds`:
    they must get full marks whatever the course's own draws. Raises `CourseError` for an exercise
    in `only` that no assignment has.
    """
    course = course.with_seed(course.seed)  # a process with bounds couldn't keep one that it draws
    trials: list[Trial] = []
    for assignment in assignments:
        try:
            found, problems = _plan(course, assignment, isolation, skip_slow)
        except AutograderError as error:
            found, problems = [], [str(error)]
        wanted = (each for each in found if not only or each.name in only)
        trials += (replace(each, seeds=seeds) for each in wanted)
        if problems:
            yield TrialResult(assignment, problems=tuple(problems))
    if unknown := sorted({*only} - {each.name for each in trials}):
        raise CourseError(
            f"No hidden tests of {', '.join(assignments)} are for {unknown[0]!r}: correct the name."
        )
    if not trials:
        return
    with processes(min(jobs, len(trials)), [__name__]) as executor:
        try:
            for tried in as_completed(executor.submit(_try, trial) for trial in trials):
                yield tried.result()
        except BrokenExecutor:
            raise GraderFault(
                "A process that tries answers was killed: run this again, with fewer --jobs if "
                "memory is short."
            ) from None


def _plan(
    course: Course, assignment: str, isolation: Isolation, skip_slow: bool
) -> tuple[list[Trial], list[str]]:
    """Return the exercises of `assignment`, with all that is to be tried, and what is wrong yet."""
    from autograder.authoring.generate import generate  # here: it takes seconds to import

    notebook = solved_notebook(course, assignment)
    released = generate(course, {assignment: notebook})[assignment]
    tests = HiddenTests(course, assignment)
    stubs = Release.read(assignment, released.encode()).exercises
    made = notes_in((cell.source for cell in notebook.cells), course.settings.notes_key)
    notes, noted = made or {}, () if made is None else banks_of(course, assignment).keys()
    path = course.release_path(assignment)
    problems = [*_strays(course, assignment, stubs), *_missing(course, assignment, tests.points)]
    if path.is_file() and path.read_bytes() != released.encode():
        old, again = path.relative_to(course.root), f"run `autograder release {assignment}`"
        made_of = f"solutions/{assignment}.py and its known mistakes"
        problems.insert(0, f"{old} is not what {made_of} make: {again}.")
    trials = [
        Trial(
            course=course.at_own_worth(),
            assignment=assignment,
            name=name,
            released=released,
            answers=tuple(_answers(course, assignment, name, stubs[name].source)),
            isolation=isolation,
            skip_slow=skip_slow,
            notes=notes.get(name),
            lacks_notes=name in noted and name not in notes,
        )
        for name in tests.points
    ]
    return trials, problems


def _strays(course: Course, assignment: str, exercises: Iterable[str]) -> Iterator[str]:
    """Name the answers and misconceptions that belong to no exercise: nobody would try them."""
    known = {*exercises, *course.settings.assignment(assignment).left_out}
    folder = course.misconceptions_path(assignment)
    banks = (Path(folder, found.name) for found in pkgutil.iter_modules([str(folder)]))
    answers = (course.answers / assignment).glob("[!._]*/")
    for path in sorted([*banks, *answers]):
        if path.name not in known:
            yield (
                f"{path.relative_to(course.root)} belongs to no exercise of {assignment}: give it "
                f"the name of one ({', '.join(exercises)}) or remove it."
            )


def _missing(course: Course, assignment: str, exercises: Iterable[str]) -> Iterator[str]:
    for exercise in exercises:
        for kind, advice in _ADVICE.items():
            folder = course.answers / assignment / exercise / kind
            if not any(folder.glob("*.py")):
                yield (
                    f"{folder.relative_to(course.root)} holds no answer: write one, {advice}, so "
                    "that the hidden tests are tried on it."
                )


def _answers(course: Course, assignment: str, exercise: str, stub: str) -> Iterator[TrialAnswer]:
    script = f"solutions/{assignment}.py"
    solved = solution.sources(course, assignment)[exercise]
    yield TrialAnswer(AnswerKind.SOLUTION, solved, script)
    yield TrialAnswer(AnswerKind.STUB, stub, script)
    for kind in (AnswerKind.RIGHT, AnswerKind.WRONG):
        for path in sorted((course.answers / assignment / exercise / kind).glob("*.py")):
            where = str(path.relative_to(course.root))
            yield TrialAnswer(kind, path.read_text("utf-8"), where)
    bank = banks_of(course, assignment).get(exercise)
    if bank is not None:
        where = str((course.misconceptions_path(assignment) / exercise).relative_to(course.root))
        yield TrialAnswer(AnswerKind.REFERENCE, bank.reference, where)
        for mistake in bank.singles():
            (made,) = mistake.variants
            kind, source = AnswerKind.MISCONCEPTION, mistake.source
            yield TrialAnswer(kind, source, where, made.tag, made.common)


def _try(trial: Trial) -> TrialResult:
    """Try an exercise's answers one after the other; the first that can't be graded ends it."""
    problems, sound = [], [answer for answer in trial.answers if answer.kind in _WHAT]
    common: dict[str, str] = {}  # what becomes of common mistakes that aren't told apart, by name
    try:
        for answer, report in _reports(trial, trial.answers):
            if said := _problem(answer, report):
                problems.append(said)
                if answer.kind is AnswerKind.SOLUTION:  # what is wrong here shows in all others
                    sound.clear()
                    break
                if answer in sound:
                    sound.remove(answer)
            elif answer.common and (said := _missed(answer, report)):
                common[answer.common] = said
        problems += _by_luck(trial, sound)
    except AutograderError as error:
        problems.append(str(error))
    if common:
        bank = next(each.where for each in trial.answers if each.kind is AnswerKind.MISCONCEPTION)
        problems.append(_to_leave_out(bank, common))
    subject = f"{trial.assignment} {trial.name}"
    tried = tuple(each.kind for each in trial.answers)
    openings, false = _openings(trial, trial.notes) if trial.notes else (None, ())
    return TrialResult(subject, tried, (*problems, *false), openings, trial.lacks_notes)


def _by_luck(trial: Trial, left: list[TrialAnswer]) -> Iterator[str]:
    """Name the right answers that lose marks under another seed, each at the first one alone."""
    for seed in range(trial.seeds):
        under = replace(trial, course=trial.course.with_seed(seed))
        for answer, report in _reports(under, left):
            if said := _problem(answer, report):
                left.remove(answer)
                yield f"{said} That is so under the seed {seed}, not under your own."
                if answer.kind is AnswerKind.SOLUTION:
                    return


def _openings(trial: Trial, notes: LockedNotes) -> tuple[Openings, Iterable[str]]:
    """Return what the notes say to wrong answers, and what is wrong with what right ones read."""
    course, assignment = trial.course, trial.assignment
    solved, folder = solution.sources(course, assignment), course.solutions / assignment
    said = {
        answer: notes.open(solved | {trial.name: answer.source}, folder) for answer in trial.answers
    }
    wrong = {each: said[each] for each in said if each.kind in _WRONG}
    called = {each: each.tag or Path(each.where).stem for each in wrong}
    blind = tuple(called[each] for each in wrong if wrong[each] == ALL_RIGHT)
    silent = tuple(called[each] for each in wrong if not wrong[each])
    false = (
        f"{answer.where}: a locked note takes {_WHAT[answer.kind]} {trial.name} for a mistake "
        f"({text}): correct it, or the misconception."
        for answer, text in said.items()
        if answer.kind in _WHAT and text not in ("", ALL_RIGHT)
    )
    return Openings(len(wrong), silent, blind, notes.size), false


def _reports(
    trial: Trial, answers: Sequence[TrialAnswer]
) -> Iterator[tuple[TrialAnswer, ExerciseReport]]:
    """Yield each answer with its report, graded as students' are: in a process with bounds."""
    course, assignment = trial.course, trial.assignment
    release = Release.read(assignment, trial.released.encode())
    given = [cell.source for cell in release.setup]
    examiner = Examiner(Diagnosis(course, assignment, given), trial.skip_slow)
    limits, slow = course.settings.limits(assignment), examiner.tests.seconds
    if not trial.skip_slow:
        limits = replace(limits, notebook_seconds=limits.notebook_seconds + slow)
    solved = solution.sources(course, assignment)
    forbidden, hidden = examiner.tests.forbidden, course.secrets()
    seconds = limits.notebook_seconds + _GRACE_SECONDS
    imports, files = needed_by_many(release), source_files(course, assignment)
    with WarmProcess(trial.isolation, limits, preload=imports, hidden=hidden, files=files) as warm:
        for answer in tuple(answers):
            warm.be_ready()
            raw = filled(trial.released, solved | {trial.name: answer.source})
            submission = normalise(read_notebook(raw), release)
            session = SandboxSession(warm, submission, (trial.name,), forbidden, limits)
            try:
                examine = partial(_examined, examiner, session)
                told, found = forked(examine, limits, seconds, examiner.diagnosis.memory.found)
            except Unfinished as why:
                allowed = f"{seconds:g} seconds, or {limits.grader_seconds:g} of computing"
                raise GraderFault(_unfinished(trial, answer, allowed, why)) from None
            for each in told.exercises:
                examiner.learn([each], found)  # the next answer's diagnosis takes less time
                yield answer, each


def _examined(examiner: Examiner, session: SandboxSession) -> Told:
    with closing(session):
        return Told(exercises=tuple(examiner.examine(session).values()))


def _unfinished(trial: Trial, answer: TrialAnswer, allowed: str, why: Unfinished) -> str:
    what = answer.tag or f"the {answer.kind} answer"
    untried = f"so the rest of {trial.name} was not tried"
    if why.reason is Reason.TIME:
        return (
            f"{answer.where}: grading {what} takes more than {allowed}, {untried}: look for a loop "
            "in the hidden tests or misconceptions."
        )
    return (
        f"{answer.where}: grading {what} didn't finish ({why}), {untried}: look at what the "
        "hidden tests do with it."
    )


def _problem(answer: TrialAnswer, report: ExerciseReport) -> str:
    """Say what is wrong with what came of an answer, and what to do; nothing if all is well."""
    lost = report.score < report.max_score
    named = [mistake.tag for mistake in report.misconceptions]
    failed = [test for test in report.tests if test.outcome is not Outcome.PASSED]
    faults = [test for test in failed if test.outcome is Outcome.GRADER_ERROR]
    where, missed = answer.where, _missed(answer, report)
    match answer.kind:
        case _ if faults:
            return f"{where}: {report.name} can't be judged by {in_a_line(faults)}: correct that."
        case AnswerKind.STUB if report.score > 0:
            earning = ", ".join(test.name for test in report.tests if test.score > 0)
            return (
                f"{where}: {report.name} left unwritten earns {in_digits(report.score)} of "
                f"{in_digits(report.max_score)} points in {earning}: let that test call "
                f"`student.{report.name}` and fail if it computes nothing."
            )
        case AnswerKind.SOLUTION | AnswerKind.REFERENCE | AnswerKind.RIGHT if failed:
            taken = f" and is taken for {', '.join(named)}" if named else ""
            return (
                f"{where}: {_WHAT[answer.kind]} {report.name} fails {in_a_line(failed)}{taken}: "
                "correct it or the hidden test."
            )
        case AnswerKind.WRONG if not lost:
            return (
                f"{where}: this wrong answer gets full marks: add a hidden test that it "
                "fails or, if it is right, move it to right/."
            )
        case AnswerKind.MISCONCEPTION if answer.common:
            return ""  # of all such mistakes, one line tells
        case AnswerKind.MISCONCEPTION if not lost:
            return f"{where}: {missed}: add a hidden test that it fails, or remove it."
        case AnswerKind.MISCONCEPTION if missed:
            return (
                f"{where}: {missed}: let a hidden test ask something that only this mistake "
                "answers so, or merge the two."
            )
    return ""


def _missed(answer: TrialAnswer, report: ExerciseReport) -> str:
    """Say what becomes of a mistake that isn't called by its name; nothing if it is."""
    named = [mistake.tag for mistake in report.misconceptions]
    if report.score == report.max_score:
        return f"{answer.tag} gets full marks"
    own = [answer.tag]
    if answer.common == "list-of-rows":  # of an array with one axis, that is a plain list
        own.append(answer.tag.removesuffix("list-of-rows") + "plain-list")
    if len(named) == 1 and named[0] in own:
        return ""
    if named and all(tag.startswith(ONE_CHANGE) for tag in named):
        return (
            f"{answer.tag} isn't known from what it returns, where numbers within 1 in 10,000 of "
            "right ones count as right, and only a change that mends it is found"
        )
    return f"{answer.tag} is taken for {' and '.join(named) or 'nothing'}"


def _to_leave_out(bank: str, missed: Mapping[str, str]) -> str:
    """Say of all common mistakes that are `missed` what to do.

    Nobody wrote them into the bank, so they can't be removed from it, nor merged with others.
    """
    names = str(tuple(missed)).replace("'", '"')
    it, it_is = ("them", "they are") if len(missed) > 1 else ("it", "it is")
    return (
        f"{bank}: {', '.join(missed.values())}: add a hidden test that tells {it} apart, or write "
        f"NOT_MISTAKES = {names} below REFERENCE if {it_is} none here."
    )
