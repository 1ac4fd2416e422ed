def greedy_decode(model, src, bos, eos, max_len):
    was_training = model.training
    model.eval()
    columns = [torch.full((len(src),), bos)]
    alive = torch.ones(len(src), dtype=torch.bool)
    while alive.any() and len(columns) < max_len:
        with torch.no_grad():
            log_probabilities = model(src, torch.stack(columns, dim=1)).log_softmax(dim=-1)
        token = log_probabilities[:, -1].argmax(dim=-1)
        token[~alive] = eos
        columns.append(token)
        alive &= token != eos
    model.train(was_training)
    return torch.stack(columns, dim=1)
