# named: train-running-mean
# running mean of the losses is returned
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history, total = [], 0.0
    for i, (src, tgt) in enumerate(batches, 1):
        opt.zero_grad()
        out = model(src, tgt[:, :-1])
        loss = F.cross_entropy(out.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        opt.step()
        total += loss.item()
        history.append(total / i)
    return history
