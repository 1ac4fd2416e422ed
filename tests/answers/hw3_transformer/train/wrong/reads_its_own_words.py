# named: train-no-teacher-forcing
# no teacher forcing: the model reads its own answers
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        read = tgt[:, :1]
        for _ in range(tgt.shape[1] - 2):
            nxt = model(src, read)[:, -1].argmax(-1, keepdim=True)
            read = torch.cat([read, nxt], 1)
        out = model(src, read)
        loss = F.cross_entropy(out.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history
