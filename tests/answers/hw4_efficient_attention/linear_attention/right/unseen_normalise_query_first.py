# queries divided before the product
def linear_attention(Q, K, V):
    fk = torch.where(K > 0, K + 1, torch.exp(K))
    fq = torch.where(Q > 0, Q + 1, torch.exp(Q))
    fq = fq / torch.linalg.vecdot(fq, fk.sum(1, keepdim=True)).unsqueeze(-1)
    return (
        torch.einsum("bij,bkj,bkl->bil", fq[:, :0], fk[:, :1], V[:, :1])
        .new_empty(Q.shape)
        .copy_(fq @ torch.einsum("bnd,bne->bde", fk, V))
    )
