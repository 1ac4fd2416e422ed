"""What students wrote is parsed only where that can be killed: nothing else has a parser."""

import ast
import json
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.gradebook.feedback import write_feedback
from autograder.gradebook.recording import record
from autograder.grading.run import grade_class
from autograder.grading.settings import Settings
from autograder.grading.submissions import find_submissions
from autograder.intake import notebook
from autograder.platforms.collecting.collect import collect_archive
from autograder.sandbox.host.probe import strongest
from autograder.statistics.class_report import write_class_report
from autograder.statistics.similar import write_similar_page
from tests.courses import ROOT
from tests.desk.desks import reading
from tests.executors import beside
from tests.notebooks import filled
from tests.platforms.sources import zipped
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

ENGINE = ROOT / "autograder"
BY_STUDENT = "".join(["written by ", "a student"])  # pytest parses this file when it fails

LIBRARIES = {"PIL", "lzma", "nbconvert", "nbformat", "nh3", "tarfile", "yaml", "zipfile", "zlib"}
OURS = {"unpack", "read_notebook", "normalise", "copy_of", "assignment_of", "pictures_in"}
OURS |= {"clean_content", "is_untouched", "find_written", "prose_in"}
OURS |= {"python_of", "tree_of", "code_tokens", "without_comments", "is_cut_off", "tokens_of"}
OURS |= {"names_in", "imported_names"}
# Who may import one of these, and why nothing of a student's is parsed in a process of ours there.
MAY = {
    "watch.py": "makes an empty notebook; the press and the examiner parse what students wrote",
    "intake/archive.py": "is parsers alone; `platforms/collecting/reading.py` calls it, bounded",
    "intake/names.py": "is parsers alone, which others call",
    "intake/release.py": "reads releases",
    "intake/submission.py": "is parsers alone, which others call",
    "platforms/collecting/reading.py": "calls them in `_found_in` and `_read`, bounded",
    "platforms/gradescope.py": "is called by `_found_in`, bounded",
    "platforms/archives.py": "writes zip files",
    "diagnosis/changes.py": "runs in the process of one submission",
    "grading/grader.py": "runs in the process of one submission",
    "grading/worker.py": "calls them in `_forked`",
    "grading/session.py": "runs in the process of one submission",
    "grading/dependencies.py": "runs in the process of one submission",
    "grading/traps.py": "runs in the process of one submission",
    "gradebook/recorder.py": "has the press make copies, and makes nodes of these",
    "gradebook/rows.py": "reads releases",
    "gradebook/unrecorded.py": "calls them in a function that the press runs",
    "gradebook/person.py": "opens zip files that we or an instructor made, and none in submitted/",
    "gradebook/term_archive.py": "unpacks what an instructor froze, and parses no notebook",
    "gradebook/steps.py": "is called by nbgrader with what the press has copied",
    "telling/pages/pictures.py": "is called by the press",
    "telling/pages/safe_html.py": "is called by the press",
    "telling/pages/student_page.py": "is called by the press",
    "statistics/guesses.py": "calls them in `_guessed`, by the press; else of releases",
    "statistics/mistakes.py": "calls them in `_shown`, by the press",
    "statistics/similar.py": "calls them in `_told`, by the press; else of releases",
    "desk/notebooks.py": "calls them below `_open`, by the press",
    "authoring/notes/notebook.py": "reads the table in a notebook that we released",
    "authoring/generate.py": "reads what an instructor wrote",
    "authoring/release.py": "reads what an instructor wrote",
    "authoring/script.py": "reads what an instructor wrote",
    "authoring/trials.py": "reads what an instructor wrote",
    "course/solution.py": "reads what an instructor wrote",
    "testing/bugs.py": "packs what an instructor wrote",
    "testing/own_bug.py": "unpacks in a notebook what a release packed",
}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            is_ours = node.module.startswith("autograder.")
            yield from (a.name for a in node.names) if is_ours else [node.module.partition(".")[0]]


@pytest.mark.slow
def test_who_imports_a_parser_says_where_it_is_killed() -> None:
    files = [path for path in ENGINE.rglob("*.py") if "exercises" not in path.parts]
    found = {
        path.relative_to(ENGINE).as_posix()
        for path in files
        if (LIBRARIES | OURS) & set(imported(path))
    }
    assert found - MAY.keys() == set(), "parse it in a process that can be killed, and say so here"
    assert MAY.keys() - found == set(), "these import no parser any more: take them out"


@pytest.mark.slow
def test_from_collecting_to_the_desk_this_process_parses_nothing_that_a_student_wrote(
    toys: ToyClass, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = handed_out(toys, tmp_path)
    poison(monkeypatch)
    course, said = toys.course, list[str]()
    assert len(collect_archive(course, source).placed) == 12
    settings, jobs = Settings(course, strongest()), find_submissions(course, [TOYS])
    reports = [graded.report for graded in grade_class(settings, jobs, beside)]
    assert record(course, [report for report in reports if report]) == []
    assert write_feedback(course, [TOYS]).new == len(reports) == 12
    assert write_class_report(course, TOYS)
    write_similar_page(course, TOYS, None, said.append)
    assert said == []
    with reading(course) as ada:
        assert BY_STUDENT in ada.answer()


def handed_out(toys: ToyClass, folder: Path) -> Path:
    """Return Gradescope's export of twelve students' work, some of it in format 3."""
    metadata, files = ["---"], {}
    for number in range(12):
        answers = RIGHT | {"double": f"# {BY_STUDENT}\n{RIGHT['double']}", "why": BY_STUDENT}
        content = filled(toys.course.release_path(TOYS), answers)
        raw = json.dumps(of_format_3(content) if number % 2 else content)
        files[f"assignment_1_export/submission_{number}/hw.ipynb"] = raw.encode()
        metadata += [f"submission_{number}:", "  :submitters:", f"  - :sid: s{number}"]
    files["assignment_1_export/submission_metadata.yml"] = "\n".join(metadata).encode()
    return zipped(folder / "export.zip", files)


def of_format_3(content: dict[str, Any]) -> dict[str, Any]:
    cells = [{**cell, "input": cell["source"]} for cell in content["cells"]]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}


def poison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every parser of this process, but of none beside it, fail on what a student wrote."""
    parse, parse_code = notebook._parse, ast.parse

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("parsed where it can't be killed")

    def only_releases(raw: bytes) -> dict[str, Any]:
        return dict(refuse() if BY_STUDENT.encode() in raw else parse(raw))

    def only_ours(source: Any, *args: Any, **kwargs: Any) -> Any:
        return refuse() if BY_STUDENT in str(source) else parse_code(source, *args, **kwargs)

    monkeypatch.setattr(notebook, "_parse", only_releases)
    monkeypatch.setattr(ast, "parse", only_ours)
    for module, name in ((zipfile, "ZipFile"), (tarfile, "open"), (yaml, "load")):
        monkeypatch.setattr(module, name, refuse)
