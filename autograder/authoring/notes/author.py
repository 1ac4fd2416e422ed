"""Lock what is known of mistakes under what they return: the table that a release carries.

Runs on the course's own code alone, in a process that can be killed. A note says only that results
are equal: what differs between right answers is never used, and notes that two mistakes would open
are keyed by more, until they differ.
"""

from __future__ import annotations

import ast
import base64
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from autograder.authoring.notes import notebook
from autograder.authoring.notes.notebook import MAX_PARTS, SHORT, STEP
from autograder.authoring.notes.recording import SEED, Inputs, inputs_of
from autograder.authoring.script import LOCKED_NOTES, Script
from autograder.course import Course, solution
from autograder.course.loading import files_below, hash_of, hash_of_files
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.grading.hidden_tests import HiddenTests
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.failures import plain_rules
from autograder.testing.misconceptions import Bank, Candidate, WorkedExample
from autograder.work import bounded
from autograder.work.processes import call_beside

NEAR = 0.1  # steps from a border of a grid, at which right styles might be rounded apart
FEW = 4  # parts that a note is keyed by, before those that tell it from others
MAX_IGNORED = 0.75  # of the entries of a result
BOUNDS = bounded.Bounds(3600, 1800, 8 << 10, 16 << 20, 1)  # a few minutes are usual
MIN_TELLING = 2  # of them must hold numbers, and several, so that nobody would guess them
SEVERAL = 3  # numbers

_CELL = """\
from types import ModuleType

locked_notes = ModuleType("locked_notes")
exec(r'''{code}''', vars(locked_notes))
# of {basis}
locked_notes.EXCEPTIONS = r'''
{exceptions}
'''
locked_notes.TABLE = r'''
{table}
'''"""

Seen = dict[int, tuple[str, list[float]]]  # words and numbers, by MAX_PARTS * place + part


@dataclass
class Known:
    """One known answer: what it returns, and what is said where an answer returns the same."""

    tag: str
    text: str
    seen: Seen
    sizes: Mapping[int, int]  # by part: how many numbers are looked at
    keyed: list[int] = field(default_factory=list)
    is_noted: bool = False
    example: WorkedExample | None = None


def cell_of(course: Course, assignment: str, *, make: bool) -> str:
    """Return the code of the cell with the notes: the released one's, if all is as it was then.

    Else notes are made anew if `make` says so, and there are none otherwise.
    """
    basis = _basis(course, assignment)
    if held := _held(course, assignment, basis):
        return held
    code, table = Path(notebook.__file__).read_text("utf-8"), ""
    if make and course.settings.notes:
        table = call_beside(_made, course, assignment)
    exceptions = notebook.packed(plain_rules())
    return _CELL.format(code=code, basis=basis, exceptions=exceptions, table=table)


def are_out_of_date(course: Course, assignment: str) -> bool:
    """Tell whether the next release makes the notes anew, which may take minutes."""
    parts = Script.read(course, assignment).parts if course.settings.notes else ()
    has_notes = any(part.cell.source.endswith(LOCKED_NOTES) for part in parts)
    return has_notes and not _held(course, assignment, _basis(course, assignment))


def _made(course: Course, assignment: str) -> str:
    """Return the table as a notebook holds it; an answer may do anything, and end its process."""
    try:
        return bounded.call(lambda: _packed(course, assignment), BOUNDS).decode()
    except bounded.Unfinished as why:
        raised = f" ({why.detail.splitlines()[-1]})" if why.reason is bounded.Reason.RAISED else ""
        raise CourseError(
            f"No locked notes can be made for {assignment}: as its known answers ran, {why}"
            f"{raised}. `autograder test {assignment}` tells what is wrong with which; `notes = "
            "false` in course.toml goes without notes."
        ) from None


def _packed(course: Course, assignment: str) -> bytes:
    said, notes = course.settings, notes_of(course, assignment)
    table = table_of(notes, said.id, key=said.notes_key, only_first=said.notes == "first")
    text: str = notebook.packed(table)
    return text.encode()


def _basis(course: Course, assignment: str) -> str:
    """Return a hash of what the notes are made from; without notes, a word.

    Right answers on file only keep parts out on which styles differ: for a new one, nothing is made
    anew.
    """
    said = course.settings
    if not said.notes:
        return "nothing"
    settings, explained = (said.id, said.notes, said.notes_key), plain_rules()
    sources = repr((settings, explained, solution.sources(course, assignment)))
    here, exercises = Path(__file__).parent, course.exercises
    asked = (*sorted(exercises.glob("*.py")), *files_below(exercises / assignment, "*.py"))
    parts = (
        sources,
        hash_of_files(exercises, asked),
        hash_of_files(here, files_below(here, "*.py")),
    )
    return hash_of(part.encode() for part in parts)


def _held(course: Course, assignment: str, basis: str) -> str:
    """Return the code of the released cell with notes that were made from the same; or nothing."""
    try:
        cells = json.loads(course.release_path(assignment).read_bytes())["cells"]
    except (OSError, ValueError, KeyError):  # it isn't there, or isn't what we wrote
        return ""
    sources = ("".join(cell["source"]) for cell in cells)
    found = next((source for source in sources if f"# of {basis}\n" in source), "")
    return found[found.index(_CELL[:20]) :] if found else ""


@dataclass(frozen=True)
class Notes:
    """The notes of one exercise."""

    uses: tuple[str, ...]  # the other exercises, first to last, that the solution is made with
    inputs: Inputs
    ignored: Mapping[str, Any]  # by part: how many entries, and a bit for each nobody looks at
    right: Known
    mistakes: tuple[Known, ...]


def notes_of(course: Course, assignment: str) -> dict[str, Notes]:
    """Return the notes of each exercise that has a bank of misconceptions."""
    tests, banks = HiddenTests(course, assignment), banks_of(course, assignment)
    sources, folder = solution.sources(course, assignment), course.solutions / assignment
    with closing(InProcess(sources.values(), tests.forbidden, folder=folder)) as channel:
        examine = partial(tests.examine, channel_of=lambda: channel, seed=SEED, skip_slow=True)
        asked = {
            exercise: inputs_of([each.exchanges for each in examine(exercise)])
            for exercise in tests.points
            if exercise in banks
        }
    given = [source for name, source in sources.items() if name not in tests.points]
    references = [bank.reference for bank in banks.values()]
    namespace = InProcess([*given, *references], folder=folder).namespace
    answers = {name: source for name, source in sources.items() if name in asked}
    return {
        exercise: _built(
            _used_by(exercise, answers),
            inputs,
            banks[exercise],
            namespace,
            _styles(course, assignment, exercise),
        )
        for exercise, inputs in asked.items()
    }


def _used_by(exercise: str, answers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the exercises, first to last, that a solution names, or the solutions of these."""
    found, left = {exercise}, [exercise]
    while left:
        tree = ast.parse(_without_magics(answers[left.pop()]))
        named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        new = (named & answers.keys()) - found
        found |= new
        left += new
    return tuple(name for name in answers if name in found - {exercise})


def _styles(course: Course, assignment: str, exercise: str) -> dict[str, str]:
    """Return the right answers on file, and the solution, by name."""
    folder = course.answers / assignment / exercise / "right"
    found = {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.py"))}
    return {"solution": solution.sources(course, assignment)[exercise], **found}


def _built(
    uses: tuple[str, ...],
    inputs: Inputs,
    bank: Bank,
    namespace: Mapping[str, Any],
    styles: Mapping[str, str],
) -> Notes:
    played = {"scripts": inputs.scripts, "forbids": inputs.forbids, "ignored": dict[str, Any]()}

    def run(source: str, seed: int = 1, results: dict[int, Any] | None = None) -> Seen:
        names = dict(namespace)
        try:
            exec(_without_magics(source), names)  # noqa: S102 - the course's own code
        except Exception:
            return {}
        seen: Seen = notebook.outcomes(played, names, seed, results)
        return seen

    styles = {"the reference again": bank.reference, **styles}
    results = [dict[int, Any]() for _ in range(1 + len(styles))]
    for source, found in zip((bank.reference, *styles.values()), results, strict=True):
        run(source, 1 + (found is not results[0]), found)
    played["ignored"] = ignored = _ignored(results)
    seen = run(bank.reference)
    right = Known("right", notebook.RIGHT, seen, _sizes(seen, ignored))
    unstable = set[int]()
    for source in styles.values():
        seen = run(source, 2)
        unstable |= {k for k in right.seen if not agree(right.seen, seen, [k])}
    right.keyed = [k for k in right.seen if k not in unstable]
    mistakes = []
    for candidate in bank.singles():
        (variant,) = candidate.variants
        first, second = run(candidate.source), run(candidate.source, 1001)
        steady = {k: found for k, found in first.items() if agree(first, second, [k])}
        sizes = _sizes(steady, ignored)
        mistakes.append(Known(variant.tag, variant.message, steady, sizes))
    for mistake in mistakes:
        _choose(mistake, right, mistakes)
    _check_examples(bank, namespace)
    for mistake, candidate in zip(mistakes, bank.singles(), strict=True):
        if mistake.is_noted:
            mistake.example = _example(bank, candidate, namespace)
    right.is_noted = bool(_telling(right, right.keyed))
    return Notes(uses, inputs, ignored, right, tuple(mistakes))


def _check_examples(bank: Bank, namespace: Mapping[str, Any]) -> None:
    """Raise `CourseError` if an example in the bank gives something else than it says."""
    names = dict(namespace)
    exec(_without_magics(bank.reference), names)  # noqa: S102 - the course's own code
    for example in chain.from_iterable(bank.examples.values()):
        says, gives = notebook.shown(example.gives), notebook.tried(example.call, names)
        if says != gives:
            raise CourseError(
                f"{bank.exercise}: in the bank, an example says that {example.call} gives {says}, "
                f"and with REFERENCE it gives {gives}: correct one of them."
            )


def _example(bank: Bank, mistake: Candidate, namespace: Mapping[str, Any]) -> WorkedExample | None:
    """Return the first example of a mistake's idea at which the mistake gives something else."""
    names = dict(namespace)
    exec(_without_magics(mistake.source), names)  # noqa: S102 - the course's own code
    examples = bank.examples.get(mistake.variants[0].tag, ())
    wrong = (e for e in examples if notebook.tried(e.call, names) != notebook.shown(e.gives))
    return next(wrong, None)


def _ignored(results: Sequence[Mapping[int, Any]]) -> dict[str, Any]:
    """Return the entries on which right answers differ, such as those at padded positions.

    The first two are of one answer: what another run changes is nothing to compare at all. Nor is
    what a style returns otherwise nearly everywhere.
    """
    right, again, *styles = map(_arrays, results)
    found = {}
    for key, mine in right.items():
        apart = [
            ~np.isclose(mine, each[key], rtol=1e-3, atol=1e-4, equal_nan=True)
            for each in (again, *styles)
            if key in each and each[key].shape == mine.shape
        ]
        differs = np.zeros(mine.shape, bool)
        for each in apart:
            differs |= each if each.mean() <= MAX_IGNORED else False
        if key in again and not apart[0].any() and 0 < differs.mean() <= MAX_IGNORED:
            bits = sum(1 << int(n) for n in np.flatnonzero(differs))
            found[str(key)] = [int(mine.size), f"{bits:x}"]
    return found


def _arrays(results: Mapping[int, Any]) -> dict[int, np.ndarray]:
    """Return those of the results that are numbers, as arrays."""
    found = {}
    for key, value in results.items():
        try:
            array = np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)
        except ValueError:  # lists of different lengths
            continue
        if array.dtype.kind in "biuf" and array.size:
            found[key] = array.astype(float)
    return found


def _without_magics(source: str) -> str:
    return re.sub(r"^%.*", "", source, flags=re.MULTILINE)


def agree(seen: Seen, other: Seen, keyed: Iterable[int]) -> bool:
    """Tell whether what `other` returns surely opens what is locked under parts of `seen`."""
    return all(_gap(seen, other, k) < NEAR for k in keyed)


def differ(seen: Seen, other: Seen, keyed: Iterable[int]) -> bool:
    """Tell whether it surely doesn't: on either grid, numbers are rounded apart."""
    return any(_gap(seen, other, k) >= 1 for k in keyed)


def _gap(seen: Seen, other: Seen, k: int) -> float:
    """Return how far two results are apart in a part, in steps of a grid."""
    mine, theirs = seen.get(k), other.get(k)
    if mine is None or theirs is None or mine[0] != theirs[0] or len(mine[1]) != len(theirs[1]):
        return 0.0 if mine == theirs else math.inf
    return max((abs(x - y) / STEP for x, y in zip(mine[1], theirs[1], strict=True)), default=0.0)


def safe_grids(seen: Seen, keyed: Iterable[int]) -> int:
    """Return on which of two grids each number is rounded, a bit for each.

    A number near a border of one grid is rounded on the other. Elsewhere the bit is drawn by all of
    the numbers together, for it stands in the notebook, and would tell of each number by itself.
    """
    numbers = [x for k in keyed for x in seen[k][1]]
    drawn = int.from_bytes(notebook.digest([round(x / STEP) for x in numbers]) * 32, "big")
    grids = 0
    for n, x in enumerate(numbers):
        from_border = abs((x / STEP + 0.5) % 1 - 0.5)  # of the first grid; the other's are halfway
        is_second = from_border < NEAR or (from_border <= 0.5 - NEAR and drawn >> n & 1)
        grids |= is_second << n
    return grids


def _choose(mistake: Known, right: Known, mistakes: Sequence[Known]) -> None:
    """Choose the parts that a note is keyed by: first the first part that the mistake changes.

    What else is wrong further down then does no harm. Where all that is wrong would be guessed, as
    nan or an exception is, all of it counts, with some of what is right. Then whatever tells it
    from each other one.
    """
    mine = mistake.seen
    wrong = [k for k in right.keyed if differ(right.seen, mine, [k])]
    if telling := _telling(mistake, wrong):
        keyed = _first_few(mistake, telling)
    else:  # plain to see by shapes and types: what is right beside it has the numbers
        kept = _telling(mistake, (k for k in right.keyed if agree(right.seen, mine, [k])))
        plain = [k for k in wrong if k in mine]
        if not (plain and kept):  # right on all our inputs, or wrong on all
            return
        keyed = [*plain, *_first_few(mistake, kept)]
    mistake.keyed = keyed
    usable = [k for k in right.keyed if k in mine]
    for other in (right, *mistakes):
        if other.text == mistake.text or differ(mine, other.seen, keyed):
            continue
        apart = [k for k in usable if differ(mine, other.seen, [k])]
        apart.sort(key=lambda k: (k not in telling, not mine[k][1], k))
        if apart:
            keyed.append(apart[0])
        elif other is right or mistakes.index(other) < mistakes.index(mistake):
            return  # another one returns the same wherever we look
    keyed.sort()
    mistake.is_noted = True


def _telling(known: Known, parts: Iterable[int]) -> list[int]:
    """Return the parts that hold several numbers each, or else all with one, if those are many.

    Nothing if they are too few to be a secret. What is returned twice is no second secret.
    """
    apart = {repr(known.seen[k]): k for k in reversed(list(parts)) if known.sizes.get(k)}
    sizes = {k: known.sizes[k] for k in sorted(apart.values())}
    found = [k for k, size in sizes.items() if size >= SEVERAL]
    if len(found) >= MIN_TELLING:
        return found
    are_many = len(sizes) >= MIN_TELLING and sum(sizes.values()) >= MIN_TELLING * SEVERAL
    return list(sizes) if are_many else []


def _sizes(seen: Seen, ignored: Mapping[str, Any]) -> dict[int, int]:
    """Return how many numbers are looked at of each array or list that holds any other than 0."""
    found = {}
    for k, (words, numbers) in seen.items():
        shape = words.partition("(")[2].partition(")")[0]
        size, bits = ignored.get(str(k), (0, "0"))
        found[k] = math.prod(map(int, re.findall(r"\d+", shape))) if numbers else 0
        if found[k] == size:
            found[k] -= int(bits, 16).bit_count()
    return found


def _first_few(known: Known, telling: Sequence[int]) -> list[int]:
    """Return some places at which one part is wrong: of all parts, the first that tells enough."""
    parts = sorted({k % MAX_PARTS for k in telling})
    alike = ([k for k in telling if k % MAX_PARTS == part] for part in parts)
    return next(_few(known, group) for group in (*alike, telling) if _telling(known, group))


def _few(known: Known, telling: Sequence[int]) -> list[int]:
    few, numbers = list[int](), 0
    for k in telling:
        if len(few) < FEW or numbers < MIN_TELLING * SEVERAL:
            few.append(k)
            numbers += known.sizes[k]
    return few


# The table


def table_of(
    notes: Mapping[str, Notes], salt: str, *, key: str = "", only_first: bool = False
) -> dict[str, Any]:
    """Return what the notebook holds: calls, entries, examples, and all their words in order.

    Exercises of which too little is compared to call anything right are left out. With a `key`,
    nothing opens without it; with `only_first`, there are no examples.
    """
    notes = {name: each for name, each in notes.items() if each.right.is_noted}
    examples = {name: [] if only_first else _examples(each) for name, each in notes.items()}
    texts = {known.text for each in notes.values() for known in _said(each)}
    words = _vocabulary(texts.union(*examples.values()))
    salted = salt + key

    def exercise(each: Notes, examples: Sequence[str]) -> dict[str, Any]:
        entries = (_entry(known, words, examples, salted) for known in _said(each))
        locks = (notebook.locked(_spelling(t, words), _key(t, salted)) for t in examples)
        return {
            "scripts": each.inputs.scripts,
            "forbids": each.inputs.forbids,
            "uses": [name for name in each.uses if name in notes],
            "ignored": each.ignored,
            "entries": sorted(entries, key=lambda entry: entry[2]),  # an order that says nothing
            "examples": [base64.b85encode(example).decode() for example in locks],
        }

    table = {
        "salt": salt,
        "words": words,
        "exercises": {name: exercise(each, examples[name]) for name, each in notes.items()},
    }
    return table | ({"waits": notebook.digest(salted, "notes")[:4].hex()} if key else {})


def _said(notes: Notes) -> Iterator[Known]:
    yield from (k for k in (notes.right, *notes.mistakes) if k.is_noted)


def _examples(notes: Notes) -> list[str]:
    return sorted({_in_a_text(known.example) for known in _said(notes) if known.example})


def _in_a_text(example: WorkedExample) -> str:
    """Return an example as the notebook's `hint` takes it apart."""
    parts = example.lines, example.call.strip(), notebook.shown(example.gives)
    return notebook.BETWEEN.join(parts)


def _key(example: str, salt: str) -> bytes:
    found: bytes = notebook.digest(salt, example)[:8]
    return found


def _entry(known: Known, words: Sequence[str], examples: Sequence[str], salt: str) -> list[Any]:
    grids = safe_grids(known.seen, known.keyed)
    made = notebook.material(known.seen, known.keyed, grids)
    example = _in_a_text(known.example) if known.example else ""
    if example in examples:
        head = bytes([1 + examples.index(example)]) + _key(example, salt)
    else:
        head = bytes(1)
    text = head + _spelling(known.text, words)
    lock = notebook.locked(text, notebook.digest(salt, made, "open"))
    sought = notebook.digest(salt, made, "look")[:4].hex()
    return [known.keyed, f"{grids:x}", sought, base64.b85encode(lock).decode()]


def _split(text: str) -> list[str]:
    return re.findall(r" ?[A-Za-z']+| ?\d+(?:\.\d+)?| ?[^A-Za-z' ]| ", text)


def _vocabulary(texts: Iterable[str]) -> list[str]:
    """Return the words of all notes: the most frequent first, each kind in alphabetical order."""
    counted = Counter(word for text in texts for word in _split(text))
    ordered = sorted(counted, key=lambda word: (-counted[word], word))
    return ["", *sorted(ordered[: SHORT - 1]), *sorted(ordered[SHORT - 1 :])]


def _spelling(text: str, words: Sequence[str]) -> bytes:
    """Return the numbers of a text's words, and zeros up to a multiple of 8 bytes."""
    places, numbers = {word: n for n, word in enumerate(words)}, list[int]()
    for n in (places[word] for word in _split(text)):
        numbers += [n] if n < SHORT else [SHORT + (n - SHORT) // 256, (n - SHORT) % 256]
    return bytes(numbers) + bytes(-len(numbers) % 8)
