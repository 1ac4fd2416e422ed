"""What homework imports works in a student's process as it does outside."""

import os
from collections.abc import Iterator

import pytest

from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Isolation, Limits
from tests.sandbox.conftest import Intruder

pytestmark = pytest.mark.slow  # what is imported takes seconds


@pytest.fixture(scope="module")
def warm(level: Isolation) -> Iterator[WarmProcess]:
    """A warm process with what homework imports, of an owner who hides files, as commands do."""
    preload = ("numpy", "torch", "matplotlib.pyplot")
    before = os.umask(0o077)
    with WarmProcess(level, Limits(), preload, service="tests.sandbox.inside") as warm:
        os.umask(before)
        yield warm


def test_torch_multiplies_and_differentiates(intruder: Intruder) -> None:
    """It would hang if the warm process had started threads."""
    assert intruder.run(
        """
        import torch
        x = torch.ones(500, 500, requires_grad=True)
        (torch.nn.Linear(500, 500)(x) @ x).softmax(-1).sum().backward()
        answer = list(x.grad.shape)
        """
    ) == [500, 500]


def test_a_tensor_too_large_is_an_error_that_python_raises(intruder: Intruder) -> None:
    assert "can't allocate memory" in intruder.error("import torch; torch.ones(1 << 30)")
    assert intruder.run("import torch; answer = torch.ones(1 << 20).sum().item()") == 1 << 20


def test_a_picture_is_drawn_with_words_on_it(intruder: Intruder) -> None:
    drawn = intruder.run(
        """
        import io, matplotlib.pyplot as plt
        plt.imshow([[1, 2]])
        plt.title("scores")
        picture = io.BytesIO()
        plt.savefig(picture)
        answer = picture.getvalue()[:4].decode("latin-1")
        """
    )
    assert drawn == "\x89PNG"


def test_packages_that_were_not_preloaded_can_be_imported(intruder: Intruder) -> None:
    assert intruder.run("import scipy.special; answer = float(scipy.special.expit(0))") == 0.5


USES = {
    "pandas": """
        import io, pandas
        table = pandas.read_csv(io.StringIO("name,points\\nada,2\\nada,3"))
        answer = int(table.groupby("name").points.sum()["ada"])
    """,
    "sklearn": """
        from sklearn.linear_model import LinearRegression
        answer = round(float(LinearRegression().fit([[1], [2]], [1, 2]).predict([[5]])[0]))
    """,
    "torch on two threads": """
        import torch
        torch.set_num_threads(2)
        answer = int((torch.ones(600, 600) @ torch.ones(600, 600))[0, 0]) // 120
    """,
    "threads": """
        from concurrent.futures import ThreadPoolExecutor
        answer = sum(ThreadPoolExecutor(4).map(int, "113"))
    """,
    "clocks": """
        import resource, time
        spent = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        answer = 5 * (min(spent, time.thread_time(), time.process_time(), time.monotonic()) > 0)
    """,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_what_people_use_beside_works(intruder: Intruder, use: str) -> None:
    assert intruder.run(use) == 5


def test_a_coroutine_can_be_run(intruder: Intruder) -> None:
    assert intruder.run("import asyncio; answer = asyncio.run(asyncio.sleep(0, 'done'))") == "done"
