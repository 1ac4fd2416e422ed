# named: train-no-zero-grad, train-zero-grad-once
# A learning rate that grows, and gradients that are never cleared
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=0.01)
    warm_up = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.01, total_iters=100)
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        warm_up.step()
        losses.append(loss.item())
    return losses
