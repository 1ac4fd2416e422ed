# one diagonal of the band at a time: score of every token with the one `distance` places away
def sliding_window_attention(Q, K, V, window):
    batch, n, d = Q.shape
    window = min(window, n - 1)
    diagonals = []
    for distance in range(-window, window + 1):
        scores = torch.full((batch, n), float("-inf"))
        first, last = max(0, -distance), min(n, n - distance)
        scores[:, first:last] = (Q[:, first:last] * K[:, first + distance : last + distance]).sum(
            -1
        ) * d**-0.5
        diagonals.append(scores)
    weights = torch.stack(diagonals).softmax(0)
    output = torch.zeros_like(V)
    for weight, distance in zip(weights, range(-window, window + 1)):
        first, last = max(0, -distance), min(n, n - distance)
        output[:, first:last] += (
            weight[:, first:last, None] * V[:, first + distance : last + distance]
        )
    return output
