# named: cache-not-scaled, cache-weights-of-the-first-sentence
# weights of the first sentence alone, not scaled
def cached_attention_step(q, k, v, cache):
    keys, values = (
        (k, v) if cache is None else (torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1))
    )
    scores = torch.einsum("d,td->t", q[0, 0], keys[0])
    w = scores.softmax(0)
    return torch.einsum("t,btd->bd", w, values).unsqueeze(1), (keys, values)
