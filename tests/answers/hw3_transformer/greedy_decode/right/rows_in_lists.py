# each row alone, in lists
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    def tell(one):
        text = [bos]
        for _ in range(max_len - 1):
            if text[-1] == eos and len(text) > 1:
                break
            *_, scores = model(one[None], torch.tensor(text)[None])[0]
            text += [max(range(len(scores)), key=lambda k: scores[k].item())]
        return text + [eos] * (max_len - len(text))

    return torch.tensor([tell(one) for one in src])
