def draw_cells(axes, matrix, largest, left=0):
    """Draw a matrix as coloured cells with their numbers: white is 0, blue above it, red below."""
    rows, columns = matrix.shape
    extent = (left - 0.5, left + columns - 0.5, rows - 0.5, -0.5)
    picture = axes.imshow(matrix, cmap="RdBu", vmin=-largest, vmax=largest, extent=extent)
    for (row, column), value in np.ndenumerate(matrix):
        ink = "white" if abs(value) > 0.6 * largest else "black"
        axes.text(left + column, row, f"{value:.2f}", ha="center", va="center", color=ink, size=9)
    return picture


def in_words(weights, queries, keys):
    """Say in words where each query looks most."""
    rows = zip(queries, weights, strict=True)
    return "; ".join(
        f"{word} looks most at {keys[row.argmax()]} ({row.max():.0%})" for word, row in rows
    )


def show_weights(weights, queries, keys):
    """Draw attention weights: one row for each query, one column for each key."""
    size = (1.8 + 0.8 * len(keys), 1 + 0.8 * len(queries))
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    picture = axes.imshow(weights, cmap="Blues", vmin=0, vmax=1)
    for (row, column), value in np.ndenumerate(weights):
        ink = "white" if value > 0.6 else "black"
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", color=ink, size=9)
    figure.colorbar(picture, ax=axes, label="weight")
    axes.set_xticks(range(len(keys)), keys)
    axes.set_yticks(range(len(queries)), queries)
    axes.set(title="Attention weights", xlabel="is looked at (key)", ylabel="looks (query)")
    show(f"Heat map of attention weights. {in_words(weights, queries, keys)}.")


def show_matrices(largest, **matrices):
    """Draw named matrices side by side with their shapes, all in one scale of colours."""
    width = sum(matrix.shape[1] + 1 for matrix in matrices.values()) - 1
    height = max(matrix.shape[0] for matrix in matrices.values())
    size = (0.55 * width + 1, 0.55 * height + 0.5)
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    left = 0
    for name, matrix in matrices.items():
        picture = draw_cells(axes, matrix, largest, left=left)
        axes.text(left - 0.4, -0.7, f"{name} {matrix.shape}", weight="bold")
        left += matrix.shape[1] + 1
    axes.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -1.2))
    axes.axis("off")
    figure.colorbar(picture, ax=axes, extend="both", shrink=0.8, pad=0.01)
    shapes = ", ".join(f"{name} {matrix.shape}" for name, matrix in matrices.items())
    show(f"Matrices side by side as coloured cells with their numbers: {shapes}.")


def show_bars(charts, labels, xlabel, ylabel):
    """Draw a bar chart for each title and its heights in `charts`, all to the same scale."""
    size = (3 * len(charts) + 0.6, 2.6)
    panels = plt.subplots(
        1, len(charts), figsize=size, sharey=True, layout="constrained", squeeze=False
    )[1][0]
    for axes, (title, heights) in zip(panels, charts.items(), strict=True):
        bars = axes.bar(labels, heights, color="tab:blue")
        axes.bar_label(bars, fmt="%.2g", size=9)
        axes.set(title=title, xlabel=xlabel)
        axes.margins(y=0.15)
    panels[0].set_ylabel(ylabel)
    told = "; ".join(
        f"{title}: {np.round(heights, 2).tolist()}" for title, heights in charts.items()
    )
    show(f"Bar charts. {told}.")


def show_mixing(values, context, words):
    """Draw two-dimensional values as the corners of a shape, and each word's way to its context."""
    axes = plt.subplots(figsize=(5, 4), layout="constrained")[1]
    axes.fill(*values.T, color="tab:blue", alpha=0.12)
    axes.scatter(*values.T, s=70, color="tab:blue", label="value")
    axes.scatter(*context.T, s=70, color="tab:orange", marker="D", label="context")
    for word, value, mixture in zip(words, values, context, strict=True):
        arrow = {"arrowstyle": "->", "color": "grey", "shrinkA": 6, "shrinkB": 6}
        axes.annotate("", xy=mixture, xytext=value, arrowprops=arrow)
        axes.annotate(word, value, xytext=(7, 7), textcoords="offset points", weight="bold")
    axes.set(xlabel="creature", ylabel="sound", title="From each word's value to its context")
    axes.margins(0.2)
    axes.legend()
    ways = zip(words, values, context, strict=True)
    told = "; ".join(
        f"{word} from {value.round(2)} to {mixture.round(2)}" for word, value, mixture in ways
    )
    show(f"A triangle of values, with an arrow from each word's value to its context: {told}.")


def show_looks(words, weights, looking):
    """Draw a sentence twice, and a line from the word that looks to each word that it looks at."""
    shares, columns = weights[looking], range(len(words))
    axes = plt.subplots(figsize=(1.25 * len(words), 2.6), layout="constrained")[1]
    for column in columns:
        share, marked = shares[column], column == looking
        axes.plot(
            [looking, column],
            [0.86, 0.2],
            color="tab:blue",
            alpha=0.15 + 0.85 * share,
            lw=0.5 + 14 * share,
            solid_capstyle="round",
        )
        axes.text(
            column,
            1,
            words[column],
            ha="center",
            va="center",
            size=15,
            alpha=1 if marked else 0.35,
            weight="bold" if marked else "normal",
        )
        weight = "bold" if share == shares.max() else "normal"
        axes.text(column, 0.06, words[column], ha="center", va="center", size=15, weight=weight)
        axes.text(column, -0.12, f"{share:.0%}", ha="center", va="center", size=11, weight=weight)
    axes.text(-0.75, 1, "looks", ha="right", va="center", style="italic", color="0.4")
    axes.text(-0.75, 0.06, "is looked at", ha="right", va="center", style="italic", color="0.4")
    axes.set(xlim=(-1.9, len(words) - 0.4), ylim=(-0.22, 1.15))
    axes.axis("off")
    told = ", ".join(f"{word} {share:.0%}" for word, share in zip(words, shares, strict=True))
    show(f"Lines from the word {words[looking]} to all words, thicker for more attention: {told}.")


def show_experiment(sizes, found):
    """Draw variance, largest weight and slope over d_k, a curve for each way to scale."""
    panels = plt.subplots(1, 3, figsize=(11, 3.2), layout="constrained")[1]
    names = {"variance": "score", "largest weight": "weight", "slope": "p (1 − p)"}
    for axes, (quantity, ylabel) in zip(panels, names.items(), strict=True):
        for (way, quantities), style in zip(found.items(), ("s--", "o-", "^:"), strict=True):
            axes.plot(sizes, quantities[quantity], style, label=way)
        axes.set_xscale("log", base=4)
        axes.set_xticks(sizes, sizes)
        axes.set(title=quantity, xlabel="$d_k$", ylabel=ylabel)
    panels[0].set(yscale="log", ylabel="variance of the scores")
    panels[0].legend()
    panels[1].axhline(1 / 10, color="grey", linestyle="-.", linewidth=1)
    panels[1].text(1, 0.03, "all ten keys alike", color="0.35")
    panels[1].set_ylim(0, 1.05)
    panels[2].set_ylim(0, 0.25)
    last = {
        way: ", ".join(f"{quantity} {values[-1]:.2g}" for quantity, values in quantities.items())
        for way, quantities in found.items()
    }
    told = "; ".join(f"{way}: {numbers}" for way, numbers in last.items())
    show(f"Three quantities over d_k, a curve for each way to scale. At the last d_k: {told}.")


def borrowed_softmax(x):
    """PyTorch's softmax."""
    import torch

    return torch.softmax(torch.as_tensor(x), dim=-1).numpy()


def borrowed_attention(Q, K, V):
    """PyTorch's attention returns no weights, but if the values are a unit matrix, they come out."""
    import torch
    from torch.nn import functional

    queries, keys, values, unit = (
        torch.as_tensor(part)[None] for part in (Q, K, V, np.eye(len(K)))
    )
    both = torch.cat([unit, values], dim=-1)
    weights_and_context = functional.scaled_dot_product_attention(queries, keys, both)[0].numpy()
    return weights_and_context[:, : len(K)], weights_and_context[:, len(K) :]


def borrowed_self_attention(X, W_Q, W_K, W_V):
    """PyTorch's attention among projections by PyTorch's linear layers."""
    import torch
    from torch.nn import functional

    X, *matrices = (torch.as_tensor(part) for part in (X, W_Q, W_K, W_V))
    return borrowed_attention(*(functional.linear(X, matrix.T).numpy() for matrix in matrices))


def borrowed_example(*inputs, token=0):
    """The numbers of part 4's table."""
    steps = {"query": [23, 49, 45, 28], "keys": [[40, 39, 36, 20], [59, 48, 59, 28]]}
    steps |= {"values": [[51, 36, 45, 46], [68, 53, 63, 58]], "scores": [2505.5, 3574.0]}
    steps |= {"weights": [0, 1], "context": [68, 53, 63, 58], "output": [74, 54, 67, 62]}
    return {name: np.array(numbers, dtype=float) for name, numbers in steps.items()}


LENT = {
    "softmax": borrowed_softmax,
    "scaled_dot_product_attention": borrowed_attention,
    "self_attention": borrowed_self_attention,
    "worked_example": borrowed_example,
}
