# a class whose method yields the losses; gradients are cleared after each step
class _Trainer:
    def __init__(self, model, lr):
        self.model, self.optimizer = model.train(), torch.optim.RAdam(model.parameters(), lr)

    def losses(self, batches):
        for src, tgt in batches:
            whole = self.model(src, tgt)[:, :-1]
            per_token = F.cross_entropy(
                whole.reshape(-1, whole.size(-1)), tgt[:, 1:].reshape(-1), reduction="none"
            )
            loss = per_token.sum() / per_token.numel()
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            yield float(loss)


def train(model, batches, lr=1e-3):
    model.zero_grad()
    return list(_Trainer(model, lr).losses(batches))
