# The loss in float64, with a scheduler that does nothing
def train(model, batches, lr=1e-3):
    optimiser = torch.optim.Adam(model.parameters(), lr=lr, betas=(0.9, 0.98), eps=1e-9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1.0)
    losses = []
    for source, target in batches:
        model.train()
        log_p = torch.log_softmax(model(source, target[:, :-1]).double(), dim=2)
        rows, places = torch.meshgrid(*map(torch.arange, log_p.shape[:2]), indexing="ij")
        loss = -log_p[rows, places, target[:, 1:]].mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        scheduler.step()
        losses.append(float(loss.detach()))
    return losses
