import numpy as np


def find_the_bug():
    """Two queries, three keys and four features: every size is another one."""
    rng = np.random.default_rng(11)
    n, m, d_k, d_v = 2, 3, 4, 5
    Q, K, V = (
        3 * rng.standard_normal(shape).astype(np.float32)
        for shape in ((n, d_k), (m, d_k), (m, d_v))
    )
    why = "K.shape[0] is the number of keys, not how long they are."
    return "s10", (Q, K, V), why
