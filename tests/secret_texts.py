"""Texts that only the grader knows: to be looked for where students' code can look."""

import ast
import json

from autograder.course import Course, solution

LONG = 30  # characters: what is shorter may be anybody's


def of_hidden_tests(course: Course, assignment: str) -> set[bytes]:
    """Docstrings and messages of the hidden tests."""
    paths = (course.exercises / assignment / "hidden_tests").glob("test_*.py")
    trees = (ast.parse(path.read_text()) for path in paths)
    constants = (n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Constant))
    texts = {n.value for n in constants if isinstance(n.value, str) and " " in n.value}
    return {text.encode() for text in texts if len(text) >= LONG}


def of_solutions(course: Course, assignment: str) -> set[bytes]:
    """What stands in the solutions and not in the release."""
    cells = json.loads(course.release_path(assignment).read_text("utf-8"))["cells"]
    release = "\n".join("".join(cell["source"]) for cell in cells)
    texts = solution.sources(course, assignment).values()
    lines = {line.strip() for text in texts for line in text.split("\n")}
    return {line.encode() for line in lines if len(line) >= LONG and line not in release}
