# named: train-axes-read-on
# odd style; logits.view(batch, vocab, t) in place of a transpose: scrambled classes
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    losses = []
    for src, tgt in batches:
        inputs, labels = tgt[:, :-1], tgt[:, 1:]
        logits = model(src, inputs)
        b, t, v = logits.shape
        loss = criterion(logits.reshape(b, v, t), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
