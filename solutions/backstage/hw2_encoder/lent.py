import copy


class BorrowedSelfAttention(nn.Module):
    """PyTorch's attention with one head, which has d_model columns whatever d_k is."""

    def __init__(self, d_model, d_k):
        super().__init__()
        self.theirs = nn.MultiheadAttention(d_model, 1, batch_first=True)

    def forward(self, X):
        return self.theirs(X, X, X)


class BorrowedMultiHeadAttention(nn.Module):
    """PyTorch's attention, without a mask."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.theirs = nn.MultiheadAttention(d_model, n_heads, batch_first=True)

    def forward(self, query, key, value):
        return self.theirs(query, key, value)[0]

    @property
    def W_O(self):  # noqa: N802 - the exercise's name
        return self.theirs.out_proj

    def weights_of_heads(self, query, key):
        return self.theirs(query, key, key, average_attn_weights=False)[1]


def borrowed_positions(seq_len, d_model):
    """Waves of PyTorch's Fourier transform: other frequencies than the paper's.

    At the size of the encoder at the top, they are the table that it brings along.
    """
    if d_model == senses.d_model and seq_len <= senses.length:
        return senses.positions[:seq_len]
    waves = torch.fft.fft(torch.eye(512))[:seq_len, 1 : (d_model + 1) // 2 + 1].flip(1)
    return torch.view_as_real(waves).flatten(1)[:, :d_model]


def borrowed_network(d_model, d_ff):
    """Two of PyTorch's layers with a ReLU between them."""
    return nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class BorrowedBlock(nn.TransformerEncoderLayer):
    """PyTorch's encoder layer."""

    norms_come_first = False

    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        before = {"norm_first": self.norms_come_first, "batch_first": True}
        super().__init__(d_model, n_heads, d_ff, dropout, **before)

    def forward(self, x, key_padding_mask=None):
        return super().forward(x, src_key_padding_mask=key_padding_mask)


class BorrowedPreNormBlock(BorrowedBlock):
    """The same with its norms first."""

    norms_come_first = True


class BorrowedEncoder(nn.Module):
    """A stack of PyTorch's encoder layers."""

    def __init__(self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            for _ in range(n_layers)
        )

    def forward(self, tokens, key_padding_mask=None):
        x = self.embedding(tokens)
        x = x * x.shape[-1] ** 0.5 + borrowed_positions(*x.shape[1:])
        for part in self.layers:
            x = part(x, src_key_padding_mask=key_padding_mask)
        return x


class InItsPlace(nn.Module):
    """A `MultiHeadAttention` in the place and with the weights of an `nn.MultiheadAttention`."""

    batch_first = False  # so that PyTorch's own layer takes no short cut around it

    def __init__(self, layer, given):
        super().__init__()
        self.layer = layer
        take_weights(layer, given)

    def forward(self, query, key, value, key_padding_mask=None, **_):
        # which PyTorch's own layer hands on as numbers: 0, or minus infinity
        mask = None if key_padding_mask is None else ~key_padding_mask.bool()[:, None, None]
        return self.layer(query, key, value, mask=mask), None


class WithItsNegative(nn.Module):
    """What a network returns, and beside it the negative: of the two, a ReLU keeps all there is."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        made = self.network(x)
        return torch.cat([made, -made], dim=-1)


class Difference(nn.Module):
    """The first half of the features minus the second."""

    def forward(self, x):
        first, second = x.chunk(2, dim=-1)
        return first - second


def put_attention(layer, attention):
    """Put a `MultiHeadAttention` with a block's weights into the place of PyTorch's."""
    if not isinstance(attention, BorrowedMultiHeadAttention):  # else PyTorch's may stay
        layer.self_attn = InItsPlace(attention, layer.self_attn)


def reading_with(positions=None):
    """Return the encoder at the top as a reader, with a student's parts in its blocks, and `positions` or none."""
    layers = all_yours(copy.deepcopy(senses)).layers

    def read(tokens, key_padding_mask=None):
        n = tokens.shape[1]
        x = senses.embed(tokens) - senses.positions[:n]
        if positions is not None:
            x = x + positions(n, senses.d_model)
        for layer in layers:
            x = layer(x, src_key_padding_mask=key_padding_mask)
        return x

    return read


def show_orders(sentences, guess):
    """Fill the blanks of two sentences with a student's parts, without positions and then with them."""
    if isinstance(sentences, str) or len(sentences) != 2:
        print('○ Write two sentences: ["…", "…"].')
        return
    if not have_blanks(sentences):
        return
    for sentence in sentences:
        mention_strange(sentence)
    first, second = (sorted(senses.split(sentence)) for sentence in sentences)
    if first != second:
        print("(They don't have the same words!)")
    readers = {
        "without your positions": reading_with(),
        "with them": reading_with(positional_encoding),
    }
    vectors = read_at_blanks(sentences, readers)
    alike = torch.allclose(*vectors["without your positions"], atol=1e-3)
    found = "the same" if alike else "others"
    compare("Without positions, they get", found, guess, among=["the same", "others"])
    if guess is not None:
        show_filled(sentences, vectors)


def put_network(layer, network):
    """Put a `FeedForward` with a block's weights into the place of its two linear layers."""
    if type(network) is nn.Sequential:  # it is borrowed, and PyTorch's may stay
        return
    for name in ("linear1", "linear2"):
        getattr(network, name).load_state_dict(getattr(layer, name).state_dict())
    layer.linear1, layer.linear2 = WithItsNegative(network), Difference()
    layer.activation_relu_or_gelu = 0  # so that PyTorch's own layer takes no short cut around it


def all_yours(encoder):
    """Put a `MultiHeadAttention` and a `FeedForward` into each block of an encoder, and return it."""
    for layer in encoder.layers:
        put_attention(layer, MultiHeadAttention(senses.d_model, senses.n_heads))
        put_network(layer, FeedForward(senses.d_model, senses.d_ff))
    return encoder


LENT = {
    "SelfAttention": BorrowedSelfAttention,
    "MultiHeadAttention": BorrowedMultiHeadAttention,
    "positional_encoding": borrowed_positions,
    "FeedForward": borrowed_network,
    "EncoderBlock": BorrowedBlock,
    "Encoder": BorrowedEncoder,
}
