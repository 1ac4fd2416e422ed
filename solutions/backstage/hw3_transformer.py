def heat_map(ax, weights, rows, columns, title, **colours):
    """Draw a matrix: each row is a token that looks, each column one that is looked at."""
    picture = ax.imshow(weights.detach(), cmap="viridis", **colours)
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_title(title, fontsize=11)
    return picture


def show_heat_maps(
    panels, rows, columns, width=3.1, says="weights", axes_say=("is looked at", "looks")
):
    """Show matrices by title side by side, all in one scale of colours."""
    size = (width * len(panels) + 1, 3.4)
    figure, axes = plt.subplots(1, len(panels), figsize=size, layout="constrained", squeeze=False)
    largest = max(weights.max().item() for weights in panels.values())
    for ax, (title, weights) in zip(axes[0], panels.items(), strict=True):
        picture = heat_map(
            ax, weights, rows, columns[: weights.shape[1]], title, vmin=0, vmax=largest
        )
        ax.set_xlabel(axes_say[0])
    axes[0][0].set_ylabel(axes_say[1])
    figure.colorbar(picture, ax=axes[0], label=says)
    most = {
        title: [str(columns[column]) for column in weights.argmax(dim=1).tolist()]
        for title, weights in panels.items()
    }
    told = "; ".join(
        f"{title}: the rows are largest at {', '.join(found)}" for title, found in most.items()
    )
    show(f"Heat maps of {says}. {told}.")


def show_look(look):
    """Draw where TinyModel looks; its numbers may be negative."""
    rows, columns = [f"writes {i}" for i in range(6)], [f"digit {j}" for j in range(5)]
    figure, ax = plt.subplots(figsize=(4.8, 4), layout="constrained")
    largest = look.abs().max().item()
    picture = ax.imshow(look, cmap="RdBu", vmin=-largest, vmax=largest)
    ax.set_xticks(range(5), columns)
    ax.set_yticks(range(6), rows)
    ax.set_title("TinyModel.look")
    figure.colorbar(picture, ax=ax, label="factor")
    most = look.abs().argmax(dim=1).tolist()
    show(
        f"Heat map of factors, one row per step. The rows 0 to 5 are largest at the digits {most}."
    )


def show_curve(losses, changes, level):
    """Draw the loss of each batch, their running mean, and where the learning rate changed."""
    ax = plt.subplots(figsize=(8, 3.6), layout="constrained")[1]
    ax.plot(losses, color="0.8", label="each batch")
    smooth = torch.tensor(losses).unfold(0, 25, 1).mean(dim=1)
    ax.plot(range(24, len(losses)), smooth, linewidth=2, label="mean of the last 25")
    ax.axhline(level, color="tab:red", linestyle=":", label="log 12: no idea at all")
    for step in changes:
        ax.axvline(step, color="0.4", linestyle="--", linewidth=1)
    ax.set(
        xlabel="batch",
        ylabel="loss",
        yscale="log",
        title="a new call of train begins at the dashes",
    )
    ax.legend()
    show(
        f"Loss over batches, falling from {losses[0]:.2f} to {smooth[-1]:.4f} on a logarithmic axis."
    )


def show_forming(snapshots, rows, columns):
    """Draw heads over time: `snapshots` maps a number of batches to (heads, rows, columns)."""
    heads = len(next(iter(snapshots.values())))
    size = (1.75 * len(snapshots) + 1, 1.75 * heads)
    figure, axes = plt.subplots(
        heads, len(snapshots), figsize=size, layout="constrained", squeeze=False
    )
    for place, (batches, weights) in enumerate(snapshots.items()):
        for head in range(heads):
            ax = axes[head][place]
            picture = heat_map(ax, weights[head], rows, columns, "", vmin=0, vmax=1)
            ax.tick_params(labelleft=place == 0, labelbottom=head == heads - 1, labelsize=8)
        axes[0][place].set_title(f"{batches} batches", fontsize=10)
    for head in range(heads):
        axes[head][0].set_ylabel(f"head {head}")
    figure.colorbar(picture, ax=axes, label="weight")
    show(
        f"Heat maps of {heads} heads, one row each, after {', '.join(map(str, snapshots))} batches."
    )


def show_shares(shares):
    """Draw what share of strings comes out right with each head switched off."""
    ax = plt.subplots(figsize=(8, 2.8), layout="constrained")[1]
    bars = ax.bar(list(shares), list(shares.values()), color="tab:blue")
    ax.bar_label(bars, fmt="{:.0%}")
    ax.set(ylim=(0, 1.15), ylabel="strings right", xlabel="switched off: layer.head")
    told = ", ".join(f"{name}: {share:.0%}" for name, share in shares.items())
    show(f"Bar chart of the share of strings that come out right with one head off. {told}.")


def show_tokens(lines):
    """Show lines of tokens in boxes, one below the other: a dict from names to {column: token}."""
    ax = plt.subplots(figsize=(8.6, 0.75 * len(lines)))[1]
    for height, (name, tokens) in enumerate(reversed(lines.items())):
        ax.text(-0.7, height, name, ha="right", va="center")
        for column, token in tokens.items():
            colour = "#ffe0b3" if token in ("BOS", "EOS") else "#cfe8ff"
            box = {"boxstyle": "square,pad=0.5", "facecolor": colour, "edgecolor": "0.6"}
            ax.text(column, height, f"{token:^5}", ha="center", va="center", bbox=box)
    ax.set(xlim=(-4.2, 7), ylim=(-0.6, len(lines) - 0.4))
    ax.axis("off")
    told = "; ".join(
        f"{name}: {' '.join(map(str, tokens.values()))}" for name, tokens in lines.items()
    )
    show(f"Lines of tokens in boxes. {told}.")


def draw_decoder_block():
    """Draw the decoder block, from the bottom up as the paper does."""
    arrow = {"arrowstyle": "-|>", "color": "0.3", "linewidth": 1.4}
    ax = plt.subplots(figsize=(7.2, 6.4))[1]
    for height, text, colour in (
        (1.2, "masked self-attention (self_attn)", "#ffe0b3"),
        (2.4, "add & norm (norm1)", "#fff6bf"),
        (4.0, "cross-attention (multihead_attn)", "#ffd0c2"),
        (5.2, "add & norm (norm2)", "#fff6bf"),
        (6.8, "feed-forward: linear1, ReLU, linear2", "#cfe8ff"),
        (8.0, "add & norm (norm3)", "#fff6bf"),
    ):
        box = {"facecolor": colour, "edgecolor": "black"}
        ax.add_patch(plt.Rectangle((-2, height - 0.35), 4, 0.7, **box))
        ax.text(0, height, text, ha="center", va="center")
    steps = ((-0.3, 0.85), (1.55, 2.05), (2.75, 3.65), (4.35, 4.85), (5.55, 6.45), (7.15, 7.65))
    for start, end in (*steps, (8.35, 9.1)):
        ax.annotate("", xy=(0, end), xytext=(0, start), arrowprops=arrow)
    ax.text(-0.1, 3.3, "queries", ha="right", va="center", fontsize=9)
    for bottom, top in ((0.2, 2.4), (3.2, 5.2), (6.0, 8.0)):  # around each sublayer
        ax.plot([0, 2.6, 2.6], [bottom, bottom, top], color="0.3", linewidth=1.4)
        ax.annotate("", xy=(2, top), xytext=(2.6, top), arrowprops=arrow)
        ax.text(2.7, (bottom + top) / 2, "residual", rotation=90, va="center")
    ax.annotate("", xy=(-2, 4.0), xytext=(-3.2, 4.0), arrowprops=arrow)
    ax.text(-2.6, 4.15, "keys\nvalues", ha="center", fontsize=9)
    ax.text(-3.3, 4.0, "memory\n(batch, s, d_model)", ha="right", va="center")
    for height, text in ((-0.6, "x"), (9.2, "result")):
        ax.text(0, height, f"{text}  (batch, t, d_model)", ha="center")
    ax.set(xlim=(-5.4, 3.2), ylim=(-0.8, 9.6))
    ax.axis("off")
    show(
        "The decoder block from the bottom up: x, masked self-attention, add and norm1, "
        "cross-attention, to which the memory brings keys and values, add and norm2, feed-forward "
        "network, add and norm3, result. A residual leads around each of the three sublayers."
    )


def borrowed_mask(n):
    """PyTorch's causal mask, which holds 0 where one may look and minus infinity elsewhere."""
    return nn.Transformer.generate_square_subsequent_mask(n) == 0


class BorrowedDecoderBlock(nn.Module):
    """PyTorch's decoder layer."""

    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.theirs = nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)

    def forward(self, x, memory):
        later = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.theirs(x, memory, tgt_mask=later)


class BorrowedTransformer(nn.Module):
    """PyTorch's Transformer for this notebook's strings: 12 tokens at 20 places, marked by ones."""

    def __init__(self, src_vocab, tgt_vocab):
        super().__init__()
        layers = {"num_encoder_layers": 2, "num_decoder_layers": 2, "dim_feedforward": 128}
        self.theirs = nn.Transformer(64, 4, **layers, dropout=0.0, batch_first=True)

    def forward(self, src, tgt):
        later = nn.Transformer.generate_square_subsequent_mask(tgt.shape[1])
        return self.theirs(self.mark(src), self.mark(tgt), tgt_mask=later)[..., :12]

    def mark(self, tokens):
        places = torch.arange(tokens.shape[1]).expand_as(tokens)
        return 4.0 * torch.cat([F.one_hot(tokens, 32), F.one_hot(places, 32)], dim=-1)


def borrowed_writing(model, src, bos, eos, max_len):
    """No writing at all: what the model says when it is shown the right beginning."""
    whole = backwards(src)
    said = model.eval()(src, whole[:, :-1]).argmax(dim=-1)
    return torch.cat([whole[:, :1], said], dim=1)


def borrowed_training(model, batches, lr=1e-3):
    """Learning with PyTorch's own optimiser; it knows this notebook's task and no other."""
    optimiser, losses = optim.Adam(model.train().parameters(), lr=lr), []
    for src, _ in batches:
        whole = backwards(src)
        said = torch.distributions.Categorical(logits=model(src, whole[:, :-1]))
        losses.append(-said.log_prob(whole[:, 1:]).mean())
        optimiser.zero_grad()
        losses[-1].backward()
        optimiser.step()
    return [loss.item() for loss in losses]


LENT = {
    "causal_mask": borrowed_mask,
    "DecoderBlock": BorrowedDecoderBlock,
    "Transformer": BorrowedTransformer,
    "greedy_decode": borrowed_writing,
    "train": borrowed_training,
}
