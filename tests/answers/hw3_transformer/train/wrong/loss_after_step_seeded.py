# named: train-loss-after-the-step
# harmless seed; the loss is measured again after the step
def train(model, batches, lr=1e-3):
    torch.manual_seed(0)
    model.train()
    optimizer = optim.Adam(model.parameters(), lr=lr)

    def loss_of(src, tgt):
        logits = model(src, tgt[:, :-1])
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), tgt[:, 1:].reshape(-1))

    losses = []
    for src, tgt in batches:
        optimizer.zero_grad()
        loss_of(src, tgt).backward()
        optimizer.step()
        with torch.no_grad():
            losses.append(loss_of(src, tgt).item())
    return losses
