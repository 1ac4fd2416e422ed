# named: train-tensors
# harmless list(batches); tensors come back in place of floats
def train(model, batches, lr=1e-3):
    batches = list(batches)
    model.train()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    losses = []
    for i in range(len(batches)):
        src, tgt = batches[i]
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:])
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses
