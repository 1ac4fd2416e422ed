# named: decode-goes-on-after-eos
# odd style (recursion); rows that ended go on writing what the model says
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()

    def write(so_far):
        if so_far.shape[1] >= max_len or (so_far == eos).any(dim=1).all():
            return so_far
        following = model(src, so_far)[:, -1].topk(1).indices
        return write(torch.hstack([so_far, following]))

    return write(torch.tensor([[bos]] * len(src)))
