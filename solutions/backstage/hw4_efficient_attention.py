from matplotlib.patches import Rectangle


def show_panels(panels, says, xlabel, ylabel, bar="", **style):
    """Show matrices by title side by side, in one scale of colours; `says` tells what they show."""
    width = min(3.1, 10 / len(panels))
    size = (width * len(panels) + (0.8 if bar else 0), width + 0.4)
    figure, axes = plt.subplots(1, len(panels), figsize=size, layout="constrained", squeeze=False)
    for ax, (title, matrix) in zip(axes[0], panels.items(), strict=True):
        colours = {"cmap": "Blues", "vmin": 0, "vmax": 1} | style
        picture = ax.imshow(matrix.detach().numpy(), **colours)
        ax.set_xticks([column - 0.5 for column in range(matrix.shape[1])], [])
        ax.set_yticks([row - 0.5 for row in range(matrix.shape[0])], [])
        ax.grid(color="0.9", linewidth=0.6)
        ax.tick_params(length=0)
        ax.set_title(title, fontsize=10)
        ax.set_xlabel(xlabel)
    axes[0][0].set_ylabel(ylabel)
    if bar:
        figure.colorbar(picture, ax=axes[0], label=bar, extend="max")
    show(f"{says} {len(panels)} panels: {'; '.join(panels)}.")


def draw_product(ax, title, factors):
    """Draw factors as boxes in a row: (name, rows, columns, colour)."""
    left = 0
    for name, rows, columns, colour in factors:
        ax.add_patch(Rectangle((left, -rows / 2), columns, rows, facecolor=colour, edgecolor="0.3"))
        ax.text(left + columns / 2, 0, name, ha="center", va="center", fontsize=9)
        left += columns + 1
    ax.set(xlim=(-0.5, 24), ylim=(-6.5, 6.5), aspect="equal")
    ax.set_title(title, fontsize=10)
    ax.axis("off")


def show_brackets():
    """Draw both ways to bracket φ(Q) φ(K)ᵀ V, with what is held in between."""
    n, d, light, dark = 12, 3, "#cfe8ff", "#ffd9a0"
    queries, keys = ("φ(Q)", n, d, light), ("φ(K)ᵀ", d, n, light)
    axes = plt.subplots(2, 2, figsize=(9, 5.4), layout="constrained")[1]
    draw_product(axes[0, 0], "left bracket first …", [queries, keys, ("V", n, d, light)])
    draw_product(axes[0, 1], "… holds n × n numbers", [("n × n", n, n, dark), ("V", n, d, light)])
    draw_product(axes[1, 0], "right bracket first …", [queries, keys, ("V", n, d, light)])
    draw_product(axes[1, 1], "… holds d × d numbers", [queries, ("d × d", d, d, dark)])
    show(
        "Both ways to bracket a product: the left holds n by n numbers in between, the right d by d."
    )


def show_features(curves):
    """Draw functions of x by name, each in its own style."""
    x = torch.linspace(-4, 3, 200)
    plt.figure(figsize=(5, 2.8), layout="constrained")
    for (name, function), style in zip(curves.items(), ("-", "--", ":"), strict=True):
        plt.plot(x, function(x), style, linewidth=3 if style == "-" else 1.5, label=name)
    plt.axhline(0, color="0.7", linewidth=0.8)
    plt.xlabel("x")
    plt.ylabel("value")
    plt.legend()
    show(f"Curves of {', '.join(curves)} from -4 to 3; the first is above 0 everywhere.")


def show_times(times, fits):
    """Plot seconds over lengths, both on logarithmic axes; `fits` are slopes by name."""
    ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")[1]
    styles = {"full": "o-", "sliding": "s--", "linear": "^-.", "one": "D:"}
    for name, (lengths, seconds) in times.items():
        style = styles[name.split()[0]]
        ax.loglog(lengths, seconds, style, base=2, label=f"{name}: slope {fits[name]:.2f}")
    ax.set_yscale("log", base=10)
    ax.set(xlabel="number of tokens n", ylabel="seconds")
    ax.grid(color="0.9")
    ax.legend()
    told = ", ".join(f"{name} {slope:.2f}" for name, slope in fits.items())
    show(f"Seconds over the number of tokens, both logarithmic. Slopes at the end: {told}.")


def show_who_looks_where(panels):
    """Draw weights by title in one row."""
    says = (
        "Who looks where: full attention in a square, a window in a band, linear attention blurred, "
        "steps with a cache in a triangle."
    )
    axes_say = {"xlabel": "is looked at (key)", "ylabel": "looks (query)"}
    show_panels(panels, says, **axes_say, bar="weight", vmax=0.5)


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


LENT = {"sliding_window_attention": borrowed_window, "linear_attention": borrowed_linear}
