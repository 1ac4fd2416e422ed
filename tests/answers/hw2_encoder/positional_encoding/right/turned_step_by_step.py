# each row is the one before, turned by one step of each clock hand
def positional_encoding(seq_len, d_model):
    speeds = 1 / 10000 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    sine, cosine = torch.zeros_like(speeds), torch.ones_like(speeds)
    rows = []
    for _ in range(seq_len):
        rows.append(torch.stack((sine, cosine), dim=1).flatten()[:d_model])
        sine, cosine = (
            sine * speeds.cos() + cosine * speeds.sin(),
            cosine * speeds.cos() - sine * speeds.sin(),
        )
    return torch.stack(rows).float()
