def causal_mask(n):
    return nn.Transformer.generate_square_subsequent_mask(n) == 0
