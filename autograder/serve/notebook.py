"""What `%handin` asks from a notebook: to take it in, and what became of it."""

from collections.abc import Iterator

from starlette.datastructures import UploadFile
from starlette.responses import JSONResponse, Response

from autograder.browsers import address, redirect
from autograder.errors import SubmissionError
from autograder.serve import tokens
from autograder.serve.tables import TryState
from autograder.serve.tries import Try
from autograder.serve.visit import TEMPLATES, Visit
from autograder.telling.text import outline

_BECAME = {
    TryState.REPLACED: "A newer try took its place, so it wasn't graded.",
    TryState.FAILED: "The grader failed on this notebook. It is kept, your instructor sees it, and "
    "it didn't cost you a try.",
}


def magic(site: str) -> str:
    """Return the code of `%handin`, which a notebook loads from this site."""
    return (TEMPLATES / "handin.py").read_text("utf-8").replace("@SITE@", site)


# On pages


def make_token(visit: Visit) -> Response:
    """Show a new token, with the lines that a notebook needs."""
    token = tokens.make(visit.house.store, visit.who.person)
    visit.note("made a token to hand in from a notebook")
    said = {"name": visit.assignment, "token": token, "site": visit.house.store.site}
    return visit.page("token.html", said | {"days": tokens.VALID.days})


def end_token(visit: Visit) -> Response:
    tokens.end(visit.house.store, visit.who.person)
    visit.note("ended the token of a notebook")
    return redirect(address("homework", visit.assignment))


# In notebooks


def take_in(visit: Visit) -> Response:
    name, student, upload = visit.assignment, visit.who.person, visit.form.get("notebook")
    if not isinstance(upload, UploadFile):
        raise SubmissionError("No notebook came along: run the cell that loads %handin again.")
    found = visit.tries.keep(student, name, upload.file, "notebook")
    visit.note(f"handed in {name}, try {found.number}, from a notebook")
    page = visit.house.store.site + address("try", found.number)
    return JSONResponse({"number": found.number, "page": page})


def tell(visit: Visit) -> Response:
    found = visit.found
    lines = list(_lines(visit, found))
    return JSONResponse({"is_done": found.state is not TryState.WAITING, "lines": lines})


def _lines(visit: Visit, found: Try) -> Iterator[str]:
    if found.is_graded:
        yield from outline(visit.house.telling.summary(found))
    elif found.state is TryState.WAITING:
        standing = visit.house.line.standings().get(found.number)
        if standing is None:
            yield "It is kept, and will be graded."
        elif standing.state == "running":
            yield "It is being graded."
            yield from (f"✓ {name}" for name in standing.examined)
        else:
            yield f"It is in the queue: place {standing.place}, about {standing.seconds} seconds."
    elif found.state is TryState.REJECTED:
        yield f"This can't be graded. {found.said} It didn't cost you a try."
    else:
        yield _BECAME[found.state]
