"""Name the mistake: go through the steps, up to the first that explains the student's results.

A diagnosis is never a guess: each step names what holds in all that was seen, or else nothing.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from autograder.course import Course, solution
from autograder.diagnosis.agreement import same, same_types
from autograder.diagnosis.banks import banks_of
from autograder.diagnosis.calls import Calls
from autograder.diagnosis.memory import Memory
from autograder.diagnosis.pairs import likely_pairs
from autograder.diagnosis.relations import relation_in
from autograder.diagnosis.relations.gathering import Observed, by_name, parameters_in
from autograder.diagnosis.suspect import Match, Suspect
from autograder.errors import CourseError
from autograder.report import Misconception, Outcome, Verdict
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.failures import Explanation, StudentRaised
from autograder.testing.misconceptions import Bank, Candidate, Variant
from autograder.testing.student import Exchange


@dataclass(frozen=True, eq=False)
class Finding:
    """The verdict of one hidden test, and its exchanges with the student's process.

    `is_compared`: whether the calls are replayed against other answers; of a slow test that would
    take too long, and of an open-ended one it says nothing. `reveals`: the tag of the misconception
    that the failed check names by itself, if any.
    """

    verdict: Verdict
    exchanges: tuple[Exchange, ...]
    is_compared: bool = True
    reveals: str = ""

    @property
    def passed(self) -> bool:
        return self.verdict.outcome is Outcome.PASSED

    @property
    def is_replayable(self) -> bool:
        """Whether there are calls to replay, and a point in doing it."""
        return bool(self.exchanges) and self.is_compared

    @property
    def has_only_results(self) -> bool:
        """Whether there are calls to replay, and none of them broke off."""
        return self.is_replayable and not any(
            each.failure is not None or "error" in each.reply for each in self.exchanges
        )

    @cached_property
    def calls(self) -> Calls:
        return Calls.of(self.exchanges)


@dataclass(frozen=True)
class Slip:
    """A mistake in one idea of an exercise, or two at once, beside which nothing is wrong.

    `ideas` are the numbers of those that they belong to, from 1; `explains` has the names of the
    failed tests that they explain, and `costs` of those that one without such an idea fails alone.
    """

    ideas: frozenset[int] = frozenset()
    explains: frozenset[str] = frozenset()
    costs: frozenset[str] = frozenset()

    def spares(self, verdicts: Sequence[Verdict], ideas: Sequence[str]) -> tuple[Verdict, ...]:
        """Return the verdicts with points for what fails by this slip, but belongs to other ideas.

        `ideas` are all of the exercise, in order. As much stays lost as the slip's own ideas are
        worth. One that costs nothing there spares nothing, or it might cost nothing at all.
        """
        own = {ideas[number - 1] for number in self.ideas if 0 < number <= len(ideas)}
        if not own or not own <= {each.idea for each in verdicts if each.score < each.max_score}:
            return tuple(verdicts)
        least = sum(each.max_score for each in verdicts if each.idea in own)
        paid = [each for each in verdicts if each.idea not in own and each.name in self.costs]
        least += sum(each.max_score - each.score for each in paid)
        lost, spared = sum(each.max_score - each.score for each in verdicts), set[str]()
        for each in sorted(verdicts, key=lambda each: each.max_score, reverse=True):
            left = lost - (each.max_score - each.score)
            may_be = each.name in self.explains and each.idea not in own and each not in paid
            if may_be and left >= least:
                spared.add(each.name)
                lost = left
        return tuple(
            each.model_copy(update={"score": each.max_score}) if each.name in spared else each
            for each in verdicts
        )


@dataclass(frozen=True, eq=False)
class Case:
    """An answer to `exercise`: what its hidden tests found, and the suspects to compare it with.

    `variants` are the bank's by tag, and `single` the suspects made of one of them; an exercise
    without a bank has none. `styles` are suspects that are right. `together` makes a suspect of
    several mistakes and styles; it returns None if they can't stand together.
    """

    exercise: str
    variants: Mapping[str, Variant]
    tests: Sequence[Finding]
    right: Suspect
    single: Mapping[str, Suspect]
    styles: Mapping[str, Suspect]
    together: Callable[..., Suspect | None]

    @cached_property
    def replayable(self) -> list[Finding]:
        """The tests whose calls can be replayed."""
        return [test for test in self.tests if test.is_replayable]

    @cached_property
    def decisive(self) -> list[Finding]:
        """The same tests, those that rule out the most for the least first: failed, then short."""
        return sorted(self.replayable, key=lambda test: (test.passed, len(test.exchanges)))

    @cached_property
    def draws(self) -> bool:
        """Whether the student replied differently to the same call."""
        return any(True in test.calls.inconsistent for test in self.replayable)

    @cached_property
    def failed(self) -> list[Finding]:
        return [test for test in self.tests if not test.passed]


MAX_PAIRS = 80  # of mistakes that are replayed, the likeliest
MAX_NAMED = 3  # misconceptions named for one exercise
# Exceptions for sizes that don't fit, under whichever step comes upon them first.
_SIZES = frozenset({"crash-shapes", "crash-broadcast", "crash-reshape"})
_NAME = re.compile(r"name '(\w{1,60})' is not defined")


def known_variant(case: Case) -> tuple[Misconception, ...]:
    """Name the first variant that replies as the student does in every test.

    Where chance alone keeps a failed test from contradicting it, another one may explain that test:
    both are named if together they repeat every number.
    """
    if not _is_comparable(case):
        return ()
    suspects = case.single.items()
    found = next((tag for tag, suspect in suspects if _is_the_student(suspect, case)), None)
    if found is None:
        return ()
    both = _with_another(found, case)
    return _named(each for tag, each in case.variants.items() if tag in (both or {found}))


def _with_another(tag: str, case: Case) -> set[str]:
    """Return `tag` and the one that explains what it leaves to chance; empty if nothing does."""
    alone, failed = case.single[tag], [test for test in case.replayable if not test.passed]
    left = [t for t in failed if alone.match(t.calls, case.right) is Match.AGREES]
    if not left:
        return set()
    others = (case.together(tag, other) for other in case.single if other != tag)
    explaining = [
        set(_tags_of(suspect))
        for suspect in filter(None, others)
        if all(_repeats(suspect, test) for test in (*left, *case.decisive))
        and any(suspect.match(t.calls, case.right) >= Match.EXPLAINS for t in left)
    ]
    return set.intersection(*explaining) if explaining else set()


def pair(case: Case) -> tuple[Misconception, ...]:
    """Name the two variants, or one in another style, that reply as the student in every test.

    If several pairs do, what they have in common is named: of those that leave nothing to chance,
    if there are any. If none does, two in a style may.
    """
    if not _is_comparable(case):
        return ()
    likely = _likely_pairs(case, case.right, {**case.single, **case.styles})
    plain = (case.together(*tags) for tags in likely)
    for suspects in (plain, _pairs_in_styles(case, likely)):
        if explaining := [
            suspect
            for suspect in islice(filter(None, suspects), MAX_PAIRS)
            if _is_the_student(suspect, case)
        ]:
            to_the_number = [
                suspect
                for suspect in explaining
                if all(_repeats(suspect, test) for test in case.replayable)
            ]
            tags = (set(_tags_of(suspect)) for suspect in to_the_number or explaining)
            common = set[str].intersection(*tags)
            return _named(each for tag, each in case.variants.items() if tag in common)
    return ()


def _pairs_in_styles(case: Case, likely: Sequence[tuple[str, str]]) -> Iterator[Suspect | None]:
    """Yield two mistakes in each style, the `likely` first.

    Where a style doesn't show in right replies, two come first that agree in most tests without it.
    One that does show makes other pairs likely.
    """
    if not case.styles:
        return
    mistakes = [pair for pair in likely if case.single.keys() >= set(pair)][:MAX_PAIRS]
    nearest = sorted(mistakes, key=lambda pair: -_agreeing(case.together(*pair), case))
    for style, suspect in case.styles.items():
        pairs: Sequence[tuple[str, str]] = nearest
        if not all(_is_right(suspect, test, case) for test in case.replayable):
            styled = ((tag, case.together(tag, style)) for tag in case.single)
            pairs = _likely_pairs(case, suspect, {tag: each for tag, each in styled if each})
        yield from (case.together(*pair, style) for pair in pairs[: MAX_PAIRS // len(case.styles)])


def _likely_pairs(
    case: Case, right: Suspect, single: Mapping[str, Suspect]
) -> list[tuple[str, str]]:
    tests = [test.calls for test in case.replayable]
    failed = [test.calls for test in case.replayable if not test.passed]
    return likely_pairs(tests, right, single, failed)


def _agreeing(suspect: Suspect | None, case: Case) -> int:
    """Count the tests, decisive ones first, up to the first that contradicts."""
    if suspect is None:
        return 0
    matches = (suspect.match(test.calls, case.right) for test in case.decisive)
    return sum(1 for _ in takewhile(lambda match: match is not Match.CONTRADICTS, matches))


def _is_comparable(case: Case) -> bool:
    """Tell whether a known answer could explain all: each failure made a call, with a reply."""
    if not all(test.exchanges for test in case.failed):
        return False
    return not any(test.calls.is_cut_off for test in case.replayable)


def _is_the_student(suspect: Suspect, case: Case) -> bool:
    """Tell whether all replies agree, and differ from the right ones where the student fails.

    A slow test is left out, since it can't be replayed in time. What is remembered is looked at
    before anything is replayed, for it may be enough. Random numbers explain what they don't
    repeat only where right answers draw, too, or the student was seen to: another reply to the same
    call.
    """
    if any(suspect.is_known_to_contradict(test.calls, case.right) for test in case.decisive):
        return False
    found = Match.AGREES
    for test in case.decisive:
        match = suspect.match(test.calls, case.right)
        if match is Match.CONTRADICTS:
            return False
        if not test.passed:
            found = max(found, match)
    if found < Match.EXPLAINS:
        return False
    return case.draws or all(_replies_the_same(suspect, test, case) for test in case.replayable)


def _repeats(suspect: Suspect, test: Finding) -> bool:
    """Tell whether a suspect's replies are the student's, random numbers included."""
    return all(suspect.agrees(test.calls, place) for place in range(len(test.calls.exchanges)))


def _replies_the_same(suspect: Suspect, test: Finding, case: Case) -> bool:
    """Tell whether a suspect replies to the calls of a test as the student does.

    Where a right answer draws nothing, their random numbers have to be the same, too.
    """
    return all(
        suspect.agrees(test.calls, place) or case.right.reply(test.calls, place).used_random
        for place in range(len(test.calls.exchanges))
    )


def _is_right(suspect: Suspect, test: Finding, case: Case) -> bool:
    """Tell whether a suspect replies to the calls of a test as a right answer does."""
    for place in range(len(test.calls.exchanges)):
        ours, rights = suspect.reply(test.calls, place), case.right.reply(test.calls, place)
        both = ours.message, rights.message
        if ours is not rights and not (same(*both) and same_types(*both)):
            return False
    return True


def parts(case: Case) -> tuple[Misconception, ...]:
    """Name several variants that together explain every test that the student fails.

    Each of them agrees with the student in every test that passed, and is the only one to prove a
    mistake in some test that failed.
    """
    if not all(test.is_replayable for test in case.failed):
        return ()
    explaining = dict[Finding, dict[str, Match]]()
    for test in case.decisive:
        if not test.passed:
            matches = {tag: s.match(test.calls, case.right) for tag, s in case.single.items()}
            explaining[test] = {tag: m for tag, m in matches.items() if m >= Match.EXPLAINS}
            if not explaining[test]:
                return ()
    passed = [test for test in case.decisive if test.passed]
    possible = {
        tag
        for tag in set[str]().union(*explaining.values())
        if all(case.single[tag].match(test.calls, case.right) for test in passed)
    }
    proven = dict[str, None]()
    for test in case.failed:
        matches = {tag: m for tag, m in explaining[test].items() if tag in possible}
        proofs = [tag for tag, match in matches.items() if match is Match.PROVES]
        proven |= dict.fromkeys(proofs if len(proofs) == 1 else ())
    if len(proven) > MAX_NAMED or not all(proven.keys() & each for each in explaining.values()):
        return ()
    return _named(case.variants[tag] for tag in proven)


def revealed(case: Case) -> tuple[Misconception, ...]:
    """Name what failed checks reveal by themselves."""
    tags = dict.fromkeys(test.reveals for test in case.failed if test.reveals)
    if unknown := [tag for tag in tags if tag not in case.variants]:
        raise CourseError(
            f"A hidden test of {case.exercise} reveals {unknown[0]!r}, which is no misconception "
            "in its bank: add it there, or correct the tag."
        )
    return _named(case.variants[tag] for tag in tags)[:MAX_NAMED]


def _named(variants: Iterable[Variant]) -> tuple[Misconception, ...]:
    return tuple(Misconception(tag=each.tag, message=each.message) for each in variants)


def relation(case: Case) -> tuple[Misconception, ...]:
    """Name the relation between the student's replies and right ones, if there is one."""
    # those with little data first: they are the easiest to see through
    tests = sorted(case.replayable, key=lambda test: test.calls.size)
    if all(test.passed for test in tests):
        return ()
    parameters = parameters_in(case.right.candidate.source)
    observed = [
        [
            Observed(by_name(exchange, parameters), right.message, right.used_random)
            for place, exchange in enumerate(test.exchanges)
            for right in [case.right.reply(test.calls, place)]
        ]
        for test in tests
    ]
    found = relation_in(observed, [test.passed for test in tests])
    return (found,) if found else ()


def crash(case: Case) -> tuple[Misconception, ...]:
    """Name the kind of exception with which every test that fails breaks off."""
    raised = [error for test in case.failed if (error := _exception_of(test)) is not None]
    explained = [found for error in raised if (found := _explanation(error, case)) is not None]
    if not explained or len(explained) < len(case.failed):
        return ()
    # of several exceptions for sizes that don't fit, the most frequent
    tags = Counter(each.tag for each in explained)
    if len(tags) > 1 and not tags.keys() <= _SIZES:
        return ()
    tag = tags.most_common(1)[0][0]
    every = "The check that fails" if len(raised) == 1 else "Every check that fails"
    places = {error.place for error in raised}
    if len(places) > 1:
        where = "with an error of the same kind"
    else:
        where = f"at {raised[0].place}" if raised[0].place else "with an error"
    told = next(each for each in explained if each.tag == tag)
    is_only = len({each.meaning for each in explained}) == 1
    first = "" if is_only else "The first one: " if told is explained[0] else "One of them: "
    return (Misconception(tag=tag, message=f"{every} breaks off {where}. {first}{told.meaning}"),)


def _explanation(error: StudentRaised, case: Case) -> Explanation | None:
    """Return what an exception means; a name that the module has as an attribute lacks `self`."""
    name = _NAME.search(error.detail)
    exchanges = (
        each for test in case.tests for each in test.exchanges if "error" not in each.reply
    )
    loaded = (each.request["state"] for each in exchanges if each.request["op"] == "load")
    if name and any(key.split(".")[0] == name[1] for state in loaded for key in state):
        return Explanation(
            "crash-missing-self",
            f"There is no `{name[1]}` here, though your module has an attribute of this name. "
            "What does a method write before the name of what belongs to its module?",
        )
    return error.explanation


def _exception_of(test: Finding) -> StudentRaised | None:
    """Return the exception that ended a test, unless it is no more than time, memory or a stub."""
    if test.verdict.outcome is not Outcome.ERROR or not test.exchanges:
        return None
    failure = test.exchanges[-1].failure
    return failure if isinstance(failure, StudentRaised) else None


STEPS: tuple[Callable[[Case], tuple[Misconception, ...]], ...] = (
    known_variant,  # one mistake of the bank explains everything
    pair,  # two at once do
    parts,  # several do, each a part
    revealed,  # a check that failed names a mistake by itself
    relation,  # what came back has a known relation to what should have
    crash,  # everything that fails breaks off in one way
)


@dataclass
class Diagnosis:
    """Diagnoses answers to one assignment; `memory` keeps what suspects have replied."""

    course: Course
    assignment: str
    setup_sources: Sequence[str]  # of the setup cells
    memory: Memory = field(default_factory=Memory)
    _suspects: dict[str, list[Suspect]] = field(default_factory=dict)

    def of(self, exercise: str, findings: Iterable[Finding]) -> tuple[Misconception, ...]:
        """Return the misconceptions that explain the student's results; empty if none do."""
        tests = list(findings)
        if all(test.passed for test in tests):
            return ()
        with self._case(exercise, tests) as case:
            return next((named for step in STEPS if (named := step(case))), ())

    def slip(self, exercise: str, named: Sequence[Misconception], tests: Sequence[Finding]) -> Slip:
        """Return what the mistakes `named` explain, if one or two of them explain everything.

        The student then replies as they do in every test: nothing else is wrong. Where it breaks
        off, nothing is known of what would have followed, and so nothing is explained. Nor is it
        by two under which no test passes: together they may come to no attempt at all, such as to
        return what was given.
        """
        bank, tags = self._banks.get(exercise), [each.tag for each in named]
        if bank is None or not 1 <= len(tags) <= 2 or not any(tag in bank.ideas for tag in tags):
            return Slip()
        if len(tags) > 1 and not any(test.passed for test in tests):
            return Slip()
        with self._case(exercise, tests) as case:
            if not case.single.keys() >= set(tags):
                return Slip()
            ways = (case.together(*tags, *style) for style in [(), *zip(case.styles)])
            matching = (each for each in ways if each and _is_the_student(each, case))
            suspect = next(matching, None) if _is_comparable(case) else None
            if suspect is None:
                return Slip()
            explained = [
                test.verdict.name
                for test in case.failed
                if test.has_only_results and _replies_the_same(suspect, test, case)
            ]
            others = [case.single[tag] for tag in tags if tag not in bank.ideas]
            costs = [
                test.verdict.name
                for test in case.failed
                if not all(_is_right(other, test, case) for other in others)
            ]
        ideas = frozenset(bank.ideas[tag] for tag in tags if tag in bank.ideas)
        return Slip(ideas, frozenset(explained), frozenset(costs))

    def unexplained(
        self, exercise: str, named: Sequence[Misconception], tests: Iterable[Finding]
    ) -> tuple[str, ...]:
        """Return the names of the failed tests that are no matter of the mistakes `named`.

        An answer with nothing wrong but these mistakes passes them. A test that can't be replayed
        isn't among them, and of a name that is none of the bank's nothing is known.
        """
        with self._case(exercise, list(tests)) as case:
            tags = {each.tag for each in named}
            if not case.single.keys() >= tags:
                return ()
            suspects = [case.single[tag] for tag in tags]
            return tuple(
                test.verdict.name
                for test in case.failed
                if test.is_replayable
                and test.reveals not in tags
                and all(_is_right(each, test, case) for each in suspects)
            )

    @contextmanager
    def _case(self, exercise: str, tests: Sequence[Finding]) -> Iterator[Case]:
        right, *others = self.suspects_of(exercise)
        bank = self._banks.get(exercise)
        variants = {variant.tag: variant for variant in bank.variants} if bank else {}
        made = {_tags_of(each)[0]: each for each in others}
        single = {tag: made.pop(tag) for tag in variants if tag in made}
        try:
            yield Case(
                exercise, variants, tests, right, single, made, partial(self._together, exercise)
            )
        finally:
            for suspect in (right, *others):
                suspect.free()

    @cached_property
    def _banks(self) -> dict[str, Bank]:
        return banks_of(self.course, self.assignment)

    @cached_property
    def _solutions(self) -> dict[str, str]:
        return solution.sources(self.course, self.assignment)

    @cached_property
    def solved(self) -> dict[str, Any]:
        """What the solved notebook defines."""
        return self._namespace_of(self._solutions.values())

    @cached_property
    def _namespace(self) -> dict[str, Any]:
        """That of suspects from a bank: setup cells, and the reference of every bank."""
        references = [bank.reference for bank in self._banks.values()]
        return self._namespace_of([*self.setup_sources, *references])

    def _namespace_of(self, sources: Iterable[str]) -> dict[str, Any]:
        return InProcess(sources, folder=self._folder).namespace

    @cached_property
    def _folder(self) -> Path | None:
        folder = self.course.solutions / self.assignment
        return folder if folder.is_dir() else None

    def suspects_of(self, exercise: str) -> list[Suspect]:
        """Return a right answer, then each misconception of the bank and each style.

        An exercise without a bank has only the solution, in the solved notebook.
        """
        if exercise not in self._suspects:
            if bank := self._banks.get(exercise):
                namespace = self._namespace
                candidates = [Candidate((), bank.reference), *bank.singles(), *bank.restyled()]
            else:
                namespace = self.solved
                candidates = [Candidate((), self._solutions[exercise])]
            self._suspects[exercise] = [self._suspect(exercise, c, namespace) for c in candidates]
        return self._suspects[exercise]

    def _together(self, exercise: str, *tags: str) -> Suspect | None:
        """Return a suspect with these mistakes and styles; of one, that which there is already."""
        known = (each for each in self._suspects[exercise] if _tags_of(each) == tags)
        if suspect := next(known, None):
            return suspect
        candidate = self._banks[exercise].together(*tags)
        return self._suspect(exercise, candidate, self._namespace) if candidate else None

    def _suspect(
        self, exercise: str, candidate: Candidate, namespace: Mapping[str, Any]
    ) -> Suspect:
        name = f"{exercise}:{'+'.join(each.tag for each in candidate.variants)}"
        return Suspect(candidate, namespace, name, self.memory, self._folder)


def _tags_of(suspect: Suspect) -> tuple[str, ...]:
    return tuple(variant.tag for variant in suspect.candidate.variants)
