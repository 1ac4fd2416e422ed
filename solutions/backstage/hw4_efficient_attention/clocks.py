import time

torch.set_num_threads(1)  # so that a stopwatch tells of the work, not of the machine's other cores


def timed(function, *inputs, clock=time.perf_counter):
    """Return how many seconds a call takes."""
    began = clock()
    function(*inputs)
    return clock() - began


def shortest_time(function, *inputs, within=0.3, clock=time.perf_counter):
    """Return the shortest time of a call, of as many as fit into some seconds."""
    shortest, start = math.inf, time.perf_counter()
    while time.perf_counter() - start < within:
        shortest = min(shortest, timed(function, *inputs, clock=clock))
    return shortest


def shortest_times(attentions, rounds=3):
    """Return {name: (lengths, shortest times)} of attentions, which come as {name: (function, lengths)}.

    What disturbs the machine for a while doesn't last through all rounds.
    """
    # Of the processor's own clock, other programs take nothing; that of Windows is too coarse.
    clock = time.perf_counter if sys.platform == "win32" else time.thread_time
    times = {
        name: ([*lengths], [math.inf] * len(lengths)) for name, (_, lengths) in attentions.items()
    }
    for _ in range(rounds):
        for name, (attention, lengths) in attentions.items():
            for at, n in enumerate(lengths):
                inputs = torch.randn(3, 1, n, 16)
                taken = shortest_time(attention, *inputs, within=0.3 / rounds, clock=clock)
                times[name][1][at] = min(times[name][1][at], taken)
    return times


def seconds_for_one_more(n, way=None):
    """Return the shortest time that the model takes for the token after a text of `n` tokens."""
    numbers, way = manual(n), way or Recomputing(writer)
    timed(way, numbers[:64])
    return min(shortest_time(way, numbers, within=0.1) for _ in range(3))


def tokens_a_second(way, lengths):
    """Return how many tokens a second a model writes after texts of some lengths, growing."""
    rates = []
    for n in lengths:
        numbers, taken = manual(n), []
        if isinstance(way, ReadsOnce):
            way(numbers)  # to read it comes first; only what follows counts
        while not taken or (sum(taken) < 0.4 and len(taken) < 100):
            numbers.append(numbers[len(taken)])
            taken.append(timed(way, numbers))
        rates.append(1 / sorted(taken)[len(taken) // 2])
    return rates


def slope_at_end(lengths, times, doublings=3):
    """Return the slope of the straight line that fits the last doublings, both axes logarithmic."""
    n, seconds = (torch.tensor(each[-doublings - 1 :]).log() for each in (lengths, times))
    n = n - n.mean()
    return float((n * seconds).sum() / (n * n).sum())


def crossing(ours, theirs):
    """Return the length from which on the first of two (lengths, times) takes less time; in words if none."""
    found = "none of these"
    shared = list(zip(theirs[0], ours[1], theirs[1], strict=False))
    for n, mine, other in reversed(shared):
        if mine >= other:
            break
        found = n
    return found


def last_step(Q, K, V):
    """Take one cached step: that of the last token."""
    last = slice(-1, None)
    return cached_attention_step(Q[:, last], K[:, last], V[:, last], (K[:, :-1], V[:, :-1]))


@functools.cache
def kept_memory(*shape):
    """Return memory that is handed out once, and again at each later call."""
    return torch.empty(shape)


def full_in_blocks(Q, K, V, rows=128):
    """Do what `full_attention` does, some queries at a time, always in the same small memory."""
    scores, parts = kept_memory(1, min(rows, Q.shape[1]), K.shape[1]), []
    for queries in Q.split(rows, dim=1):
        torch.matmul(queries, K.transpose(-2, -1), out=scores)
        scores.div_(math.sqrt(Q.shape[-1]))
        scores.sub_(scores.amax(dim=-1, keepdim=True)).exp_()
        parts.append((scores @ V) / scores.sum(dim=-1, keepdim=True))
    return torch.cat(parts, dim=1)


def race(ways, n, text=None, length=100):
    """Let each way write after the first `n` tokens of a text; return {name: (tokens, seconds each)}.

    Who needs more than three seconds is stopped.
    """
    written = {}
    for way in ways:
        draw, numbers, taken = torch.Generator().manual_seed(1), manual(n, text), []
        if isinstance(way, ReadsOnce):
            way(numbers[:-1])  # the text is read before the start
        while len(taken) < length and sum(taken) < 3:
            began = time.perf_counter()
            shares = torch.softmax(way(numbers) / 0.4, dim=-1)
            numbers.append(int(torch.multinomial(shares, 1, generator=draw)))
            taken.append(time.perf_counter() - began)
        written[way.says] = numbers[n:], taken
    return written


def in_time(seconds):
    """Return a time in words."""
    for unit, name in ((3600, "h"), (60, "min"), (1, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:,.3g} {name}"
    return f"{seconds * 1e6:,.3g} µs"


def in_digits(number):
    """Return a number in words: whole if it is large."""
    return f"{number:,.0f}" if number >= 20 else f"{number:.2g}"
