# np.float64 is a float
import numpy as np


def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.RAdam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1]).permute(0, 2, 1)
        loss = F.cross_entropy(logits, tgt[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(np.float64(loss.item()))
    return losses
