# named: train-batches-without-a-step
# gradient accumulation pasted in (accum = 2): the model moves after every second batch only,
# so a single batch teaches it nothing
def train(model, batches, lr=1e-3):
    model.train()
    accum = 2
    optimizer = optim.AdamW(model.parameters(), lr=lr)
    optimizer.zero_grad()
    losses = []
    for number, (src, tgt) in enumerate(batches, 1):
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten()) / accum
        loss.backward()
        losses.append(loss.item() * accum)
        if number % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
    return losses
