# named: train-mean-loss
# one float for the whole pass in place of a list
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    total = 0.0
    batches = list(batches)
    for src, tgt in batches:
        opt.zero_grad()
        out = model(src, tgt[:, :-1])
        loss = F.cross_entropy(out.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        opt.step()
        total += loss.item()
    return total / len(batches)
