# named: positions-from-one
# positions count from 1; beside a harmless float64 table that is cast, and requires_grad off
def positional_encoding(seq_len: int, d_model: int) -> torch.Tensor:
    pe = torch.zeros(seq_len, d_model, dtype=torch.float64)
    position = torch.linspace(1, seq_len, seq_len, dtype=torch.float64)[:, None]
    div_term = torch.exp(
        torch.arange(0, d_model, 2, dtype=torch.float64) * -(np.log(1e4) / d_model)
    )
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
    pe.requires_grad_(False)
    return pe.float()
