def causal_mask(n):
    if n == 1:
        return torch.tensor([[True]])
    wider = F.pad(causal_mask(n - 1), (0, 1), value=False)
    return torch.cat([wider, torch.ones(1, n, dtype=torch.bool)])
