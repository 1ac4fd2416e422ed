"""A notebook hands in by `%handin`, with a token that is worth nothing else."""

import ast
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel
from sqlalchemy import select

from autograder.errors import CourseError
from autograder.gradebook.database import now
from autograder.intake.notebook import MAX_NOTEBOOK
from autograder.serve import invites, tokens
from autograder.serve.notebook import magic
from autograder.serve.tables import AUDIT, TOKENS, TryState
from tests.serve.houses import FAILED, School, school_of
from tests.toy_class import ToyClass
from tests.toys import TOYS

MISTAKE = "`law_0` is <broken> *here*."


@contextmanager
def program(school: School, token: str) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=school.site, headers=headers, timeout=120, verify=False) as http:
        yield http


def send(http: httpx.Client, raw: bytes) -> httpx.Response:
    return http.post(f"/api/homework/{TOYS}", files={"notebook": ("x.ipynb", raw)})


def test_a_token_hands_in_and_reads_what_became_of_it(school: School) -> None:
    token = tokens.make(school.house.store, "ada")
    with program(school, token) as http:
        told = send(http, school.notebook()).json()
        assert told == {"number": 1, "page": f"{school.site}/try/1"}
        said = http.get("/api/try/1").json()
        assert said["is_done"] is False
        assert said["lines"] == ["It is in the queue: place 1, about 20 seconds."]
        found = school.tries.on(TOYS)[0]
        assert (found.student, found.by) == ("ada", "notebook")
        school.grade(found, FAILED)
        said = http.get("/api/try/1").json()
        assert said["is_done"] is True
        assert f"  → {MISTAKE}" in said["lines"]
        assert "double: 0 of 5 points" in said["lines"]
    with school.house.store.engine.connect() as connection:
        assert "handed in toys, try 1, from a notebook" in connection.scalars(select(AUDIT.c.did))


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (TryState.REJECTED, "This can't be graded. It is no notebook. It didn't cost you a try."),
        (TryState.REPLACED, "A newer try took its place, so it wasn't graded."),
        (TryState.FAILED, "The grader failed on this notebook."),
    ],
)
def test_what_was_not_graded_says_why(school: School, state: TryState, said: str) -> None:
    number = school.keep().number
    school.tries.update(number, state=state, said="It is no notebook.")
    with program(school, tokens.make(school.house.store, "ada")) as http:
        (line,) = http.get(f"/api/try/{number}").json()["lines"]
    assert line.startswith(said)


def test_before_the_due_date_a_notebook_is_told_as_much_as_a_page(toys: ToyClass) -> None:
    due = f"[assignments.{TOYS}]\ndue = 2999-01-01T00:00:00Z\n"
    with school_of(toys, 'before_due = "names"', due) as school:
        number = school.grade(school.keep(), FAILED).number
        with program(school, tokens.make(school.house.store, "ada")) as http:
            lines = http.get(f"/api/try/{number}").json()["lines"]
    assert f"  → {MISTAKE}" in lines
    assert "points" not in "".join(lines).replace("Points are shown from", "")


def test_tries_and_bytes_have_the_bounds_of_the_page(toys: ToyClass) -> None:
    with school_of(toys, "tries_a_day = 1") as school:
        token = tokens.make(school.house.store, "ada")
        with program(school, token) as http:
            assert send(http, b"x" * (MAX_NOTEBOOK + 1)).status_code == 422
            assert send(http, b"x" * (MAX_NOTEBOOK + (1 << 20))).status_code == 413
            assert send(http, school.notebook()).status_code == 200
            school.grade(school.tries.on(TOYS)[0])
            refused = send(http, school.notebook(note="2"))
            assert refused.status_code == 422
            assert refused.json() == {"sentence": "You have no tries left today: go on tomorrow."}
            assert http.post(f"/api/homework/{TOYS}").status_code == 422
            assert http.post("/api/homework/nothing").json()["sentence"].startswith("There is no")
            assert http.get("/api/nothing").status_code == 404


def test_a_token_ends_in_each_way(school: School) -> None:
    kept = school.house.store
    old = tokens.make(kept, "ada")
    used = [old, tokens.make(kept, "ada")]
    assert answers(school, *used) == [401, 200]
    tokens.end(kept, "ada")
    assert answers(school, *used, "x") == 3 * [401]
    last = tokens.make(kept, "ada")
    others = tokens.make(kept, "bob")
    assert invites.revoke(kept, ["ada"])[-1] == 1
    assert answers(school, last, others) == [401, 404]
    last = tokens.make(kept, "ada")
    with kept.writing() as connection:
        connection.execute(TOKENS.update().values(expires=now() - timedelta(seconds=1)))
    assert answers(school, last) == [401]


def answers(school: School, *used: str) -> list[int]:
    """Return what each token gets for ada's try."""
    if not school.tries.on(TOYS):
        school.keep()
    found = []
    for token in used:
        with program(school, token) as http:
            found.append(http.get("/api/try/1").status_code)
    return found


def test_a_token_is_made_and_ended_on_the_page_and_kept_as_a_hash(school: School) -> None:
    with school.student() as ada:
        ada.open(f"/homework/{TOYS}")
        ada.send("form[action$='/token']")
        shown = ada.page.select_one("#token")
        assert shown
        token = shown.get_text()
        with school.house.store.engine.connect() as connection:
            assert token not in str(connection.execute(select(TOKENS)).all())
        assert answers(school, token) == [200]
        ada.open(f"/homework/{TOYS}")
        assert "A notebook may hand in for you until" in ada.text
        assert token not in str(ada.page)
        ada.send("form[action$='/token/end']")
        assert "may hand in for you" not in ada.text
        assert answers(school, token) == [401]


def test_no_token_is_made_where_the_network_could_read_it(school: School) -> None:
    kept = school.house.store
    serve = kept.course.settings.serve
    for address, is_safe in (
        ("https://hw.example.org", True),
        ("http://localhost:8000", True),
        ("http://hw.example.org", False),
        ("http://localhost.example.org", False),
    ):
        settings = kept.course.settings.model_copy(
            update={"serve": serve.model_copy(update={"address": address})}
        )
        object.__setattr__(kept._course, "settings", settings)
        if is_safe:
            assert tokens.make(kept, "ada")
        else:
            with pytest.raises(CourseError, match="only over https"):
                tokens.make(kept, "ada")


def test_other_sites_and_cookies_hand_in_nothing(school: School) -> None:
    token = tokens.make(school.house.store, "ada")
    with program(school, token) as http:
        http.headers["Origin"] = "https://evil.example"
        assert send(http, school.notebook()).status_code == 403
    with school.student() as ada:
        assert send(ada.http, school.notebook()).status_code == 401
    assert school.tries.on(TOYS) == []


def test_what_a_notebook_loads_needs_nothing_but_python_and_jupyter() -> None:
    tree = ast.parse(magic("https://hw.example.org"))
    used = {
        (node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[
            0
        ]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert used - sys.stdlib_module_names == {"IPython"}
    assert "@" not in magic("https://hw.example.org").partition("SITE = ")[2].splitlines()[0]


def test_a_page_that_comes_in_place_of_an_answer_is_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("IPython.get_ipython", Mock())
    magics: dict[str, Any] = {}
    exec(magic("https://hw.example.org"), magics)
    magics |= {"urlopen": lambda *_, **__: io.BytesIO(b"<html>"), "token": str}
    with pytest.raises(magics["Refused"], match="The server can't be reached"):
        magics["ask"]("/api/try/1")


@contextmanager
def kernel(folder: Path, home: Path) -> Iterator[BlockingKernelClient]:
    """A plain kernel of Jupyter in a student's folder."""
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "JPY_SESSION_NAME": ""}
    manager, client = start_new_kernel(cwd=str(folder), env=environment)
    try:
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def run(client: BlockingKernelClient, code: str, typed: list[str]) -> str:
    """Run a cell as a person does who types these answers; return what it shows at the end."""
    printed = ""

    def shows(message: dict[str, Any]) -> None:
        nonlocal printed
        kind, content = message["msg_type"], message["content"]
        if kind == "clear_output":
            printed = ""
        printed += content.get("text", "") if kind == "stream" else ""
        printed += "\n".join(content.get("traceback", [])) if kind == "error" else ""

    client.execute_interactive(
        code,
        allow_stdin=True,
        output_hook=shows,
        stdin_hook=lambda _: client.input(typed.pop(0)),
        timeout=120,
    )
    return printed


@pytest.mark.slow  # it starts a kernel
def test_a_plain_kernel_hands_in_the_notebook_and_shows_what_was_found(
    school: School, tmp_path: Path
) -> None:
    with school.student() as ada:
        ada.open(f"/homework/{TOYS}")
        ada.send("form[action$='/token']")
        lines, token = (each.get_text() for each in ada.page.select("#lines, #token"))
    (tmp_path / "home").mkdir()
    (tmp_path / f"{TOYS}.ipynb").write_bytes(school.notebook())
    school.grade(school.keep(), FAILED)  # the same bytes are that try
    typed = ["made up", token]
    with kernel(tmp_path, tmp_path / "home") as client:
        said = run(client, lines, typed)
        assert f"Handed in: {TOYS}.ipynb" in said
        assert f"{school.site}/try/1" in said
        assert f"→ {MISTAKE}" in said
        assert typed == []
        (kept,) = (tmp_path / "home" / ".config" / "autograder").iterdir()
        assert kept.stat().st_mode & 0o777 == 0o600
        assert token not in run(client, "print(dir(), In, Out)", [])
        assert "Name its file" in run(client, "%handin nothing", [])
        assert "Say which assignment" in run(client, "%handin", [])
