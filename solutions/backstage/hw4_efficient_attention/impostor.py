def in_other_order(Q, K, V):
    """Linear attention of PyTorch's own, from the last token to the first."""
    return borrowed_linear(Q, K.flip(1), V.flip(1))


def of_a_stranger(Q, K, V):
    """Almost linear attention: no feature of a key is larger than 5."""
    return borrowed_linear(Q, K.clamp(max=4), V)


suspects = dict(zip("ABC", (borrowed_linear, of_a_stranger, in_other_order), strict=True))


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
        told.append(f"{name} {output.flatten().tolist()[0]:.3f}")
    show_drawing(drawing, f"Three outputs for one input; their first numbers: {', '.join(told)}.")


def accused(name, Q, K, V):
    """Tell whether the impostor was found, once the input gives a reason."""
    honest, strange = borrowed_linear(Q, K, V), of_a_stranger(Q, K, V)
    name = name.strip().upper() if name not in (None, "skip") else name
    if name is None:
        print("○ No one is accused yet.")
    elif name == "skip":
        print("The impostor is B: it counts no feature\nabove 5. What input shows it?")
    elif torch.allclose(honest, strange, atol=1e-3):
        print("○ For your input all three agree. That is no evidence yet.")
    elif suspects.get(name) is of_a_stranger:
        print(
            f"✓ {name} it is. What in your input gave it away, and would a random test ever do so?"
        )
    else:
        print(f"✗ {name} computes what equation 4 says, for every input. Try a more unusual one.")
