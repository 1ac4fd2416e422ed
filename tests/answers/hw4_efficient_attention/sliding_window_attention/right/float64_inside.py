def sliding_window_attention(Q, K, V, window):
    q, k, v = Q.double(), K.double(), V.double()
    n = q.shape[1]
    neighbours = [torch.arange(max(0, i - window), min(n, i + window + 1)) for i in range(n)]
    result = torch.stack(
        [
            torch.einsum(
                "bk,bkd->bd",
                torch.softmax(
                    torch.einsum("bd,bkd->bk", q[:, i], k[:, near]) / q.shape[2] ** 0.5, 1
                ),
                v[:, near],
            )
            for i, near in enumerate(neighbours)
        ],
        dim=1,
    )
    return result.float()
