# named: train-eval-mode, train-loss-after-the-step
# eval mode, and the loss is measured again after the step
def train(model, batches, lr=1e-3):
    model.eval()
    opt = optim.Adam(model.parameters(), lr)
    total, history = 0.0, []
    for n, (src, tgt) in enumerate(batches, start=1):
        opt.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:])
        loss.backward()
        opt.step()
        history.append(F.cross_entropy(model(src, tgt[:, :-1]).transpose(1, 2), tgt[:, 1:]).item())
    return history
