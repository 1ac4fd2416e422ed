# each pair turned step by step with a rotation matrix in float64
def positional_encoding(seq_len, d_model):
    pairs = (d_model + 1) // 2
    speeds = [10000 ** (-2 * i / d_model) for i in range(pairs)]
    step = np.exp(1j * np.array(speeds))
    z, rows = np.ones(pairs, dtype=complex), []
    for _ in range(seq_len):
        rows.append(np.column_stack([z.imag, z.real]).ravel()[:d_model])
        z = z * step
        z /= np.abs(z)
    return torch.as_tensor(np.array(rows).reshape(seq_len, d_model), dtype=torch.float32)
