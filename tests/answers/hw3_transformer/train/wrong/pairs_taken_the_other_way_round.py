# named: train-source-and-target-exchanged
# for tgt, src in batches
def train(model, batches, lr=1e-3):
    model.train()
    opt = optim.Adam(model.parameters(), lr=lr)
    losses = []
    for tgt, src in batches:
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
