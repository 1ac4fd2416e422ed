# right; scipy's softmax, an ordered dictionary, a one-hot row
from collections import OrderedDict

from scipy.special import softmax as sp_softmax


def worked_example(X, W_Q, W_K, W_V, token):
    pick = np.eye(len(X))[token]
    done = OrderedDict()
    done["output"] = None
    done["query"] = pick @ X @ W_Q
    done["values"] = X @ W_V
    done["keys"] = X @ W_K
    done["scores"] = done["keys"] @ done["query"] / np.sqrt(W_Q.shape[-1])
    done["weights"] = sp_softmax(done["scores"])
    done["context"] = done["values"].T @ done["weights"]
    done["output"] = done["context"] + pick @ X
    return done
