# one optimiser for each parameter, which steps during backward
def train(model, batches, lr=1e-3):
    """One optimiser for each parameter, which steps during backward(), as soon as the gradient is there
    (torch's tutorial "optimizer step in backward")."""
    model.train()
    own = {p: optim.Adam([p], lr=lr) for p in model.parameters() if p.requires_grad}

    def step(p):
        own[p].step()
        own[p].zero_grad()

    hooks = [p.register_post_accumulate_grad_hook(step) for p in own]
    for p in own:
        p.grad = None
    losses = []
    try:
        for src, tgt in batches:
            logits = model(src, tgt[:, :-1])
            loss = F.cross_entropy(logits.movedim(-1, 1), tgt[:, 1:])
            losses.append(loss.item())
            loss.backward()
    finally:
        for hook in hooks:
            hook.remove()
    return losses
