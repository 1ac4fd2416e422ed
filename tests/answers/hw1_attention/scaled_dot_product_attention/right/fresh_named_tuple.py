# right; a named tuple, a callable object
from typing import NamedTuple


class Attended(NamedTuple):
    weights: np.ndarray
    context: np.ndarray


class _Attend:
    def __call__(self, Q, K, V):
        S = np.tensordot(Q, K, axes=([1], [1])) * np.reciprocal(np.sqrt(float(Q.shape[1])))
        A = np.apply_along_axis(softmax, 1, S)
        return Attended(A, np.tensordot(A, V, axes=1))


scaled_dot_product_attention = _Attend()
