"""Settings of libraries and of the process that a cell leaves to those below it."""

from tests.habits.edits import HW1, HW2, HW3, HW4, Habit, below, first, habits

SEEDS = """
import os, random
import numpy as np
import torch

def seed_everything(seed=42):
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False

seed_everything()
"""
DETERMINISM = """
import os
os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
torch.use_deterministic_algorithms(True)
torch.utils.deterministic.fill_uninitialized_memory = True
"""
PICKED = 'device = "cuda" if torch.cuda.is_available() else "cpu"\ntorch.set_default_device(device)'
CUDA = 'torch.set_default_device("cuda")'
MATMUL = 'torch.set_float32_matmul_precision("high")\ntorch.set_printoptions(sci_mode=False)'
FLOAT64 = "torch.set_default_dtype(torch.float64)"

HABITS: tuple[Habit, ...] = (
    *habits(
        HW1,
        {
            'np.seterr(all="raise")': first('np.seterr(all="raise")'),
            "np.seterr below an answer": below("softmax", 'np.seterr(under="raise")'),
            "warnings are errors": first('import warnings\nwarnings.simplefilter("error")'),
            "warnings are ignored": first('import warnings\nwarnings.filterwarnings("ignore")'),
            "np.set_printoptions": first("np.set_printoptions(precision=2, threshold=5)"),
            "np.random.seed": first("import random\nrandom.seed(0)\nnp.random.seed(42)"),
            "sys.setrecursionlimit, low": first("import sys\nsys.setrecursionlimit(120)"),
            "sys.setrecursionlimit, high": first("import sys\nsys.setrecursionlimit(10**6)"),
            "os.environ": first(
                'import os\nos.environ["OMP_NUM_THREADS"] = "8"\n'
                'os.environ["CUDA_VISIBLE_DEVICES"] = "0"'
            ),
            "os.chdir": first("import os\nos.makedirs('a', exist_ok=True)\nos.chdir('a')"),
            "sys.path, stdout": first(
                "import sys\nsys.path.insert(0, '..')\nsys.stdout.reconfigure(encoding='utf-8')"
            ),
            "gc off, a signal": first(
                "import gc, signal\ngc.disable()\nsignal.signal(signal.SIGALRM, lambda *a: 1 / 0)"
            ),
            "a locale": first("import locale\nlocale.setlocale(locale.LC_ALL, '')"),
            "a decimal context": first("import decimal\ndecimal.getcontext().prec = 4"),
        },
    ),
    *habits(
        HW2,
        {
            "default dtype float64": first(FLOAT64),
            "default dtype below an answer": below("SelfAttention", FLOAT64),
            'set_default_device("cuda")': first(CUDA),
            "the device that is there": first(PICKED),
            "gradients switched off": first("torch.set_grad_enabled(False)"),
            "gradients switched off, by a name": below(
                "positional_encoding", "guard = torch.no_grad()\nguard.__enter__()"
            ),
            "deterministic algorithms": first(DETERMINISM),
            "seeds everywhere": first(SEEDS),
            "threads of torch": first("torch.set_num_threads(4)\ntorch.set_num_interop_threads(2)"),
            "anomaly detection": first("torch.autograd.set_detect_anomaly(True)"),
            "precision, print options": first(MATMUL),
            "NumPy's errors raised, in hw2": first('np.seterr(all="raise")'),
        },
    ),
    *habits(
        HW3,
        {
            "default dtype float64, hw3": first(FLOAT64),
            "gradients switched off, hw3": first("torch._C._set_grad_enabled(False)"),
            "warnings are errors, hw3": first('import warnings\nwarnings.simplefilter("error")'),
        },
    ),
    *habits(
        HW4,
        {
            "default dtype float64, hw4": first(FLOAT64),
            "default device meta, hw4": first('torch.set_default_device("meta")'),
        },
    ),
)
