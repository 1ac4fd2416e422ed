"""What an answer that calls a forbidden built-in looks like, as an edit of a right one."""

from __future__ import annotations

# The guards on built-ins are not in place where variants are asked: they raise like this.
FORBIDDEN = """\
class Forbidden(RuntimeError):
    pass


"""

NOT_ALLOWED = 'raise Forbidden("not allowed in this exercise")'
