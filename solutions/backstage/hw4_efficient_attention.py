import time
from pydoc_data.topics import topics

from torch.utils.flop_counter import FlopCounterMode

torch.set_num_threads(1)  # so that a stopwatch tells of the work, not of the machine's other cores
KEYS_MAP = plt.matplotlib.colors.LinearSegmentedColormap.from_list("keys", [PAPER, COLOURS["key"]])


def show_panels(panels, says, xlabel, ylabel, bar="", *, scales=None, **style):
    """Show matrices by title side by side; `says` tells what they show.

    They share one scale of colours, or each has its own largest number, in `scales`.
    """
    width = min(3.1, 7.2 / len(panels))
    own = bar and scales
    size = (width * len(panels), width + (1.1 if own else 0.3))
    figure, axes = plt.subplots(1, len(panels), figsize=size, layout="constrained", squeeze=False)
    for place, (ax, (title, matrix)) in enumerate(zip(axes[0], panels.items(), strict=True)):
        colours = {"cmap": WEIGHTS_MAP, "vmin": 0, "vmax": 1} | style
        colours |= {"vmax": scales[place]} if scales else {}
        picture = ax.imshow(matrix.detach().numpy(), **colours)
        ax.set_xticks([column - 0.5 for column in range(matrix.shape[1])], [])
        ax.set_yticks([row - 0.5 for row in range(matrix.shape[0])], [])
        ax.grid(color="0.9", linewidth=0.6)
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
        ax.set_title(title, fontsize=10)
        ax.set_xlabel(xlabel, fontsize=10)
        if own:
            figure.colorbar(picture, ax=ax, label=bar, location="bottom")
    axes[0][0].set_ylabel(ylabel, fontsize=10)
    if bar and not own:
        figure.colorbar(picture, ax=axes[0], label=bar, extend="max")
    show(f"{says} {len(panels)} panels: {'; '.join(panels)}.")


class Writer(TextModel):
    """The text model in PyTorch. What its four heads look with is handed to it."""

    def __init__(self):
        super().__init__()
        self.parts = {name: torch.tensor(part).float() for name, part in self.weights.items()}

    @torch.no_grad()
    def scores(self, numbers, attention, first=0):
        """Return the scores of the next token after each one, (n, 512).

        attention: a function of the layer's number, Q, K and V, each (4, n, 16): the heads stand
        where a batch would. first: the place of the first token.
        """
        places = torch.arange(first, first + len(numbers)).unsqueeze(1)
        angles = places / 10_000 ** (torch.arange(0, self.d_model, 2) / self.d_model)
        x = F.embedding(torch.tensor(numbers), self.parts["embedding.weight"])
        x = x * self.d_model**0.5 + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        for layer in range(self.n_layers):
            name = f"layers.{layer}."
            three = self.linear(f"{name}self_attn.in_proj_", x).chunk(3, dim=-1)
            heads = (part.unflatten(-1, (self.n_heads, -1)).transpose(0, 1) for part in three)
            context = attention(layer, *heads).transpose(0, 1).flatten(1)
            x = self.norm(name + "norm1.", x + self.linear(name + "self_attn.out_proj.", context))
            hidden = F.relu(self.linear(name + "linear1.", x))
            x = self.norm(name + "norm2.", x + self.linear(name + "linear2.", hidden))
        return self.linear("head.", x)

    def linear(self, name, x):
        """Apply a linear layer of the model."""
        return F.linear(x, self.parts[name + "weight"], self.parts[name + "bias"])

    def norm(self, name, x):
        """Apply a LayerNorm of the model."""
        weight, bias = self.parts[name + "weight"], self.parts[name + "bias"]
        return F.layer_norm(x, (self.d_model,), weight, bias)

    def goes_on(self, text, n=40, way=None, temperature=0.4, seed=0):
        """Return `text` and the `n` tokens that the model draws after it, as one text."""
        way, draw = way or Recomputing(self), torch.Generator().manual_seed(seed)
        numbers = self.encode(text) or self.encode("The")
        for _ in range(n):
            shares = torch.softmax(way(numbers) / temperature, dim=-1)
            numbers.append(int(torch.multinomial(shares, 1, generator=draw)))
        return self.decode(numbers)


class Recomputing:
    """Read the whole text again for each new token."""

    says = "full, recomputed"

    def __init__(self, writer):
        self.writer = writer

    def __call__(self, numbers):
        return self.writer.scores(numbers, look_at_past(len(numbers)))[-1]


class Windowed:
    """Read what can be heard again for each new token, through the reader's sliding window."""

    says = "your window"

    def __init__(self, writer, reach=32):
        self.writer, self.reach = writer, reach

    def __call__(self, numbers):
        heard = self.writer.n_layers * self.reach  # what is older can't be heard
        return self.writer.scores(numbers[-heard:], self.look)[-1]

    def look(self, _layer, Q, K, V):
        return look_back(Q, K, V, self.reach)


class Cached:
    """Read each token once, by the reader's step; keep keys and values."""

    says = "your cache"

    def __init__(self, writer):
        self.writer, self.n_read, self.caches = writer, 0, [None] * writer.n_layers

    def __call__(self, numbers):
        while self.n_read < len(numbers):
            scores = self.writer.scores([numbers[self.n_read]], self.look, self.n_read)
            self.n_read += 1
        return scores[-1]

    def look(self, layer, q, k, v):
        output, self.caches[layer] = cached_attention_step(q, k, v, self.caches[layer])
        return output


def past(n):
    """Return the mask (n, n) of those who look at themselves and what was before."""
    return torch.ones(n, n, dtype=torch.bool).tril()


def look_at_past(n):
    """Return what the model's heads look with: full attention to the past, of `n` tokens."""
    mask = past(n)
    return lambda _layer, Q, K, V: full_attention(Q, K, V, mask=mask)


def look_back(Q, K, V, reach):
    """Attend to a token itself and `reach` tokens before it, through a window to both sides.

    Each query moves half the reach to the left: what lies to both sides of its new place lies
    before its old one. The first tokens have no place to move to, and look at all before them.
    """
    half = reach // 2
    moved = sliding_window_attention(Q.roll(-half, 1), K, V, half).roll(half, 1)
    first = full_attention(*(part[:, :half] for part in (Q, K, V)), past(min(half, Q.shape[1])))
    return torch.cat([first, moved[:, half:]], dim=1)


def manual(n, text=None):
    """Return the first `n` tokens of a text, again and again if it is short; without one, the manual's."""
    numbers = writer.encode(text[: 8 * n]) if text else MANUAL
    return list(itertools.islice(itertools.cycle(numbers), n))


def prose():
    """Return paragraphs of English in Python's manual, without the marks of its layout."""
    for topic in sorted(topics):
        for paragraph in topics[topic].split("\n\n"):
            line = " ".join(re.sub(r"\[\d+\]|[*\"`_]", "", paragraph).split())
            if len(line) > 200 and sum(each.isalpha() or each == " " for each in line) > 0.92 * len(
                line
            ):
                yield line


def seconds_for_one_more(n, way=None):
    """Return the shortest time that the model takes for the token after a text of `n` tokens."""
    numbers, way = manual(n), way or Recomputing(writer)
    timed(way, numbers[:64])
    return shortest_time(way, numbers)


def timed(function, *inputs):
    """Return how many seconds a call takes."""
    began = time.perf_counter()
    function(*inputs)
    return time.perf_counter() - began


def tokens_a_second(way, lengths):
    """Return how many tokens a second a model writes after texts of some lengths, growing."""
    rates = []
    for n in lengths:
        numbers = manual(n)
        taken = [timed(way, numbers)]  # to read it comes first; only what follows counts
        while len(taken) < 3 or (sum(taken[1:]) < 0.4 and len(taken) < 100):
            numbers.append(numbers[len(taken)])
            taken.append(timed(way, numbers))
            if sum(taken) > 4:
                break
        rates.append(1 / sorted(taken[1:])[len(taken[1:]) // 2])
    return rates


def in_time(seconds):
    """Return a time in words."""
    for unit, name in ((3600, "h"), (60, "min"), (1, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:,.3g} {name}"
    return f"{seconds * 1e6:,.3g} µs"


def shortest_time(function, *inputs):
    """Return the shortest time of a call, of as many as fit into a third of a second."""
    shortest, start = math.inf, time.perf_counter()
    while time.perf_counter() - start < 0.3:
        shortest = min(shortest, timed(function, *inputs))
    return shortest


def last_step(Q, K, V):
    """Take one cached step: that of the last token."""
    last = slice(-1, None)
    return cached_attention_step(Q[:, last], K[:, last], V[:, last], (K[:, :-1], V[:, :-1]))


def show_squares(times):
    """Draw a square for each length, to scale, and fill them at the pace that was measured."""
    longest = max(times)
    side, n_frames, frames = 330, 12, []
    metres = 2**17 / longest * side * 0.0254 / 96
    page = in_time(500 * times[longest])
    told = (
        ("Each square is as wide as the", False),
        ("text is long: a score for", False),
        ("each pair of tokens. It fills", False),
        ("as fast as it was computed.", False),
        ("One page more (500 tokens)", False),
        (f"takes {page}.", True),
        ("A novel would be a square", False),
        (f"{metres:.1f} metres wide.", True),
    )
    for frame in range(n_frames + 1):
        drawing, left, clock = Drawing(690, 420), 20, times[longest] * frame / n_frames
        for n, seconds in sorted(times.items()):
            edge, done = side * n / longest, min(1, clock / seconds)
            drawing.box(left, 370 - edge, edge, edge, PAPER, edge=PALE, corner=0)
            filled = (left, 370 - edge, edge, edge * done)
            drawing.box(*filled, COLOURS["weights"], opacity=0.75, corner=0)
            middle, at = (left + edge / 2, "middle") if edge > 100 else (left, "start")
            drawing.words(middle, 386, f"{n:,} tokens", at=at, size=13)
            drawing.words(middle, 404, in_time(seconds), at=at, size=15, bold=True)
            left += max(edge, 100) + 30
        for line, (text, bold) in enumerate(told):
            drawing.words(
                20, 20 + 20 * line + 16 * (line // 2 - 1) * (line > 3), text, at="start", bold=bold
            )
        drawing.words(left - 30, 16, f"{clock:.2f} s", at="end", bold=True, size=18)
        frames.append(drawing)
    each = ", ".join(f"{n:,} tokens {in_time(seconds)}" for n, seconds in sorted(times.items()))
    alt = f"Squares to scale, as wide as the text is long. One more token: {each}. A page: {page}."
    still = frames[-1:] * n_frames  # then it stands still as long as it took
    show_frames(frames + still, alt, seconds=max(0.1, times[longest] / n_frames))


def show_memory():
    """Draw what scores and keys hold, to scale, beside 16 GB of memory."""
    drawing, scale = Drawing(690, 370), 270 / 40e9**0.5  # pixels for the root of a byte
    things = (
        ("16 GB", "a laptop's memory", "", 16e9, "mask", 180),
        ("40 GB", "scores of 100,000 tokens", "", 40e9, "weights", 280),
        ("400 MB", "scores", "of 10,000", 4e8, "weights", 72),
        ("4 MB", "scores", "of 1,000", 4e6, "weights", 68),
        ("26 MB", "keys", "of 100,000", 25.6e6, "key", 80),
    )
    left = 10
    for size, what, more, n_bytes, role, width in things:
        edge = scale * n_bytes**0.5
        drawing.box(left, 290 - edge, edge, edge, COLOURS[role], opacity=0.75, corner=0)
        drawing.words(left, 308, size, at="start", size=14, bold=True, colour=COLOURS[role])
        drawing.words(left, 328, what, at="start", size=13)
        drawing.words(left, 346, more, at="start", size=13)
        left += width
    told = "; ".join(f"{size} {what} {more}".strip() for size, what, more, *_ in things)
    show_drawing(drawing, f"Areas to scale: {told}. Only the scores of 100,000 outgrow the laptop.")


def show_band(n, window):
    """Draw which scores full attention computes, and which a window does: the rest is in shadow."""
    cell, drawing = 24, Drawing(690, 376)
    near = [[abs(i - j) <= window for j in range(n)] for i in range(n)]
    far = [[not each for each in row] for row in near]
    style = {"cell": cell, "numbers": False, "largest": 1.4}
    drawing.words(8, 34, "looks", at="start", colour=COLOURS["query"], bold=True, size=13)
    drawing.words(8, 52, "(query)", at="start", colour=COLOURS["query"], size=13)
    drawing.line((20, 68), (20, 130), colour=COLOURS["query"], arrow=True)
    for left, title, hidden in (
        (66, f"full attention: {n * n} scores", None),
        (66 + n * cell + 36, f"window = {window}: {sum(map(sum, near))} scores", far),
    ):
        drawing.words(left, 14, title, at="start", bold=True)
        drawing.grid(left, 30, [[1] * n] * n, COLOURS["weights"], hidden=hidden, **style)
        y = 48 + n * cell
        drawing.words(
            left, y, "is looked at (key)", at="start", colour=COLOURS["key"], bold=True, size=13
        )
        drawing.line((left + 130, y), (left + 200, y), colour=COLOURS["key"], arrow=True)
    alt = f"Two squares of {n} by {n} scores. With a window of {window} all but a band lies in shadow."
    show_drawing(drawing, alt)


def show_reach(knowledge, token):
    """Show, layer by layer, which tokens one token has heard of: lines that fan out."""
    n, frames = knowledge[0].shape[0], []
    gap, top, height = 640 / n, 40, 66

    def place(i, layer):
        return 30 + gap * i, top + height * (len(knowledge) - layer)

    for shown in range(len(knowledge) + 1):
        drawing = Drawing(690, 2 * top + height * len(knowledge) + 20)
        heard = {token}
        for layer in range(len(knowledge), len(knowledge) - shown, -1):
            once, below = knowledge[0] > 0, set()
            for i in heard:
                for j in (j for j in range(n) if once[i, j]):
                    drawing.line(place(j, layer - 1), place(i, layer), colour=COLOURS["context"])
                    below.add(j)
            heard = below
        for layer in range(len(knowledge) + 1):
            at_token = shown == len(knowledge) - layer
            for i in range(n):
                x, y = place(i, layer)
                mine = (i == token and layer == len(knowledge)) or (i in heard and at_token)
                drawing.box(x - 8, y - 8, 16, 16, COLOURS["context"] if mine else PALE, corner=8)
            name = f"layer {layer}" if layer else "the text"
            drawing.words(30 + gap * (n - 0.4), place(0, layer)[1] - 17, name, size=11, at="end")
        far = max(abs(i - token) for i in heard)
        says = f"{shown} layer{'s' * (shown != 1)}: it hears up to {far} places far"
        drawing.words(30, 16, says, at="start", bold=True)
        frames.append(drawing)
    show_frames(frames, f"One token's lines fan out, layer by layer. {says}.")


def show_brackets(n=12, d=3):
    """Draw both ways to bracket Q Kᵀ V; what is held in between is an area to scale."""
    unit, drawing = 150 / n, Drawing(690, 420)
    tall, small = n * unit, d * unit
    for top, title, left_first in (
        (30, f"(Q Kᵀ) V holds n × n = {n * n} numbers", True),
        (240, f"Q (Kᵀ V) holds d × d = {d * d} numbers", False),
    ):
        drawing.words(20, top - 12, title, at="start", bold=True)
        x, middle = 20, top + tall / 2 + 4
        for name, wide, high, colour in (
            ("Q", small, tall, "query"),
            ("Kᵀ", tall, small, "key"),
            ("V", small, tall, "value"),
        ):
            first = left_first == (name != "V") or name == "Kᵀ"
            edge = INK if first else "none"
            box = (x, middle - high / 2, wide, high, COLOURS[colour])
            drawing.box(*box, opacity=0.8 if first else 0.3, edge=edge, corner=1)
            drawing.words(x + wide / 2, middle, name, size=15, colour=PAPER if first else INK)
            x += wide + 10
        drawing.line((x + 8, middle), (x + 46, middle), arrow=True)
        x += 66
        kept = (tall, "n × n") if left_first else (small, "d × d")
        order = ("kept", "V") if left_first else ("Q", "kept")
        for name in order:
            wide, high = (kept[0], kept[0]) if name == "kept" else (small, tall)
            role = {"kept": "weights", "V": "value", "Q": "query"}[name]
            strong = name == "kept"
            box = (x, middle - high / 2, wide, high, COLOURS[role])
            drawing.box(*box, opacity=1 if strong else 0.3, corner=1)
            text, ink = (kept[1], PAPER) if strong else (name, INK)
            drawing.words(x + wide / 2, middle, text, size=11, colour=ink, bold=strong)
            x += wide + 10
    show_drawing(
        drawing, f"Brackets to the left hold {n * n} numbers, to the right {d * d}: areas."
    )


def show_features(curves):
    """Draw functions of x by name, each in its own style."""
    x = torch.linspace(-4, 3, 200)
    plt.figure(figsize=(5.6, 2.8), layout="constrained")
    looks = (("-", 3, "key"), ("--", 1.8, "query"), (":", 1.8, "mask"))
    for (name, function), (style, width, role) in zip(curves.items(), looks, strict=True):
        plt.plot(x, function(x), style, linewidth=width, color=COLOURS[role], label=name)
    plt.axhline(0, color="0.7", linewidth=0.8)
    plt.xlabel("x")
    plt.ylabel("value")
    plt.legend()
    show(f"Curves of {', '.join(curves)} from -4 to 3; the first is above 0 everywhere.")


def show_needle(strengths, shares, n):
    """Draw the weight on the right key over the strength of the keys; `shares` by name."""
    ax = plt.subplots(figsize=(6.6, 3), layout="constrained")[1]
    for (name, share), style in zip(shares.items(), ("o-", "^--"), strict=True):
        role = "weights" if name.startswith("softmax") else "key"
        ax.plot(strengths, share, style, color=COLOURS[role], label=name)
    ax.axhline(1 / n, color=COLOURS["mask"], linewidth=1)
    ax.text(strengths[-1], 1 / n + 0.02, "picked blindly", ha="right", color=COLOURS["mask"])
    ax.set(xlabel="strength s of the keys", ylabel="weight on the right key", ylim=(0, 1.03))
    ax.legend()
    told = "; ".join(f"{name} {share[-1]:.2f}" for name, share in shares.items())
    show(f"Weight on the right one of {n} keys, growing with their strength. At the end: {told}.")


def show_suspects(Q, K, V):
    """Draw what A, B and C return for the same input: two of them are linear attention."""
    cell, drawing = 44, Drawing(690, 60 + 44 * Q.shape[1])
    told = []
    for place, (name, attention) in enumerate(suspects.items()):
        output, left = attention(Q, K, V)[0], 20 + 230 * place
        drawing.words(left, 18, name, at="start", bold=True, size=18)
        for i, row in enumerate(output.tolist()):
            for j, number in enumerate(row):
                drawing.box(left + 66 * j, 40 + cell * i, 62, 40, COLOURS["context"], opacity=0.14)
                drawing.words(
                    left + 66 * j + 31, 60 + cell * i, f"{number:.3f}", size=13, code=True
                )
        told.append(f"{name} {output.flatten().tolist()[0]:.3f}")
    show_drawing(drawing, f"Three outputs for one input; their first numbers: {', '.join(told)}.")


def accused(name):
    """Tell whether the impostor was found."""
    if name is None:
        print("○ No one is accused yet.")
    elif suspects.get(name) is of_a_stranger:
        print(
            f"✓ {name} it is. What in your input gave it away, and would a random test ever do so?"
        )
    else:
        print(f"✗ {name} computes what equation 4 says, for every input. Try a more unusual one.")


def show_cache(caches):
    """Show a cache as it grows, step by step: keys and values, a row for each token."""
    last, frames = caches[-1][0], []
    n, d = last.shape
    cell, largest = 38, float(torch.cat([last, caches[-1][1]], dim=1).abs().max())
    for step, pair in enumerate(caches):
        drawing = Drawing(2 * d * cell + 170, n * cell + 70)
        drawing.words(20, 16, f"step {step + 1}", at="start", bold=True)
        for side, (name, part) in enumerate(zip(("key", "value"), pair, strict=True)):
            left = 90 + side * (d * cell + 40)
            title = f"{name}s, {step + 1} × {d}"
            drawing.words(left, 42, title, at="start", colour=COLOURS[name], bold=True)
            drawing.grid(left, 58, part.tolist(), COLOURS[name], cell=cell, largest=largest)
            if step < n - 1:
                free = (left, 58 + (step + 1) * cell, d * cell - 2, (n - step - 1) * cell - 2)
                drawing.box(*free, PAPER, edge=PALE)
        y = 58 + step * cell + cell / 2
        drawing.words(14, y, "new", at="start", colour=COLOURS["context"], bold=True)
        drawing.line((46, y), (82, y), colour=COLOURS["context"], width=2, arrow=True)
        frames.append(drawing)
    show_frames(
        frames, f"Keys and values in the cache: a new row in each of {n} steps; old ones stay."
    )


def show_parts(d_model=64, d_ff=256, n_tokens=512, n_layers=2):
    """Draw the matrices of the small model, to scale, with their shapes."""
    drawing, unit, top = Drawing(690, 300), 0.55, 14
    block = [(f"W_{name}", d_model) for name in "QKVO"] + [("64 × 256", d_ff), ("256 × 64", d_ff)]
    rows = [
        ("embedding", [("512 × 64", n_tokens)]),
        *((f"block {number + 1}", block) for number in range(n_layers)),
        ("head", [("64 × 512", n_tokens)]),
    ]
    roles = {"W_Q": "query", "W_K": "key", "W_V": "value", "W_O": "context"}
    tall = unit * d_model
    for name, matrices in rows:
        drawing.words(10, top + 18, name, at="start", bold=True, size=13)
        left = 100
        for shape, wide in matrices:
            colour = COLOURS[roles.get(shape, "residual")]
            drawing.box(left, top, unit * wide, tall, colour, opacity=0.85, corner=1)
            drawing.words(left + unit * wide / 2, top + tall / 2, shape, size=12, colour=PAPER)
            left += unit * wide + 8
        extra = {"embedding": "looked up", "head": "and 512 biases"}.get(name, "")
        extra = extra or "biases 4 × 64, 256, 64; two norms, 2 × 64 each"
        drawing.words(100, top + tall + 14, extra, at="start", size=12, colour=COLOURS["mask"])
        top += tall + 36
    told = "embedding 512 by 64; in each of two blocks four of 64 by 64, 64 by 256, 256 by 64; head 64 by 512"
    show_drawing(drawing, f"The small model's matrices, to scale: {told}.")


def account(what, counted, guess):
    """Put a number that was predicted by hand beside the one that PyTorch counts."""
    mark = "○" if guess is None else "✓" if guess == counted else "✗"
    yours = "" if guess is None else f"  yours: {guess:,}"
    print(f"{mark} {what:<16} {counted:>12,}{yours}")


def multiplications(function, *inputs):
    """Return how many multiplications matrix products take in a call, as PyTorch counts them."""
    with FlopCounterMode(display=False) as counter:
        function(*inputs)
    return counter.get_total_flops() // 2  # each goes with an addition


def show_chat(name, weights, cache, tokens):
    """Draw the bytes of a model's weights and of a chat's cache as areas to scale."""
    drawing, scale = Drawing(680, 300), 230 / max(weights, cache) ** 0.5
    left = 20
    for what, n_bytes, role in (("weights", weights, "residual"), ("cache", cache, "key")):
        edge = scale * n_bytes**0.5
        drawing.box(left, 250 - edge, edge, edge, COLOURS[role], opacity=0.8, corner=0)
        size = f"{n_bytes / 1e9:,.3g} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:,.3g} MB"
        drawing.words(left, 268, what, at="start", colour=COLOURS[role], bold=True)
        drawing.words(left, 287, size, at="start", size=13)
        left += max(edge, 90) + 24
    drawing.words(520, 30, name, at="start", bold=True)
    drawing.words(520, 52, f"{tokens:,} tokens", at="start")
    show_drawing(drawing, f"{name}, {tokens:,} tokens: weights {weights:,}, cache {cache:,} bytes.")


def show_times(times, fits):
    """Plot seconds over lengths, both on logarithmic axes, beside guides for n and n²."""
    ax = plt.subplots(figsize=(7.2, 5), layout="constrained")[1]
    looks = {"full": ("o-", "weights"), "sliding": ("s--", "query"), "linear": ("^-.", "key")}
    looks["one"] = ("D:", "value")
    guides = {"full": 2, "sliding": 1, "linear": 1, "one": 1}
    for name, (lengths, seconds) in times.items():
        first = name.split()[0]
        style, role = looks[first]
        label = f"{name}: slope {fits[name]:.2f}"
        ax.loglog(lengths, seconds, style, base=2, color=COLOURS[role], label=label)
        n = torch.tensor([lengths[-6], lengths[-1]])
        guide = 1.5 * seconds[-1] * (n / n[-1]) ** guides[first]
        ax.plot(n, guide, color=COLOURS["mask"], linewidth=1)
        says = "as n²" if guides[first] == 2 else "as n"
        ax.text(n[0], guide[0], says, color=COLOURS["mask"], fontsize=10, ha="right")
    ax.set_yscale("log", base=10)
    ax.set(xlabel="number of tokens n", ylabel="seconds")
    ax.grid(color="0.93")
    ax.legend(fontsize=10)
    told = ", ".join(f"{name} {slope:.2f}" for name, slope in fits.items())
    show(f"Seconds over the number of tokens, both logarithmic. Slopes at the end: {told}.")


def race(ways, n, text=None, length=100):
    """Let each way write after the first `n` tokens of a text; return {name: (tokens, seconds each)}.

    Who needs more than three seconds is stopped.
    """
    written = {}
    for way in ways:
        draw, numbers, taken = torch.Generator().manual_seed(1), manual(n, text), []
        if isinstance(way, Cached):
            way(numbers[:-1])  # the text is read before the start
        while len(taken) < length and sum(taken) < 3:
            began = time.perf_counter()
            shares = torch.softmax(way(numbers) / 0.4, dim=-1)
            numbers.append(int(torch.multinomial(shares, 1, generator=draw)))
            taken.append(time.perf_counter() - began)
        written[way.says] = numbers[n:], taken
    return written


def show_race(written, n, length=100):
    """Show a race in slow motion, from its measured times."""
    lines, wide, roles = 5, 82, {"full": "weights", "your window": "query", "your cache": "value"}
    done = {name: sum(taken) for name, (_, taken) in written.items() if len(taken) == length}
    end, frames = max(done.values(), default=3), []
    for clock in [end * step / 12 for step in range(13)]:
        drawing = Drawing(690, 24 + len(written) * (lines * 18 + 34))
        drawing.words(680, 14, f"{clock:.3f} s", at="end", bold=True)
        drawing.words(10, 14, f"After a text of {n:,} tokens, in slow motion", at="start")
        for lane, (name, (numbers, taken)) in enumerate(written.items()):
            there = sum(clock >= moment - 1e-9 for moment in itertools.accumulate(taken))
            top = 40 + lane * (lines * 18 + 34)
            colour = COLOURS[roles[name if name in roles else "full"]]
            drawing.box(10, top - 10, 670, lines * 18 + 26, colour, opacity=0.08)
            says = f"{name}: {there} of {length} tokens"
            says += " · finished" if there == length else ""
            says += f" · the first takes {in_time(taken[0])}" if not there else ""
            drawing.words(18, top + 3, says, at="start", bold=True, colour=colour)
            text = " ".join(writer.decode(numbers[:there]).split())
            for row in range(min(lines, len(text) // wide + 1)):
                part = text[row * wide : (row + 1) * wide]
                drawing.words(18, top + 23 + 18 * row, part, at="start", size=13, code=True)
        frames.append(drawing)
    told = "; ".join(f"{name} {in_digits(len(t) / sum(t))}" for name, (_, t) in written.items())
    show_frames(frames, f"A race of writers. Tokens a second: {told}.", seconds=0.6)


def show_rates(lengths, rates):
    """Draw how many tokens a second each way writes: bars, with their numbers, by length."""
    drawing = Drawing(690, 42 + 96 * len(rates))
    most = math.log10(max(max(each) for each in rates.values()) / 0.1)
    roles = {"your window": "query", "your cache": "value"}
    drawing.words(10, 14, "tokens a second", at="start", bold=True)
    for power in range(int(most) + 1):
        x = 100 + 500 * power / most
        drawing.line((x, 26), (x, 36 + 96 * len(rates)), colour=PALE, width=1)
        if power > 1:
            drawing.words(x, 14, f"{10 ** (power - 1):,}", size=12)
    for lane, (name, each) in enumerate(rates.items()):
        colour = COLOURS[roles.get(name, "weights")]
        top = 40 + 96 * lane
        drawing.words(10, top, name, at="start", bold=True, colour=colour)
        for row, (n, rate) in enumerate(zip(lengths, each, strict=True)):
            y = top + 22 * (row + 1)
            drawing.words(92, y, f"n = {n:,}", at="end", size=12)
            width = max(2, 500 * math.log10(rate / 0.1) / most)
            drawing.box(100, y - 8, width, 16, colour, opacity=0.8)
            drawing.words(108 + width, y, in_digits(rate), at="start", size=13, bold=True)
    told = "; ".join(f"{name} {', '.join(map(in_digits, each))}" for name, each in rates.items())
    show_drawing(drawing, f"Tokens a second after {', '.join(map(str, lengths))} tokens: {told}.")


def in_digits(number):
    """Return a number in words: whole if it is large."""
    return f"{number:,.0f}" if number >= 20 else f"{number:.2g}"


def bits_through(reach, length=64, n_texts=32):
    """Return the bits that a token of Python's manual costs the model through a window."""
    numbers, total = manual(length * n_texts), 0.0
    for start in range(0, len(numbers), length):
        text = numbers[start : start + length]
        scores = writer.scores(text[:-1], Windowed(writer, reach).look)
        late = slice(length // 2, None)  # where even a wide window is filled
        total += F.cross_entropy(scores[late], torch.tensor(text[1:])[late]).item()
    return total / n_texts / math.log(2)


def bits_by_place(length=192, n_texts=24, every=8):
    """Return places, and the bits that a token costs there with all of the past and with 64 of it."""
    numbers = manual(length * n_texts)
    look, look_near = look_at_past(length), look_at_past(64)
    whole, cut = torch.zeros(length - 1), torch.zeros(length - 1)
    for start in range(0, len(numbers) - length + 1, length):
        text = numbers[start : start + length]
        after = torch.tensor(text[1:])
        whole += F.cross_entropy(writer.scores(text, look)[:-1], after, reduction="none")
        for end in range(65, length, every):
            scores = writer.scores(text[end - 64 : end], look_near)[-1:]
            cut[end - 1] += F.cross_entropy(scores, after[end - 1 : end])
    scale = n_texts * math.log(2)
    places = range(0, length - every, every)
    means = [float(whole[place : place + every].mean()) / scale for place in places]
    return (
        list(places),
        means,
        [(e - 1, float(cut[e - 1]) / scale) for e in range(65, length, every)],
    )


def show_bits(places, whole, cut):
    """Draw how surprised the model is at each place of a text."""
    ax = plt.subplots(figsize=(7, 3.4), layout="constrained")[1]
    ax.plot(
        places,
        whole,
        "o-",
        color=COLOURS["value"],
        label="numbered from the start (recomputed, cache)",
    )
    label = "the last 64 tokens, numbered anew (window)"
    ax.plot(*zip(*cut, strict=True), "s--", color=COLOURS["query"], label=label)
    ax.axvline(64, color=COLOURS["mask"], linewidth=1)
    ax.text(66, 0.4, "longest text in training", color=COLOURS["mask"])
    ax.set(xlabel="place in the text", ylabel="bits for a token", ylim=(0, None))
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), fontsize=10)
    before = sum(whole[2:8]) / 6
    after = sum(whole[-6:]) / 6
    show(
        f"Bits for each token over its place: about {before:.1f} up to 64, then rising to {after:.1f}."
    )


def show_growth(longest, d):
    """Draw the numbers that a cache and a summary keep, over the number of tokens."""
    n = torch.arange(1, longest + 1)
    ax = plt.subplots(figsize=(6.6, 2.9), layout="constrained")[1]
    ax.plot(n, 2 * n * d, color=COLOURS["key"], label="cache of keys and values: 2 n d")
    ax.plot(n, 0 * n + d * d + d, "--", color=COLOURS["context"], label="summary: d² + d")
    ax.set(xlabel="tokens so far", ylabel="numbers kept")
    ax.legend()
    crossing = next(i for i in range(1, longest) if 2 * i * d > d * d + d)
    show(f"Numbers kept for d = {d}: a rising line, and a level one that it crosses at {crossing}.")


def show_who_looks_where(panels):
    """Draw weights by title in one row."""
    says = (
        "Who looks where: full attention in a square, a window in a band, linear attention blurred, "
        "steps with a cache in a triangle."
    )
    axes_say = {"xlabel": "is looked at (key)", "ylabel": "looks (query)"}
    show_panels(panels, says, **axes_say, vmax=0.5)


def step_by_step(Q, K, V):
    """Return what each token takes home with a cache, one step after another."""
    cache, outputs = None, []
    for t in range(Q.shape[1]):
        new = slice(t, t + 1)
        output, cache = cached_attention_step(Q[:, new], K[:, new], V[:, new], cache)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


def borrowed_window(Q, K, V, window):
    """PyTorch's attention under a mask, which computes every score and hides most of them."""
    position = torch.arange(Q.shape[1])
    near = (position.unsqueeze(1) - position).abs() <= window
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=near)


def borrowed_linear(Q, K, V):
    """PyTorch's attention, told the logarithm of each similarity: every score is computed."""
    similarity = (F.elu(Q) + 1) @ (F.elu(K) + 1).transpose(-2, -1)
    return F.scaled_dot_product_attention(torch.zeros_like(Q), K, V, attn_mask=similarity.log())


MANUAL = TextModel().encode("\n".join(prose())[:40_000])
LENT = {"sliding_window_attention": borrowed_window, "linear_attention": borrowed_linear}


def in_other_order(Q, K, V):
    """Linear attention of PyTorch's own, from the last token to the first."""
    return borrowed_linear(Q, K.flip(1), V.flip(1))


def of_a_stranger(Q, K, V):
    """Almost linear attention."""
    total = ((F.elu(Q) + 1) @ (F.elu(K) + 1).mT).sum(dim=-1, keepdim=True)
    return borrowed_linear(Q, K, V) * total / (total + 1e-6)


suspects = dict(zip("ABC", (borrowed_linear, of_a_stranger, in_other_order), strict=True))
