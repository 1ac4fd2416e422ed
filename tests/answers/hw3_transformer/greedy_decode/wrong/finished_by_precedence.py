# named: decode-ended-compared-with-eos
# done | token == eos means (done | token) == eos
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    batch = src.shape[0]
    tokens = torch.full((batch, 1), bos, dtype=torch.int64)
    done = torch.zeros(batch, dtype=torch.bool)
    for _ in range(max_len - 1):
        token = model(src, tokens)[:, -1, :].argmax(dim=-1)
        token = torch.where(done, eos, token)
        tokens = torch.cat((tokens, token[:, None]), dim=1)
        done = done | token == eos
        if done.all():
            break
    return tokens
