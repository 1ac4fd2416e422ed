text_model = TextModel()


class Writer(TorchTextModel):
    """The text model. What its four heads look with is handed to it."""

    def __init__(self):
        super().__init__()
        self.load_state_dict(text_weights())

    @torch.no_grad()
    def scores(self, numbers, attention, first=0):
        """Return the scores of the next token after each one, (n, 512)."""
        return self.reads(torch.tensor(numbers), attention, first)

    def reads(self, tokens, attention, first=0):
        """Return the scores of the next tokens after tokens (…, n), (…, n, 512), with gradients.

        attention: a function of the layer's number, Q, K and V, each (4 · texts, n, 16): the heads
        stand where a batch would. first: the place of the first token.
        """
        x = self.at_places(tokens, first)
        for number, block in enumerate(self.layers):
            x = rest_of(block, x, attention(number, *heads_of(block, x)))
        return self.head(x)

    def tokens_on(self, text, n=40, way=None, temperature=0.4, seed=0):
        """Return the tokens of `text`, and `n` that the model draws after them."""
        way, draw = way or Recomputing(self), torch.Generator().manual_seed(seed)
        numbers = text_model.encode(str(text)) or text_model.encode("The")
        for _ in range(n):
            shares = torch.softmax(way(numbers) / temperature, dim=-1)
            numbers.append(int(torch.multinomial(shares, 1, generator=draw)))
        return numbers

    def goes_on(self, text, n=40, way=None):
        """Return `text` and the `n` tokens that the model draws after it, as one text."""
        return text_model.decode(self.tokens_on(text, n, way))


def show_new(texts, n=40):
    """Show texts that go on for `n` tokens; where one is what the model wrote at first, say so instead."""
    first, new = writer.goes_on(my_beginning, n=n), {}
    for name, text in texts.items():
        if text == first:
            print(f"✓ {name}\n  the same {n} tokens, word for word")
        else:
            new[name] = text
    if new:
        show_texts(new)


def heads_of(block, x):
    """Return a block's queries, keys and values of tokens x (…, n, 64), each (4 · texts, n, 16)."""
    looks = block.self_attn
    three = F.linear(x, looks.in_proj_weight, looks.in_proj_bias).chunk(3, dim=-1)
    three = [part.unflatten(-1, (looks.num_heads, -1)).transpose(-3, -2) for part in three]
    return [part.flatten(0, -3) for part in three]


def rest_of(block, x, context):
    """Return what a block makes of tokens x (…, n, 64), whose heads have found their context."""
    heads = context.unflatten(0, (*x.shape[:-2], -1)).transpose(-3, -2).flatten(-2)
    x = block.norm1(x + block.self_attn.out_proj(heads))
    return block.norm2(x + block.linear2(F.relu(block.linear1(x))))


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
        heard = len(self.writer.layers) * self.reach  # of one token more, next to nothing could be
        return self.writer.scores(numbers if self.whole else numbers[-heard:], self.look)[-1]

    def look(self, _layer, Q, K, V):
        return look_back(Q, K, V, self.reach)


class Linear:
    """Read again for each new token, by the reader's linear attention; 64 tokens, no more."""

    says = "your linear attention"

    def __init__(self, writer):
        self.writer = writer

    def __call__(self, numbers):
        return self.writer.scores(numbers[-64:], look_linearly)[-1]


class CountsAnew(Writer):
    """The model, in which the numbers of places begin at 0 again after some `places`."""

    def __init__(self, places):
        super().__init__()
        self.places = places

    def at_places(self, tokens, first=0):
        """Return the vectors of tokens (n,), each marked by its own place."""
        each = [
            super(CountsAnew, self).at_places(token, place % self.places)
            for place, token in enumerate(tokens.split(1), first)
        ]
        return torch.cat(each)


def running_sums(q, k, v, memory):
    """Attend from one new token by linear attention; keep its two sums, which don't grow."""
    query, key = (F.elu(part.clamp(-8, 8)) + 1 for part in (q, k))
    summary, total = memory or (0, 0)
    summary, total = summary + key.transpose(-2, -1) @ v, total + key
    return (query @ summary) / (query @ total.transpose(-2, -1)), (summary, total)


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


def look_linearly(_layer, Q, K, V):
    """Attend to the past by the reader's linear attention: the last row, for each beginning.

    Queries and keys stay between -8 and 8, as the exercise says.
    """
    Q, K = Q.clamp(-8, 8), K.clamp(-8, 8)
    beginnings = ([part[:, :n] for part in (Q, K, V)] for n in range(1, Q.shape[1] + 1))
    return torch.cat([linear_attention(*three)[:, -1:] for three in beginnings], dim=1)


def look_by_steps(_layer, Q, K, V, d=16):
    """Attend to the past by the reader's cached step: token by token, and values `d` wide at a time."""
    outputs = []
    for values in F.pad(V, (0, -V.shape[-1] % d)).split(d, dim=-1):
        cache, parts = None, []
        for q, k, v in zip(*(part.split(1, dim=1) for part in (Q, K, values)), strict=True):
            output, cache = cached_attention_step(q, k, v, cache)
            parts.append(output)
        outputs.append(torch.cat(parts, dim=1))
    return torch.cat(outputs, dim=-1)[..., : V.shape[-1]]


def look_alike(_layer, Q, K, V):
    """Attend to all of the past alike."""
    shares = past(Q.shape[1]).float()
    return (shares / shares.sum(dim=-1, keepdim=True)) @ V


def taught_to_look_linearly(lessons, texts=8, length=63, rate=0.01):
    """Return a writer whose queries and keys have learned, for linear attention, what it costs.

    All else stays as it was. The text of the lessons isn't the one that it is measured by. For so few
    tokens, weights are as quick as the brackets of linear attention, and the values are the same.
    """

    def at_once(_layer, Q, K, V):
        queries, keys = (F.elu(part.clamp(-8, 8)) + 1 for part in (Q, K))
        shares = (queries @ keys.transpose(-2, -1)).tril()
        return shares @ V / shares.sum(dim=-1, keepdim=True)

    linear_attention(*torch.zeros(3, 1, 1, 1))  # first of all, there should be one
    learner, numbers = Writer(), torch.tensor(text_model.encode(english_manual()[40_000:]))
    projections = [part for layer in learner.layers for part in in_projections(layer)]
    optimiser = torch.optim.Adam(projections, lr=rate, betas=(0.9, 0.99))
    draw = torch.Generator().manual_seed(0)
    for lesson in range(lessons):
        optimiser.param_groups[0]["lr"] = rate * min((lesson + 1) / 20, 1 - lesson / lessons)
        starts = torch.randint(len(numbers) - length, (texts, 1), generator=draw)
        batch = numbers[starts + torch.arange(length + 1)]
        scores = learner.reads(batch[:, :-1], at_once)
        optimiser.zero_grad()
        F.cross_entropy(scores.flatten(0, 1), batch[:, 1:].flatten()).backward()
        for part in projections:
            part.grad[2 * learner.embedding.embedding_dim :] = 0  # the values' part stays
        optimiser.step()
    return learner.eval()


def in_projections(layer):
    """Return the weights and biases that make a layer's queries, keys and values, in this order."""
    return layer.self_attn.in_proj_weight, layer.self_attn.in_proj_bias


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


def bits_through(reach):
    """Return the bits that a token of Python's manual costs the model through a window."""
    return bits_looking(writer, Windowed(writer, reach).look)


def bits_looking(writer, look, length=64, n_texts=32):
    """Return the bits that a token of Python's manual costs a writer whose heads look so."""
    numbers, total = manual(length * n_texts), 0.0
    late = slice(length // 2, None)  # where even a wide window is filled
    for start in range(0, len(numbers), length):
        text = numbers[start : start + length]
        scores = writer.scores(text[:-1], look)
        total += F.cross_entropy(scores[late], torch.tensor(text[1:])[late]).item()
    return total / n_texts / math.log(2)


def last_look(writer, look, text):
    """Return where each head of a text's last token looks, (heads of all layers, length)."""
    found, length = [], len(text)

    def record(layer, Q, K, V):
        unit = torch.eye(length).expand(len(Q), length, length)
        found.append(look(layer, Q, K, unit)[:, -1].detach())
        return look(layer, Q, K, V)

    writer.scores(text, record)
    return torch.cat(found)


def largest_weight(writer, look, length=63, n_texts=32):
    """Return the largest weight that the last token of a text gives, on average over all heads."""
    numbers = manual(length * n_texts)
    texts = (numbers[start : start + length] for start in range(0, len(numbers), length))
    looks = torch.stack([last_look(writer, look, text) for text in texts])
    return looks.amax(dim=-1).mean().item()


def glance(writer, look, length=63, head=None):
    """Return where one head of a text's last token looks, (length,), and which head that is.

    Without a `head`, it is the one with the clearest favourite.
    """
    found = last_look(writer, look, manual(length))
    head = int(found.amax(dim=-1).argmax()) if head is None else head
    return found[head].tolist(), head


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


@functools.cache  # a dial comes back to where it was
def bits_of_mended(old_keys, places, length=192, n_texts=12):
    """Return the bits that a late token costs with some old keys kept, and places that begin anew."""
    writer, numbers, total = CountsAnew(places), manual(length * n_texts), 0.0
    distance = torch.arange(length - 1)[:, None] - torch.arange(length - 1)
    near = (distance >= 0) & (distance <= old_keys)
    for start in range(0, len(numbers), length):
        text = numbers[start : start + length]
        scores = writer.scores(text[:-1], lambda _, Q, K, V: full_attention(Q, K, V, near))
        total += F.cross_entropy(scores[99:], torch.tensor(text[100:])).item()
    return total / n_texts / math.log(2)
