# named: train-eos-left-out, train-learning-rate-ignored
# Adam always takes 1e-3, and EOS is never a target
def train(
    model: nn.Module, batches: Iterable[tuple[torch.Tensor, torch.Tensor]], lr: float = 1e-3
) -> list[float]:
    model.train()
    optimiser = optim.Adam(model.parameters(), lr=1e-3)
    losses = []
    for src, tgt in batches:
        tgt = tgt[:, :-1]
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), tgt[:, 1:].reshape(-1))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses
