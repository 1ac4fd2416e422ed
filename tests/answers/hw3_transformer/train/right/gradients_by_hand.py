def train(model, batches, lr=1e-3):
    model.train()
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.Adam(parameters, lr=lr, amsgrad=True)
    losses = []
    for batch in batches:
        src, tgt = batch
        read, wanted = tgt[..., :-1], tgt[..., 1:]
        loss = nn.NLLLoss()(F.log_softmax(model(src, read), dim=-1).flatten(0, 1), wanted.flatten())
        for p, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
            p.grad = gradient
        optimiser.step()
        losses.append(loss.item())
    return losses
