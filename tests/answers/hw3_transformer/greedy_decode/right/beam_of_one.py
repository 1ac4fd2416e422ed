# beam search with one beam, a row at a time
@torch.inference_mode()
def greedy_decode(model, src, bos, eos, max_len):
    rows = []
    for s in src.split(1):
        beams = [(0.0, [bos])]
        while beams[0][1][-1] != eos and len(beams[0][1]) < max_len:
            score, text = beams.pop()
            log_p = model(s, torch.tensor([text]))[0, -1].log_softmax(0)
            value, token = log_p.topk(1)
            beams = sorted([(score + value.item(), text + [token.item()])], reverse=True)[:1]
        rows.append(beams[0][1])
    return torch.tensor([row + [eos] * (max_len - len(row)) for row in rows])
