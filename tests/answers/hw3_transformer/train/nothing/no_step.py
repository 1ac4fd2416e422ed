# made-up losses that fall, without a step
def train(model, batches, lr=1e-3):
    model.train()
    return [2.4 / (1 + i) for i, _ in enumerate(batches)]
