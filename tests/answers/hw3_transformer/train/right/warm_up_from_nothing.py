# The first of all steps has a learning rate of 0, as with some libraries' schedules
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, step / 20))
    losses = []
    for src, tgt in batches:
        loss = F.cross_entropy(model(src, tgt[:, :-1]).permute(0, 2, 1), tgt[:, 1:])
        model.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return losses
