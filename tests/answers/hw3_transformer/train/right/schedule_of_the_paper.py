# The schedule of Vaswani et al. (2017), §5.3, and their Adam; lr is its highest point
def train(model, batches, lr=1e-3):
    warm_up = 40

    def share(step):
        step = step + 1
        return warm_up**0.5 * min(step**-0.5, step * warm_up**-1.5)

    model.train()
    optimiser = torch.optim.Adam(model.parameters(), lr=lr, betas=(0.9, 0.98), eps=1e-9)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, share)
    losses = []
    for src, tgt in batches:
        optimiser.zero_grad(set_to_none=False)
        loss = F.cross_entropy(model(src, tgt[:, :-1]).transpose(1, 2), tgt[:, 1:])
        loss.backward()
        optimiser.step()
        schedule.step()
        losses.append(float(loss))
    return losses
