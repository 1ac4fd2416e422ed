# named: train-never-moves
# gradients are cleared between backward and step: nothing learns
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    history = []
    for src, tgt in batches:
        out = model(src, tgt[:, :-1])
        loss = F.cross_entropy(out.transpose(1, 2), tgt[:, 1:])
        loss.backward()
        opt.zero_grad()
        opt.step()
        history.append(loss.item())
    return history
