# named: linear-keys-without-features
# feature map on the queries only
def linear_attention(Q, K, V):
    Q = F.elu(Q) + 1
    K_sum = K.sum(dim=1, keepdim=True)
    KV = K.permute(0, 2, 1) @ V
    Z = torch.sum(Q * K_sum, dim=-1, keepdim=True)
    return Q @ KV / Z
