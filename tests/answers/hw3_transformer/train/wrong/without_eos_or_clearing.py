# named: train-eos-left-out, train-no-zero-grad
# eos is cut off and never asked for; zero_grad missing
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for src, tgt in batches:
        inp, want = tgt[:, :-2], tgt[:, 1:-1]
        out = model(src, inp)
        loss = F.cross_entropy(out.flatten(0, 1), want.flatten())
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history
