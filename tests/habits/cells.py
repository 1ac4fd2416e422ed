"""What people write in cells of their own."""

from tests.habits.edits import (
    HW1,
    HW3,
    Habit,
    above,
    below,
    both,
    first,
    habits,
    last,
    written,
)

DRIVE = """
try:
    from google.colab import drive
    drive.mount("/content/drive")
except ImportError:
    print("not on Colab")
"""
COLAB = (
    "from google.colab import drive\ndrive.mount('/content/drive')\n%cd /content/drive/MyDrive/hw1"
)
OWN_TESTS = """
def test_softmax():
    rng = np.random.default_rng(0)
    for _ in range(10):
        x = rng.normal(size=(3, 5))
        assert np.allclose(softmax(x).sum(-1), 1), "rows!"
        np.testing.assert_allclose(softmax(x), softmax(x + 100))
    print("✅ all good 🎉")

test_softmax()
"""
UNIT_TESTS = """
import unittest

class TestSoftmax(unittest.TestCase):
    def test_sum(self):
        self.assertAlmostEqual(softmax(np.array([1.0, 2.0])).sum(), 1)

unittest.main(argv=[""], exit=False)
"""
PLOT = """
import seaborn as sns
sns.set_theme(style="whitegrid")
weights, _ = self_attention(np.eye(4), np.eye(4), np.eye(4), np.eye(4))
sns.heatmap(weights, annot=True, cmap="viridis")
plt.savefig("attention.png", dpi=150)
plt.show()
"""
FIGURES = """
%matplotlib inline
%config InlineBackend.figure_format = "retina"
plt.style.use("seaborn-v0_8-darkgrid")
plt.rcParams["figure.figsize"] = (12, 8)
fig, ax = plt.subplots(1, 2)
ax[0].imshow(np.eye(3)); ax[1].plot([1, 2], [3, 4])
fig.savefig("figure.pdf")
plt.show()
"""
WIDGETS = """
from ipywidgets import interact, FloatSlider

@interact(t=FloatSlider(1.0, min=0.1, max=5))
def show(t=1.0):
    print(np.exp(np.array([1, 2]) / t))
"""
DISPLAY = """
from IPython.display import HTML, Markdown, clear_output, display
display(Markdown("**done**")); display(HTML("<b>done</b>")); clear_output(wait=True)
display(np.eye(2))
"""
FRAME = """
import pandas as pd
df = pd.DataFrame(np.eye(3), columns=["The", "cat", "meowed"])
display(df.style.background_gradient())
df.to_csv("weights.csv"); df.describe()
"""
LEARNED = """
from sklearn.decomposition import PCA
PCA(2).fit_transform(np.random.rand(10, 4)).shape
"""
FILES = """
import json, os, pickle
from pathlib import Path
os.makedirs("results", exist_ok=True)
Path("results/log.json").write_text(json.dumps({"done": True}))
np.save("results/eye.npy", np.eye(2))
pickle.dump([1], open("results/list.pkl", "wb"))
data = open("embeddings.txt").read()
"""
MAGICS = """
%load_ext autoreload
%autoreload 2
%env TOKENIZERS_PARALLELISM=false
%pip install -q einops torchinfo
!pip install -q jaxtyping
!nvidia-smi
%whos
%precision 3
%cd ..
%pwd
%lsmagic
"""
LOGGING = """
import logging
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = logging.getLogger(__name__)
log.info("starting")
"""
PROGRESS = """
import time
from tqdm import tqdm, trange
start = time.perf_counter()
for i in tqdm(range(50), desc="waiting"):
    pass
for _ in trange(3):
    time.sleep(0.001)
print(f"{time.perf_counter() - start:.3f} s")
"""
MAIN = """
def main() -> None:
    print(softmax(np.array([1.0, 2.0, 3.0])))

if __name__ == "__main__":
    main()
"""
ALSO_BY_SCIPY = """
from scipy.special import softmax as reference
assert np.allclose(reference([1, 2, 3]), softmax(np.array([1.0, 2, 3])))
"""
NETWORK = """
import requests
text = requests.get("https://localhost/tiny.txt", timeout=1).text
"""
CONFIG = """
from dataclasses import dataclass, field
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple, Union

@dataclass(frozen=True)
class Config:
    d_model: int = 64
    names: List[str] = field(default_factory=list)

class Mode(Enum):
    TRAIN = "train"

class Pair(NamedTuple):
    left: Optional[int] = None

CFG = Config()
"""
EVERY_VALUE = """
from IPython.core.interactiveshell import InteractiveShell
InteractiveShell.ast_node_interactivity = "all"
np.ones(2)
np.zeros(2)
"""
FLUSHED = "import functools\nprint = functools.partial(print, flush=True)\nprint('ready')"
SHADOWS = "X = 3\nscores = [1]\nx = y = z = None\nresult = sum([1, 2])\nQ, K, V = 1, 2, 3"
THREADS = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(lambda i: i ** 2, range(8))))
"""
FORK = "from multiprocessing import Pool\nwith Pool(2) as pool:\n    print(pool.map(abs, [-1]))"
LATER = "from __future__ import annotations\n\ndef f(x: Nowhere) -> Neither: ...\n"
SHIFTS = "def shifted(x):\n    return x - x.max(axis=-1, keepdims=True)"
FROM_SHIFTS = """
import shifts
def softmax(x):
    exponentials = np.exp(shifts.shifted(x))
    return exponentials / exponentials.sum(-1, keepdims=True)
"""
ASYNC = "import asyncio\nawait asyncio.sleep(0)\nasync def nothing(): ...\nawait nothing()"
LOSSES = """
import pandas as pd
import seaborn as sns
history = pd.DataFrame({"step": range(3), "loss": [3.0, 2.0, 1.0]})
sns.lineplot(data=history, x="step", y="loss")
history.plot(x="step"); history.to_csv("history.csv")
"""

HABITS: tuple[Habit, ...] = (
    *habits(
        HW1,
        {
            "Colab's drive, in try": first(DRIVE),
            "Colab's drive, and a folder in it": first(COLAB),
            "own tests below": below("softmax_test", OWN_TESTS),
            "unittest below": below("softmax_test", UNIT_TESTS),
            "seaborn": below("self_attention_test", PLOT),
            "plots in a style, saved": first(FIGURES),
            "ipywidgets": first(WIDGETS),
            "display, HTML, Markdown": first(DISPLAY),
            "pandas": first(FRAME),
            "scikit-learn": first(LEARNED),
            "files written, one missing": first(FILES),
            "magics and shell": first(MAGICS),
            "logging": first(LOGGING),
            "tqdm and timers": first(PROGRESS),
            'if __name__ == "__main__"': below("softmax", MAIN),
            "compared with SciPy": below("softmax", ALSO_BY_SCIPY),
            "a download": first(NETWORK),
            "dataclass, enum, typing": first(CONFIG),
            "names of one letter": first(SHADOWS),
            "every value shown": first(EVERY_VALUE),
            "%matplotlib widget": first("%matplotlib widget", "%matplotlib notebook"),
            "a print that flushes": first(FLUSHED),
            "a pool of threads": first(THREADS),
            "a pool of processes": first(FORK),
            "from __future__ in a cell": first(LATER),
            "await at the top": first(ASYNC),
            "an own cell that raises": first("1 / 0", "undefined", "def half("),
            "breakpoint in a demo": below("softmax", "breakpoint()\nimport pdb; pdb.set_trace()"),
            "input": first('name = input("Your name? ")'),
            "sys.exit at the end": last("import sys\nsys.exit(0)"),
            "%%capture of a demo": below("softmax", "%%capture out\nprint(softmax(np.eye(2)))"),
            "%%timeit": below("softmax", "%%timeit -n 2 -r 2\nsoftmax(np.eye(3))"),
            "%timeit and ?": below("softmax", "%timeit -n 2 -r 2 softmax(np.eye(3))\nsoftmax?"),
            "%%bash, %%html, %%writefile": first(
                "%%bash\nls -la", "%%html\n<b>hi</b>", "%%writefile helper.py\nx = 1"
            ),
            "imports in the middle": above(
                "worked_example", "import numpy as np, math, sys, os, re"
            ),
            "a solution of old, commented out": below(
                "softmax", "# def softmax(x):\n#     return 1"
            ),
            "a cell of another language": first("SELECT * FROM t;", "install.packages('x')"),
            "a module written by a cell": both(
                above("softmax", "%%writefile shifts.py\n" + SHIFTS),
                written("softmax", FROM_SHIFTS),
            ),
            "a global counter": first("CALLS = 0\ndef bump():\n    global CALLS\n    CALLS += 1"),
        },
    ),
    *habits(HW3, {"pandas and seaborn below the training": below("train_test", LOSSES)}),
)
