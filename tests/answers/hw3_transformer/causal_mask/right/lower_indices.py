def causal_mask(n):
    mask = torch.full((n, n), False)
    rows, columns = torch.tril_indices(n, n)
    mask[rows, columns] = True
    return mask
