# named: train-targets-whole
# targets not shifted: whole target in, whole target asked
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    crit = nn.CrossEntropyLoss()
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        out = model(src, tgt)
        loss = crit(out.reshape(-1, out.size(-1)), tgt.reshape(-1))
        loss.backward()
        opt.step()
        history.append(float(loss))
    return history
