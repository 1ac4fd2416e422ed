"""The same requests as to a sandboxed process, handled in this process: for trusted code."""

import contextlib
import time
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from types import CodeType
from typing import Any

from autograder.errors import CourseError
from autograder.sandbox.guest.runner import Runner
from autograder.sandbox.host.callbacks import call_back_here, models_in
from autograder.sandbox.host.replies import Packed, frame_of


def plain_runner(namespace: dict[str, Any]) -> Runner:
    """Return what runs cells as Python itself does."""

    def run(source: str) -> BaseException | None:
        try:
            exec(_compiled(source), namespace)  # noqa: S102 - the course's own code
        except Exception as error:
            return error
        return None

    return Runner(run, namespace)


@lru_cache(maxsize=4096)  # a bank of misconceptions runs again for every wrong answer
def _compiled(source: str) -> CodeType:
    return compile(source, "<cell>", "exec")


class InProcess:
    """A channel to a namespace in this process, for trusted sources; calls run in `folder` too.

    Raises `CourseError` if one raises, unless they `may_raise`, as answers may.
    """

    def __init__(
        self,
        sources: Iterable[str],
        guarded: Iterable[str] = (),
        namespace: dict[str, Any] | None = None,
        *,
        may_raise: bool = False,
        folder: Path | None = None,
    ) -> None:
        self._folder = folder if folder is not None and folder.is_dir() else None
        self.namespace = namespace or {"__name__": "__main__"}
        self.spent = 0.0  # seconds of all requests
        self._runner = plain_runner(self.namespace)
        self.ask({"op": "guard", "names": list(guarded)})
        for source in sources:
            reply = self.ask({"op": "run", "source": source})
            if "error" in reply and not may_raise:
                first = next(iter(source.strip().splitlines()), "")
                kind = reply["error"]["type"]
                todo = "correct it"
                if kind == "ModuleNotFoundError":
                    todo += ", or install the package and list it in requirements.txt"
                raise CourseError(
                    f"The course's own code fails: the cell that begins `{first}` raised "
                    f"{kind} ({reply['error']['message']}); {todo}."
                )

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Return the reply; both messages are encoded as if they crossed the boundary."""
        self._runner.call_back = partial(call_back_here, list(models_in(request)))
        started = time.monotonic()
        with contextlib.chdir(self._folder) if self._folder else contextlib.nullcontext():
            answer = self._runner.answer(frame_of(request).message())
        self.spent += time.monotonic() - started
        if isinstance(request, Packed) and request.expects(0, answer):
            return request.reply
        reply = answer.message()
        del reply["number"]
        return reply

    def close(self) -> None:
        self._runner.guards.remove()
