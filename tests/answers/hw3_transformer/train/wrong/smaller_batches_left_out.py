# named: train-smaller-batches-left-out
# batches with fewer rows than the first are skipped
def train(model, batches, lr=1e-3):
    model.train()
    opt = optim.Adam(model.parameters(), lr=lr)
    ce = nn.CrossEntropyLoss()
    size = None
    out = []
    for src, tgt in iter(batches):
        size = size or len(src)
        if len(src) < size:
            continue
        loss = ce(torch.movedim(model(src, tgt[:, :-1]), -1, 1), tgt[:, 1:])
        opt.zero_grad()
        loss.backward()
        opt.step()
        out.append(float(loss.item()))
    return out
