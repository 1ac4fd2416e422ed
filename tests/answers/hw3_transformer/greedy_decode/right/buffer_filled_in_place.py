@torch.no_grad()
def greedy_decode(
    model: nn.Module, src: torch.Tensor, bos: int, eos: int, max_len: int
) -> torch.Tensor:
    result = src.new_full((src.shape[0], max_len), eos)
    result[:, 0] = bos
    for step in range(1, max_len):
        open_rows = (result[:, 1:step] != eos).all(dim=1)
        if not open_rows.any():
            return result[:, :step]
        best = model(src, result[:, :step])[:, step - 1].max(dim=1).indices
        result[open_rows, step] = best[open_rows]
    return result
