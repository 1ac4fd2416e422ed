# named: train-losses-in-bits
# adapted from fairseq, which logs losses in base 2: the floats are divided by log 2 (bits and
# not nats), although the steps are right
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    logging_outputs = []
    for src, tgt in batches:
        optimizer.zero_grad()
        lprobs = F.log_softmax(model(src, tgt[:, :-1]), dim=-1)
        target = tgt[:, 1:].reshape(-1)
        loss = F.nll_loss(lprobs.reshape(-1, lprobs.size(-1)), target, reduction="sum")
        sample_size = target.numel()
        (loss / sample_size).backward()
        optimizer.step()
        logging_outputs.append(loss.item() / sample_size / math.log(2))
    return logging_outputs
