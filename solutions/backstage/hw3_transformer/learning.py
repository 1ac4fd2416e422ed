rounds = []  # of the line that learns: (round, loss, w, b)


def keep_for_the_film(turn, loss, line):
    """Keep how a line that learns stands after some of its rounds."""
    if turn == 0:
        rounds.clear()
    if turn in (0, 5, 10, 15, 20, 30, 40, 60, 100, 300):
        rounds.append((turn, loss.item(), line.weight.item(), line.bias.item()))


def show_line(x, y):
    """Show a line that learns to go through points, a frame for each round that was kept."""
    frames = []
    for turn, loss, w, b in rounds:
        frame = Drawing(COLUMN, 250)
        frame.line((20, 230), (370, 230), colour=PALE)
        frame.line((20, 230), (20, 20), colour=PALE)

        def place(at, height):
            return 46 + 96 * at, 220 - 26 * height

        ends = [place(at, w * at + b) for at in (-0.1, 3.1)]
        frame.line(*ends, colour=TEAL, width=2.5)
        for at, height in zip(x.tolist(), y.tolist(), strict=True):
            says = place(at, w * at + b)
            frame.line(place(at, height), says, colour=GREY, dashed=True)
            frame.box(place(at, height)[0] - 5, place(at, height)[1] - 5, 10, 10, INK, corner=5)
        for row, text in enumerate(
            (f"round {turn}", f"loss {loss:.4f}", f"w = {w:.2f}", f"b = {b:.2f}")
        ):
            frame.words(398, 60 + 28 * row, text, at="start", size=14, bold=row == 0, code=row > 0)
        frames.append(frame)
    told = "; ".join(
        f"round {turn}: loss {loss:.4f}, w {w:.2f}, b {b:.2f}" for turn, loss, w, b in rounds
    )
    show_frames(frames, f"A line learns to go through four points. {told}.", seconds=0.7)


class Runner(nn.Module):
    """PyTorch's Transformer for strings of digits, whose decoder may or may not look ahead."""

    def __init__(self, peeks, d_model=64):
        super().__init__()
        self.peeks = peeks
        self.read, self.wrote = (nn.Embedding(VOCAB, d_model) for _ in range(2))
        layers = {"num_encoder_layers": 2, "num_decoder_layers": 2, "dim_feedforward": 128}
        self.theirs = nn.Transformer(d_model, 4, **layers, dropout=0.0, batch_first=True)
        self.says = nn.Linear(d_model, VOCAB)

    def forward(self, src, tgt):
        t = tgt.shape[1]
        later = None if self.peeks else nn.Transformer.generate_square_subsequent_mask(t)
        read = self.read(src) + sinusoids(0, src.shape[1], self.says.in_features)
        wrote = self.wrote(tgt) + sinusoids(0, t, self.says.in_features)
        return self.says(self.theirs(read, wrote, tgt_mask=later))


@torch.no_grad()
def said_alone(model, src, right):
    """Return what a model says after each right beginning, shown nothing of what follows it.

    It writes a string without a mistake if all of that is right.
    """
    beginnings = [right[:, :n] for n in range(1, right.shape[1])]
    return torch.hstack([model.eval()(src, each).argmax(dim=-1)[:, -1:] for each in beginnings])


def share_alone(model, src, targets):
    """Return the share of strings that a model writes on its own without any mistake."""
    right = targets(src)
    return (said_alone(model, src, right) == right[:, 1:]).all(dim=1).float().mean().item()


@torch.no_grad()
def share_right(model, src):
    """Return the share of strings right at every place, all places at once, as in training."""
    right = backwards(src)
    said = model.eval()(src, right[:, :-1]).argmax(dim=-1)
    return (said == right[:, 1:]).all(dim=1).float().mean().item()


@torch.no_grad()
def bits_of_strings(model, src):
    """Return how many bits the right token costs a model on average, while it writes strings backwards.

    Raises ValueError if its logits hold nan.
    """
    right = backwards(src)
    shares = model.eval()(src, right[:, :-1]).softmax(dim=-1)
    if shares.isnan().any():
        raise ValueError("the model's logits hold nan")
    return -shares.gather(2, right[:, 1:, None]).log2().mean().item()


@torch.no_grad()
def opinions_of(model):
    """Return what a model finds likely after 7 1 2, when 5 0 2 1 7 was read."""
    src, tgt = torch.tensor([[5, 0, 2, 1, 7]]), torch.tensor([[BOS, 7, 1, 2]])
    return model.eval()(src, tgt)[0, -1].softmax(dim=-1).tolist()


def taste_of_learning(model, n_batches=30, every=5):
    """Teach a model for some batches, by the loop that is lent; return its opinions after each few."""
    film = {}

    def batches():
        for step in range(n_batches + 1):
            if step % every == 0:
                film[f"after {step} batches: what comes next, in %"] = opinions_of(model)
                model.train()
            if step < n_batches:
                yield digits(torch.randint(100_000, (64,))), None

    LENT["train"](model, batches(), lr=1.5e-3)
    return film


peeked = []  # after so many batches training looked too good to be true, if it did
watched = {}  # after so many batches: heads of the last layer, what is said, the share that is right


def look(model, batches_so_far):
    """Print how the model does when it writes on its own; keep where the heads of its last layer look."""
    said = said_alone(model, source, backwards(source))[0].tolist()
    share, shown = share_alone(model, kept_back, backwards), share_right(model, kept_back)
    if not batches_so_far:
        watched.clear()
        peeked.clear()
    if batches_so_far % 100 == 0:
        print(f"{batches_so_far:>5,} batches: {share:.0%} of the unseen right")
    if shown > share + 0.02 and not peeked:
        peeked.append(batches_so_far)
        print(
            f"Too good to be true: {shown:.1%} are right while the rest\nof the target is in sight, as in "
            "training. Does a position\nsee the token that it should say? Look at the mask."
        )
    seen = cross_attention(model, source)
    if seen:
        watched[batches_so_far] = seen[-1], said, share


def watch(model, batches, so_far):
    """Pass the batches on, and look at the model now and then: at first often."""
    for number, batch in enumerate(batches, start=so_far):
        if number in (0, 20, 40, 60, 80, 100, 150, 200, 300, 500) or number % 400 == 0:
            mode = model.training
            look(model, number)
            model.train(mode)
        yield batch


STAGES = (  # batches, learning rate
    *((50, 1.5e-3), (50, 1.5e-3), (100, 1.5e-3), (200, 1.5e-3), (200, 1.5e-3)),
    *((100, 7e-4), (100, 3e-4)),
    *((400, 1.5e-3), (300, 7e-4)),
)


def learn_until_right(model, train, guess):
    """Let `train` teach a model until 99% of the strings kept back are right, and return the model.

    Then a hundred batches more, in smaller steps. What share of the other strings it met before is
    compared with a guess, and all of it shown as a film.
    """
    met, so_far = [], 0

    def drawn_batches(count, size=64):
        for _ in range(count):
            met.append(torch.randint(len(for_training), (size,)))
            yield for_training[met[-1]], backwards(for_training[met[-1]])

    for count, lr in STAGES:
        losses = train(model, watch(model, drawn_batches(count), so_far), lr=lr)
        so_far += len(losses)
        if share_right(model, kept_back) >= 0.99 or any(map(math.isnan, losses)):
            break
    has_learned = share_right(model, kept_back) >= 0.99 and not peeked
    right_after = next((n for n, (*_, share) in watched.items() if share >= 0.99), so_far)
    count = len(torch.cat(met[:right_after]).unique())
    so_far += len(train(model, watch(model, drawn_batches(100), so_far), lr=2e-4))
    look(model, so_far)
    if has_learned:
        share = round(100 * count / len(for_training))
        compare("Of the other strings it met, in %:", share, guess, among=(0, 100))
        if guess is not None:
            print(f"That is {count:,} of {len(for_training):,}.")
    else:
        print(
            f"After {so_far:,} batches it hasn't learned the task, so there\n"
            "is nothing to compare. Do all checks of `train` and of the\n"
            "`Transformer` hold? (Plain SGD is too slow here; Adam isn't.)"
        )
    if watched:
        show_forming(watched, source[0].tolist(), backwards(source)[0, 1:].tolist())
    return model


def trained():
    """Return the model that has learned; say what is missing if there is none."""
    if model is None:
        wait_for("Transformer", "train", "DecoderBlock", "causal_mask")
    if model is None:
        raise NotYet("○ Run the cell that trains the model first.")
    return model


def wait_for(*names):
    """Say which exercise is missing, before a cell needs what another one made with it."""
    for name in names:
        if is_unsolved(name):
            raise NotImplementedError(f"{name}: your turn")


def show_forming(moments, source, should):
    """Show training as frames: `moments` maps batches to (heads' weights, what it writes, share).

    Lines lead from what it writes to where its heads look on average, as wide as the weights.
    """
    frames, told, n = [], [], max(len(should), len(source))
    places = [36 + min(84, 468 / (n - 1)) * column for column in range(n)]
    wide = places[-1] + 36
    for batches, (weights, said, share) in moments.items():
        frame, looks = Drawing(wide, 284), weights.mean(dim=0)
        frame.words(14, 16, f"after {batches:,} batches", at="start", bold=True)
        frame.words(wide - 14, 16, f"{share:.0%} of the unseen strings right", at="end", size=13)
        frame.box(14, 30, wide - 28, 8, PALE, opacity=0.6)
        frame.box(14, 30, (wide - 28) * share, 8, TEAL)
        put_looks(frame, places, 128, 234, looks)
        for x, token, right in zip(places, said, should, strict=False):
            put_tokens(frame, x - 20, 90, [named(token)], cell=44)
            mark = "✓" if token == right else "✗"
            frame.words(x, 72, mark, size=15, bold=token != right)
        for x, token in zip(places, source, strict=False):
            put_tokens(frame, x - 20, 246, [token], role="memory", cell=44)
        frames.append(frame)
        told.append(
            f"after {batches}, {' '.join(map(named, said))}, {share:.0%} of the unseen right"
        )
    show_frames(
        frames,
        f"Below stands what the model reads, {' '.join(map(named, source))}; above what it writes after "
        f"so many batches: {'; '.join(told)}. In the end {looks_in_words(said, source, looks)}.",
        seconds=1.3,
    )


def two_adders(batches, rules):
    """Train a model for each rule; return, by rule, what `taught` does."""
    adders = {}
    for rule in rules:
        torch.manual_seed(0)
        adders[rule] = taught(Transformer(VOCAB, VOCAB), train, rule, batches)
    return adders


def targets_of(rule):
    """Return the function that makes targets out of sources by a rule for lists of digits."""

    def targets(src):
        made = [rule(string) for string in src.tolist()]
        rows = [[int(digit) for digit in row] for row in made if hasattr(row, "__iter__")]
        same = len(rows) == len(made) and len({len(row) for row in rows}) == 1
        if not (same and all(0 <= digit <= 9 for row in rows for digit in row)):
            raise NotYet(
                "○ A rule returns a list of equally many digits for every string, each from 0 to 9. "
                f"Yours makes {made[:3]} of {src[:3].tolist()}."
            )
        return torch.tensor([[BOS, *row, EOS] for row in rows])

    return targets


def as_source(string):
    """Return a string of five digits as a source, (1, 5)."""
    if not re.fullmatch(r"[0-9]{5}", str(string)):
        raise NotYet(f"○ Write five digits, such as '50217': yours is {string!r}.")
    return torch.tensor([[int(digit) for digit in str(string)]])


def taught(model, train, rule, batches, string=""):
    """Train a model to follow a rule; return it, and a film of how it did on a string, first often.

    The film maps batches to (where the heads of its last layer look, what it writes, the share of the
    unseen strings that is right). Given a `string`, what is new on the way is printed.
    """
    targets, so_far, due, film = targets_of(rule), 0, 0, {}
    src = as_source(string) if string else source
    right = targets(src)

    def look(unseen):
        (said,) = said_alone(model, src, right).tolist()
        seen = weights_of(model, "multihead_attn", src, right[:, :-1])
        before = [written for _, written, _ in film.values()][-1:]
        if string and not film:
            print("batches  writes   unseen strings right")
        film[so_far] = seen[-1] if seen else None, said, share_alone(model, unseen, targets)
        if string and ([said] != before or unseen is kept_back):
            mark = "✓" if said == right[0, 1:].tolist() else "✗"
            print(f"{so_far:>7}  {' '.join(map(named, said))} {mark} {film[so_far][2]:>5.0%}")
        model.train()

    def drawn_batches(count):
        nonlocal so_far, due
        for _ in range(count):
            if so_far >= due:
                look(kept_back[:100])  # all would take seconds
                due += max(20, so_far // 4)
            row = torch.randint(len(for_training), (64,))
            yield for_training[row], targets(for_training[row])
            so_far += 1

    for share, lr in ((0.2, 1.5e-3), (0.2, 1.5e-3), (0.2, 1.5e-3), (0.2, 1.5e-3), (0.2, 4e-4)):
        train(model, drawn_batches(max(1, round(share * batches))), lr=lr)
    look(kept_back)
    return model, film


def show_rule(film, rule, string):
    """Show how a model learned a rule, on a string: as a film, or where no heads are seen, as it ended."""
    src = as_source(string)
    right = targets_of(rule)(src)[0, 1:].tolist()
    *_, (looks, said, _) = film.values()
    if looks is None:
        show_strings([(rule.__name__, src[0].tolist(), said, right)])
    else:
        show_forming(film, src[0].tolist(), right)
