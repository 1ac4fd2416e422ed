def heat_map(ax, weights, labels, title, largest):
    """Draw a (seq, seq) matrix: each row is a token that looks, each column one looked at."""
    picture = ax.imshow(weights.detach(), cmap="viridis", vmin=0, vmax=largest)
    ax.set_xticks(range(len(labels)), labels, rotation=60 if isinstance(labels[0], str) else 0)
    ax.set_yticks(range(len(labels)), labels)
    ax.set_title(title, fontsize=11)
    return picture


def show_heat_maps(panels, labels, axes_say=("is looked at", "looks"), bar="weight"):
    """Show (seq, seq) matrices by title side by side, in one scale of colours."""
    size = (3.1 * len(panels) + 1, 3.7)
    figure, row = plt.subplots(1, len(panels), figsize=size, layout="constrained", squeeze=False)
    largest = max(weights.max().item() for weights in panels.values())
    for ax, (title, weights) in zip(row[0], panels.items(), strict=True):
        picture = heat_map(ax, weights, labels, title, largest)
        ax.set_xlabel(axes_say[0])
    row[0][0].set_ylabel(axes_say[1])
    figure.colorbar(picture, ax=row[0], label=bar)
    show(
        f"Heat maps side by side, rows: {axes_say[1]}, columns: {axes_say[0]}. {', '.join(panels)}."
    )


def show_in_context(stages, words, followed):
    """Show vectors by stage, one row per word, scaled to one size; follow a word that occurs twice."""
    figure, row = plt.subplots(1, len(stages), figsize=(11, 2.9), layout="constrained", sharey=True)
    first, second = [place for place, word in enumerate(words) if word == followed]
    apart = []
    for ax, (title, vectors) in zip(row, stages.items(), strict=True):
        vectors = F.layer_norm(vectors.detach(), vectors.shape[-1:])
        picture = ax.imshow(vectors, cmap="RdBu", vmin=-2.5, vmax=2.5, aspect="auto")
        apart.append(torch.dist(vectors[first], vectors[second]) / vectors[first].norm())
        below = f"feature\nboth '{followed}' differ by {apart[-1]:.0%}"
        ax.set(title=title, xlabel=below, xticks=[])
        for place in (first, second):
            box = plt.Rectangle((-0.5, place - 0.5), vectors.shape[1], 1, fill=False, linewidth=2)
            ax.add_patch(box)
    row[0].set_yticks(range(len(words)), words)
    figure.colorbar(picture, ax=row, label="value", extend="both")
    told = "; ".join(f"{title}: {part:.0%}" for title, part in zip(stages, apart, strict=True))
    show(
        f"Heat maps of a sentence, one row per word. How far both rows of {followed} differ: {told}."
    )


def show_cells(panels):
    """Show matrices of numbers `10 * token + column`, one colour per token."""
    widths = [cells.shape[1] for cells in panels.values()]
    figure = plt.figure(figsize=(9, 3), layout="constrained")
    axes = figure.subplots(1, len(panels), width_ratios=widths)
    for ax, (title, cells) in zip(axes, panels.items(), strict=True):
        ax.imshow(cells // 10, cmap="Pastel1", vmin=0, vmax=8, aspect="auto")
        for (row, column), number in np.ndenumerate(cells):
            ax.text(column, row, f"{number:02d}", ha="center", va="center")
        ax.set_title(title, fontsize=10)
        ax.set_xticks([])
        ax.set_yticks(range(len(cells)), [f"row {row}" for row in range(len(cells))])
    told = "; ".join(
        f"{' '.join(title.split())}: {cells.tolist()}" for title, cells in panels.items()
    )
    show(f"Matrices of numbers, one colour per token. {told}.")


def draw_encoder_block():
    """Draw the encoder block, from the bottom up as the paper does."""
    arrow = {"arrowstyle": "-|>", "color": "0.3", "linewidth": 1.4}
    ax = plt.subplots(figsize=(5.2, 5.2))[1]
    for height, text, colour in (
        (1.2, "multi-head self-attention", "#ffe0b3"),
        (2.4, "add & norm (norm1)", "#fff6bf"),
        (4.0, "feed-forward: linear1, ReLU, linear2", "#cfe8ff"),
        (5.2, "add & norm (norm2)", "#fff6bf"),
    ):
        box = {"boxstyle": "round,pad=0.6", "facecolor": colour}
        ax.text(0, height, text, ha="center", va="center", bbox=box)
    for start, end in ((-0.3, 0.85), (1.55, 2.05), (2.75, 3.65), (4.35, 4.85), (5.55, 6.4)):
        ax.annotate("", xy=(0, end), xytext=(0, start), arrowprops=arrow)
    for bottom, top in ((0.2, 2.4), (3.2, 5.2)):  # around the sublayer, in three strokes
        ax.plot([0, 2.1, 2.1], [bottom, bottom, top], color="0.3", linewidth=1.4)
        ax.annotate("", xy=(1.05, top), xytext=(2.1, top), arrowprops=arrow)
        ax.text(2.2, (bottom + top) / 2, "residual", rotation=90, va="center")
    for height, text in ((-0.6, "x"), (6.5, "result")):
        ax.text(0, height, f"{text}  (batch, seq, d_model)", ha="center")
    ax.set(xlim=(-2.2, 2.7), ylim=(-0.8, 7))
    ax.axis("off")
    show(
        "The encoder block from the bottom up: x, multi-head self-attention, add and norm1, "
        "feed-forward network, add and norm2, result. A residual leads around attention and around "
        "the feed-forward network, into the add and norm above it."
    )


def show_positions(table, columns):
    """Draw the table of positions, and some of its columns as curves."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4), layout="constrained")
    picture = left.imshow(table, cmap="RdBu", aspect="auto", vmin=-1, vmax=1)
    figure.colorbar(picture, ax=left, label="value")
    left.set(title=f"positional_encoding{tuple(table.shape)}", xlabel="column", ylabel="position")
    for column, style in zip(columns, ("o-", "o--", "s-", "s--", "^-"), strict=True):
        right.plot(table[:, column], style, markersize=4, markevery=4, label=f"column {column}")
    right.set(title="some of its columns", xlabel="position", ylabel="value")
    right.legend(loc="lower right")
    show(
        "A table of waves, fast in the first columns and slow in the last; some columns as curves."
    )


def show_likeness(likeness):
    """Draw how similar each two positions are."""
    figure, ax = plt.subplots(figsize=(4.8, 4), layout="constrained")
    picture = ax.imshow(likeness, cmap="viridis")
    figure.colorbar(picture, ax=ax, label="product of the two rows")
    ax.set(title="how similar two positions are", xlabel="position", ylabel="position")
    show("A square heat map of products of rows, brightest on the diagonal.")


def show_race(losses):
    """Draw a curve of losses for each runner."""
    ax = plt.subplots(figsize=(7, 3.4), layout="constrained")[1]
    for (name, values), style in zip(losses.items(), ("-", "--"), strict=True):
        ax.plot(values, style, label=name)
    ax.set(xlabel="step", ylabel="loss", title="who learns faster?")
    ax.legend()
    ends = ", ".join(f"{name} {values[-1]:.2f}" for name, values in losses.items())
    show(f"Loss over steps, a curve for each kind of block. Last losses: {ends}.")


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


def borrowed_positions(seq_len, d_model):
    """Waves of PyTorch's Fourier transform: other frequencies than the paper's."""
    waves = torch.fft.fft(torch.eye(512))[:seq_len, 1 : (d_model + 1) // 2 + 1].flip(1)
    return torch.view_as_real(waves).flatten(1)[:, :d_model]


def borrowed_network(d_model, d_ff):
    """Two of PyTorch's layers with a ReLU between them."""
    return nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class BorrowedBlock(nn.Module):
    """PyTorch's encoder layer."""

    norm_first = False

    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        before = {"norm_first": self.norm_first, "batch_first": True}
        self.theirs = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, **before)

    @property
    def self_attn(self):
        return self.theirs.self_attn

    def forward(self, x, key_padding_mask=None):
        return self.theirs(x, src_key_padding_mask=key_padding_mask)


class BorrowedPreNormBlock(BorrowedBlock):
    """The same with its norms first."""

    norm_first = True


class BorrowedEncoder(nn.Module):
    """A stack of PyTorch's encoder layers."""

    def __init__(self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.stack = nn.Sequential(
            *(BorrowedBlock(d_model, n_heads, d_ff) for _ in range(n_layers))
        )

    def forward(self, tokens):
        x = self.embedding(tokens)
        return self.stack(x * x.shape[-1] ** 0.5 + borrowed_positions(*x.shape[1:]))


LENT = {
    "SelfAttention": BorrowedSelfAttention,
    "MultiHeadAttention": BorrowedMultiHeadAttention,
    "positional_encoding": borrowed_positions,
    "FeedForward": borrowed_network,
    "EncoderBlock": BorrowedBlock,
    "PreNormBlock": BorrowedPreNormBlock,
    "Encoder": BorrowedEncoder,
}
