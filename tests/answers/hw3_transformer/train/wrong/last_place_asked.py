# named: train-last-token-only
# only the last position is asked
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        loss = F.cross_entropy(model(src, tgt[:, :-1])[:, -1], tgt[:, -1])
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history
