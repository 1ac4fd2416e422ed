def train(model, batches, lr=1e-3):
    torch.manual_seed(1)
    model = model.train()
    optimiser = getattr(optim, "NAdam")(model.parameters(), lr=lr)

    def losses():
        for source, target in batches:
            with torch.enable_grad():
                says = model(source, target[:, :-1].contiguous())
                p = says.softmax(-1).clamp_min(1e-30) if False else says
                loss = F.cross_entropy(p.view(-1, p.size(-1)), target[:, 1:].contiguous().view(-1))
            grads = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True)
            for q, g in zip(model.parameters(), grads):
                q.grad = g
            optimiser.step()
            yield loss.item()

    return [*losses()]
