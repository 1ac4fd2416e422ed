# named: train-label-smoothing
# label smoothing
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        out = model(src, tgt[:, :-1])
        loss = F.cross_entropy(out.flatten(0, 1), tgt[:, 1:].flatten(), label_smoothing=0.1)
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history
