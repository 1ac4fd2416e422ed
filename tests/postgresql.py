"""A PostgreSQL server of our own, where one is installed."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

import pytest
from sqlalchemy import create_engine, make_url, text

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/nowhere"))
IS_INSTALLED = PROGRAMS.is_dir()
WHY_NOT = "no PostgreSQL server is installed here"

# Where the gradebook of `toys` and of `school` lies: see the fixture `database`.
in_either_database = pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.exhaustive)], indirect=True
)
in_postgresql = pytest.mark.parametrize("database", ["postgresql"], indirect=True)


def run(*command: str) -> None:
    """Run one of the server's programs, which refuse to be run by root."""
    user = "postgres" if os.getuid() == 0 else None
    subprocess.run(command, user=user, check=True, capture_output=True, cwd="/")


@dataclass(frozen=True)
class Server:
    """A server whose files lie in `folder`: it can be stopped, and started again."""

    folder: Path
    port: int

    @property
    def address(self) -> str:
        return f"postgresql://grader@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
        }
        said = " ".join(f"-c {name}={value}" for name, value in options.items())
        self._control("-l", str(self.folder / "log"), "-w", "-o", said, "start")

    def stop(self) -> None:
        """End it at once, and with it whatever its clients are doing."""
        self._control("-m", "immediate", "stop")

    def _control(self, *words: str) -> None:
        run(f"{PROGRAMS}/pg_ctl", "-D", str(self.folder / "data"), *words)


@contextmanager
def served() -> Iterator[Server]:
    """Run a server of our own."""
    folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
    if os.getuid() == 0:
        shutil.chown(folder, pwd.getpwnam("postgres").pw_uid)
    with closing(socket.create_server(("127.0.0.1", 0))) as found:
        server = Server(folder, found.getsockname()[1])
    run(f"{PROGRAMS}/initdb", "-D", str(folder / "data"), "-U", "grader", "--auth=trust")
    server.start()
    try:
        yield server
    finally:
        with suppress(subprocess.CalledProcessError):  # it is stopped already
            server.stop()
        shutil.rmtree(folder)


def new_database(server: str) -> str:
    """Make an empty database on a server; return its address."""
    name = f"book_{token_hex(8)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return make_url(server).set(database=name).render_as_string(hide_password=False)
