"""No other site, no impatient person, and no large body reaches the pages."""

import io
import socket
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from autograder.intake.notebook import MAX_NOTEBOOK
from autograder.serve import app, guard
from autograder.serve.guard import MAX_FORM, Limiter
from autograder.serve.tables import TryState
from tests.serve.houses import School, school_of
from tests.toy_class import ToyClass
from tests.toys import TOYS

PAGES = ("/", "/homework", f"/homework/{TOYS}", "/nowhere", "/serve.css", "/invite/x")


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_policy_that_lets_nothing_foreign_run(school: School, path: str) -> None:
    with school.student() as ada:
        headers = ada.http.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_what_was_handed_in_may_run_nothing_at_all(school: School) -> None:
    number = school.grade(school.keep()).number
    with school.student() as ada:
        for path in ("feedback", "notebook"):
            policy = ada.http.get(f"/try/{number}/{path}").headers["content-security-policy"]
            assert "script-src" not in policy
            assert "sandbox" in policy
            assert "allow-scripts" not in policy


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_of_another_site_changes_nothing(school: School, headers: dict[str, str]) -> None:
    with school.student() as ada:
        ada.open(f"/homework/{TOYS}")
        ada.http.headers.update(headers)
        ada.send("form.drop", {"notebook": ("x.ipynb", school.notebook())})
        assert ada.status == 403
    assert school.tries.on(TOYS) == []


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "", "localhost:1"])
def test_a_site_of_another_name_reaches_nothing(school: School, host: str) -> None:
    with school.student() as ada:
        assert ada.http.get("/homework", headers={"Host": host}).status_code == 421


@pytest.mark.slow
def test_who_asks_too_often_waits_and_others_do_not(
    school: School,
) -> None:
    with school.student("bob") as bob, school.student() as ada:
        answers = [ada.http.get("/homework").status_code for _ in range(app.A_MINUTE + 1)]
        assert answers[-1] == 429
        assert answers.count(200) >= app.A_MINUTE - 5
        assert bob.http.get("/homework").status_code == 200


@pytest.mark.slow
def test_made_up_cookies_are_counted_by_address(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "OF_AN_ADDRESS", 20)
    with school_of(toys) as school, school.student() as ada:
        url = f"{school.site}/homework"
        answers = [
            httpx.get(url, cookies={"autograder": str(number)}).status_code for number in range(21)
        ]
        assert answers[0] == 401
        assert answers[-1] == 429
        ada.open("/homework")
        assert ada.status == 200


def test_a_limiter_forgets_after_its_time_and_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr(guard, "MAX_KNOWN", 10)
    limiter = Limiter(2)
    assert [limiter.allows("ada") for _ in range(3)] == [True, True, False]
    now[0] = 60
    assert limiter.allows("ada")
    assert all(limiter.allows(str(number)) for number in range(100))
    assert len(limiter._known) == 10


class Slow(OrderedDict[str, tuple[float, int]]):
    def pop(self, *said: Any) -> Any:
        found = super().pop(*said)
        time.sleep(0.01)
        return found


def test_who_asks_for_many_pages_at_once_is_counted_each_time() -> None:
    limiter = Limiter(3)
    limiter._known = Slow()
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(limiter.allows, 10 * ["ada"]))
    assert answers.count(True) == 3


def test_an_upload_that_is_too_large_is_refused_before_it_is_read(school: School) -> None:
    with school.student() as ada, socket.create_connection(_place(school)) as wire:
        (cookie,) = ada.http.cookies.jar
        head = (
            f"POST /homework/{TOYS} HTTP/1.1\r\nHost: {school.site.removeprefix('http://')}\r\n"
            f"Cookie: {cookie.name}={cookie.value}\r\nContent-Length: {10 * MAX_NOTEBOOK}\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\n\r\n"
        )
        wire.sendall(head.encode())
        wire.settimeout(60)
        assert b" 413 " in wire.recv(1000).split(b"\r\n")[0]


@pytest.mark.parametrize("size", [MAX_NOTEBOOK + 1, MAX_NOTEBOOK + 2 * MAX_FORM])
def test_an_upload_that_grows_too_large_is_refused(school: School, size: int) -> None:
    with school.student() as ada:
        ada.hand_in(bytes(size))
        assert ada.status in (413, 422)
        assert "20 MB" in ada.text
        assert "lear its outputs" in ada.text
    assert school.tries.on(TOYS) == []


def test_a_form_that_is_too_large_is_refused(school: School) -> None:
    with school.student() as ada:
        response = ada.http.post("/leave", data={"csrf": "x" * (MAX_FORM + 1)})
        assert response.status_code == 413
        assert ada.open("/homework")
        assert ada.status == 200


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n" * 200, "boundary=x"),
        (b"\xff" * 1000, "boundary=x"),
        (b"", "boundary=x"),
        (b"--x--", "charset=x"),
        (
            b'--x\r\nContent-Disposition: form-data; name="notebook"\r\n\r\nhi\r\n--x--',
            "boundary=x",
        ),
    ],
)
def test_a_form_that_cannot_be_read_changes_nothing(school: School, body: bytes, kind: str) -> None:
    with school.student() as ada:
        headers = {"Content-Type": f"multipart/form-data; {kind}"}
        response = ada.http.post(f"/homework/{TOYS}", content=body, headers=headers)
        assert response.status_code in (400, 403)
        ada.open("/homework")
        assert ada.status == 200
    assert school.tries.on(TOYS) == []


def test_several_files_at_once_are_refused(school: School) -> None:
    with school.student() as ada:
        ada.open(f"/homework/{TOYS}")
        files = [("notebook", (f"{n}.ipynb", io.BytesIO(b"{}"))) for n in range(3)]
        response = ada.http.post(f"/homework/{TOYS}", files=files)
        assert response.status_code == 400


NAMES = ("../../../evil.ipynb", "/etc/passwd", "a\x00b.ipynb", "<script>.ipynb", "x" * 200, "é💥")


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_an_upload_names_nothing(school: School, name: str) -> None:
    root = school.toys.course.root
    before = {path for path in root.rglob("*") if "ada" not in path.parts}
    with school.student() as ada:
        ada.open(f"/homework/{TOYS}")
        ada.send("form.drop", {"notebook": (name, school.notebook())})
        assert ada.status == 200
        assert name not in ada.page.prettify()
    (found,) = school.tries.on(TOYS)
    assert found.state is TryState.WAITING
    new = {path for path in root.rglob("*") if "ada" not in path.parts} - before
    assert not [path for path in new if path.suffix == ".ipynb"]


def _place(school: School) -> tuple[str, int]:
    url = httpx.URL(school.site)
    return url.host, url.port or 80
