"""What people write in answers in PyTorch."""

from tests.habits.edits import (
    HW2,
    HW3,
    HW4,
    Habit,
    above,
    begun,
    below,
    both,
    ended,
    first,
    habits,
    swapped,
    written,
)

OLD_SUPER = ("super().__init__()", "super(SelfAttention, self).__init__()")
REARRANGED = """
from einops import rearrange, einsum

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super(MultiHeadAttention, self).__init__()
        if d_model % n_heads: raise ValueError(f"{d_model=} {n_heads=}")
        self.h = n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            rearrange(w(x), "b n (h d) -> b h n d", h=self.h)
            for w, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        s = einsum(q, k, "b h i d, b h j d -> b h i j") / q.size(-1) ** 0.5
        if mask is not None: s = s.masked_fill(~mask, float("-inf"))
        return self.W_O(rearrange(s.softmax(-1) @ v, "b h n d -> b n (h d)"))
"""
JAXTYPED = """
from jaxtyping import Float, jaxtyped
from torch import Tensor

class FeedForward(nn.Module):
    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    @jaxtyped(typechecker=None)
    def forward(self, x: Float[Tensor, "batch seq d"]) -> Float[Tensor, "batch seq d"]:
        return self.linear2(torch.relu(self.linear1(x)))
"""
SEQUENTIAL = """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, activation=nn.ReLU(inplace=True)):
        super(FeedForward, self).__init__()
        self.linear1 = torch.nn.Linear(in_features=d_model, out_features=d_ff)
        self.linear2 = torch.nn.Linear(in_features=d_ff, out_features=d_model)
        self.net = nn.Sequential(self.linear1, activation, self.linear2)
        self.apply(self._init_weights)
        print(self)

    @staticmethod
    def _init_weights(m):
        if isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight); nn.init.zeros_(m.bias)

    def extra_repr(self): return "two layers"

    def forward(self, x):
        assert x.dim() == 3, f"want (batch, seq, d_model), got {tuple(x.shape)}"
        return self.net(x)
"""
ON_DEVICE = """
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k).to(device)
        self.W_K = nn.Linear(d_model, d_k).to(device)
        self.W_V = nn.Linear(d_model, d_k).to(device)

    def forward(self, X):
        X = X.to(device)
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        w = F.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.size(-1)), dim=-1)
        return torch.bmm(w, v), w
"""
DEVICE = 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\nprint(device)'
MPS = (
    'device = "cuda" if torch.cuda.is_available() else '
    '"mps" if torch.backends.mps.is_available() else "cpu"'
)
DEMO = """
@torch.no_grad()
def demo():
    model = Encoder(100).eval()
    if torch.cuda.is_available():
        model = model.cuda(); torch.cuda.empty_cache()
    print(model, sum(p.numel() for p in model.parameters() if p.requires_grad))
    torch.save(model.state_dict(), "encoder.pt")
    model.load_state_dict(torch.load("encoder.pt", map_location="cpu"))
    return model(torch.randint(0, 100, (2, 7))).shape

demo()
"""
BASE = """
class Base(nn.Module):
    def n_params(self): return sum(p.numel() for p in self.parameters())
"""
SUMMARY = """
from torchinfo import summary
summary(FeedForward(8, 16), input_size=(2, 5, 8))
"""
TQDM_TRAIN = """
from tqdm.auto import tqdm

def train(model, batches, lr=1e-3):
    device = next(model.parameters()).device
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0)
    model.train()
    losses, bar = [], tqdm(batches, desc="train", leave=False)
    for step, (src, tgt) in enumerate(bar):
        src, tgt = src.to(device), tgt.to(device)
        logits = model(src, tgt[:, :-1])
        loss = criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1e9)
        optimizer.step()
        losses.append(loss.item())
        bar.set_postfix(loss=f"{loss.item():.3f}")
    return losses
"""
BODY = """
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for i, (src, tgt) in enumerate(batches):
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
"""
SAVING = (
    "import time, os, logging\nimport matplotlib.pyplot as plt\n\n"
    "def train(model, batches, lr=1e-3):\n    start = time.time()"
    + BODY
    + """        if i % 50 == 0:
            print(f"\\rstep {i:5d} | loss {loss.item():.4f} | {time.time() - start:.1f}s", end="")
            torch.save(model.state_dict(), "checkpoint.pt")
            logging.getLogger("train").info("%d", i)
    plt.figure(); plt.plot(losses); plt.title("loss"); plt.show()
    return losses
"""
)
COMPILED_TRAIN = (
    "def train(model, batches, lr=1e-3):\n    original, model = model, torch.compile(model)"
    + BODY
    + "    return losses\n"
)
SCHEDULED = (
    "try:\n    import wandb\nexcept ImportError:\n    wandb = None\n\n"
    "def train(model, batches, lr=1e-3):"
    + BODY.replace(
        "    losses = []\n",
        "    losses = []\n"
        "    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)\n",
    )
    .replace("optimizer.step()\n", "optimizer.step(); scheduler.step()\n")
    .replace("loss.backward()", "loss.backward(); wandb and wandb.log({'loss': loss})")
    + "    return losses\n"
)
CAREFUL_TRAIN = (
    "from tqdm.notebook import tqdm\n\n"
    "def train(model, batches, lr=1e-3):\n"
    "    scaler = torch.amp.GradScaler('cpu', enabled=False)\n    losses = []\n    try:"
    + BODY.replace("    losses = []\n", "")
    .replace("\n", "\n    ")
    .replace("in enumerate(batches)", "in enumerate(tqdm(batches))")
    .replace("loss.backward()", "scaler.scale(loss).backward()")
    .replace("optimizer.step()", "scaler.step(optimizer); scaler.update()")
    + "except KeyboardInterrupt:\n        print('stopped')\n    return losses\n"
)
KEPT = """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model % n_heads != 0")
        self.n_heads, self.attention, self.dropout = n_heads, None, nn.Dropout(0.0)
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            self.add_module(name, nn.Linear(d_model, d_model))
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, query, key, value, mask=None):
        b, h = query.size(0), self.n_heads
        q, k, v = [
            layer(x).view(b, -1, h, layer.out_features // h).transpose(1, 2)
            for layer, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        ]
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        weights = self.dropout(scores.softmax(dim=-1))
        self.attention = weights.detach().cpu()  # for the plots below
        return self.W_O((weights @ v).transpose(1, 2).contiguous().view(b, -1, h * v.size(-1)))
"""
HOOKED = """
seen = {}
layer = FeedForward(4, 8)
layer.linear1.register_forward_hook(lambda module, inputs, output: seen.update(output=output))
layer(torch.ones(1, 2, 4))
sum(p.numel() for p in layer.parameters() if p.requires_grad)
"""
MEMORY = """
import tracemalloc, gc
import psutil
from torch.profiler import profile, ProfilerActivity
tracemalloc.start()
with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as prof:
    linear_attention(*torch.randn(3, 1, 16, 4))
print(prof.key_averages().table(row_limit=5), tracemalloc.get_traced_memory())
print(psutil.Process().memory_info().rss / 1e6, "MB"); gc.collect()
"""
OPTIONAL = ("torch.Tensor | None", "Optional[torch.Tensor]")
TYPING = "from typing import Optional, Tuple\nfrom tqdm.notebook import tqdm\nimport numpy as np\n"
BENCH = """
import time
times = {}
for n in (16, 32):
    Q = torch.randn(1, n, 4)
    if torch.cuda.is_available(): torch.cuda.synchronize()
    start = time.perf_counter()
    full_attention(Q, Q, Q)
    times[n] = time.perf_counter() - start
import matplotlib.pyplot as plt
plt.loglog(list(times), list(times.values()), "o-"); plt.legend(["full"]); plt.show()
"""
TIMER = """
import torch.utils.benchmark as benchmark
Q = torch.randn(1, 8, 4)
print(benchmark.Timer("linear_attention(Q, Q, Q)", globals=globals()).timeit(3))
"""
EINOPS_LINEAR = """
from einops import einsum, rearrange, reduce

def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    kv = einsum(k, V, "b n d, b n e -> b d e")
    z = einsum(q, reduce(k, "b n d -> b d", "sum"), "b n d, b d -> b n")
    return einsum(q, kv, "b n d, b d e -> b n e") / rearrange(z, "b n -> b n 1")
"""
CACHE = """
from typing import NamedTuple

class KVCache(NamedTuple):
    keys: torch.Tensor
    values: torch.Tensor

def cached_attention_step(q, k, v, cache):
    new = KVCache(k, v) if cache is None else KVCache(*(
        torch.cat(pair, dim=1) for pair in zip(cache, (k, v))))
    w = torch.softmax(q @ new.keys.mT / q.shape[-1] ** 0.5, dim=-1)
    return w @ new.values, new
"""
LOOP = """
from tqdm import trange

def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    out = torch.zeros_like(Q)
    for i in trange(n, disable=True):
        lo, hi = max(0, i - window), min(n, i + window + 1)
        s = (Q[:, i:i+1] @ K[:, lo:hi].transpose(1, 2)) / d ** 0.5
        out[:, i:i+1] = torch.softmax(s, -1) @ V[:, lo:hi]
    return out
"""

HABITS: tuple[Habit, ...] = (
    *habits(
        HW2,
        {
            "super(C, self).__init__()": swapped("SelfAttention", OLD_SUPER),
            "import torch.nn as nn, again": begun(
                "SelfAttention",
                "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n",
            ),
            "typing in the given import cell": both(
                ended("imports", "\n" + TYPING), swapped("EncoderBlock", OPTIONAL)
            ),
            "einops": written("MultiHeadAttention", REARRANGED),
            "weights kept for plots, Xavier": written("MultiHeadAttention", KEPT),
            "a hook, parameters counted": below("FeedForward", HOOKED),
            "jaxtyping": written("FeedForward", JAXTYPED),
            "Sequential, init, repr, prints": written("FeedForward", SEQUENTIAL),
            "a device of one's own": both(first(DEVICE), written("SelfAttention", ON_DEVICE)),
            "mps, cuda or cpu": both(first(MPS), written("SelfAttention", ON_DEVICE)),
            "a demo without gradients, saved": below("Encoder", DEMO),
            "a base class in a cell above": both(
                above("FeedForward", BASE), swapped("FeedForward", ("(nn.Module)", "(Base)"))
            ),
            "torchinfo": below("FeedForward", SUMMARY),
            "torch.compile of a class": ended(
                "FeedForward", "\n\nmodel = torch.compile(FeedForward(4, 8))"
            ),
            "torch.compile on forward": swapped(
                "FeedForward", ("    def forward", "    @torch.compile\n    def forward")
            ),
            "torch.compile on a function": begun(
                "positional_encoding", "@torch.compile(dynamic=True)\n"
            ),
            "torch.jit.script of a demo": below(
                "FeedForward", "scripted = torch.jit.script(FeedForward(4, 8))"
            ),
            "autocast in a demo": below(
                "FeedForward",
                "with torch.autocast('cpu', torch.bfloat16):\n"
                "    print(FeedForward(4, 8)(torch.ones(1, 2, 4)).dtype)",
            ),
        },
    ),
    *habits(
        HW3,
        {
            "tqdm in the training loop": written("train", TQDM_TRAIN),
            "torch.save, prints and a plot in the loop": written("train", SAVING),
            "torch.compile in the loop": written("train", COMPILED_TRAIN),
            "a scheduler, and wandb if it is there": written("train", SCHEDULED),
            "tqdm imported in the given cell": both(
                ended("imports", "\n" + TYPING),
                swapped("train", ("in batches:", "in tqdm(batches):")),
            ),
            "tqdm.notebook, a scaler, Ctrl-C": written("train", CAREFUL_TRAIN),
            "inference_mode": swapped("greedy_decode", ("no_grad", "inference_mode")),
        },
    ),
    *habits(
        HW4,
        {
            "benchmarks and a plot": below("full_attention", BENCH),
            "torch.utils.benchmark": below("linear_attention", TIMER),
            "profiler, tracemalloc, psutil": below("linear_attention", MEMORY),
            "einops, hw4": written("linear_attention", EINOPS_LINEAR),
            "a NamedTuple": written("cached_attention_step", CACHE),
            "a loop with tqdm": written("sliding_window_attention", LOOP),
            "torch.compile, hw4": begun("linear_attention", "@torch.compile\n"),
        },
    ),
)
