"""What a file claims to be: formats, encodings, sizes."""

import io
import json
import pickle
import zipfile

from tests.hostile.changes.registry import Content, answers_in, change, change_cells, result


@change
def kernel_is_another(content: Content) -> Content:
    """Ask for R."""
    return content | {
        "metadata": {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}}
    }


@change
def kernel_is_a_command(content: Content) -> Content:
    """Ask for a kernel whose name is a path and a command."""
    name = "../../../bin/sh -c 'touch /tmp/touched'"
    return content | {
        "metadata": {"kernelspec": {"name": name, "argv": ["/bin/sh"], "display_name": name}}
    }


@change
def format_is_3(content: Content) -> Content:
    """Write the notebook as Jupyter did before 2015."""
    kinds = {"code": "input", "markdown": "source"}
    cells = [
        {"cell_type": kind, kinds[kind]: cell["source"], "metadata": cell["metadata"]}
        | ({"outputs": [], "language": "python"} if kind == "code" else {})
        for cell in content["cells"]
        for kind in [cell["cell_type"]]
    ]
    sheets = [{"cells": cells, "metadata": {}}]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": sheets}


@change
def minor_format_is_of_the_future(content: Content) -> Content:
    """Claim a version that nobody has written yet."""
    return content | {"nbformat_minor": 10**9, "novelty": {"a": 1}}


@change
def bytes_are_no_text(content: Content) -> bytes:
    """Write bytes that are no UTF-8 into the file."""
    return json.dumps(content).encode().replace(b"softmax", b"soft\xff\xfemax")


@change
def text_is_utf_16(content: Content) -> bytes:
    """Write the file in another encoding."""
    return json.dumps(content).encode("utf-16")


@change
def file_is_a_pickle(content: Content) -> bytes:
    """Hand in a pickle."""
    return pickle.dumps(content)


@change
def file_is_an_archive(content: Content) -> bytes:
    """Hand in the notebook zipped, under the name of a notebook."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../../hw1_attention.ipynb", json.dumps(content))
    return archive.getvalue()


@change
def file_breaks_off(content: Content) -> bytes:
    """Hand in the first half, as after a full disk."""
    raw = json.dumps(content).encode()
    return raw[: len(raw) // 2]


@change
def keys_come_twice(content: Content) -> bytes:
    """Give each key of the notebook two values; the last one counts."""
    raw = json.dumps(content).encode()
    return b'{"nbformat": 9, "cells": 7, ' + raw[1:]


@change
def brackets(content: Content) -> bytes:
    """Hand in what a careless parser calls itself on until it ends."""
    return b"[" * 200_000


@change
def metadata_is_deep(content: Content) -> bytes:
    """Nest metadata."""
    deep = b'{"a":' * 10_000 + b"1" + b"}" * 10_000
    return json.dumps(content).encode().replace(b"{", b'{"deep": ' + deep + b", ", 1)


@change
def number_is_long(content: Content) -> bytes:
    """Write a number that takes long to read."""
    raw = json.dumps(content | {"nbformat_minor": 5}).encode()
    return raw.replace(b'"nbformat_minor": 5', b'"nbformat_minor": ' + b"9" * 10**6)


@change
def windows_wrote_it(content: Content) -> bytes:
    """Put a byte order mark before the file, and Windows line ends into it."""
    return b"\xef\xbb\xbf" + json.dumps(content, indent=1).replace("\n", "\r\n").encode()


@change_cells
def macintosh_wrote_it(cell: Content) -> None:
    """End lines as no computer has done since 2001."""
    cell["source"] = cell["source"].replace("\n", "\r")


@change_cells
def sources_are_lists(cell: Content) -> None:
    """Split sources as one may, and as nobody does."""
    by_lines = len(cell["source"]) % 2
    cell["source"] = cell["source"].splitlines(keepends=True) if by_lines else [*cell["source"], ""]


@change
def source_is_a_number(content: Content) -> Content:
    """Put a number where text belongs."""
    content["cells"][0]["source"] = 7
    return content


@change
def kind_is_unknown(content: Content) -> Content:
    """Make up a kind of cell."""
    content["cells"][0]["cell_type"] = "movie"
    return content


@change
def source_is_huge(content: Content) -> Content:
    """Write a novel into an answer."""
    next(answers_in(content))["source"] += "\n# " + "x" * 10**6
    return content


@change
def cells_are_many(content: Content) -> Content:
    """Add more cells than anybody reads."""
    small = {"cell_type": "markdown", "metadata": {}, "source": ""}
    return content | {"cells": content["cells"] + [small] * 10_000}


@change
def own_cells_are_many(content: Content) -> Content:
    """Add as many cells as are let through, each of which prints and runs."""
    own: Content = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [own | {"id": f"own-{n}", "source": f"print('x' * 1000, {n})"} for n in range(900)]
    return content | {"cells": content["cells"] + cells}


@change
def outputs_are_huge(content: Content) -> Content:
    """Leave a film in an output."""
    next(answers_in(content))["outputs"] = [result("x" * (100 << 20))]
    return content
