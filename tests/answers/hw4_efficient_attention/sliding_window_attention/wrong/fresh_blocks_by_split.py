# named: sliding-window-blocks
# blocks: the text is cut into pieces of 2w+1 and each token sees its own piece
def sliding_window_attention(Q, K, V, window):
    size = 2 * window + 1
    pieces = []
    for q, k, v in zip(Q.split(size, 1), K.split(size, 1), V.split(size, 1)):
        pieces.append(torch.softmax(q @ k.transpose(1, 2) / math.sqrt(Q.shape[-1]), -1) @ v)
    return torch.cat(pieces, 1)
