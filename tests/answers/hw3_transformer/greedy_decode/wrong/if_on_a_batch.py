# named: decode-batch-as-one-condition
# Asks a whole batch whether it has ended
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    tgt = torch.full((src.shape[0], 1), bos)
    while tgt.shape[1] < max_len:
        token = model(src, tgt)[:, -1].argmax(-1, keepdim=True)
        tgt = torch.cat((tgt, token), dim=1)
        if token == eos:
            break
    return tgt
