def train(model, batches, lr=1e-3):
    opt = torch.optim.Adam(
        params=[p for p in model.parameters() if p.requires_grad], lr=lr, betas=(0.9, 0.98)
    )
    losses = []
    it = iter(batches)
    while True:
        try:
            src, tgt = next(it)
        except StopIteration:
            return losses
        model.train()
        for p in model.parameters():
            p.grad = None
        logits = model(src, tgt)[:, :-1]
        ce = nn.CrossEntropyLoss(reduction="none")(logits.permute(0, 2, 1), tgt[:, 1:])
        ce.mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        losses += [float(ce.detach().mean())]
