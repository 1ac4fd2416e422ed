"""From inside a student's process nothing of the grader can be read, reached or harmed."""

import os
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import autograder
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import WITHOUT, Isolation
from tests.sandbox.conftest import Intruder, warm_process

PACKAGE = Path(autograder.__file__).parent
COURSE = PACKAGE.parent
SECRETS = [
    autograder.__file__,
    str(COURSE / "solutions" / "hw1_attention.py"),
    str(COURSE / "solutions"),
    str(COURSE),
    __file__,
    "/etc/shadow",
    "/etc/hosts",
    "/var",
    "/run",
    f"/proc/{os.getpid()}/environ",
    f"/proc/{os.getpid()}/cmdline",
    f"/proc/{os.getpid()}/maps",
    f"/proc/{os.getpid()}/fd",
    "/proc/self/mem",
    "/sys/class",
    "/dev/vda",
    str(Path.home()),
]


@pytest.mark.parametrize("path", SECRETS, ids=lambda path: path.replace(str(os.getpid()), "grader"))
def test_what_is_not_a_students_cannot_be_read(intruder: Intruder, path: str) -> None:
    assert "Error" in intruder.error(f"open({path!r}).read()")
    listed = intruder.reply(f"import os; answer = os.listdir({path!r})").get("answer", [])
    # of a directory that the interpreter happens to lie in, the way to it may be seen
    prefixes = (sys.prefix, sys.base_prefix)
    assert all(any(each.startswith(f"{path}/{name}") for each in prefixes) for name in listed)


def test_the_interpreter_and_installed_packages_can_be_imported(intruder: Intruder) -> None:
    intruder.run("import colorsys, yaml, platformdirs")


def test_this_package_cannot_be_imported_any_further(intruder: Intruder) -> None:
    assert "Error" in intruder.error("import autograder.cli")


def test_nothing_points_to_the_course(intruder: Intruder) -> None:
    said = intruder.run("import sys; answer = [*sys.path, *sys.argv, *sys.orig_argv]")
    assert str(COURSE) not in said
    assert intruder.run("import os; answer = os.getcwd()") != str(COURSE)


def test_the_environment_is_its_own(intruder: Intruder) -> None:
    inside = intruder.run("import os; answer = dict(os.environ)")
    shared = {name for name, value in inside.items() if os.environ.get(name) == value}
    assert shared <= {"LANG", "PATH", "OMP_NUM_THREADS", "MPLBACKEND"}
    assert str(Path.home()) not in inside.values()
    assert inside.items() >= WITHOUT.items()


def test_accelerators_are_hidden_from_imports_on_whatever_the_grader_may_use(
    level: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = {
        "CUDA_VISIBLE_DEVICES": "",
        "ROCR_VISIBLE_DEVICES": "-1",
        "HIP_VISIBLE_DEVICES": "-1",
        "ONEAPI_DEVICE_SELECTOR": "*:cpu",
    }
    for name in hidden:
        monkeypatch.setenv(name, "0")
    with warm_process(level) as warm, Intruder(warm.spawn()) as intruder:
        assert intruder.run("answer = at_import").items() >= hidden.items()
        assert intruder.run("import os; answer = dict(os.environ)").items() >= hidden.items()


@pytest.fixture
def devices() -> Iterator[list[str]]:
    """Device nodes, named like GPUs', which every user of this machine may open."""
    if os.getuid() != 0:
        pytest.skip("only root makes device nodes")
    nodes = [Path("/dev", name) for name in ("nvidia99", "nvidiactl99", "kfd99", "accel99")]
    try:
        for node in nodes:
            os.mknod(node, stat.S_IFCHR, os.makedev(1, 3))  # those of /dev/null
            node.chmod(0o666)
        yield list(map(str, nodes))
    finally:
        for node in nodes:
            node.unlink(missing_ok=True)


def test_a_device_cannot_be_opened_even_where_every_user_may(
    level: Isolation, devices: list[str]
) -> None:
    with warm_process(level) as warm, Intruder(warm.spawn()) as intruder:
        for path in devices:
            for mode in ("rb", "r+b"):
                assert "Error" in intruder.error(f"open({path!r}, {mode!r}, buffering=0)")


def test_the_environment_it_was_forked_with_holds_nothing_either(
    warm: WarmProcess,
) -> None:
    try:
        initial = Path(f"/proc/{warm.pid}/environ").read_bytes()
    except PermissionError:
        pytest.skip("it is another user's already")
    assert b"PYTEST_CURRENT_TEST" not in initial
    assert b"HOME=" in initial


def test_nothing_is_open_but_the_channel(intruder: Intruder) -> None:
    opened = intruder.run(
        """
        import os, stat
        answer = {}
        for fd in range(4096):
            try:
                answer[fd] = stat.filemode(os.fstat(fd).st_mode)[0]
            except OSError:
                pass
        """
    )
    assert opened == {"0": "c", "1": "c", "2": "c", "3": "s"}


@pytest.mark.parametrize(
    "family", ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"]
)
@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW", "SOCK_SEQPACKET"])
def test_no_socket_can_be_opened(intruder: Intruder, family: str, kind: str) -> None:
    said = intruder.error(f"import socket; socket.socket(socket.{family}, socket.{kind})")
    assert "PermissionError" in said


@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM", "SOCK_SEQPACKET"])
@pytest.mark.parametrize("way", ["connect({address!r})", "sendto(b'secret', {address!r})"])
@pytest.mark.parametrize("abstract", [True, False])
def test_no_socket_of_a_pair_leads_elsewhere(
    intruder: Intruder, tmp_path: Path, kind: str, way: str, abstract: bool
) -> None:
    address = f"\0autograder-test-{os.getpid()}" if abstract else str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX, getattr(socket, kind)) as ours:
        ours.bind(address)
        assert intruder.error(
            f"import socket; socket.socketpair(socket.AF_UNIX, socket.{kind})[0]."
            + way.format(address=address)
        )


def test_no_process_can_be_started(intruder: Intruder) -> None:
    for attempt in (
        "os.fork()",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.execv(sys.executable, ['python'])",
        "subprocess.run(['/bin/true'])",
        "multiprocessing.Process(target=print).start()",
    ):
        source = f"import multiprocessing, os, subprocess, sys; {attempt}"
        assert "PermissionError" in intruder.error(source), attempt


def test_no_process_but_itself_can_be_signalled(intruder: Intruder, warm: WarmProcess) -> None:
    for pid in (os.getpid(), os.getppid(), warm.pid, -1, 0, "os.getppid()"):
        assert intruder.error(f"import os; os.kill({pid}, 0)"), pid
    intruder.run("import os; os.kill(os.getpid(), 0)")


def test_no_process_can_be_seen(intruder: Intruder) -> None:
    assert intruder.error("import os; assert any(n.isdigit() for n in os.listdir('/proc'))")


def test_limits_of_other_processes_cannot_be_changed(intruder: Intruder) -> None:
    change = f"resource.prlimit({os.getpid()}, resource.RLIMIT_NOFILE, (256, 256))"
    assert intruder.error(f"import resource; {change}")
    assert intruder.error(f"import os; os.sched_setaffinity({os.getpid()}, {{0}})")


def test_the_cores_that_it_runs_on_cannot_be_changed(intruder: Intruder) -> None:
    widen = "import os; os.sched_setaffinity(0, range(os.cpu_count()))"
    assert "Operation not permitted" in intruder.error(widen)


@pytest.mark.parametrize(
    "call",
    [
        "unshare(0x10000000)",
        "setns(3, 0)",
        "ptrace(0, 0, 0, 0)",
        "memfd_create(b'x', 0)",
        "shmget(0, 4096, 0o1600)",
        "chroot(b'/')",
        "mount(b'tmpfs', b'/student', b'tmpfs', 0, 0)",
        "umount2(b'/student', 2)",
        "prctl(1, 0, 0, 0, 0)",  # to outlive the grader
        "fcntl(3, 8, 1)",  # to have the kernel signal another process
        "ioctl(0, 0x5412, b'x')",  # to type into a terminal
        "syscall(425, 8, 0)",  # io_uring, which does things past all filters
        "syscall(321, 0, 0, 0)",  # bpf
        "syscall(1000, 0, 0, 0)",  # what a later kernel may bring
    ],
)
def test_what_homework_does_not_need_is_refused(intruder: Intruder, call: str) -> None:
    source = f"import ctypes; libc = ctypes.CDLL(None, use_errno=True); result = libc.{call}"
    assert intruder.run(f"{source}; answer = [result, ctypes.get_errno() in (1, 38)]") == [-1, True]


def test_privileges_are_gone(intruder: Intruder, level: Isolation) -> None:
    if os.getuid() == 0:
        assert intruder.run("import os; answer = os.getresuid()") != [0, 0, 0]
    assert intruder.error("import os; os.setuid(0)")
    assert intruder.error("import os; os.chmod('.', 0o777)")


def test_students_of_two_graders_are_different_users(level: Isolation, warm: WarmProcess) -> None:
    if os.getuid() != 0:
        pytest.skip("a plain user has no other")
    whoami = "import os; answer = os.getuid()"
    with (
        warm_process(level) as other,
        Intruder(warm.spawn()) as here,
        Intruder(other.spawn()) as there,
    ):
        assert here.run(whoami) != there.run(whoami)


def test_what_one_student_writes_no_other_finds(level: Isolation, warm: WarmProcess) -> None:
    if level is Isolation.LOCKDOWN:
        pytest.skip("nothing can be written")
    with Intruder(warm.spawn()) as first, Intruder(warm.spawn()) as second:
        first.run("open('note', 'w').write('the answer')")
        if not sys.prefix.startswith("/tmp/"):  # else packages to read lie there, and nothing else
            first.run("open('/tmp/again', 'w').write('the answer')")
            assert second.run("import os; answer = os.listdir('/tmp')") == []
        assert second.run("import os; answer = os.listdir('.')") == []
    with Intruder(warm.spawn()) as third:
        assert third.run("import os; answer = os.listdir('.')") == []


def test_what_one_student_breaks_no_other_misses(warm: WarmProcess) -> None:
    with Intruder(warm.spawn()) as first:
        first.run("import json; json.dumps = None")
    with Intruder(warm.spawn()) as second:
        assert second.run("import json; answer = json.dumps([1])") == "[1]"


def test_nothing_can_be_written_outside_the_home(intruder: Intruder) -> None:
    for path in ("/x", "/usr/lib/x", f"{sys.prefix}/x", f"{COURSE}/x", "/dev/x", "/var/tmp/x"):
        assert intruder.error(f"open({path!r}, 'w')"), path
