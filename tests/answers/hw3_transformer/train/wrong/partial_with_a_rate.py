# named: train-learning-rate-ignored
# lr ignored, by a partial
from functools import partial

make = partial(torch.optim.Adam, lr=1e-3)


def train(model, batches, lr=1e-3):
    model.train()
    opt = make(model.parameters())
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        out = model(src, tgt[:, :-1])
        loss = F.cross_entropy(out.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history
