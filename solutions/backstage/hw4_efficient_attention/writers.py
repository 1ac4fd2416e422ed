text_model = TextModel()


class Writer(TorchTextModel):
    """The text model. What its four heads look with is handed to it."""

    def __init__(self):
        super().__init__()
        self.load_state_dict(text_weights())

    @torch.no_grad()
    def scores(self, numbers, attention, first=0):
        """Return the scores of the next token after each one, (n, 512).

        attention: a function of the layer's number, Q, K and V, each (4, n, 16): the heads stand
        where a batch would. first: the place of the first token.
        """
        x = self.at_places(torch.tensor(numbers), first)
        for number, layer in enumerate(self.layers):
            looks = layer.self_attn
            three = F.linear(x, looks.in_proj_weight, looks.in_proj_bias).chunk(3, dim=-1)
            heads = (part.unflatten(-1, (looks.num_heads, -1)).transpose(0, 1) for part in three)
            context = attention(number, *heads).transpose(0, 1).flatten(1)
            x = layer.norm1(x + looks.out_proj(context))
            x = layer.norm2(x + layer.linear2(F.relu(layer.linear1(x))))
        return self.head(x)

    def goes_on(self, text, n=40, way=None, temperature=0.4, seed=0):
        """Return `text` and the `n` tokens that the model draws after it, as one text."""
        way, draw = way or Recomputing(self), torch.Generator().manual_seed(seed)
        numbers = text_model.encode(text) or text_model.encode("The")
        for _ in range(n):
            shares = torch.softmax(way(numbers) / temperature, dim=-1)
            numbers.append(int(torch.multinomial(shares, 1, generator=draw)))
        return text_model.decode(numbers)


class Recomputing:
    """Read the whole text again for each new token."""

    says = "full, recomputed"

    def __init__(self, writer):
        self.writer = writer

    def __call__(self, numbers):
        return self.writer.scores(numbers, look_at_past(len(numbers)))[-1]


class Windowed:
    """Read again for each new token, through the reader's window: what can be heard, or the whole text."""

    says = "your window"

    def __init__(self, writer, reach=32, whole=False):
        self.writer, self.reach, self.whole = writer, reach, whole

    def __call__(self, numbers):
        heard = len(self.writer.layers) * self.reach  # what is older can hardly be heard
        return self.writer.scores(numbers if self.whole else numbers[-heard:], self.look)[-1]

    def look(self, _layer, Q, K, V):
        return look_back(Q, K, V, self.reach)


class Cached:
    """Read each token once, by the reader's step; keep keys and values."""

    says = "your cache"

    def __init__(self, writer):
        self.writer, self.n_read, self.caches = writer, 0, [None] * len(writer.layers)

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


MANUAL = text_model.encode(english_manual()[:40_000])


def manual(n, text=None):
    """Return the first `n` tokens of a text, again and again if it is short; without one, the manual's."""
    numbers = text_model.encode(text[: 8 * n]) if text else MANUAL
    return list(itertools.islice(itertools.cycle(numbers), n))


def bits_of_written(numbers):
    """Return the bits that tokens cost the model when it reads them as a text of their own, 64 at a time."""
    total = 0.0
    for start in range(0, len(numbers) - 1, 64):
        piece = numbers[start : start + 65]
        scores = writer.scores(piece[:-1], look_at_past(len(piece) - 1))
        total += F.cross_entropy(scores, torch.tensor(piece[1:]), reduction="sum").item()
    return total / max(len(numbers) - 1, 1) / math.log(2)


def bits_through(reach, length=64, n_texts=32):
    """Return the bits that a token of Python's manual costs the model through a window."""
    numbers, total = manual(length * n_texts), 0.0
    for start in range(0, len(numbers), length):
        text = numbers[start : start + length]
        scores = writer.scores(text[:-1], Windowed(writer, reach).look)
        late = slice(length // 2, None)  # where even a wide window is filled
        total += F.cross_entropy(scores[late], torch.tensor(text[1:])[late]).item()
    return total / n_texts / math.log(2)


def bits_by_place(length=192, n_texts=24, every=4):
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


def step_by_step(Q, K, V):
    """Return what each token takes home with a cache, one step after another."""
    cache, outputs = None, []
    for t in range(Q.shape[1]):
        new = slice(t, t + 1)
        output, cache = cached_attention_step(Q[:, new], K[:, new], V[:, new], cache)
        outputs.append(output)
    return torch.cat(outputs, dim=1)
