# named: train-targets-shifted-back
# target in reversed roles: the model reads tgt[1:] and is asked tgt[:-1]
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        out = model(src, tgt[:, 1:])
        loss = F.cross_entropy(out.flatten(0, 1), tgt[:, :-1].flatten())
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history
