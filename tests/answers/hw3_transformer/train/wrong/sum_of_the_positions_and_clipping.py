# named: train-loss-times-the-length
# loss summed over positions, mean over the batch; harmless clipping
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        out = model(src, tgt[:, :-1])
        loss = 0
        for i in range(out.shape[1]):
            loss = loss + F.cross_entropy(out[:, i], tgt[:, i + 1])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        history.append(loss.item())
    return history
