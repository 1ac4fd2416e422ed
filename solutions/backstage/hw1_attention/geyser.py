# Old Faithful, a geyser: how long it erupted (in seconds), and how many minutes passed until the next time.
# R's data set `faithful`, from W. Härdle, Smoothing Techniques with Implementation in S, 1991.
GEYSER_ERUPTED = """
216 108 200 137 272 173 282 216 117 261 110 235 252 105 282 130 105 288 96 255 108 105 207 184 272
216 118 245 231 266 258 268 202 242 230 121 112 290 110 287 261 113 274 105 272 199 230 126 278 120
288 283 110 290 104 293 223 100 274 259 134 270 105 288 109 264 250 282 124 282 242 118 270 240 119
304 121 274 233 216 248 260 246 158 244 296 237 271 130 240 132 260 112 289 110 258 280 225 112 294
149 262 126 270 243 112 282 107 291 221 284 138 294 265 102 278 139 276 109 265 157 244 255 118 276
226 115 270 136 279 112 250 168 260 110 263 113 296 122 224 254 134 272 289 260 119 278 121 306 108
302 240 144 276 214 240 270 245 108 238 132 249 120 230 210 275 142 300 116 277 115 125 275 200 250
260 270 145 240 250 113 275 255 226 122 266 245 110 265 131 288 110 288 246 238 254 210 262 135 280
126 261 248 112 276 107 262 231 116 270 143 282 112 230 205 254 144 288 120 249 112 256 105 269 240
247 245 256 235 273 245 145 251 133 267 113 111 257 237 140 249 141 296 174 275 230 125 262 128 261
132 267 214 270 249 229 235 267 120 257 286 272 111 255 119 135 285 247 129 265 109 268
"""
GEYSER_WAITED = """
79 54 74 62 85 55 88 85 51 85 54 84 78 47 83 52 62 84 52 79 51 47 78 69 74 83 55 76 78 79 73 77 66
80 74 52 48 80 59 90 80 58 84 58 73 83 64 53 82 59 75 90 54 80 54 83 71 64 77 81 59 84 48 82 60 92
78 78 65 73 82 56 79 71 62 76 60 78 76 83 75 82 70 65 73 88 76 80 48 86 60 90 50 78 63 72 84 75 51
82 62 88 49 83 81 47 84 52 86 81 75 59 89 79 59 81 50 85 59 87 53 69 77 56 88 81 45 82 55 90 45 83
56 89 46 82 51 86 53 79 81 60 82 77 76 59 80 49 96 53 77 77 65 81 71 70 81 93 53 89 45 86 58 78 66
76 63 88 52 93 49 57 77 68 81 81 73 50 85 74 55 77 83 83 51 78 84 46 83 55 81 57 76 84 77 81 87 77
51 78 60 82 91 53 78 46 77 84 49 83 71 80 49 75 64 76 53 94 55 76 50 82 54 75 78 79 78 78 70 79 70
54 86 50 90 54 54 77 79 64 75 47 86 63 85 82 57 82 67 74 54 83 73 73 88 80 71 83 56 79 78 84 58 83
43 60 75 81 46 90 46 74
"""
lasted = np.array(GEYSER_ERUPTED.split(), dtype=float) / 60  # minutes, (272,)
waited = np.array(GEYSER_WAITED.split(), dtype=float)  # minutes, (272,)


def errors_of(guess):
    """Return by how many minutes a guess is off for each eruption, made from all the others.

    guess: a function of the other eruptions' lengths and waits, and of the length that is asked about.
    """
    others = [np.arange(len(lasted)) != number for number in range(len(lasted))]
    return np.array(
        [
            abs(guess(lasted[rest], waited[rest], lasted[number]) - waited[number])
            for number, rest in enumerate(others)
        ]
    )


def the_mean(keys, values, query):
    """Guess the mean of all waits, whatever the length."""
    return values.mean()


def the_line(keys, values, query):
    """Guess by the straight line that fits all lengths and waits best."""
    return np.polyval(np.polyfit(keys, values, 1), query)


def show_geyser(guesses, off="", query=None, weights=None):
    """Draw all eruptions, and what each guess makes of each length; `off` says how far off it is.

    Of a query, a length, it is shown how much weight each eruption gets.
    """
    lengths = np.linspace(lasted.min(), lasted.max(), 600)  # so many that steps are upright
    figure, axes = plt.subplots(figsize=(5.6, 3.8), layout="constrained")
    axes.scatter(
        lasted, waited, s=12, lw=0, color=COLOURS["value"], alpha=0.35, label="value: what happened"
    )
    told = []
    for name, guess in guesses.items():
        is_rival = not name.startswith("context")
        axes.plot(
            lengths,
            [guess(lasted, waited, length) for length in lengths],
            color=GREY if is_rival else COLOURS["context"],
            linestyle="--" if "line" in name else "-",
            linewidth=2 if is_rival else 2.4,
            label=name,
        )
        some = (f"{guess(lasted, waited, length):.0f} after {length}" for length in (2, 3, 4))
        told.append(f"{name}: {', '.join(some)} minutes")
    if query is not None:
        share = np.clip(weights / weights.max(), 0, 1)
        axes.axvline(query, color=COLOURS["query"], linewidth=1.5, label="query: one length")
        axes.scatter(
            lasted, waited, s=10 + 50 * share, lw=0, color=COLOURS["weights"], alpha=share,
            label="weights: where it looks",
        )  # fmt: skip
        looked_at = np.count_nonzero(share > 0.1)
        told.append(f"a query of {query} minutes looks mostly at {looked_at} eruptions")
    axes.set(ylabel="minutes until the next", title=off)
    axes.set_xlabel("key: the eruption took … minutes", color=COLOURS["key"])
    figure.legend(loc="outside lower center", ncols=2)  # below: points and a query are everywhere
    told.append(off)
    show(f"Waits over lengths of 272 eruptions. {'; '.join(filter(None, told))}.")
