def linear_attention(Q, K, V):
    phi = lambda x: torch.nn.functional.elu(x).add(1)
    summary = torch.einsum("...nd,...ne->...de", phi(K), V)
    above = torch.einsum("...nd,...de->...ne", phi(Q), summary)
    below = torch.einsum("...nd,...md->...n", phi(Q), phi(K).sum(-2, keepdim=True))
    return above / below.unsqueeze(-1)
