"""Files that are written as a whole: nobody ever reads half of one."""

from pathlib import Path
from secrets import token_hex


def save_whole(raw: bytes, path: Path) -> None:
    """Write a file, all of it or nothing, through no link that lies in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{token_hex(8)}")
    try:
        with fresh.open("xb") as file:
            file.write(raw)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
