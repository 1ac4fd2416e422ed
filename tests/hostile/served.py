"""The catalogue's notebooks, handed in at the server as a browser does, and the pages on them read.

Names of students are left out: at the server nobody chooses one.
"""

import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
from bs4 import BeautifulSoup
from rich.console import Console
from rich.progress import track

from autograder.browsers import listening
from autograder.course import Course
from autograder.errors import GraderFault, SubmissionError
from autograder.grading.settings import Settings
from autograder.report import Report
from autograder.sandbox.host.probe import strongest
from autograder.serve.entrance import SOON
from autograder.serve.invites import invite
from autograder.serve.people import Identity, Role
from autograder.serve.serving import Where, house_of, server
from autograder.serve.tables import TryState
from autograder.serve.tries import Try
from tests.courses import copy_of_kit
from tests.hostile.cases import STUDENT, Case, catalogue
from tests.hostile.pages import live_parts
from tests.hostile.trials import MOST_GRADER, MOST_SECONDS, SEED, Trials
from tests.visitors import serving
from tests.waiting import comes_true

_KINDS = ("notebook", "feedback")  # what is tried if nothing is named


def try_served(kinds: Sequence[str], console: Console) -> bool:
    """Try the notebooks of these classes; print what was not contained, and tell whether any."""
    cases = [c for c in catalogue(*(kinds or _KINDS)) if c.place != STUDENT and not c.in_class]
    bad = 0
    for assignment in sorted({case.assignment for case in cases}):
        mine = [case for case in cases if case.assignment == assignment]
        with tempfile.TemporaryDirectory() as folder, Served(Path(folder), assignment) as served:
            for case in track(mine, f"handed in: {assignment}", console=console):
                complaints = served.complaints(case)
                if bool(complaints) != case.is_exposed_on(served.level):
                    bad += 1
                    console.print(f"{case.title}: {'; '.join(complaints) or 'it was contained'}")
    console.print(f"{len(cases) - bad} of {len(cases)} notebooks as expected at the server")
    return bool(bad)


class Served(Trials):
    """Tries cases of one assignment at a server of its own."""

    def __init__(self, folder: Path, assignment: str) -> None:
        self.level = strongest()
        self._number = 0
        with ExitStack() as stack:
            opened = stack.enter_context(listening("A test", "127.0.0.1", 0))
            course = _course(folder, opened)
            settings = Settings(course, self.level, limits=MOST_GRADER, skip_slow=True)
            self._house = stack.enter_context(house_of(settings, 1))
            self._site = course.settings.serve.address
            stack.enter_context(serving(server(self._house, Where()), opened))
            super().__init__(course, self.level, assignment)
            self._stack = stack.pop_all()

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._stack.close()

    def _grade(self, raw: bytes, student: str) -> Report:
        """Hand it in as a student whom nobody knows yet, and wait for the report."""
        self._number, self._shown = self._number + 1, list[BeautifulSoup]()
        with self._signed_in(Identity(f"{student}{self._number}")) as http:
            found = self._hand_in(http, raw)
            self._shown = [*self._pages(http, found)]
        with self._signed_in(Identity("ida", Role.INSTRUCTOR)) as http:
            self._shown += self._pages(http, found)
        if found.state is TryState.REJECTED:
            raise SubmissionError(found.said)
        report = self._house.tries.report(found)
        if found.state is not TryState.RECORDED or report is None:
            raise GraderFault(found.said or f"it is {found.state}")
        return Report.model_validate(report.model_dump(by_alias=True) | {"student": student})

    def _hand_in(self, http: httpx.Client, raw: bytes) -> Try:
        page = f"/homework/{self._assignment}"
        form = BeautifulSoup(http.get(page).text, "html.parser").select_one("form.drop input")
        assert form is not None
        answer = http.post(
            page,
            data={"csrf": str(form["value"])},
            files={"notebook": ("mine.ipynb", raw)},
            follow_redirects=False,
        )
        if answer.status_code != 303:
            refused = BeautifulSoup(answer.text, "html.parser")
            said = [*refused.select("[role=alert]"), refused][0]
            raise SubmissionError(said.get_text(strip=True))
        number = int(answer.headers["location"].rpartition("/")[2])
        waits = (TryState.WAITING, TryState.GRADED)
        assert comes_true(lambda: self._found(number).state not in waits, 3 * MOST_SECONDS)
        return self._found(number)

    def _found(self, number: int) -> Try:
        found = self._house.tries.find(number)
        assert found is not None
        return found

    def _pages(self, http: httpx.Client, found: Try) -> Iterator[BeautifulSoup]:
        for path in (f"/try/{found.number}", f"/try/{found.number}/feedback", "/class"):
            page = BeautifulSoup(http.get(path).text, "html.parser")
            for ours in page.select("form:has(input[name=csrf])"):
                ours.decompose()
            yield page

    def _graded(self, case: Case) -> Iterator[str]:
        yield from super()._graded(case)
        for page in self._shown:
            for part in live_parts(page):
                yield f"a page would run {part[:80]}"

    @contextmanager
    def _signed_in(self, who: Identity) -> Iterator[httpx.Client]:
        # There is no TLS: to load certificates would take as long as a request.
        with httpx.Client(
            base_url=self._site, follow_redirects=True, timeout=120, verify=False
        ) as http:
            link = invite(self._house.store, who, SOON)
            http.post(link, data={"form": "any"}).raise_for_status()
            yield http


def _course(folder: Path, opened: socket.socket) -> Course:
    course = copy_of_kit(folder)
    port = opened.getsockname()[1]
    with (course.root / "course.toml").open("a") as file:
        file.write(f'\n[serve]\naddress = "http://127.0.0.1:{port}"\n')
    return Course.load(course.root).with_seed(SEED)
