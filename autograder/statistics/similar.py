"""Similar answers: pairs of authors that share passages which hardly anybody else wrote.

It is a hint for a person who looks and decides: nothing here has a say in a grade. Passages are the
k-grams of Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting"
(SIGMOD 2003). A passage weighs the more, the fewer wrote it, so the usual way to solve an exercise
makes nobody similar. (copydetect, which does the same, compares files and knows no cells.)
"""

import ast
import builtins
import keyword
import math
import tokenize
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from markupsafe import Markup

from autograder.course import Course
from autograder.course.saving import save_whole
from autograder.errors import CourseError, SubmissionError, shown
from autograder.gradebook.term_archive import open_archive
from autograder.grading.submissions import Job, find_submissions
from autograder.intake.code import code_tokens
from autograder.intake.names import Names, names_in
from autograder.intake.notebook import read_file, read_notebook
from autograder.intake.release import Release
from autograder.intake.submission import Submission, normalise
from autograder.report import printable
from autograder.telling.pages.looks import rendered
from autograder.telling.pages.press import PRESS
from autograder.work.bounded import Unfinished

LENGTH = 4  # tokens: few enough that exchanged lines still have passages in common
MIN_CLASS = 10  # submissions: fewer don't show what is usual
# Chosen so that, of classes drawn from answers on file, nearly all copies with other names and
# exchanged lines are found, and nearly no two that have nothing to do with each other.
MIN_SHARE = 0.72  # of the weight of the shorter answers, over all exercises
MIN_LEAST = 0.6  # the same, on average over that half of the exercises in which they share least
MIN_RARE = 4  # passages in common that hardly anybody else wrote
MIN_MARKED = 0.5  # what a passage weighs that is marked: fewer than a sixth of 60 wrote it
MIN_OWN = 2.0  # weight of an answer with anything of its own in it
FEW = 3  # students who may have written what hardly anybody wrote,
FEW_OF = 0.05  # or so much of a class, up to
MAX_FEW = 20
MAX_TOKENS = 20_000  # of an answer that are compared; a longer one is named
MAX_PAIRS = 50
MAX_LINES = 80  # of an answer
MAX_LENGTH = 200  # characters of a line
_LINE = Markup("{}\n")
_SHARED = Markup('<mark class="shared">{}</mark>\n')

Passage = tuple[str, ...]
Lines = tuple[tuple[int, int], ...]  # the first and the last line, of each place where it stands


def tokens_of(source: str, known: Iterable[str]) -> list[tuple[str, int]]:
    """Return the tokens of a cell, each with its line; names stay if `known`, or behind a dot."""
    kept = {*known, *dir(builtins), *keyword.kwlist}
    found: list[tuple[str, int]] = []
    before = ""
    for token in code_tokens(source):
        text = token.string
        if token.type == tokenize.NAME and before != "." and text not in kept:
            text = "name"
        elif token.type == tokenize.STRING:
            text = "text"
        found.append((text, token.start[0]))
        before = token.string
    return found


def imported(sources: Iterable[str]) -> set[str]:
    """Return the names that given cells import, which mean the same in every answer."""
    nodes = (node for source in sources for node in ast.walk(ast.parse(source)))
    imports = (node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
    return {(alias.asname or alias.name).partition(".")[0] for i in imports for alias in i.names}


def passages_in(
    tokens: Sequence[tuple[str, int]], without: Iterable[Passage] = ()
) -> dict[Passage, Lines]:
    """Return the passages in `tokens` but for those that are given to everybody."""
    found: dict[Passage, Lines] = {}
    for start in range(len(tokens) - LENGTH + 1):
        texts, lines = zip(*tokens[start : start + LENGTH], strict=True)
        found[texts] = (*found.get(texts, ()), (lines[0], lines[-1]))
    for passage in without:
        found.pop(passage, None)
    return found


@dataclass(frozen=True, eq=False)
class ComparedAnswer:
    """An answer to an exercise: its code, and the passages in it that are its author's own."""

    code: str
    passages: Mapping[Passage, Lines]

    def lines_of(self, passages: Iterable[Passage]) -> frozenset[int]:
        """Return the numbers of the lines on which these stand, from 1 on."""
        spans = (span for passage in passages for span in self.passages[passage])
        return frozenset(line for first, last in spans for line in range(first, last + 1))


@dataclass(frozen=True, eq=False)
class Author:
    """Who wrote what, by exercise; `name` is a student id, or that of a reference."""

    name: str
    answers: Mapping[str, ComparedAnswer]
    cut: tuple[str, ...] = ()  # the exercises of which not all is compared


@dataclass(frozen=True)
class SharedPassages:
    """What two have in common in an exercise; lines are counted from 1."""

    exercise: str
    share: float  # of the weight of the shorter answer, between 0 and 1
    codes: tuple[str, str]
    lines: tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True)
class SimilarPair:
    """Two whose answers are worth a look, and how much of the shorter ones they share."""

    names: tuple[str, str]
    share: float  # between 0 and 1
    rare: int  # passages in common that hardly anybody else wrote
    exercises: tuple[SharedPassages, ...]


class ComparedClass:
    def __init__(self, authors: Sequence[Author]) -> None:
        """Count who wrote what; raise `CourseError` if there are too few to tell what is usual."""
        number = len(authors)
        if number < MIN_CLASS:
            raise CourseError(
                f"Similar answers need {MIN_CLASS} submissions, to tell what is usual from what is "
                f"not: there are {number}."
            )
        self._authors = authors
        self._few = min(MAX_FEW, max(FEW, int(FEW_OF * number)))
        self._written: dict[str, Counter[Passage]] = defaultdict(Counter)  # by exercise
        for author in authors:
            for name, answer in author.answers.items():
                self._written[name].update(answer.passages.keys())
        # By the number who wrote it: about 1 if two did, and 0 if all did.
        scale = math.log(number / 2)
        self._weights = [math.log(number / max(1, n)) / scale for n in range(number + 1)]
        self._wholes: dict[ComparedAnswer, float] = {}
        weights: dict[str, list[float]] = defaultdict(list)
        for author in authors:
            for name, answer in author.answers.items():
                if (weight := self._weight(name, answer.passages)) > MIN_OWN:
                    weights[name].append(weight)
        self._typical = {name: median(each) for name, each in weights.items()}

    def pairs(self) -> list[SimilarPair]:
        """Return the pairs of students that are worth a look, those that share most first."""
        writers = self._writers().values()
        return self._worth_a_look(pair for each in writers for pair in combinations(each, 2))

    def pairs_with(self, references: Iterable[Author]) -> list[SimilarPair]:
        """Return the same for pairs of a student and a reference."""
        writers = self._writers()
        return self._worth_a_look(
            (author, reference)
            for reference in references
            for name, each in reference.answers.items()
            for passage in each.passages
            for author in writers.get((name, passage), ())
        )

    def _writers(self) -> Mapping[tuple[str, Passage], Sequence[Author]]:
        """Return who wrote each passage that hardly anybody else wrote."""
        writers: dict[tuple[str, Passage], list[Author]] = defaultdict(list)
        for author in self._authors:
            for name, answer in author.answers.items():
                for passage in self._rare(name, answer.passages):
                    writers[name, passage].append(author)
        return writers

    def _worth_a_look(self, sharing: Iterable[tuple[Author, Author]]) -> list[SimilarPair]:
        """Look at those that are `sharing` a few rare passages: there are millions of others."""
        likely = (pair for pair, times in Counter(sharing).items() if times >= MIN_RARE)
        found = [pair for pair in (self._pair(a, b) for a, b in likely) if pair is not None]
        return sorted(found, key=lambda pair: (-pair.share, -pair.rare, pair.names))

    def _pair(self, first: Author, second: Author) -> SimilarPair | None:
        shared = [name for name in first.answers if name in second.answers]
        answers = {name: (first.answers[name], second.answers[name]) for name in shared}
        common = {name: a.passages.keys() & b.passages.keys() for name, (a, b) in answers.items()}
        weights = {name: self._weight(name, both) for name, both in common.items()}
        wholes = {name: min(self._whole(name, each) for each in answers[name]) for name in shared}
        weights = {name: min(weight, wholes[name]) for name, weight in weights.items()}
        rare = sum(len(self._rare(name, both)) for name, both in common.items())
        weight, most = sum(weights.values()), sum(wholes.values())
        # One exercise is soon alike: so the half in which they share least has to be, too.
        shares = sorted(weights[name] / wholes[name] for name in shared if wholes[name] > MIN_OWN)
        half = shares[: len(shares) // 2 + 1]
        is_alike = weight >= MIN_SHARE * most and sum(half) >= MIN_LEAST * len(half)
        if rare < MIN_RARE or not half or not is_alike:
            return None
        found = []
        for name in (name for name in shared if weights[name]):
            one, other = answers[name]
            told = [each for each in common[name] if self._weight(name, [each]) > MIN_MARKED]
            codes, lines = (one.code, other.code), (one.lines_of(told), other.lines_of(told))
            found.append(SharedPassages(name, weights[name] / wholes[name], codes, lines))
        return SimilarPair((first.name, second.name), weight / most, rare, tuple(found))

    def _weight(self, name: str, passages: Iterable[Passage]) -> float:
        written = self._written[name]
        return sum(self._weights[written[passage]] for passage in passages)

    def _rare(self, name: str, passages: Iterable[Passage]) -> list[Passage]:
        written = self._written[name]
        return [passage for passage in passages if written[passage] <= self._few]

    def _whole(self, name: str, answer: ComparedAnswer) -> float:
        """Return the weight of an answer, at most the usual one: padding hides nothing."""
        if answer not in self._wholes:  # it is asked for again and again
            weight = self._weight(name, answer.passages)
            self._wholes[answer] = min(weight, self._typical.get(name, weight))
        return self._wholes[answer]


class AnswerReader:
    """Reads answers in copies of a release; what that gives to everybody is nobody's own."""

    def __init__(self, release: Release) -> None:
        """Note the names that the release imports, and the passages of its stubs."""
        self.release = release
        self.known = frozenset(imported(cell.source for cell in release.setup))
        self._given = {
            name: passages_in(tokens_of(cell.source, self.known))
            for name, cell in release.exercises.items()
        }

    def compared(
        self, exercise: str, code: str, tokens: Sequence[tuple[str, int]]
    ) -> ComparedAnswer:
        return ComparedAnswer(code, passages_in(tokens, self._given[exercise]))

    def author(self, name: str, raw: bytes, exercise: str = "") -> Author:
        """Return what is in a notebook, or a file about one `exercise`; raise `SubmissionError`."""
        try:
            told = PRESS.run(partial(_told, raw, self.release, self.known, exercise))
        except Unfinished as error:
            raise SubmissionError(f"{shown(name)} can't be compared: {error}.") from None
        if isinstance(told, str):
            raise SubmissionError(f"{shown(name)} can't be compared: {told}")
        cut = tuple(each for each, (_, tokens) in told.items() if len(tokens) > MAX_TOKENS)
        return Author(name, {each: self.compared(each, *p) for each, p in told.items()}, cut)

    def handed_in(self, course: Course, tell: Callable[[str], None]) -> list[Author]:
        """Return who handed in what; `tell` receives a sentence about what can't be compared."""
        return self._authors(find_submissions(course, [self.release.assignment], tell=tell), tell)

    def earlier(self, source: Path, tell: Callable[[str], None]) -> list[Author]:
        """Return who handed in what in an earlier term: a course's folder, or the archive of it."""
        with TemporaryDirectory() as fresh:
            folder, name = source, self.release.assignment
            if source.is_file():
                open_archive(source, folder := Path(fresh) / "earlier", "submitted/")
            paths = sorted(folder.glob(f"submitted/*/{name}/{name}.ipynb"))
            jobs = [Job(f"{path.parts[-3]}, earlier", name, path) for path in paths]
            if not jobs:
                raise CourseError(
                    f"{source} holds no submissions to {name}: name the folder of an earlier "
                    "course, or a file that `autograder archive` wrote."
                )
            return self._authors(jobs, tell)

    def _authors(self, jobs: Iterable[Job], tell: Callable[[str], None]) -> list[Author]:
        found = []
        for job in jobs:
            try:
                found.append(self.author(job.student, job.read()))
            except SubmissionError as error:
                tell(str(error))
                continue
            for name in found[-1].cut:
                tell(
                    f"{shown(job.student)} wrote so much about {name} that only its beginning is "
                    "compared: look at it."
                )
        return found

    def references(self, folder: Path) -> list[Author]:
        """Return the references in a folder: notebooks, and files `<exercise>/<name>.py`."""
        exercises = self.release.exercises
        files = [(path, "") for path in sorted(folder.glob("*.ipynb"))]
        files += [(p, name) for name in exercises for p in sorted((folder / name).glob("*.py"))]
        if not files:
            raise CourseError(
                f"{folder} holds no references: put notebooks of {self.release.assignment} there, "
                f"or files such as {next(iter(exercises), 'exercise')}/from_the_web.py."
            )
        try:
            return [
                self.author(str(path.relative_to(folder)), read_file(path), exercise)
                for path, exercise in files
            ]
        except (OSError, SubmissionError) as error:
            raise CourseError(f"{folder} can't be compared with: {error}") from None


def _told(
    raw: bytes, release: Release, known: Collection[str], exercise: str
) -> dict[str, tuple[str, Sequence[tuple[str, int]]]] | str:
    """Run in a process that can be killed: return codes and tokens by exercise, or why not."""
    try:
        if exercise:
            answers = {exercise: raw.decode(errors="replace")}
        else:
            answers = _with_helpers(normalise(read_notebook(raw), release))
    except SubmissionError as error:
        return str(error)
    return {name: (c, tokens_of(c, known)[: MAX_TOKENS + 1]) for name, c in answers.items()}


def _with_helpers(submission: Submission) -> dict[str, str]:
    """Return each answer behind the student's own cells that it uses, and that these use."""
    own = [(each, names_in(each)) for each in submission.own_code]
    found = {}
    for exercise, code in submission.answers.items():
        names = names_in(code)
        wanted, left = names.read | names.bound, own
        used: set[str] = set()
        while more := [(c, n) for c, n in left if n.bound & names.read or n.changed & wanted]:
            used |= {each for each, _ in more}
            names = Names(read=frozenset().union(*(n.read for _, n in more)))
            left = [each for each in left if each not in more]
        found[exercise] = "\n\n".join([*(each for each, _ in own if each in used), code])
    return found


def write_similar_page(
    course: Course,
    assignment: str,
    folder: Path | None,
    tell: Callable[[str], None],
    earlier: Path | None = None,
) -> tuple[Path, int]:
    """Write the page; return it, and its number of pairs.

    References in a `folder`, and the work of an `earlier` term, are compared as well.
    """
    reader = AnswerReader(Release.load(course, assignment))
    authors = reader.handed_in(course, tell)
    compared = ComparedClass(authors)
    students = compared.pairs()
    references = [*(reader.references(folder) if folder else ())]
    references += reader.earlier(earlier, tell) if earlier else ()
    others = compared.pairs_with(references) if folder or earlier else None
    path = course.reports / f"{assignment}-similar.html"
    save_whole(similar_page(assignment, len(authors), students, others).encode(), path)
    return path, len(students) + len(others or ())


def similar_page(
    assignment: str,
    number: int,
    students: Sequence[SimilarPair],
    others: Sequence[SimilarPair] | None,
) -> str:
    """Return the page on pairs among `number` students, and on `others`, with references."""
    return rendered(
        "similar.html",
        *("class_report.css", "similar.css"),
        assignment=assignment,
        number=number,
        students=students,
        others=others,
        most=MAX_PAIRS,
        marked=marked,
    )


def marked(code: str, lines: Collection[int]) -> Markup:
    """Return code as HTML in which the `lines` with these numbers, from 1 on, are marked.

    Of long code, that part is shown which holds most of them.
    """
    rows, places = printable(code).split("\n"), sorted(lines)
    last = max(1, len(rows) - MAX_LINES + 1)

    def held(start: int) -> int:
        return bisect_left(places, start + MAX_LINES) - bisect_left(places, start)

    start = max([1, *(min(place, last) for place in places)], key=held)
    shown = [
        (_SHARED if number in lines else _LINE).format(text[:MAX_LENGTH])
        for number, text in enumerate(rows[start - 1 : start - 1 + MAX_LINES], start)
    ]
    before = f"{start - 1} lines …\n" if start > 1 else ""
    left = len(rows) - len(shown) - start + 1
    more = f"… and {left} more lines\n" if left else ""
    return Markup("<pre>{}</pre>").format(Markup().join([before, *shown, more]))
