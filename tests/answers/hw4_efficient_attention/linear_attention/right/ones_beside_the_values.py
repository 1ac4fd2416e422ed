# the denominator is one more value, which is 1
def linear_attention(Q, K, V):
    """The denominator is one more value, which is 1 for every key."""
    q, k = (F.elu(x) + 1 for x in (Q, K))
    both = q @ (k.transpose(1, 2) @ F.pad(V, (0, 1), value=1.0))
    return both[..., :-1] / both[..., -1:]
