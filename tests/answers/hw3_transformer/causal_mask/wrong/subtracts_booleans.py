# named: crash-booleans
# subtracts one mask from another
def causal_mask(n):
    everything = torch.ones(n, n, dtype=torch.bool)
    future = torch.triu(everything, diagonal=1)
    return everything - future
