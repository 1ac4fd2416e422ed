"""%handin: hand in this notebook as it is saved, and show below what was found.

The course's server gives this out. It needs Python and Jupyter, and nothing else.
"""

from __future__ import annotations

import getpass
import json
import os
import secrets
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from IPython import get_ipython
from IPython.display import clear_output

SITE = "@SITE@"
KEPT = Path.home() / ".config" / "autograder" / urlsplit(SITE).netloc.replace(":", "_")
HERE = ("localhost", "127.0.0.1", "::1")  # no network lies between these and the server
PAUSE, LONGEST = 2, 900  # seconds between two looks, and of looking


class Refused(Exception):
    """What the server said no with, in a sentence."""

    def __init__(self, sentence: str, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status


def handin(line: str) -> None:
    """Hand in this notebook: %handin ASSIGNMENT, or %handin ASSIGNMENT FILE."""
    assignment, _, file = line.strip().partition(" ")
    try:
        path = notebook(assignment, file.strip())
        content = path.read_bytes()
        try:
            told = ask("/api/homework/" + quote(assignment), content)
        except Refused as error:
            if error.status != 401:
                raise
            KEPT.unlink()  # it has ended: ask for another
            told = ask("/api/homework/" + quote(assignment), content)
    except (Refused, OSError, RuntimeError) as error:
        print(error)
        return
    saved = time.strftime("%H:%M:%S", time.localtime(path.stat().st_mtime))
    head = f"Handed in: {path.name}, as it was saved at {saved}.\n{told['page']}\n"
    print(head)
    try:
        follow(head, told["number"])
    except (Refused, KeyboardInterrupt) as error:
        print(f"It is kept, and will be graded: look at the page above. {error}")


def follow(head: str, number: int) -> None:
    """Show what becomes of a try until it is graded."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        told = ask(f"/api/try/{number}")
        clear_output(wait=True)  # type: ignore[no-untyped-call]
        print(head, *told["lines"], sep="\n")
        if told["is_done"]:
            return
        time.sleep(PAUSE)
    print("It takes longer than most do: look at the page above.")


def notebook(assignment: str, file: str) -> Path:
    """Return the file of this notebook."""
    if not assignment:
        raise Refused("Say which assignment it is: %handin ASSIGNMENT")
    said = get_ipython().user_ns.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")
    found = [file] if file else [*filter(None, said), f"{assignment}.ipynb"]
    for path in map(Path, found):
        if path.suffix == ".ipynb" and path.is_file():
            return path
    raise Refused(f"Where is this notebook? Name its file: %handin {assignment} FILE.ipynb")


def ask(path: str, content: bytes | None = None) -> Any:
    """Return what the server answers; the token goes to this server alone."""
    site = urlsplit(SITE)
    if site.scheme != "https" and site.hostname not in HERE:
        raise Refused("The server has no https, so a notebook can't hand in: use its page.")
    request = Request(SITE + path)
    request.add_unredirected_header("Authorization", "Bearer " + token())
    if content is not None:
        mark = secrets.token_hex(16)
        head = f'--{mark}\r\nContent-Disposition: form-data; name="notebook"; filename="x.ipynb"'
        request.data = f"{head}\r\n\r\n".encode() + content + f"\r\n--{mark}--\r\n".encode()
        request.add_header("Content-Type", f"multipart/form-data; boundary={mark}")
    try:
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except HTTPError as error:
        try:
            sentence = json.load(error)["sentence"]
        except (ValueError, LookupError, TypeError):
            sentence = f"The server said {error.code}: try again in a minute."
        raise Refused(sentence, error.code) from None
    except (OSError, ValueError) as error:  # or something before it answers in its place
        raise Refused(f"The server can't be reached ({error}): try again.") from None


def token() -> str:
    """Return the token, asked for once and kept where this user alone can read it."""
    if not KEPT.is_file():
        typed = getpass.getpass("Your token, from the assignment's page: ").strip()
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(KEPT, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(typed)
    return KEPT.read_text()


get_ipython().register_magic_function(handin, "line")
