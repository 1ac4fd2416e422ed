# φ without elu: exp(min(x, 0)) by expm1, and ReLU
def linear_attention(Q, K, V):
    def phi(x):
        return F.relu(x) + torch.expm1(-F.relu(-x)) + 1

    q, k = phi(Q), phi(K)
    return torch.matmul(q, torch.matmul(k.mT, V)) / torch.matmul(q, k.sum(1, keepdim=True).mT)
