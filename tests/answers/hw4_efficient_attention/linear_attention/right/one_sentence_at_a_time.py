class FeatureMap(torch.nn.Module):
    def forward(self, x):
        return F.elu(x) + 1


def linear_attention(Q, K, V):
    phi = FeatureMap()
    out = []
    for q, k, v in zip(phi(Q), phi(K), V):
        out.append((q @ (k.t() @ v)) / (q @ k.sum(0)).view(-1, 1))
    return torch.stack(out)
