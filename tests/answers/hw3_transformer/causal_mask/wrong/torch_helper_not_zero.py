# named: mask-true-means-hidden
# harmless assert; takes where torch's own mask is not zero: True = hidden
def causal_mask(n):
    assert n >= 1, "need at least one token"
    m = nn.Transformer.generate_square_subsequent_mask(n)
    return (m != 0).clone()
