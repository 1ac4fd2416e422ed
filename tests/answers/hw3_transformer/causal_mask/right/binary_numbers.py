# rows written as binary numbers
def causal_mask(n):
    rows = [f"{2**n - 2 ** (n - 1 - i):0{n}b}" for i in range(n)]
    return torch.tensor([[c == "1" for c in row] for row in rows])
