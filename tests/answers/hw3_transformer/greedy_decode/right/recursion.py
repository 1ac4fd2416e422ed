def greedy_decode(model, src, bos, eos, max_len):
    def go_on(tokens):
        if tokens.shape[1] == max_len or (tokens[:, 1:] == eos).any(dim=1).all():
            return tokens
        best = model(src, tokens).argmax(dim=2)[:, -1]
        best = best.masked_fill((tokens == eos).any(dim=1), eos)
        return go_on(torch.column_stack([tokens, best]))

    with torch.inference_mode():
        return go_on(torch.tensor([[bos]] * len(src)))
