"""What the server knows of somebody is told to who asks, and forgotten with the rest."""

import json
import re
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import select

from autograder.cli.app import app
from autograder.serve import invites, tokens
from autograder.serve.entrance import SOON
from autograder.serve.people import Identity
from autograder.serve.store import open_store
from autograder.serve.tables import METADATA
from tests.serve.houses import FAILED, school_of
from tests.toy_class import ToyClass


@pytest.fixture
def known(toys: ToyClass) -> Path:
    """The folder of a course whose server knows ada and bob."""
    with school_of(toys) as school:
        for student in ("ada", "bob"):
            found = school.grade(school.keep(student), FAILED)
            invites.invite(school.house.store, Identity(student), SOON)
            tokens.make(school.house.store, student)
            with school.student(student) as person:
                person.open(f"/try/{found.number}")
                person.send("form.appeal", exercise="double", text=f"I am {student}.")
    return toys.course.root


def run(*words: str) -> None:
    app(list(words), standalone_mode=False)


def test_what_is_stored_is_packed_for_who_asks(
    known: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(known)
    run("person", "export", "ada", "mine.zip")
    with zipfile.ZipFile(known / "mine.zip") as archive:
        told = json.loads(archive.read("about.json"))["server"]
        assert any("/.tries/" in name for name in archive.namelist())
    assert told["autograder_appeals"][0]["text"] == "I am ada."
    assert {"autograder_tries", "autograder_sessions", "autograder_tokens"} <= told.keys()
    assert "autograder_audit" in told
    assert "bob" not in json.dumps(told)


def test_who_is_forgotten_is_in_no_table_and_in_no_free_page(
    known: Path, monkeypatch: pytest.MonkeyPatch, toys: ToyClass
) -> None:
    monkeypatch.chdir(known)
    run("person", "forget", "ada", "--yes")
    with open_store(toys.course) as store, store.engine.connect() as connection:
        rows = [list(connection.execute(select(each))) for each in METADATA.sorted_tables]
    said = re.sub(r"\b[0-9a-f]{64}\b", "", str(rows))  # a digest may hold these letters by chance
    assert "ada" not in said
    assert "bob" in said
    assert b"I am ada." not in (known / "serve.db").read_bytes()
    assert not (known / "submitted" / "ada").exists()
