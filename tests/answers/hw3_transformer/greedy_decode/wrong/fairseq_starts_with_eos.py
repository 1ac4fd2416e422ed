# named: decode-asks-after-eos
# adapted from fairseq, whose decoder input starts with eos: the model is asked after eos, and
# bos is only put in front of the result
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    prev_output_tokens = src.new_full((src.size(0), 1), eos)
    finished = torch.zeros(src.size(0), 1, dtype=torch.bool)
    for step in range(max_len - 1):
        lprobs = F.log_softmax(model(src, prev_output_tokens)[:, -1:, :], dim=-1)
        tokens = lprobs.max(-1)[1].masked_fill(finished, eos)
        prev_output_tokens = torch.cat([prev_output_tokens, tokens], dim=1)
        finished = finished | tokens.eq(eos)
        if finished.all():
            break
    return torch.cat(
        [torch.full_like(prev_output_tokens[:, :1], bos), prev_output_tokens[:, 1:]], dim=1
    )
