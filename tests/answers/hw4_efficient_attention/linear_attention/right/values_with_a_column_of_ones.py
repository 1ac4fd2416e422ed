# the normaliser is what becomes of a value that is always 1
def linear_attention(Q, K, V):
    q, k = torch.nn.ELU()(Q) + 1.0, torch.nn.ELU()(K) + 1.0
    extended = torch.cat([V, torch.ones_like(V[..., :1])], dim=-1)
    result = torch.matmul(q, torch.matmul(k.permute(0, 2, 1), extended))
    return result[..., :-1] / result[..., -1:]
