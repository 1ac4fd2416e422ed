# Chooses in NumPy, in double precision
import numpy as np


def greedy_decode(model, src, bos, eos, max_len):
    rows = np.full((len(src), 1), bos, dtype=np.int64)
    while rows.shape[1] < max_len and not (rows[:, 1:] == eos).any(axis=1).all():
        with torch.no_grad():
            logits = model(src, torch.from_numpy(rows))[:, -1].double().numpy()
        following = np.where((rows[:, 1:] == eos).any(axis=1), eos, logits.argmax(axis=1))
        rows = np.hstack([rows, following[:, None]])
    return torch.from_numpy(rows)
