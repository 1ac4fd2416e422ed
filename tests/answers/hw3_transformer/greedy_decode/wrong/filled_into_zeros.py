# named: decode-fills-up-with-zeros
# ended rows are filled with 0
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    B = src.shape[0]
    out = torch.zeros(B, max_len, dtype=torch.long)
    out[:, 0] = bos
    for b in range(B):
        for i in range(1, max_len):
            out[b, i] = model(src[b : b + 1], out[b : b + 1, :i])[0, -1].argmax()
            if out[b, i] == eos:
                break
    return out
