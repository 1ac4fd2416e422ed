"""The errors that people read, each as one sentence that says what to do.

AutograderError
├── CourseError              the course's own files are missing or contradict each other
│   └── ReleaseError         a solution script cannot be turned into an assignment
├── SubmissionError          a file is not a submission of this course
├── SandboxUnavailable       this machine offers no isolation that can be trusted
└── GraderFault              the grader failed, not the student: no points are lost
    └── ExaminerDied         what examined one submission came to no end within its bounds
"""

from __future__ import annotations


class AutograderError(Exception):
    """Base of all errors of this package; its text is shown to people unchanged."""


class CourseError(AutograderError):
    """The course's own files are missing or contradict each other."""


class ReleaseError(CourseError):
    """A solution script cannot be turned into an assignment."""


class SubmissionError(AutograderError):
    """A file is not a submission of this course."""


class SandboxUnavailable(AutograderError):
    """This machine offers no isolation that can be trusted."""


class GraderFault(AutograderError):
    """The grader itself failed while it graded: no points are lost."""


class ExaminerDied(GraderFault):
    """The process that examined one submission came to no end within its bounds."""
