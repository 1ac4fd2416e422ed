# rows that have ended leave the batch
@torch.no_grad()
def greedy_decode(model: nn.Module, src: torch.Tensor, bos: int, eos: int, max_len: int) -> torch.Tensor:
    """Rows that have ended leave the batch (as in vLLM)."""
    model.eval()
    texts: list[list[int]] = [[bos] for _ in range(len(src))]
    active = list(range(len(src)))
    while active and len(texts[active[0]]) < max_len:
        tgt = torch.tensor([texts[row] for row in active], dtype=torch.int64)
        _, found = model(src[active], tgt)[:, -1, :].max(dim=-1)
        for row, token in zip(active, found.tolist(), strict=True):
            texts[row].append(token)
        active = [row for row in active if texts[row][-1] != eos]
    width = max(map(len, texts))
    return torch.tensor([text + [eos] * (width - len(text)) for text in texts], dtype=torch.int64)
