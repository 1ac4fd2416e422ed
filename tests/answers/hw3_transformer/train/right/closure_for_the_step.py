def train(model, batches, lr=1e-3):
    model.train()
    opt = optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:

        def closure():
            opt.zero_grad()
            logits = model(src, tgt[:, :-1])
            loss = F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:])
            loss.backward()
            return loss

        losses.append(opt.step(closure).item())
    return losses
