def how_far_off(bug, Q, K, V):
    """Return how far the attention of the source `bug` is from a right one on an input.

    It is infinite where one of the two breaks off; `furthest_apart` says what else it may be.
    """
    Q, K, V = (np.asarray(each, dtype=float) for each in (Q, K, V))
    weights = torch.softmax(torch.tensor(Q @ K.T / math.sqrt(K.shape[1])), dim=-1)
    names = {"np": np}
    try:
        with np.errstate(all="ignore"):
            exec(bug, names)  # noqa: S102 - it is the course's own
            found = names["scaled_dot_product_attention"](Q, K, V)
    except Exception:
        return math.inf
    return max(map(furthest_apart, found, (weights, weights @ torch.tensor(V))))


def with_mistake(kind, Q, K, mask):
    """Return weights as a layer with one of four mistakes makes them."""
    softly, tags = (
        F.scaled_dot_product_attention,
        torch.eye(len(K)),
    )  # of name tags it makes weights
    if kind == 0:
        return softly(K, Q, torch.eye(len(Q)), attn_mask=mask.T).T
    if kind == 1:
        return softly(Q, K, tags) * mask
    return softly(Q, K, tags, attn_mask=~mask if kind == 2 else (~mask) * -1.0)


def impostors(seed):
    """Return weights of three layers, one of them wrong, with the mask and what is wrong."""
    torch.manual_seed(seed)
    mask = torch.tensor([[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1]]).bool()
    wrong, kind = torch.randint(3, ()).item(), random.Random(f"which {seed}").randrange(4)
    shown = []
    for place in range(3):
        Q, K = 1.4 * torch.randn(3, 4), 1.4 * torch.randn(4, 4)
        right = F.scaled_dot_product_attention(Q, K, torch.eye(4), attn_mask=mask)
        shown.append(with_mistake(kind, Q, K, mask) if place == wrong else right)
    says = (
        "its columns sum to 1, and its rows don't: softmax went along the wrong axis",
        "its rows sum to less than 1: the mask came after the softmax, so hidden keys took their share",
        "it looks where it may not, and nowhere else: True was read as 'hide'",
        "hidden keys still get something: their scores were made a little lower, not removed",
    )
    return shown, mask, "ABC"[wrong], says[kind]


def show_impostors(seed):
    """Draw three matrices of weights, one of which is from a wrong layer."""
    shown, mask, _, _ = impostors(seed)
    panels = {name: weights.tolist() for name, weights in zip("ABC", shown, strict=True)}
    show_layers(panels, mask.tolist())


def unmask(seed, guess):
    """Say which of three layers is the impostor, once there is a guess."""
    *_, letter, why = impostors(seed)
    if guess is None:
        print("○ Write your guess first: 'A', 'B' or 'C'.")
        return
    compare("The impostor is", letter, guess, among=["A", "B", "C"])
    print(wrapped(f"How it shows: {why}."))


def weights_of(layer, n_heads, query, key):
    """Return the weights (n_heads, n_q, n_k) of a layer that returns its output alone.

    Each key's value is a name tag, a 1 in a column of its own, and W_O changes nothing: then a head's
    output says how much of whom it took. A head has columns for some tags at a time.
    """
    if hasattr(layer, "weights_of_heads"):
        return layer.weights_of_heads(query, key)[0].detach()
    n, d_model = key.shape[1], query.shape[-1]
    d_head, found = d_model // n_heads, []
    tags = torch.eye(n, d_model).unsqueeze(0)
    with torch.no_grad():
        for part in (layer.W_V, layer.W_O):
            part.bias.zero_()
        layer.W_O.weight.copy_(torch.eye(d_model))
        for some in torch.arange(n).split(d_head):
            layer.W_V.weight.zero_()
            for head in range(n_heads):
                layer.W_V.weight[head * d_head + torch.arange(len(some)), some] = 1
            output = layer(query, key, tags)[0]
            found.append(output.reshape(len(output), n_heads, d_head)[..., : len(some)])
    return torch.cat(found, dim=-1).transpose(0, 1)


def learned_heads(layer, sentence):
    """Return the weights of a layer's heads (4, seq, seq), with learned queries and keys.

    They are those of the second block of the encoder at the top, which reads what the first one made.
    """
    given, x = senses.layers[1].self_attn, after_first_block(sentence)
    if hasattr(layer, "theirs"):
        layer.theirs.load_state_dict(given.state_dict())
    else:
        take_weights(layer, given)
    return weights_of(layer, senses.n_heads, x, x)


def learned_head(layer, number, sentence):
    """Return the weights (seq, seq) of a `SelfAttention` that has learned what one of these heads has."""
    given, x = senses.layers[1].self_attn, after_first_block(sentence)
    if hasattr(layer, "theirs"):  # which has other sizes
        return given(x, x, x, average_attn_weights=False)[1][0, number].detach()
    d_head = senses.d_model // senses.n_heads
    take_projections(layer, given, slice(number * d_head, (number + 1) * d_head))
    return layer(x)[1][0].detach()


@torch.no_grad()
def after_first_block(sentence):
    """Return what the first block of the encoder at the top makes of a sentence, (1, seq, 32)."""
    tokens, _ = senses.numbers_of([sentence])
    return senses.layers[0](senses.embed(tokens))


def take_weights(layer, given):
    """Copy the weights of an `nn.MultiheadAttention` into a `MultiHeadAttention`."""
    take_projections(layer, given)
    layer.W_O.load_state_dict(given.out_proj.state_dict())


def take_projections(layer, given, rows=slice(None)):
    """Copy rows of what makes an `nn.MultiheadAttention`'s queries, keys and values into W_Q, W_K, W_V."""
    three = zip(given.in_proj_weight.chunk(3), given.in_proj_bias.chunk(3), strict=True)
    for part, (weight, bias) in zip((layer.W_Q, layer.W_K, layer.W_V), three, strict=True):
        part.load_state_dict({"weight": weight[rows], "bias": bias[rows]})


def lengths_in_block(block, x):
    """Return how long the vectors of x (1, seq, d_model) are along a block, by what they are."""
    found = {"x": x}

    def note(name, given=False):
        def hook(_, args, output=None):
            seen = args[0] if given else output
            found[name] = seen[0] if isinstance(seen, tuple) else seen

        return hook

    handles = [
        block.self_attn.register_forward_hook(note("attention adds")),
        block.norm1.register_forward_pre_hook(note("sum 1", given=True)),
        block.norm1.register_forward_hook(note("after norm1")),
        block.linear2.register_forward_hook(note("network adds")),
        block.norm2.register_forward_pre_hook(note("sum 2", given=True)),
        block.norm2.register_forward_hook(note("after norm2")),
    ]
    try:
        block.eval()(x)
    finally:
        for handle in handles:
            handle.remove()
    return {name: vectors.detach().norm(dim=-1).mean().item() for name, vectors in found.items()}


def broken(made):
    """Return readers by what is taken from an encoder, nothing to begin with; `made` makes one."""
    encoder = made()

    def sum_alone(tokens, key_padding_mask):
        seen = []
        handle = encoder.layers[0].register_forward_pre_hook(lambda _, given: seen.append(given[0]))
        encoder(tokens)
        handle.remove()
        return seen[0]

    def without_root(tokens, key_padding_mask):
        table = encoder.embedding.weight
        table.div_(encoder.embedding.embedding_dim**0.5)
        found = encoder(tokens, key_padding_mask=key_padding_mask)
        table.copy_(senses.weights["embedding.weight"])
        return found

    def without_positions(tokens, key_padding_mask):
        taken = senses.positions[: tokens.shape[1]]
        handle = encoder.layers[0].register_forward_pre_hook(
            lambda _, given: (given[0] - taken, *given[1:])
        )
        found = encoder(tokens, key_padding_mask=key_padding_mask)
        handle.remove()
        return found

    parts = ("attention", "network", "norms", "residuals")
    return {
        "all of it": encoder,
        "no mask": lambda tokens, key_padding_mask: encoder(tokens),
        "no positions": without_positions,
        "no root": without_root,
        **{f"no {part}": without_part(made(), part) for part in parts},
        "neither block": sum_alone,
    }


def without_part(encoder, part):
    """Take one part from each block of an encoder, and return the encoder."""
    for layer in encoder.layers:
        norms = {layer.norm1: layer.self_attn, layer.norm2: layer.linear2}
        if part == "attention":
            layer.self_attn.register_forward_hook(lambda _, given, made: (0 * made[0], *made[1:]))
        elif part == "network":
            layer.linear2.register_forward_hook(lambda _, given, made: 0 * made)
        elif part == "norms":
            for norm in norms:
                norm.register_forward_hook(lambda _, given, made: given[0])
        else:
            for norm, sublayer in norms.items():
                without_residual(norm, sublayer)
    return encoder


def without_residual(norm, sublayer):
    """Let a norm read what its sublayer made, in place of the sum."""
    last = {}

    def keep(_, given, made):
        last["made"] = (made[0] if isinstance(made, tuple) else made).clone()

    sublayer.register_forward_hook(keep)
    norm.register_forward_pre_hook(lambda _, given: (last["made"],))


@torch.no_grad()
def take_over(encoder):
    """Put a student's parts into an encoder one by one, and measure how far its numbers are then from before.

    Return the largest differences, two for each block: with the attention, and with the network, too.
    """
    tokens, padding = senses.numbers_of(["the bat flew at night", "she swung the bat"])
    before, far = encoder(tokens, key_padding_mask=padding), []
    for layer in encoder.layers:
        for put, part in (
            (put_attention, MultiHeadAttention(senses.d_model, senses.n_heads)),
            (put_network, FeedForward(senses.d_model, senses.d_ff)),
        ):
            put(layer, part)
            now = encoder(tokens, key_padding_mask=padding)
            far.append((now - before)[~padding].abs().max().item())
    return far


@torch.no_grad()
def bits_of_blanks(reader):
    """Return how many bits a hidden word costs a reader, on average over a sentence of each pattern."""
    rng, blank = random.Random(0), senses.numbers[senses.blank]
    tokens, padding = senses.numbers_of([fill(p, senses.lists, rng) for p in senses.patterns])
    rows = torch.arange(len(tokens))
    places = torch.tensor([rng.randrange(n) for n in (~padding).sum(dim=1).tolist()])
    hidden = tokens[rows, places]
    tokens[rows, places] = blank
    vectors = reader(tokens, key_padding_mask=padding)[rows, places]
    scores = vectors @ senses.weights["embedding.weight"].T + senses.bias
    return F.cross_entropy(scores, hidden).item() / math.log(2)


def along(layers, read, *given):
    """Return what goes into each of `layers`, and at last what comes out, while `read` reads.

    What goes in a sentence at a time is put together again; for a layer that nobody calls, it is None.
    """
    seen = [[] for _ in layers]

    def noted(forward, into):
        def note(*args, **kwargs):
            into.append([*args, *kwargs.values()][0].clone())
            return forward(*args, **kwargs)

        return note

    try:
        for layer, into in zip(layers, seen, strict=True):
            layer.forward = noted(layer.forward, into)  # a hook doesn't see `layer.forward(x)`
        result = read(*given)
    finally:
        for layer in layers:
            vars(layer).pop("forward", None)
    return [torch.cat(into) if into else None for into in seen] + [result]


def parts_of(table, n_layers, block):
    """Return where the parameters of a model are; block: PyTorch's layer, or (attention, network)."""
    attention, *network = (
        block if isinstance(block, tuple) else (block.self_attn, block.linear1, block.linear2)
    )
    counts = [
        sum(value.numel() for layer in layers for value in layer.parameters())
        for layers in ([attention], network)
    ]
    parts = ("table of words", table), ("attention", n_layers * counts[0])
    return dict([*parts, ("feed-forward", n_layers * counts[1])])


def where_numbers_are():
    """Return where the parameters of three models are, by their titles."""
    with torch.device(
        "meta"
    ):  # layers with shapes and without numbers: even 8 billion need no memory
        small, gpt2 = (
            nn.TransformerEncoderLayer(32, 4, 64),
            nn.TransformerEncoderLayer(768, 12, 3072),
        )
        # Llama has a head of keys and values for four of queries, three matrices in its network,
        # and two tables of words: one to read and one to write.
        heads = nn.Linear(4096, 2 * (4096 + 1024), bias=False)
        llama = heads, nn.Linear(4096, 3 * 14_336, bias=False)
    return {
        "The encoder at the top": parts_of(len(senses.words) * 32, 2, small),
        "GPT-2 small (2019)": parts_of(50_257 * 768, 12, gpt2),
        "Llama 3.1 8B (2024)": parts_of(2 * 128_256 * 4096, 32, llama),
    }


def counted(encoder, seq):
    """Return what PyTorch counts in an encoder that reads `seq` tokens: (parameters, products, bytes)."""
    learned = [value for value in encoder.parameters() if value.requires_grad]
    return (
        sum(value.numel() for value in learned),
        multiplications(encoder.train(), torch.zeros(1, seq, dtype=torch.int64)),
        sum(value.numel() * value.element_size() for value in learned),
    )
