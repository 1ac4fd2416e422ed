def show_times(times, fits):
    """Plot seconds over lengths, both on logarithmic axes, beside guides for n and n²."""
    ax = plt.subplots(figsize=(5.6, 4.2), layout="constrained")[1]
    looks = {  # by the first word of a name: a mark, a stroke, a colour, a width
        "full": ("o", "-", GREY, 1.5),
        "sliding": ("s", (0, (7, 3)), TEAL, 1.8),
        "linear": ("^", "-", "#04292E", 2.4),
        "one": ("D", (0, (1, 1.6)), "#3A9AA6", 2.4),
    }
    for name, (lengths, seconds) in times.items():
        mark, stroke, colour, width = looks[name.split()[0]]
        style = {"marker": mark, "linestyle": stroke, "color": colour, "linewidth": width}
        hollow = PAPER if mark == "s" else colour
        ax.loglog(lengths, seconds, base=2, markersize=5, markerfacecolor=hollow, **style)
    title, overtakes = "Seconds, logarithmic", None
    if {"full attention", "sliding window"} <= times.keys():
        overtakes = crossing(times["sliding window"], times["full attention"])
    if isinstance(overtakes, int):
        ax.axvspan(overtakes / 2, overtakes, color=PALE, alpha=0.5, linewidth=0, zorder=0)
        title += "; shaded: here the window overtakes"
    for power, says, followers in ((2, "as n²", ("full",)), (1, "as n", ("sliding", "linear"))):
        found = [each for name, each in times.items() if name.startswith(followers)]
        if found:
            lengths, seconds = max(found, key=lambda each: each[1][-1] / each[0][-1])
            n = torch.tensor([lengths[-6], lengths[-1]])
            guide = (2 if power == 2 else 0.5) * seconds[-1] * (n / n[-1]) ** power
            ax.plot(n, guide, color=PALE, linewidth=1.5, zorder=1)
            at, beside, side = (n[0], guide[0]), (0, -11), "center"
            if power == 2:  # its ends are near the title and a curve
                at = (n[0] * n[1]) ** 0.5, (guide[0] * guide[1]) ** 0.5
                beside, side = (-4, 4), "right"
            style = {"textcoords": "offset points", "ha": side, "color": GREY, "fontsize": 9}
            ax.annotate(says, at, xytext=beside, **style)
    ax.set_xticks([2**power for power in range(8, 17, 2)])
    ax.set_yscale("log", base=10)
    ax.set(xlabel="number of tokens n", ylabel="seconds", title=title)
    ax.set_xlim(right=20 * max(lengths[-1] for lengths, _ in times.values()))  # room for the names
    ax.grid(color="0.93")
    plt.gcf().canvas.draw()  # now it is known where each curve ends
    taken = -math.inf  # up to this height, in points
    for name, (lengths, seconds) in sorted(times.items(), key=lambda curve: curve[1][1][-1]):
        end = (lengths[-1], seconds[-1])
        at = ax.transData.transform(end)[1] * 72 / plt.gcf().dpi
        taken = max(at, taken + 24)
        for line, says, weight in ((0, name, "bold"), (-11, f"slope {fits[name]:.2f}", "normal")):
            beside = {"textcoords": "offset points", "weight": weight}
            ax.annotate(says, end, xytext=(9, taken - at + line), color=INK, fontsize=9, **beside)
    told = ", ".join(f"{name} {slope:.2f}" for name, slope in fits.items())
    told += (
        f". The window overtakes before {overtakes:,} tokens" if isinstance(overtakes, int) else ""
    )
    show(f"Seconds over the number of tokens, both logarithmic. Slopes at the end: {told}.")


def show_rates(lengths, rates, page=500):
    """Draw tokens a second, logarithmic: a dot for each length, the larger the longer the text."""
    left = 10 + 7.6 * max(map(len, rates))
    wide, lane_high = 430 - left, 46
    foot = 56 + lane_high * len(rates)
    drawing = Drawing(COLUMN, foot + 56)
    every = [rate for each in rates.values() for rate in each]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))

    def across(rate):
        return left + wide * (math.log10(rate) - low) / (high - low)

    drawing.words(left, 14, "Tokens a second (logarithmic)", at="start", bold=True)
    drawing.words(536, 14, f"a page ({page})", at="end", bold=True)
    drawing.words(536, 32, f"after {lengths[-1]:,}", at="end", size=12, colour=GREY)
    for power in range(low, high + 1):
        drawing.line((across(10**power), 40), (across(10**power), foot), colour=PALE, width=1)
        drawing.words(across(10**power), foot + 14, f"{10**power:,g}", size=12, colour=GREY)
    for lane, (name, each) in enumerate(rates.items()):
        y, colour = 78 + lane_high * lane, GREY if name.startswith("full") else TEAL
        drawing.words(4, y, name, at="start", bold=name.startswith("your"))
        drawing.line((across(min(each)), y), (across(max(each)), y), colour=colour, opacity=0.4)
        for size, rate in reversed([*enumerate(each, start=2)]):  # small ones lie on large ones
            x, side = across(rate), 4 * size
            drawing.box(x - side / 2, y - side / 2, side, side, colour, edge=PAPER, corner=side / 2)
        drawing.words(across(each[-1]), y - 18, f"{in_digits(each[-1])}/s", size=12, bold=True)
        drawing.words(536, y, in_time(page / each[-1]), at="end", size=15, bold=True)
    x = left
    for size, n in enumerate(lengths, start=2):
        drawing.box(x, foot + 40 - 2 * size, 4 * size, 4 * size, INK, corner=2 * size)
        drawing.words(x + 4 * size + 6, foot + 40, f"after {n:,}", at="start", size=12)
        x += 4 * size + 90
    told = "; ".join(
        f"{name} {', '.join(map(in_digits, each))}, a page takes {in_time(page / each[-1])}"
        for name, each in rates.items()
    )
    after = ", ".join(f"{n:,}" for n in lengths)
    show_drawing(drawing, f"Tokens a second after {after} tokens: {told}.")


def show_race(written, n, length=100):
    """Show a race in slow motion, from its measured times."""
    done = {name: sum(taken) for name, (_, taken) in written.items() if len(taken) == length}
    end, frames = max(done.values(), default=3), []

    def wrapped(numbers):
        return textwrap.wrap(" ".join(text_model.decode(numbers).split()), 56)

    highs = [50 + 20 * len(wrapped(numbers)) for numbers, _ in written.values()]
    for clock in [end * step / 12 for step in range(13)]:
        drawing, top = Drawing(COLUMN, 30 + sum(highs)), 38
        drawing.words(536, 14, f"{clock:.3f} s", at="end", bold=True)
        drawing.words(
            4, 14, f"After a text of {n:,} tokens, in slow motion", at="start", colour=GREY
        )
        for high, (name, (numbers, taken)) in zip(highs, written.items(), strict=True):
            there = sum(clock >= moment - 1e-9 for moment in itertools.accumulate(taken))
            share = there / length
            drawing.box(4, top, 532, 4, PALE, opacity=0.6, corner=2)
            drawing.box(4, top, 532 * share, 4, TEAL, corner=2)
            says = f"{name}: {there} of {length} tokens"
            says += " · finished" if there == length else ""
            says += f" · the first takes {in_time(taken[0])}" if not there else ""
            drawing.words(4, top + 19, says, at="start", bold=True)
            for row, part in enumerate(wrapped(numbers[:there])):
                drawing.words(4, top + 43 + 20 * row, part, at="start", size=15, code=True)
            top += high
        frames.append(drawing)
    told = "; ".join(f"{name} {in_digits(len(t) / sum(t))}" for name, (_, t) in written.items())
    show_frames(frames, f"A race of writers. Tokens a second: {told}.", seconds=0.6)


def show_bits(places, whole, cut):
    """Draw how surprised the model is at each place of a text."""
    ax = plt.subplots(figsize=(5.6, 3), layout="constrained")[1]
    ax.plot(
        places,
        whole,
        "o-",
        markersize=3,
        color=TEAL,
        label="numbered from the start (recomputed, cache)",
    )
    label = "the last 64 tokens, numbered anew (window)"
    ax.plot(*zip(*cut, strict=True), "s--", markersize=3, color=GREY, label=label)
    ax.axvline(64, color=GREY, linewidth=1)
    ax.text(66, 0.4, "place 64: never seen in training", color=GREY)
    ax.set(xlabel="place in the text", ylabel="bits for a token", ylim=(0, None))
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), fontsize=9)
    before = sum(whole[2:16]) / 14
    after = sum(whole[-12:]) / 12
    near = sum(bits for _, bits in cut) / len(cut)
    show(
        f"Bits for each token over its place. Numbered from the start: about {before:.1f} up to 64, "
        f"then rising to {after:.1f}. The last 64 tokens numbered anew: about {near:.1f} throughout."
    )


def show_pages(seconds, rate, page=500):
    """Show what is written at a rate in the time that one token took at first: pages that fill up."""
    tokens, n_frames, frames = int(seconds * rate), 8, []
    n_pages, lines, across = math.ceil(tokens / page), 10, 10
    rows = math.ceil(n_pages / across)

    def draw_page(drawing, number, share):
        """Draw a page with a share of its lines, as one shape with a tooth for each line."""
        left, top = 4 + 53.5 * (number % across), 76 + 72 * (number // across)
        drawing.box(left, top, 45, 62, PAPER, edge=PALE, corner=2)
        corners = []
        for line in range(round(lines * share)):
            y, right = top + 6 + 5.2 * line, left + (28 if line == lines - 1 else 39)
            corners += [(left + 6, y), (right, y), (right, y + 2.6), (left + 6, y + 2.6)]
        if corners:
            drawing.area(*corners, colour=TEAL)

    for frame in range(n_frames + 1):
        drawing, done = Drawing(COLUMN, 76 + 72 * rows), frame / n_frames
        drawing.words(4, 14, "At first, all read again: one token", at="start", colour=GREY)
        drawing.box(300, 9, 150, 10, PALE, opacity=0.5, corner=2)
        drawing.box(300, 9, 150 * done, 10, GREY, corner=2)
        drawing.words(536, 14, f"{done * seconds:.2f} s", at="end", bold=True)
        says = f"In that time, from your cache: {done * tokens:,.0f} tokens"
        drawing.words(4, 48, says, at="start", size=17, bold=True)
        for number in range(n_pages):
            draw_page(drawing, number, min(max(done * tokens / page - number, 0), 1))
        frames.append(drawing)
    told = f"In the {in_time(seconds)} of one token at first, your cache writes {tokens:,}"
    show_frames(frames, f"{told}, or {tokens / page:.1f} pages.", seconds=seconds / n_frames)
