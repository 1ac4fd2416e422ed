"""Pictures and PDFs that were handed in with a notebook: kept beside it, for those who read it.

They lie flat there, under their own names, so that none can take another file's place.
"""

import hashlib
import shutil
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from autograder.errors import DISK_ERRORS, SubmissionError, shown
from autograder.intake.attachments import find_attachments, hashes_of
from autograder.platforms.collecting.deciding import Choice


def copy_pages(choice: Choice, given: Collection[str], into: Path) -> tuple[dict[str, str], str]:
    """Copy what comes with a notebook to the folder `into`, without the files that were `given`.

    Returns the hash of each by name, and a sentence about what is left out, if anything is.
    """
    depth = len(choice.notebook.entry.file.parts) - 1
    sources: dict[str, Path] = {}
    for each in choice.pages:
        file = each.entry.file
        is_given = "/".join(file.parts[depth:]) in given
        if file.path is None or is_given or file.path in sources.values():
            continue
        own = each.entry.own_name or file.parts[-1]
        sources.setdefault("_".join(file.parts[depth:]) if own in sources else own, file.path)
    odd = []
    for name, path in sources.items():
        try:
            shutil.copyfile(path, into / name)
        except (OSError, ValueError) as error:  # a name that no file can have
            if isinstance(error, OSError) and error.errno in DISK_ERRORS:
                raise
            odd.append(name)
    said = f"{shown(odd[0][:80])} can't be the name of a file, and was left out." if odd else ""
    said = said or find_attachments(into).warning
    kept = hashes_of(into)
    for path in into.iterdir():
        if path.name not in kept:
            path.unlink()
    return kept, said


def pages_of(folder: Path, names: Collection[str]) -> dict[str, str]:
    """Return the hash of each of these files that still lies in the folder of a submission."""
    with suppress(OSError, SubmissionError):
        return {name: each for name, each in hashes_of(folder).items() if name in names}
    return {}


def digest_of(notebook: str, pages: Mapping[str, str]) -> str:
    """Return the hash of all that was handed in; of a notebook alone, it is that one's own."""
    if not pages:
        return notebook
    parts: Sequence[object] = (notebook, *sorted(pages.items()))
    return hashlib.sha256(repr(parts).encode()).hexdigest()
