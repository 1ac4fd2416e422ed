"""A PostgreSQL server of our own, where one is installed."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/nowhere"))
IS_INSTALLED = PROGRAMS.is_dir()
WHY_NOT = "no PostgreSQL server is installed here"


def run(*command: str) -> None:
    """Run one of the server's programs, which refuse to be run by root."""
    user = "postgres" if os.getuid() == 0 else None
    subprocess.run(command, user=user, check=True, capture_output=True, cwd="/")


@contextmanager
def served() -> Iterator[str]:
    """Run a server of our own; yield its address."""
    folder = Path(tempfile.gettempdir()) / f"autograder-postgresql-{os.getpid()}"
    folder.mkdir(mode=0o700)
    if os.getuid() == 0:
        shutil.chown(folder, pwd.getpwnam("postgres").pw_uid)
    with closing(socket.create_server(("127.0.0.1", 0))) as found:
        port = found.getsockname()[1]
    data, log = str(folder / "data"), str(folder / "log")
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder}"
    run(f"{PROGRAMS}/initdb", "-D", data, "-U", "grader", "--auth=trust")
    run(f"{PROGRAMS}/pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start")
    try:
        yield f"postgresql://grader@127.0.0.1:{port}/postgres"
    finally:
        run(f"{PROGRAMS}/pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)
