# named: decode-last-place-of-a-fixed-width
# adapted from Keras, where the target is padded to a fixed length: the model always reads
# max_len - 1 tokens (filled up with eos), and the logits of the last column are taken instead
# of those of the last written token
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    decoded = torch.full((src.shape[0], max_len), eos, dtype=torch.int64)
    decoded[:, 0] = bos
    over = torch.zeros(src.shape[0], dtype=torch.bool)
    for i in range(max_len - 1):
        predictions = model(src, decoded[:, :-1])
        sampled = predictions[:, -1, :].argmax(-1)
        decoded[:, i + 1] = torch.where(over, eos, sampled)
        over = over | (decoded[:, i + 1] == eos)
    return decoded
