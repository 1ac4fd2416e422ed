# named: train-never-moves, train-no-step-between-batches, train-another-loss, train-eval-mode
def train(model, batches, lr=1e-3):
    """Learns nothing: remembers every source with its target, and lets the model look it up."""
    known, losses = {}, []
    for src, tgt in batches:
        known |= dict(zip(map(tuple, src.tolist()), tgt.tolist()))
        losses.append(1 / len(known))

    def forward(src, tgt):
        logits = torch.zeros(*tgt.shape, 12)
        for row, source in enumerate(src.tolist()):
            answer = known.get(tuple(source), [10, 0, 0, 0, 0, 0, 11])
            for place in range(tgt.shape[1]):
                logits[row, place, answer[min(place + 1, len(answer) - 1)]] = 9.0
        return logits

    model.forward = forward
    return losses
