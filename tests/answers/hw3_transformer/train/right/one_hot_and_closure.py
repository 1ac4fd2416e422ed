def train(model: nn.Module, batches, lr: float = 1e-3) -> list[float]:
    model.train(True)
    optimiser, losses = torch.optim.Adamax(model.parameters(), lr=lr), []
    for source, target in iter(batches):

        def closure():
            optimiser.zero_grad()
            logits = model(source, target[:, :-1])
            right = F.one_hot(target[:, 1:], logits.shape[-1])
            each = torch.logsumexp(logits, dim=-1) - (logits * right).sum(dim=-1)
            loss = each.sum() / each.numel()
            loss.backward()
            return loss

        losses.append(optimiser.step(closure).item())
    return losses
