# Scores that are hidden are those that are infinite
def causal_mask(n):
    scores = torch.zeros(n, n).masked_fill(torch.ones(n, n).triu(1) == 1, float("-inf"))
    return torch.isfinite(scores)
