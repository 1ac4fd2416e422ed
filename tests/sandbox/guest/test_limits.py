"""A student's process takes no more than it may, and the grader learns how it ended."""

import pytest

from autograder.sandbox.host.child import ExitReason
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Isolation, Limits
from tests.sandbox.conftest import LIMITS, Intruder, warm_process

MEMORY, FILES = LIMITS.memory_mb << 20, LIMITS.file_mb << 20


def test_too_much_memory_is_an_error_that_python_raises(intruder: Intruder) -> None:
    assert "MemoryError" in intruder.error(f"bytearray({MEMORY})")
    assert "MemoryError" in intruder.error("kept = []\nwhile True: kept.append(bytearray(1 << 20))")
    assert intruder.run("answer = 'still here'") == "still here"


def test_most_of_the_memory_can_be_used(intruder: Intruder) -> None:
    assert intruder.run(f"answer = len(bytearray({MEMORY * 3 // 4}))") == MEMORY * 3 // 4


def test_threads_are_counted(intruder: Intruder) -> None:
    started = intruder.run(
        """
        import threading
        enough, answer = threading.Event(), 0
        threading.stack_size(32768)
        try:
            while answer < 10_000:
                threading.Thread(target=enough.wait, daemon=True).start()
                answer += 1
        except RuntimeError:
            pass
        enough.set()
        """
    )
    # a plain user's other processes count too, and come and go
    assert 1 < started <= 2 * LIMITS.threads


def test_a_thread_may_start_beside_many_of_other_submissions(level: Isolation) -> None:
    waiting = """
        import threading
        never, answer = threading.Event(), 0
        threading.stack_size(32768)
        for answer in range(1, 101):
            threading.Thread(target=never.wait, daemon=True).start()
        """
    with (
        warm_process(level, Limits()) as warm,
        Intruder(warm.spawn()) as first,
        Intruder(warm.spawn()) as second,
    ):
        assert first.run(waiting) == second.run(waiting) == 100


def test_open_files_are_counted(intruder: Intruder) -> None:
    assert "Too many open files" in intruder.error("import os\nwhile True: os.pipe()")


def test_files_take_no_more_than_their_share(intruder: Intruder, level: Isolation) -> None:
    filled = intruder.run(
        """
        answer = number = 0
        try:
            while answer < 1 << 30:
                number += 1
                with open(f"file{number}", "wb", buffering=0) as file:
                    for _ in range(8):
                        answer += file.write(bytes(1 << 20))
        except OSError:
            pass
        """
    )
    assert filled == 0 if level is Isolation.LOCKDOWN else FILES // 2 < filled <= FILES


def test_empty_files_are_counted_too(intruder: Intruder) -> None:
    made = intruder.run(
        """
        answer = 0
        try:
            while answer < 100_000:
                open(f"file{answer}", "w").close()
                answer += 1
        except OSError:
            pass
        """
    )
    assert made < 10_000


def test_what_no_address_space_shows_is_counted_too(level: Isolation) -> None:
    if level is Isolation.LOCKDOWN:
        pytest.skip("there is nothing such: files can't be written, memory has an address")
    with warm_process(level, Limits(memory_mb=64, file_mb=256)) as warm:
        if warm._memory is None:
            pytest.skip("no control group here")
        with Intruder(warm.spawn()) as intruder:
            assert intruder.ends("file = open('f', 'wb')\nwhile True: file.write(bytes(1 << 20))")
            assert intruder.kill() is ExitReason.MEMORY
        with Intruder(warm.spawn()) as another:
            assert another.run("answer = len(bytes(1 << 20))") == 1 << 20
            assert another.kill() is ExitReason.KILLED


@pytest.mark.slow
def test_one_that_the_kernel_ends_for_its_processor_time_is_told_apart(warm: WarmProcess) -> None:
    with Intruder(warm.spawn(-9)) as intruder:  # it allows ten more: one
        assert intruder.ends("while True: pass")
        assert intruder.kill() is ExitReason.TIME


def test_one_that_leaves_has_exited(warm: WarmProcess) -> None:
    with Intruder(warm.spawn()) as intruder:
        assert intruder.ends("import os; os._exit(3)")
        assert intruder.kill() is ExitReason.EXITED


@pytest.mark.parametrize("deadly", ["import ctypes; ctypes.string_at(0)", "import os; os.abort()"])
def test_one_that_a_signal_ends_has_crashed(warm: WarmProcess, deadly: str) -> None:
    with Intruder(warm.spawn()) as intruder:
        assert intruder.ends(deadly)
        assert intruder.kill() is ExitReason.CRASHED


def test_one_that_crashes_for_lack_of_memory_is_told_apart(warm: WarmProcess) -> None:
    with Intruder(warm.spawn()) as intruder:
        assert intruder.ends(f"import os; kept = b'x' * {MEMORY * 7 // 8}; os.abort()")
        assert intruder.kill() is ExitReason.MEMORY


def test_killing_again_changes_nothing(warm: WarmProcess) -> None:
    child = warm.spawn()
    assert child.kill() is child.kill() is ExitReason.KILLED


def test_one_that_ignores_every_signal_is_killed(warm: WarmProcess) -> None:
    with Intruder(warm.spawn()) as intruder:
        intruder.run(
            """
            import signal
            for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                try:
                    signal.signal(number, signal.SIG_IGN)
                except OSError:
                    pass
            """
        )
        assert intruder.kill() is ExitReason.KILLED
