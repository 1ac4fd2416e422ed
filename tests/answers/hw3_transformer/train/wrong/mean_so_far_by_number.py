# named: train-running-mean
# the mean of all losses so far comes back for each batch
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    total, averages = 0.0, []
    for number, (src, tgt) in enumerate(batches, start=1):
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        averages.append(total / number)
    return averages
