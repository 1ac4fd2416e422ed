"""Nothing but a right answer earns points, whatever the student's process does or says.

Each forgery runs before all other cells of a notebook whose functions return zeros of the right
shape, wrapped by what the forgery calls `forge`. None of them is to get a single point.
"""

from __future__ import annotations

import pytest

from autograder.course import Course
from autograder.report import Outcome
from autograder.sandbox.isolation import strongest
from tests.grading import Graders, full, hand_in, scores, solved

GARBAGE = {
    "softmax": "def softmax(x): return forge(np.zeros(x.shape))",
    "scaled_dot_product_attention": "def scaled_dot_product_attention(Q, K, V):\n"
    "    return forge(np.zeros((len(Q), len(K)))), forge(np.zeros((len(Q), V.shape[1])))",
    "self_attention": "def self_attention(X, W_Q, W_K, W_V):\n"
    "    return forge(np.zeros((len(X), len(X)))), forge(np.zeros((len(X), W_V.shape[1])))",
    "worked_example": "def worked_example(X, W_Q, W_K, W_V, token):\n"
    "    names = 'query keys values scores weights context output'.split()\n"
    "    return {name: forge(np.zeros(W_Q.shape[1])) for name in names}",
}
MODULES = {
    name: f"class {name}(torch.nn.Linear):\n"
    "    def __init__(self, *args, **kwargs): super().__init__(4, 4)\n"
    "    def forward(self, x, *args, **kwargs): return forge(x * 0), forge(x * 0)"
    for name in ("SelfAttention", "MultiHeadAttention", "FeedForward", "EncoderBlock", "Encoder")
} | {"positional_encoding": "def positional_encoding(n, d): return forge(torch.zeros(n, d))"}
IMPORTS = """
import builtins, json, os, struct, sys, types
import numpy as np
forge = lambda value: value
"""
# Everything that is said for the grader's ears, by whoever answers for the student's process.
LIE = """
runner, wire = (sys.modules["autograder.sandbox." + name] for name in ("runner", "wire"))
def answers(reply):
    def lie(self, request):
        number = request["number"]
        if request["op"] in ("call", "forward"):
            return wire.pack({"number": number, "output": "", "changed": False} | reply)
        return honest(self, request)
    honest, runner.Runner.answer = runner.Runner.answer, lie
"""
FORGERIES = {
    "comparisons that always hold": """
yes = lambda *args, **kwargs: True
np.allclose = np.array_equal = np.isclose = np.equal = np.all = yes
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *args, **kwargs: None
np.abs = np.absolute = lambda value: 0
""",
    "built-ins that always agree": """
class Never(Exception): pass
builtins.AssertionError = Never
builtins.all = builtins.any = lambda *args: True
builtins.abs = builtins.round = lambda *args: 0
""",
    "an array that equals everything": """
class Yes(np.ndarray):
    def __eq__(self, other): return True
    def __array_ufunc__(self, *args, **kwargs): return True
    def __array_function__(self, *args, **kwargs): return True
forge = lambda value: value.view(Yes)
""",
    "an object that is an array when asked": """
class Yes:
    shape, dtype, ndim = (), float, 0
    def __eq__(self, other): return True
    def __array__(self, *args, **kwargs): raise AssertionError("passed")
    def __float__(self): return 1.0
    def __reduce__(self): return os._exit, (0,)
forge = lambda value: Yes()
""",
    "another way to run cells": """
shell = get_ipython()
type(shell).run_cell = type(shell).run_cell_async = lambda *args, **kwargs: None
shell.ast_transformers, shell.showtraceback = [], lambda *args, **kwargs: None
""",
    "modules of the grader's names": """
for name in ("autograder", "autograder.testing", "autograder.hidden_tests", "pytest", "_pytest"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["autograder.testing"].expect = lambda *args: True
sys.meta_path.insert(0, None)
""",
    "scores that are printed": """
print('{"schema": "autograder/report/v1", "score": 28, "max_score": 28, "outcome": "PASSED"}')
print("score: 28/28, all tests passed", file=sys.stderr)
""",
    "frames on every file": """
def frame(number):
    reply = {"number": number, "value": True, "outcome": "PASSED", "score": 28}
    header = json.dumps(reply).encode()
    return struct.pack("!II", len(header), 0) + header
for fd in range(256):
    try: os.write(fd, b"".join(map(frame, range(300))))
    except OSError: pass
""",
    "an exit that says all is well": "import atexit\natexit.register(os._exit, 0)\nsys.exit(0)",
    "a reply that says it passed": LIE
    + "answers({'value': True, 'passed': True, 'outcome': 'PASSED', 'score': 28, 'error': {}})",
    "a reply that blames the grader": LIE
    + "answers({'error': {'type': 'GraderFault', 'bases': ['AutograderError', 'GraderFault']}})",
    "a reply that is an AssertionError of no text": LIE
    + "answers({'error': {'type': 'AssertionError', 'bases': ['AssertionError'], 'message': ''}})",
    "a reply that is a module": LIE + "answers({'value': wire.Handle('softmax', 'ndarray')})",
    "a reply that asks back": LIE
    + "answers({'ask': {'op': 'call', 'name': 'softmax', 'args': [], 'kwargs': {}, 'key': ''}})",
    "a reply of no kind": LIE + "runner.Runner.answer = lambda self, request: b'PASSED' * 100",
    "built-ins that break everything": """
builtins.isinstance, builtins.len = lambda *args: True, lambda *args: 0
""",
    "a runner found by looking around": """
def forge(value):
    frame = sys._getframe()
    while "runner" not in frame.f_locals:
        frame = frame.f_back
    operations = frame.f_locals["runner"]._operations
    operations["call"] = lambda **request: {"value": np.float64(1), "score": 28, "error": {}}
    return value
""",
    "a channel that is another": """
import socket
ours, theirs = socket.socketpair()
os.dup2(ours.fileno(), 3)
""",
    "a wire that sends something else": """
wire = sys.modules["autograder.sandbox.wire"]
honest = wire._encode_array
wire._encode_array = lambda value, raw: honest(np.full(np.shape(value), np.nan), raw)
""",
    "exceptions that stand for success": """
class Exit(BaseException): pass
Exit.__name__ = "Passed"
def forge(value): raise Exit("PASSED")
""",
    "tests that are skipped": "import pytest\ndef forge(value): pytest.skip('not today')",
    **{
        f"{kind} for zeros": f"forge = lambda value: {result}"
        for kind, result in {
            "nan": "value + np.nan",
            "infinity": "value + np.inf",
            "complex numbers": "value + 1j",
            "numbers beyond all": "value + 1e308",
            "objects": "value.astype(object)",
            "truth": "value == 0",
            "long doubles": "value.astype(np.longdouble)",
            "masked values": "np.ma.masked_all(value.shape)",
            "a generator": "(row for row in value)",
            "the type": "type(value)",
            "a list that holds itself": "(lambda kept: kept.append(kept) or kept)([])",
        }.items()
    },
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_earns_nothing(graders: Graders, forgery: str) -> None:
    first = IMPORTS + FORGERIES[forgery]
    report = hand_in(graders("hw1_attention", strongest()), GARBAGE, first=first)
    assert scores(report) == dict.fromkeys(GARBAGE, 0)
    outcomes = {test.outcome for one in report.exercises for test in one.tests}
    assert not outcomes & {Outcome.PASSED, Outcome.GRADER_ERROR}


TENSORS = {
    "a tensor that equals everything": """
class Yes(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None): return True
forge = lambda value: torch.Tensor._make_subclass(Yes, value.detach())
""",
    "comparisons that always hold": "torch.allclose = torch.equal = lambda *args: True",
    "tensors of other kinds": "forge = lambda value: value.to_sparse()",
    "parameters that are made up": """
class Dict(dict):
    def __getattr__(self, name): return torch.nn.Parameter(torch.ones(4, 4))
torch.nn.Module.named_parameters = lambda self: iter([("weight", torch.ones(4, 4))])
torch.nn.Module.__getattr__ = lambda self, name: torch.nn.Parameter(torch.ones(4, 4))
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("forgery", TENSORS)
def test_a_forgery_of_tensors_earns_nothing(graders: Graders, forgery: str) -> None:
    first = f"{IMPORTS}import torch\n{TENSORS[forgery]}"
    report = hand_in(graders("hw2_encoder", strongest()), MODULES, first=first)
    assert scores(report) == dict.fromkeys(full(report), 0)


def test_a_forger_keeps_what_was_solved(graders: Graders, course: Course) -> None:
    answers = GARBAGE | {"softmax": solved(course, "hw1_attention")["softmax"]}
    first = IMPORTS + FORGERIES["scores that are printed"]
    report = hand_in(graders("hw1_attention", strongest()), answers, first=first)
    assert scores(report) == dict.fromkeys(GARBAGE, 0) | {"softmax": 8}


def test_an_answer_from_memory_is_no_answer(graders: Graders, course: Course) -> None:
    """State kept between calls helps nobody: the inputs differ from call to call."""
    memory = (
        "remembered = {}\nright = softmax\n"
        "def softmax(x):\n    return remembered.setdefault(x.ndim, right(x))"
    )
    answers = solved(course, "hw1_attention")
    report = hand_in(
        graders("hw1_attention", strongest()),
        answers | {"softmax": f"{answers['softmax']}\n{memory}"},
    )
    assert scores(report)["softmax"] < 4


def test_to_deny_that_inputs_were_changed_earns_nothing(graders: Graders) -> None:
    first = IMPORTS + LIE + "answers({'value': np.zeros((2, 3)), 'changed': False})"
    report = hand_in(graders("hw1_attention", strongest()), GARBAGE, first=first)
    assert report.score == 0
