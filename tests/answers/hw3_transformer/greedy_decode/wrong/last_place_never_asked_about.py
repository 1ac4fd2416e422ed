# named: decode-eos-forced
# filled with eos beforehand, and the loop ends one place too early
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):

    answer = torch.full((src.size(0), max_len), eos, dtype=torch.long)
    answer[:, 0] = bos
    dead = torch.zeros(src.size(0), dtype=torch.bool)
    for pos in range(1, max_len - 1):
        guess = model(src, answer[:, :pos])[:, -1].argmax(1)
        answer[:, pos] = torch.where(dead, answer[:, pos], guess)
        dead = dead | (guess == eos)
    return answer
