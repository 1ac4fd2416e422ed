def in_other_order(Q, K, V):
    """Linear attention of PyTorch's own, from the last token to the first."""
    return borrowed_linear(Q, K.flip(1), V.flip(1))


def of_a_stranger(Q, K, V):
    """Almost linear attention: no feature of a key is larger than 5."""
    return borrowed_linear(Q, K.clamp(max=4), V)


suspects = dict(zip("ABC", (borrowed_linear, of_a_stranger, in_other_order), strict=True))


def interrogate(name, three):
    """Show what A, B and C make of Q, K and V, and tell whether it gives `name` away as the impostor."""
    wish = what_is_missing(three)
    if wish:
        print(wrapped(f"○ {wish}"))
    else:
        Q, K, V = (part.float() for part in three)
        show_suspects(Q, K, V)
        print(wrapped(verdict(name, Q, K, V)))


def what_is_missing(three):
    """Say what keeps a pupil's input from being Q, K and V of one text; nothing if it is."""
    if not isinstance(three, (tuple, list)) or len(three) != 3:
        return "my_input should return three tensors: return Q, K, V"
    if not all(isinstance(part, torch.Tensor) for part in three):
        return f"Q, K and V should be tensors; yours: {', '.join(map(kind_of, three))}."
    shapes = [tuple(part.shape) for part in three]
    if len({*shapes}) > 1 or len(shapes[0]) != 3 or shapes[0][0] != 1:
        given = ", ".join(map(str, shapes))
        return (
            f"Q, K and V should be of one shape (1, n, d); yours: {given}. "
            "Where the batch axis is missing, `.unsqueeze(0)` adds it."
        )
    if not all((part.abs() <= 8).all() for part in three[:2]):
        return "The entries of Q and K should lie between -8 and 8."
    return ""


def show_suspects(Q, K, V):
    """Draw what A, B and C return for the same input: two of them are linear attention."""
    cell, wide = 36, (COLUMN + 20) / len(suspects)
    drawing = Drawing(COLUMN, 40 + cell * Q.shape[1])
    told = []
    for place, (name, attention) in enumerate(suspects.items()):
        output, left = attention(Q, K, V)[0], 4 + wide * place
        drawing.words(left, 14, name, at="start", bold=True, size=15)
        step = (wide - 24) / output.shape[1]
        for i, row in enumerate(output.tolist()):
            for j, number in enumerate(row):
                x, y = left + step * j, 34 + cell * i
                drawing.box(x, y, step - 3, cell - 3, COLOURS["context"], opacity=0.14)
                drawing.words(x + step / 2 - 1, y + 17, f"{number:.3f}", size=12, code=True)
        told.append(f"{name} " + " | ".join(", ".join(map(short, row)) for row in output.tolist()))
    show_drawing(drawing, f"Three outputs for one input, a row for each query. {'; '.join(told)}.")


def verdict(name, Q, K, V):
    """Say whether the impostor was found, once the input gives a reason."""
    honest, strange = borrowed_linear(Q, K, V), of_a_stranger(Q, K, V)
    if name is None:
        return "○ No one is accused yet."
    if name == "skip":
        return "The impostor is B: it counts no feature above 5. What input shows it?"
    if torch.allclose(honest, strange, atol=1e-3):
        return "○ For your input all three agree. That is no evidence yet."
    name = str(name).strip().upper()
    if name not in suspects:
        return "✗ The suspects are A, B and C."
    if suspects[name] is not of_a_stranger:
        return f"✗ {name} computes what equation 4 says, for every input. Who doesn't, for yours?"
    return f"✓ {name} it is. What in your input gave it away, and would a random test ever do so?"
