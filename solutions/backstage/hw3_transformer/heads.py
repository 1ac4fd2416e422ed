@torch.no_grad()
def weights_of(model, ending, *inputs):
    """Return the weights of every attention whose name ends so, one (heads, t, s) tensor each.

    They are averages over the batch.
    """
    seen = []

    def record(module, args, kwargs):
        kwargs = kwargs | {"need_weights": True, "average_attn_weights": False}
        seen.append(module.forward(*args, **kwargs)[1].mean(dim=0))

    parts = [part for name, part in model.named_modules() if name.endswith(ending)]
    hooks = [part.register_forward_pre_hook(record, with_kwargs=True) for part in parts]
    try:
        model.eval()(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return seen


def cross_attention(model, src):
    """Return where each head looks in the source while its reverse is written."""
    return weights_of(model, "multihead_attn", src, backwards(src)[:, :-1])


def show_keepsake(digits, name, song=None):
    """Draw, to keep, where the trained model looks while it writes digits backwards, with a name above it.

    song: if one was learned, also where the second block of `copier` looks in it.
    """
    src, model = as_source(digits), trained()
    said, right = said_alone(model, src, backwards(src))[0].tolist(), backwards(src)[0, 1:].tolist()
    title = f"{name}’s Transformer" if name else "A Transformer of my own"
    share = share_alone(model, kept_back, backwards)
    count = sum(value.numel() for value in model.parameters())
    facts = f"{count:,} numbers", f"{share:.1%} of 500 unseen strings right"
    height = 500 if song is not None else 344
    drawing, places = Drawing(COLUMN, height), [60 + 84 * column for column in range(len(right))]
    drawing.box(1, 1, COLUMN - 2, height - 2, PAPER, edge=COLOURS["weights"], corner=10)
    drawing.words(COLUMN / 2, 32, title, size=min(22, 840 / len(title)), bold=True)
    drawing.words(COLUMN / 2, 60, "Nobody told it where to look.", size=14, colour=GREY)
    looks = cross_attention(model, src)
    weights = looks[-1].mean(dim=0) if looks else torch.zeros(len(right), src.shape[1])
    put_looks(drawing, places, 126, 256, weights)
    for x, token, should in zip(places, said, right, strict=True):
        put_tokens(drawing, x - 20, 96, [named(token)], cell=44)
        if token != should:
            drawing.words(x + 30, 109, "✗", size=15, bold=True)
    for x, token in zip(places, src[0].tolist(), strict=False):
        put_tokens(drawing, x - 20, 260, [token], role="memory", cell=44)
    told = f"; {looks_in_words(said, src[0].tolist(), weights)}" if looks else ""
    if song is not None:
        put_song(drawing, song, weights_of(copier, "self_attn", song)[1][0], 20, 424)
        told += f". Below, arcs over {''.join(letters(song))}, where its two blocks look back"
    drawing.words(COLUMN / 2, height - 26, "   ·   ".join(facts), size=14)
    show_drawing(
        drawing,
        f"{title}: {', '.join(facts)}. It reads {digits} and writes {' '.join(map(named, said))}{told}.",
    )


def fate_of_the_cross(model):
    """Say what becomes of the last layer's cross, when one string gives way to the average over 500.

    None if there is no cross in one string, either.
    """
    n = source.shape[1]
    one, average = (
        cross_attention(model, src)[-1][:, range(n), range(n - 1, -1, -1)].mean().item() - 1 / n
        for src in (source, kept_back)
    )  # how much more than a fair share lies on the digit that is to be written
    if one < 0.1:
        return None
    return "stays" if average > 0.8 * one else "goes" if average < 0.2 * one else "blurs"


def show_average_heads(model, src):
    """Show where each head looks on average, a line of pictures per layer; below each, its share on the right digit.

    That is the weight on the digit that is to be written next.
    """
    layers = cross_attention(model, src)
    if not layers:
        return
    most, n = max(map(len, layers)), src.shape[1]
    cell = min(24, (COLUMN - 70) / most / (n + 1))
    wide, high = (n + 1) * cell, (n + 1) * cell + 66
    drawing, told = Drawing(COLUMN, 28 + high * len(layers)), []
    under = "rows: steps of writing, columns: places in the source"
    drawing.words(66, 16 + high * len(layers), under, at="start", size=12, colour=GREY)
    for number, seen in enumerate(layers):
        # step i is to fetch place n - 1 - i; the last row has nothing to fetch
        shares = seen[:, range(n), range(n - 1, -1, -1)].mean(dim=1)
        for head, (weights, share) in enumerate(zip(seen.tolist(), shares.tolist(), strict=True)):
            x, y = 66 + head * wide, 28 + number * high
            drawing.words(x, y - 12, f"layer {number}, head {head}", at="start", bold=True, size=12)
            drawing.grid(x, y, weights, COLOURS["weights"], cell=cell, largest=1, numbers=False)
            at = x, y + (n + 1) * cell + 12
            drawing.words(*at, f"{share:.0%} on the digit", at="start", size=11)
            told.append(f"layer {number}, head {head}: {share:.0%}")
        for step in range(n + 1):
            drawing.words(
                58, 28 + number * high + (step + 0.5) * cell, f"step {step}", at="end", size=11
            )
    show_drawing(
        drawing,
        "Where each head looks on average: rows are steps, columns places in the source. On the digit "
        f"to be written lie: {'; '.join(told)}.",
    )


def among_heads(pairs, heads):
    """Return pairs (layer, head) as a list; say how to write them, where one is no head of the model."""
    pairs = [pairs] if tuple(pairs) in heads else list(pairs)
    if not all(pair in heads for pair in pairs):
        raise NotYet(
            "○ Write pairs (layer, head) in a list, such as [(1, 0)]. "
            f"The heads are {', '.join(map(str, heads))}."
        )
    return pairs


def has_heads(model):
    """Tell whether the heads of a model can be found by name; say so where they can't."""
    if model is None:
        wait_for("train")
    if model is None:
        raise NotYet("○ Run the cell that trains the model first.")
    found = any(name.endswith("multihead_attn") for name, _ in model.named_modules())
    if not found:
        print("○ Your Transformer has no part by the\nname `multihead_attn` to look into.")
    return found


@torch.no_grad()
def without(model, heads, ask):
    """Return what `ask` finds of a model without heads, pairs (layer, head)."""
    parts = [part for name, part in model.named_modules() if name.endswith("multihead_attn")]
    kept = [part.out_proj.weight.clone() for part in parts]
    for layer, head in heads:
        size = parts[layer].head_dim
        parts[layer].out_proj.weight[:, head * size : (head + 1) * size] = 0
    found = ask(model)
    for part, weight in zip(parts, kept, strict=True):
        part.out_proj.weight.copy_(weight)
    return found


def share_without(model, heads):
    """Return the share of unseen strings that a model writes right on its own without heads."""
    return without(model, heads, lambda model: share_alone(model, kept_back[:250], backwards))


@torch.no_grad()
def frozen(model, src, targets, ask, alike=False):
    """Return what `ask` finds of a model whose heads have fixed weights, whatever they read.

    They are its average weights over the strings of `src`; or, if `alike`, the same for all places.
    """
    parts = [part for name, part in model.named_modules() if name.endswith("multihead_attn")]
    averages = weights_of(model, "multihead_attn", src, targets(src)[:, :-1])
    if alike:
        averages = [torch.full_like(each, 1 / each.shape[-1]) for each in averages]

    def freeze(part, weights):
        def forward(query, key, value, **_):
            projection = slice(2 * part.embed_dim, None)
            V = F.linear(value, part.in_proj_weight[projection], part.in_proj_bias[projection])
            found = weights[:, : query.shape[1]] @ V.unflatten(2, (part.num_heads, -1)).transpose(
                1, 2
            )
            return part.out_proj(found.transpose(1, 2).flatten(2)), None

        part.forward = forward

    for part, weights in zip(parts, averages, strict=True):
        freeze(part, weights)
    try:
        return ask(model)
    finally:
        for part in parts:
            del part.forward


def put_head(drawing, x, y, width, height, is_off):
    """Draw a head as a tile, in the shadow of the mask if it is switched off."""
    if is_off:
        drawing.box(x, y, width, height, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
    else:
        weights = COLOURS["weights"]
        drawing.box(x, y, width, height, weights, opacity=0.2, edge=weights)


def show_switches(heads, off, share, rows):
    """Show the heads as tiles, those switched off in shadow, and what the model then writes."""
    layers = sorted({layer for layer, _ in heads})
    drawing = Drawing(COLUMN, 20 + 50 * len(layers) + 62 * len(rows))
    for layer, head in heads:
        x, y = 90 + 58 * head, 12 + 50 * layer
        put_head(drawing, x, y, 50, 40, (layer, head) in off)
        if (layer, head) in off:
            drawing.box(x + 8, y + 10, 34, 20, PAPER, opacity=0.9)
        named_head = "off" if (layer, head) in off else f"({layer}, {head})"
        drawing.words(x + 25, y + 20, named_head, size=13)
    for layer in layers:
        drawing.words(80, 32 + 50 * layer, f"layer {layer}", at="end", size=13)
    drawing.words(340, 32, f"{share:.1%}", at="start", size=30, bold=True)
    drawing.words(340, 62, "of the unseen strings right", at="start")
    for row, (source, written, right) in enumerate(rows):
        y = 32 + 50 * len(layers) + 62 * row
        put_tokens(drawing, 20, y, [named(token) for token in source], role="memory", cell=32)
        drawing.line((190, y + 13), (220, y + 13), arrow=True)
        marks = [int(a) == int(b) for a, b in zip(written, right, strict=True)]
        put_tokens(drawing, 235, y, [named(token) for token in written], cell=32, marks=marks)
    told = ", ".join(map(str, off)) or "none"
    show_drawing(
        drawing,
        f"Heads as pairs (layer, head); switched off: {told}. Right then: {share:.1%} of the unseen "
        "strings.",
    )


def show_sets_off(sets):
    """Show sets of heads as small tiles: by title (heads, those off, the share that is then right)."""
    drawing, told = Drawing(COLUMN, 124), []
    for place, (title, (heads, off, share)) in enumerate(sets.items()):
        x = 4 + 107 * place
        drawing.words(x, 14, title, at="start", size=12)
        for layer, head in heads:
            at = (x + 23 * head, 30 + 23 * layer, 20, 20)
            put_head(drawing, *at, (layer, head) in off)
        drawing.words(x, 98, f"{share:.0%}", at="start", size=20, bold=True)
        told.append(f"{title}: {share:.1%} right without {', '.join(map(str, off))}")
    show_drawing(drawing, f"Heads as pairs (layer, head), in sets that are off. {'; '.join(told)}.")


@torch.no_grad()
def how_far_off(bug, n_heads, query, key, value, mask):
    """Return how far attention with heads, of the source `bug`, is from a right one on an input.

    It is infinite where one of the two breaks off; `furthest_apart` says what else it may be.
    """
    names = {"math": math, "torch": torch, "nn": nn}
    try:
        exec(bug, names)  # noqa: S102 - it is the course's own
        torch.manual_seed(0)
        wrong = names["MultiHeadAttention"](query.shape[2], n_heads).eval()
        found = wrong(query, key, value, mask)
        parts = wrong.W_Q(query), wrong.W_K(key), wrong.W_V(value)
        heads = [part.unflatten(-1, (n_heads, -1)).transpose(1, 2) for part in parts]
        attended = F.scaled_dot_product_attention(*heads, attn_mask=mask)
        right = wrong.W_O(attended.transpose(1, 2).flatten(2))
    except Exception:
        return math.inf
    return furthest_apart(found, right)
