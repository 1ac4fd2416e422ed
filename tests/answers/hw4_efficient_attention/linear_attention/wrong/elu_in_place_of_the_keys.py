# named: linear-changes-its-input
# f.elu works in place on K, so the caller's keys are changed
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K, inplace=True) + 1
    summary = torch.bmm(k.transpose(1, 2), V)
    total = k.sum(dim=1).unsqueeze(2)
    return torch.bmm(q, summary) / torch.bmm(q, total)
