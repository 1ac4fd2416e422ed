# cos(a) = sin(a + π/2)
def positional_encoding(seq_len: int, d_model: int) -> torch.Tensor:
    """cos(a) = sin(a + π/2), so there is one formula for all columns."""
    pos = np.arange(seq_len, dtype=np.float64)[:, None]
    col = np.arange(d_model)[None, :]
    angle = pos / np.power(10000.0, (col - col % 2) / d_model) + (col % 2) * np.pi / 2
    return torch.from_numpy(np.sin(angle).astype(np.float32))
