senses = WordSenses()
LEAD = 0.02  # in cosine: where one word leads another by less, it may be chance


def look_up(word, sentences, reader=None):
    """Map a word's places in sentences, with the words that it is nearest to in each."""
    sentences = [sentences] if isinstance(sentences, str) else sentences
    if word not in senses.numbers:
        print(
            f"It has never seen {word!r}. Words with two meanings: {', '.join(senses.ambiguous)}."
        )
        return
    for sentence in sentences:
        if word not in senses.split(sentence):
            print(f"(there is no {word!r} among the first {senses.length} words of {sentence!r})")
    sentences = [each for each in sentences if word in senses.split(each)]
    for sentence in sentences:
        mention_strange(sentence)
    if sentences:
        show_meanings(word, sentences, reader)


def mention_strange(sentence):
    """Say which words of a sentence the encoder doesn't know, and what it doesn't read, if anything."""
    words = senses.split(sentence)
    strange = [word for word in words if word not in senses.numbers]
    if strange:
        print(wrapped(f"(it doesn't know {', '.join(strange)}, and reads a blank there)"))
    if len(words) == senses.length < len(sentence.split()):
        print(wrapped(f"(it reads {senses.length} words, up to {words[-1]})"))


def read_about(word, n=8):
    """Print up to `n` sentences with a word, such as those that the encoder learned from."""
    rng, found = random.Random(word), []
    kinds = {
        kind: [said for said in words if word in said.split()]
        for kind, words in senses.lists.items()
    }
    for pattern in senses.patterns:
        holders = [kind for kind, said in kinds.items() if said and f"{{{kind}}}" in pattern]
        if holders:
            pattern = pattern.replace(f"{{{holders[0]}}}", kinds[holders[0]][0])
        if holders or word in pattern.split():
            found.append(fill(pattern, senses.lists, rng))
    for sentence in rng.sample(found, min(n, len(found))):
        print(wrapped(f"· {sentence}"))
    if not found:
        known = ", ".join(rng.sample(sorted(senses.average), 12))
        print(wrapped(f"It has never read {word!r}. It knows, for example, {known}."))


def show_meanings(word, sentences, reader=None):
    """Map a word's vectors in several sentences, and the words of one meaning that are nearest.

    The map shows the plane in which these vectors differ most: what is near in it may be far apart.
    """
    vectors = [senses.vector(word, sentence, reader) for sentence in sentences]
    near = [senses.nearest(vector, but=[word], n=3) for vector in vectors]
    alone = senses.vector(word, word, reader)
    around = sorted({other for found in near for other, _ in found})
    points = torch.stack([*vectors, alone, *(senses.average[other] for other in around)])
    centre = points.mean(dim=0)
    places = ((points - centre) @ torch.linalg.svd(points - centre)[2][:2].T).tolist()
    figure, ax = plt.subplots(figsize=(6.6, 4))
    pink, n = COLOURS["context"], len(sentences)
    words, labels = dict(zip(around, places[n + 1 :], strict=True)), []

    def label(place, text, beside, **style):
        """Keep a label for a place; it stands on the side away from what is `beside` it."""
        middle = sum(x for x, _ in beside) / len(beside)
        labels.append((place, text, place[0] >= middle, style))

    for other, place in words.items():
        ax.plot(*place, "o", color=INK, markersize=4, alpha=0.6)
        nearest = min(places[:n], key=lambda each: math.dist(each, place))
        label(place, other, [nearest], color=INK, size=12)
    ax.plot(*places[n], "o", color=GREY, markersize=10)
    label(places[n], f"{word}, alone", places[:n], color=GREY, size=12, arrowprops=None)
    looks = zip(sentences, places, near, itertools.cycle("os^Dv"), strict=False)
    for sentence, place, found, marker in looks:
        shape = {"arrowstyle": "-|>", "color": pink, "linewidth": 1.8, "shrinkB": 9, "shrinkA": 9}
        bent = shape | {"connectionstyle": "arc3,rad=0.15", "mutation_scale": 16, "alpha": 0.75}
        ax.annotate("", place, places[n], arrowprops=bent)
        alike = ", ".join(f"{other} {cosine:.2f}" for other, cosine in found)
        ax.plot(*place, marker, color=pink, markersize=12, label=f"{sentence}\n≈ {alike}")
        beside = [words[other] for other, _ in found]
        label(place, word, beside, color=pink, size=15, weight="bold", arrowprops=None)
    ax.margins(x=0.16, y=0.12)
    ax.set(xticks=[], yticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)
    flat = f"{senses.d_model} features, flattened to 2: trust the numbers more than the distances"
    ax.set_xlabel(flat, color=GREY, fontsize=10)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), fontsize=12, handletextpad=0.2)
    write_apart(figure, ax, labels)
    told = "; ".join(
        f"in {sentence!r}, near {', '.join(f'{other} {cosine:.2f}' for other, cosine in found)}"
        for sentence, found in zip(sentences, near, strict=True)
    )
    times = "one place" if n == 1 else f"{n} places"
    show(f"A map of words. The word {word} stands in {times}: {told}.")


def write_apart(figure, ax, labels):
    """Write words beside their points, to the right or the left, none upon another or a point."""
    middle = sum(ax.get_xlim()) / 2
    thread = {"arrowstyle": "-", "color": GREY, "linewidth": 0.6, "shrinkB": 3}
    figure.canvas.draw()
    points = [ax.transData.transform(place) * 72 / figure.dpi for place, *_ in labels]
    for half, right in itertools.product((False, True), repeat=2):
        side = [
            (point[1], point[0], place, text, style)
            for point, (place, text, on_the_right, style) in zip(points, labels, strict=True)
            if ((place[0] > middle), on_the_right) == (half, right)
        ]
        side.sort(key=lambda label: label[0])
        heights = [label[0] for label in side]
        for _ in range(200):  # push neighbours apart until each has room
            for low in range(len(heights) - 1):
                lack = 17 - (heights[low + 1] - heights[low])
                if lack > 0:
                    heights[low] -= lack / 2
                    heights[low + 1] += lack / 2
        for height, (y, x, place, text, style) in zip(heights, side, strict=True):
            level = [p[0] for p in points if abs(p[1] - height) < 14 and abs(p[0] - x) < 60] + [x]
            aside = max(level) - x + 12 if right else min(level) - x - 12
            ax.annotate(
                text, place, (aside, height - y), textcoords="offset points",
                va="center", ha="left" if right else "right", **{"arrowprops": thread} | style,
            )  # fmt: skip


def why_not(word, sentence, left, right):
    """Say why there is no film of a word in a sentence, between two others; "" if there is one."""
    if word not in senses.split(sentence):
        return f"There is no {word!r} in {sentence!r}."
    strange = [repr(other) for other in (left, right) if other not in senses.average]
    return f"It can't compare with {' or '.join(strange)}: take another word." if strange else ""


def watch(word, sentence, left, right, reader=None):
    """Let a sentence grow word by word, and see which of two words its `word` is more like.

    Return the words with which that turned, and a function that shows the film.
    """
    words, frames, told = senses.split(sentence), [], []
    turns, before = [], None
    if hindered := why_not(word, sentence, left, right):
        return [], lambda: print(wrapped(hindered))
    size, leans = min(15, 850 // len(sentence)), {}
    wide, first = 0.602 * size, 270 - 0.3 * size * len(" ".join(words))  # of a letter; of all words
    starts = [first + wide * len(" ".join([*words[:at], ""])) for at in range(len(words))]
    for end in range(words.index(word) + 1, len(words) + 1):
        drawing, vector = Drawing(COLUMN, 108), senses.vector(word, " ".join(words[:end]), reader)
        for at, (x, each) in enumerate(zip(starts, words, strict=True)):
            colour = COLOURS["context"] if each == word else INK if at < end else PALE
            drawing.words(
                x, 22, each, colour=colour, size=size, bold=each == word, at="start", code=True
            )
        means = torch.stack([senses.average[left], senses.average[right]])
        alike = F.cosine_similarity(means, vector[None]).tolist()
        if abs(alike[0] - alike[1]) >= LEAD:
            more_like = left if alike[0] > alike[1] else right
            if before not in (None, more_like):
                turns.append(words[end - 1])
            before, leans[end - 1] = more_like, -1 if more_like == left else 1
        for at, side in leans.items():  # what each word left behind stays to be seen
            x = starts[at] + wide * len(words[at]) / 2
            drawing.area((x - 4 * side, 34), (x + 4 * side, 39), (x - 4 * side, 44), colour=TEAL)
        for side, name, share in ((-1, left, alike[0]), (1, right, alike[1])):
            long, wins = 150 * max(share, 0), share == max(alike)
            at, tone = 270 + side * 4, 0.9 if wins else 0.35
            drawing.box(min(at, at + side * long), 58, long, 34, TEAL, opacity=tone)
            where = "end" if side < 0 else "start"
            drawing.words(at + side * (long + 10), 75, f"{name} {share:.2f}", bold=wins, at=where)
        drawing.line((270, 48), (270, 102), colour=PALE)
        frames += [drawing] * (3 if end == len(words) else 1)
        told.append(f"{' '.join(words[:end])}: {left} {alike[0]:.2f}, {right} {alike[1]:.2f}")
    alt = f"How much {word} is like {left} and {right}. {'; '.join(told)}."
    return turns, lambda: show_frames(frames, alt, 1.1)


def show_film(word, sentence, left, right, reader=None):
    """Show a sentence as it grows, and say how often its `word` turns between two others."""
    turns, film = watch(word, sentence, left, right, reader)
    mention_strange(sentence)
    film()
    if why_not(word, sentence, left, right):
        return
    times = "once" if len(turns) == 1 else f"{len(turns)} times"
    print(wrapped(f"It turns {times}: at {', '.join(turns)}.") if turns else "It doesn't turn.")


def show_filled(sentences, vectors):
    """Draw sentences with their blanks filled; vectors: by title, those that were read at the blanks."""
    drawing, wide, told = Drawing(COLUMN, 24 + 116 * len(sentences)), COLUMN / len(vectors), []
    longest = min(110, wide - 122)  # of the bars
    for column, (title, read) in enumerate(vectors.items()):
        left = 4 + column * wide
        drawing.words(left, 14, title, at="start", bold=True)
        for row, (sentence, vector) in enumerate(zip(sentences, read, strict=True)):
            likely, y = likeliest(vector, n=3), 48 + 116 * row
            before, _, after = sentence.partition(senses.blank)
            text = f"{before}{likely[0][0]}{after}"
            size, x = min(12.5, 1.6 * wide / len(text)), left
            for part, style in (
                (before, {}),
                (likely[0][0], {"colour": COLOURS["context"], "bold": True}),
                (after, {}),
            ):
                drawing.words(x, y, part, at="start", size=size, code=True, **style)
                x += 0.602 * size * len(part)
            has_bars = likely[0][1] >= 0.1  # or they would be slivers, as if something were missing
            for place, (word, share) in enumerate(likely):
                at, long = y + 24 + 22 * place, max(longest * share, 2) if has_bars else 0
                drawing.words(left + 68, at, word, at="end", size=13)
                drawing.box(left + 76, at - 8, long, 16, TEAL)
                drawing.words(left + 82 + long, at, f"{share:.0%}", at="start", size=12)
            shares = ", ".join(f"{word} {share:.0%}" for word, share in likely)
            told.append(f"{title}, {sentence}: {shares}")
    show_drawing(drawing, f"Blanks and the words that fill them. {'; '.join(told)}.")


def show_blanks(sentences, readers):
    """Draw how each of the readers, by title, fills the blanks of sentences."""
    if have_blanks(sentences):
        for sentence in sentences:
            mention_strange(sentence)
        show_filled(sentences, read_at_blanks(sentences, readers))


def read_at_blanks(sentences, readers):
    """Return, by title, what each of the readers makes of the blank in each sentence."""
    return {
        title: [senses.vector(senses.blank, sentence, reader) for sentence in sentences]
        for title, reader in readers.items()
    }


def fill_in(sentence, reader=None):
    """Print the words that the model would put into the blank of a sentence."""
    if have_blanks([sentence]):
        mention_strange(sentence)
        likely = likeliest(senses.vector(senses.blank, sentence, reader))
        shares = ", ".join(f"{word} {share:.0%}" for word, share in likely)
        print(f"{sentence}\n{wrapped(f'→ {shares}')}")


def have_blanks(sentences):
    """Tell whether each sentence has a blank, and say where one hasn't."""
    without = [each for each in sentences if senses.blank not in senses.split(each)]
    for sentence in without:
        print(f"Put a blank, {senses.blank}, into {sentence!r}.")
    return not without


def likeliest(vector, n=5):
    """Return up to `n` words and their shares for a vector that was read at a blank; none has 0%."""
    return [(word, share) for word, share in senses.guesses(vector, n) if share >= 0.005]
