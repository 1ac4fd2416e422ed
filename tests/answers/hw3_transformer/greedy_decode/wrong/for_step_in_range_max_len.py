# named: decode-one-too-many
# max_len tokens after bos: one too many; harmless clone
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    src = src.clone()
    seq = src.new_full((src.shape[0], 1), bos)
    over = torch.zeros(src.shape[0], dtype=torch.bool)
    for step in range(max_len):
        probs = model(src, seq)[:, -1, :].softmax(-1)
        best = probs.argmax(-1).masked_fill(over, eos)
        over |= best == eos
        seq = torch.cat((seq, best.view(-1, 1)), dim=-1)
        if over.all():
            return seq
    return seq
