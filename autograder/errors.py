"""The errors that people read, each as one sentence that says what to do; words of sentences."""

import errno
from collections.abc import Sequence

_OF_DISKS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.EIO)


def is_of_disk(error: BaseException) -> bool:
    """Tell whether a disk is what is wrong, and so all that is to be written there."""
    return isinstance(error, OSError) and error.errno in _OF_DISKS


def shown(text: str, keep: str = "") -> str:
    """Return `text`, which may come from a student, so that a terminal obeys nothing in it.

    Characters that can't be printed are written as escapes, but for those in `keep`.
    """
    return "".join(
        c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text
    )


def counted(number: float, what: str) -> str:
    """Return how many there are, as "1 student", "3 students" or "2.5 points"."""
    return f"1 {what}" if number == 1 else f"{in_digits(number)} {what}s"


def first_of(names: Sequence[str], most: int) -> str:
    """Return the first names in a line, and how many more there are."""
    more = [f"and {len(names) - most} more"] if len(names) > most else []
    return ", ".join([*names[:most], *more])


def within_sentence(text: str) -> str:
    """Return what begins a sentence as it stands further on in one: in small letters."""
    return f"{text[0].lower()}{text[1:]}"


def rounded(points: float) -> float:
    """Return points as anybody is told them: to four decimals."""
    return round(points, 4) + 0.0  # no -0


def in_digits(points: float | None) -> str:
    """Return rounded points as "3" or "2.5"; nothing for none."""
    return "" if points is None else f"{rounded(points):.4f}".rstrip("0").rstrip(".")


class AutograderError(Exception):
    """Base of all errors of this package; its text may quote a name that anybody wrote."""

    def __str__(self) -> str:
        return shown(super().__str__(), keep="\n\t")


class CourseError(AutograderError):
    """The course's own files are missing or contradict each other."""


class NoCourse(CourseError):
    """The working directory lies in no course."""


class ReleaseError(CourseError):
    """A solution script cannot be turned into an assignment."""


class SubmissionError(AutograderError):
    """A file is not a submission of this course."""


class DeskError(AutograderError):
    """The desk was asked for something that it can't do."""


class ChangedMeanwhile(DeskError):
    """What a person looked at has changed since: nothing of theirs was saved."""


class SignInRefused(AutograderError):
    """Another's word for who this is can't be taken; the text says why, as "it has expired"."""


class PlatformFault(AutograderError):
    """A learning platform or an identity provider doesn't answer, or not as it should."""


class SandboxUnavailable(AutograderError):
    """This machine offers no isolation that can be trusted."""


class GraderFault(AutograderError):
    """The grader itself failed while it graded: no points are lost."""


class ExaminerDied(GraderFault):
    """Examining one submission exceeded the bounds on its time or memory."""
