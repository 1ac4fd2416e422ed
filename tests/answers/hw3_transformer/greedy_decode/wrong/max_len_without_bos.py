# named: decode-one-too-many
# harmless int(); max_len tokens after bos
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    max_len = int(max_len)
    batch_size = src.size(0)
    tgt = torch.full((batch_size, 1), bos, dtype=torch.long)
    finished = torch.zeros(batch_size, dtype=torch.bool)
    for _ in range(max_len):
        next_token = model(src, tgt)[:, -1].argmax(-1)
        next_token = torch.where(finished, torch.tensor(eos), next_token)
        tgt = torch.cat([tgt, next_token[:, None]], dim=1)
        finished = finished | next_token.eq(eos)
        if finished.all():
            break
    return tgt
