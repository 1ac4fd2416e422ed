# stack and flatten, and a module-level constant
BASE = 1e4


def positional_encoding(seq_len: int, d_model: int) -> torch.Tensor:
    exponent = torch.arange(0, d_model, 2, dtype=torch.double).div(d_model)
    angle = torch.einsum("p,i->pi", torch.arange(seq_len, dtype=torch.double), BASE**-exponent)
    return torch.stack([angle.sin(), angle.cos()], -1).flatten(1).narrow(1, 0, d_model).float()
