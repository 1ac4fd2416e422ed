# named: train-logits-squeezed, crash-axis
# squeeze() removes axes of length 1 from the logits, so a batch of one fails with an error
def train(model, batches, lr=1e-3):
    model.train()
    opt = optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1]).squeeze()
        y = tgt[:, 1:]
        loss = F.cross_entropy(logits.transpose(1, 2), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
