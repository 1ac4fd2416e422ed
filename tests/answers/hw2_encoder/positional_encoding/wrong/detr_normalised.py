# named: positions-as-parts-of-a-turn
# as in DETR (normalize=True), positions count from 1, are divided by the last and multiplied
# by 2 pi, so a position's row depends on the table's length
def positional_encoding(seq_len, d_model):
    embed = torch.ones(seq_len).cumsum(0, dtype=torch.float32)
    embed = embed / (embed[-1:] + 1e-6) * 2 * math.pi
    dim_t = torch.arange(d_model, dtype=torch.float32)
    dim_t = 10000 ** (2 * torch.div(dim_t, 2, rounding_mode="floor") / d_model)
    pos = embed[:, None] / dim_t
    out = torch.empty(seq_len, d_model)
    out[:, 0::2] = pos[:, 0::2].sin()
    out[:, 1::2] = pos[:, 1::2].cos()
    return out
