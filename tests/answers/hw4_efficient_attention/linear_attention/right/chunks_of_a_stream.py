# the text in pieces of 256 tokens, as if it came over a wire: each adds to the summary
def linear_attention(Q, K, V):
    phi = torch.nn.ELU(alpha=1.0)
    d = Q.shape[-1]
    summary = torch.zeros(Q.shape[0], d, d + 1)
    for keys, values in zip(K.split(256, dim=1), V.split(256, dim=1)):
        with_one = F.pad(values, (0, 1), value=1.0)
        summary = summary + torch.einsum("bnd,bne->bde", phi(keys) + 1, with_one)
    pieces = [torch.einsum("bnd,bde->bne", phi(q) + 1, summary) for q in Q.split(256, dim=1)]
    result = torch.cat(pieces, dim=1)
    return result[:, :, :d] / result[:, :, d:]
