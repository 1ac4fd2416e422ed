# named: train-loss-after-the-step
# loss measured after the step
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)

    def measure(src, tgt):
        out = model(src, tgt[:, :-1])
        return F.cross_entropy(out.flatten(0, 1), tgt[:, 1:].flatten())

    history = []
    for src, tgt in batches:
        opt.zero_grad()
        measure(src, tgt).backward()
        opt.step()
        history.append(measure(src, tgt).item())
    return history
