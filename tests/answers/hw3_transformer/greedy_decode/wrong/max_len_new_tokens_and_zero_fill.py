# named: decode-fills-up-with-zeros, decode-one-too-many
# max_len new tokens besides bos; fills with 0
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    out = src.new_full((len(src), 1), bos)
    done = torch.zeros(len(src), 1, dtype=torch.bool)
    for step in range(max_len):
        token = model(src, out)[:, -1:].argmax(-1)
        token = token.masked_fill(done, 0)
        out = torch.cat([out, token], dim=-1)
        done |= token == eos
        if done.all():
            break
    return out
