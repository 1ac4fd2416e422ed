# named: linear-relu-plus-one
# relu in place of elu; harmless contiguous
def linear_attention(Q, K, V):
    phi = lambda x: F.relu(x.contiguous()) + 1
    Kt = phi(K).transpose(-2, -1).contiguous()
    return (phi(Q) @ (Kt @ V)) / (phi(Q) @ Kt.sum(-1, keepdim=True))
