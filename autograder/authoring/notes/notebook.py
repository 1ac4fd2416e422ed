"""Locked notes: what is known of a mistake, under a key that only its own results make.

`look_closer` calls your function on some inputs. What comes back makes keys. If it is what a known
mistake returns, a note opens; `hint` works a small example of what it says. No solution is written
down here, and of results no more than how some of their numbers are rounded. Nothing that you do
here leaves this notebook.
"""

import ast
import base64
import contextlib
import dis
import hashlib
import io
import itertools
import json
import math
import random
import re
import signal
import sys
import textwrap
import threading
import warnings
import zlib

import numpy as np

STEP = 1e-4  # of the two grids on which numbers are rounded
ROUNDS = 64  # of hashing for each key: some milliseconds here, a factor for who would try them all
BETWEEN = "\f"  # the parts of an example, in which there may be blank lines
SHORT = 240  # words of notes that are written in one byte
MAX_PARTS = 8  # of one result that are looked at
WORDS = 3  # of an error, by which one of its type is told from another
MAX_SECONDS = 5  # for all calls
MAX_EXPLAINED = 500  # characters of an exception's text
EXCEPTIONS = ""  # patterns of their texts, and what they mean, as `packed` makes it
TABLE = ""  # likewise, the notes
KEY = ""  # that `open_notes` was given, where a course gives one out
RIGHT = "Right on further inputs, too;\n  the hidden tests use more."
EQUAL = "Your results equal those of a known mistake. Is it yours?"
BELOW = "A known mistake gives these results. Is it in your `{used}`? Look there first."
NO_NOTE = "No mistake that I know gives the results of your `{name}`."
CHECKS = (
    "Begin with the first of its visible checks that fails. If they all hold, compare your "
    "code with the exercise's text once more."
)
BEGIN = "Begin with your `{used}`, which this may use: it returns what a known mistake does."


def look_closer(name, names, failed=False):
    """Print what opens for the exercise `name`; `names` are those of the notebook.

    That all is right is said only where no check has `failed`.
    """
    sign, said, note, example = note_on(name, names)
    if said and not (failed and sign == "✓"):
        print(f"{sign} {said}")
    if note:
        print(indented(note))
    if example:
        asked = f'hint("{name}")' if "hint" in names else f'locked_notes.hint("{name}", globals())'
        print(f"    {asked} works a small example.")


def hint(name, names, checks=CHECKS, failed=False):
    """Print a small example of what the note on `name` says; where there is none, say `checks`.

    That all is right is said only where no check has `failed`.
    """
    if is_locked():
        print('○ The notes wait for a key from your course: locked_notes.open_notes("KEY")')
        return
    sign, said, note, example = note_on(name, names)
    if sign == "✓" and failed:
        print(f"○ {checks}")
    elif said and not note:
        print(f"{sign} {said}")
    elif not note:
        print(f"○ {NO_NOTE.format(name=name)} {checks}")
    elif not example:
        print(f"{sign} {said}\n{indented(note)}\n{indented(checks)}")
    else:
        text, call, gives = example.split(BETWEEN)
        print(f"◇ A small example for `{name}`\n{indented(text)}\n\n    This call\n{nested(call)}")
        yours = tried(call, names)
        if yours == gives:
            print(f"    gives, with your code as it should,\n{nested(gives)}")
            print("    so your mistake shows on other inputs: what do those have that these lack?")
        else:
            print(f"    gives, with your code,\n{nested(yours)}")
            print(f"    and should give\n{nested(gives)}")


def open_notes(key):
    """Open the notes of this notebook with the key that your course gave out."""
    global KEY
    KEY = str(key).strip()
    odd = "That isn't the key: is it spelt as your course wrote it?"
    print(odd if is_locked() else "The notes are open.")


def is_locked():
    """Tell whether the notes wait for a key."""
    try:
        read_table()
    except PermissionError:
        return True
    except Exception:  # there are no notes
        return False
    return False


def note_on(name, names):
    """Return a sign, a line, the surest note that opens for the exercise `name`, and its example.

    Each is "" if there is none. The signs are ✓ where all is right, ◆ for a known mistake, ○ where
    one may come from another exercise, which this one can use.
    """
    try:
        table = read_table()
        note, example = surest(table, name, names) or ("", "")
        if note == RIGHT:
            return "✓", RIGHT, "", ""
        if not note:
            return "", "", "", ""
        named = names_in(names.get(name), names)
        for used in table["exercises"][name]["uses"]:
            if named and used not in named:
                continue
            theirs = surest(table, used, names)
            if theirs == ("", ""):
                return "◆", BELOW.format(used=used), note, example
            if theirs and theirs[0] != RIGHT:
                return "○", BEGIN.format(used=used), "", ""
        return "◆", EQUAL, note, example
    except Exception:  # another version of a library, a table that is cut off: checks remain
        return "", "", "", ""


def surest(table, name, names):
    """Return the surest note that opens for an exercise, and its example, "" for none.

    None for an exercise that returns nothing: it may not be solved yet.
    """
    # The table calls nothing but what this notebook defines, whoever wrote it.
    own = {n: each for n, each in names.items() if defined_in(each, names)}
    own[name] = names.get(name)
    exercise = table["exercises"][name]
    seen = outcomes(exercise, own, random.SystemRandom().randrange(2**20))
    if all(words.startswith("raises") for words, _ in seen.values()):
        return None
    return (*opened(table, exercise, seen), ("", "", ""))[0][1:]


def defined_in(each, names):
    return isinstance(each, type) and each.__module__ == names.get("__name__")


def names_in(each, names):
    """Return the names in the code of a function or class, and in what it names of the notebook.

    None are found in what has no code of its own, such as a `partial`.
    """
    found, left, seen = set(), [each], []
    while left:
        each = left.pop()
        if any(each is one for one in seen):
            continue
        seen.append(each)
        if isinstance(each, type):
            left += [getattr(one, "__func__", one) for one in vars(each).values()]
        elif hasattr(each, "__wrapped__"):
            left.append(each.__wrapped__)
        elif hasattr(each, "__code__"):
            left.append(each.__code__)
        elif hasattr(each, "co_consts"):
            steps = dis.get_instructions(each)
            named = {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
            found |= named
            left += [*each.co_consts, *(names[name] for name in named if name in names)]
    return found


def indented(text):
    """Return lines of at most 96 characters, broken in no `1 + 3 = 4` and no `(1, 0)`."""
    margin = {"initial_indent": "    ", "subsequent_indent": "    "}
    within = r" (?=[·+−=] )|(?<= [·+−=]) |(?<=\d,) (?=[−\d])"
    whole = re.sub(within, "\N{NO-BREAK SPACE}", text)
    lines = [textwrap.fill(line, 96, **margin) for line in whole.splitlines()]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def nested(text):
    return textwrap.indent(text, " " * 8)


# A small example


def tried(call, names):
    """Return in words what the last line of `call` gives."""
    names = {**names, "np": np}
    if "torch" in sys.modules:
        names["torch"] = sys.modules["torch"]
    with limited(), quiet(), own_random_numbers():
        sow(0)
        try:
            *lines, last = ast.parse(call).body
            exec(compile(ast.Module(lines, []), "<example>", "exec"), names)
            return shown(eval(compile(ast.Expression(last.value), "<example>", "eval"), names))
        except TimeoutError:
            return f"nothing, within {MAX_SECONDS} seconds"
        except Exception as error:
            return f"{type(error).__name__}: {error}".partition("\n")[0]


def shown(value):
    """Return a result as it is printed: numbers to three decimals."""
    try:
        array = np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)
    except ValueError:  # arrays of different shapes
        return repr(value)[:200]
    if array.dtype.kind not in "biuf":
        return repr(value)[:200]
    numbers = array if array.dtype.kind == "b" else array.astype(float).round(3) + 0.0  # no -0
    return np.array2string(numbers, precision=3, suppress_small=True, threshold=60)


# The table


def meaning(error, line=0):
    """Return what a common exception means, or ""; it was raised in this `line` of its cell."""
    for pattern, means in unpacked(EXCEPTIONS) if EXCEPTIONS else ():
        if found := re.search(pattern, str(error)[:MAX_EXPLAINED]):
            # sizes as Python writes them, (2, 3), where NumPy's errors have (2,3)
            words = {k: re.sub(r",(?=\d)", ", ", v or "") for k, v in found.groupdict().items()}
            return means.format(**words, line=f"line {line}" if line else "that line")
    return ""


def packed(table):
    """Return the table as a text of lines that no editor breaks."""
    text = base64.b85encode(zlib.compress(json.dumps(table, separators=(",", ":")).encode(), 9))
    return "\n".join(text[n : n + 100].decode() for n in range(0, len(text), 100))


def unpacked(text):
    return json.loads(zlib.decompress(base64.b85decode("".join(text.split()))))


def read_table():
    """Return the table; raise `PermissionError` if it waits for a key, which joins its salt."""
    table = unpacked(TABLE)
    if "waits" in table:
        table["salt"] += KEY
        if digest(table["salt"], "notes")[:4].hex() != table["waits"]:
            raise PermissionError
    return table


def opened(table, exercise, seen):
    """Return (the parts that it is keyed by, the text, its example or "") of each note that opens.

    The surest stands first. An entry holds the places of its parts, the grids of its numbers, a
    digest and a ciphertext: which example it has, from 1, that one's key, and the text. Many notes
    share an example, so it is locked once, by a key of its own.
    """
    found = []
    for keyed, grids, sought, text in exercise["entries"]:
        made = material(seen, keyed, int(grids, 16))
        if made and digest(table["salt"], made, "look")[:4].hex() == sought:
            note = locked(base64.b85decode(text), digest(table["salt"], made, "open"))
            example = ""
            if note[0]:
                example = locked(base64.b85decode(exercise["examples"][note[0] - 1]), note[1:9])
            words = table["words"]
            found.append((keyed, spelt(note[9 if example else 1 :], words), spelt(example, words)))
    return sorted(found, key=lambda each: -len(each[0]))


def material(seen, keyed, grids):
    """Return what a key is made from; a bit of `grids` says on which grid a number is rounded."""
    if not all(place in seen for place in keyed):
        return None
    numbers = [number for place in keyed for number in seen[place][1]]
    rounded = [math.floor(x / STEP + (grids >> n & 1) / 2) for n, x in enumerate(numbers)]
    return [keyed, [seen[place][0] for place in keyed], rounded]


def digest(*parts):
    found = json.dumps(parts).encode()
    for _ in range(ROUNDS):
        found = hashlib.blake2b(found, digest_size=32).digest()
    return found


def locked(data, key):
    """Encrypt bytes, or decrypt them, which is the same."""
    blocks = range(0, len(data), 64)
    stream = b"".join(hashlib.blake2b(b"%d" % block, key=key).digest() for block in blocks)
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))  # the stream may be longer


def spelt(data, words):
    """Return a text that is written in numbers of words; 0 is none."""
    text, numbers = "", iter(data)
    for n in numbers:
        text += words[n if n < SHORT else SHORT + (n - SHORT) * 256 + next(numbers)]
    return text


# What comes back


def outcomes(exercise, names, seed, results=None):
    """Return what came back, {MAX_PARTS * place + part: (words, numbers)}; part 0 is the frame.

    A script is a list of steps: [place, operation, what it needs]. Nobody looks at those without a
    place. Random numbers begin at `seed`, and go on where they were afterwards. `results` is filled
    with what the words and numbers are about.
    """
    seen, seeds = {}, itertools.count(seed)
    with limited(), quiet(), own_random_numbers(), refusing(exercise["forbids"]):
        for script in exercise["scripts"]:
            made = {}
            for place, operation, request in script:
                sow(next(seeds))
                try:
                    frame, parts = OPERATIONS[operation](names, made, **request)
                except TimeoutError:
                    return seen
                except Exception as error:
                    frame, parts = f"raises {type(error).__name__}: {kind_of(error)}", []
                if place is not None:
                    seen[MAX_PARTS * place] = frame, []
                    for key, part in enumerate(parts[: MAX_PARTS - 1], MAX_PARTS * place + 1):
                        seen[key] = look_at(part, exercise["ignored"].get(str(key)))
                        if results is not None:
                            results[key] = part
    return seen


def kind_of(error):
    """Return the first words of what an error says, without names and numbers of this case.

    Of a shape stays how many axes it has: 'n' for each.
    """
    axes = re.sub(r"'?\[([\d, ]+)\]'?", lambda found: "n" * len(found[1].split(",")), str(error))
    said = re.sub(r"""(['"`]).*?\1|\S*[\d_.()]\S*""", " ", axes)
    return " ".join(re.findall(r"[A-Za-z]+", said)[:WORDS])


def call(names, made, name, args, kwargs, key):
    value, changed = called(names[name], made, args, kwargs)
    if hasattr(value, "named_parameters"):
        made[key] = value
        shapes = sorted(tuple(p.shape) for p in value.parameters() if p.requires_grad)
        return f"a module that trains {shapes}", []
    return framed(value, changed)


def forward(names, made, target, args, kwargs):
    import torch

    with torch.no_grad():
        return framed(*called(made[target], made, args, kwargs))


def load(names, made, target, state):
    import torch

    for name, value in state.items():
        parameter = made[target]
        for part in name.split("."):
            parameter = getattr(parameter, part)
        with torch.no_grad():
            parameter.copy_(given(value, made).reshape(parameter.shape))
    return "", []


def mode(names, made, target, train):
    made[target].train(train)
    return "", []


def gradients(names, made, target, args, kwargs, cotangent):
    """Return how large gradients are, whatever the parameters are called."""
    import torch

    module = made[target]
    module.zero_grad(set_to_none=True)
    with torch.enable_grad():
        result = module(*given(args, made), **{n: given(v, made) for n, v in kwargs.items()})
        first = result[0] if isinstance(result, (tuple, list)) else result
        (first * given(cotangent, made)).sum().backward()
    all_of_them = [p.grad for p in module.parameters() if p.requires_grad]
    sizes = sorted(float(each.norm()) for each in all_of_them if each is not None)
    return f"{len(all_of_them)} gradients", [np.array(sizes)]


OPERATIONS = {"call": call, "forward": forward, "load": load, "mode": mode, "gradients": gradients}


def framed(value, changed):
    """Return what is around the parts of a result, in words, and the parts."""
    parts = leaves(value)
    kind = f"a dict of {sorted(map(str, value))}" if isinstance(value, dict) else len(parts)
    return f"{kind}{changed}", parts


def called(function, made, args, kwargs):
    """Return what a function returns, and a word about arguments that it changed."""
    args, kwargs = given(args, made), given(kwargs, made)
    arrays = [each for each in (*args, *kwargs.values()) if hasattr(each, "shape")]
    before = [np.array(each) for each in arrays]
    value = function(*args, **kwargs)
    same = all(
        np.array_equal(old, np.asarray(new), equal_nan=old.dtype.kind == "f")
        for old, new in zip(before, arrays, strict=True)
    )
    return value, "" if same else ", an argument changed"


def given(value, made):
    """Return an argument from how it is written: {"array": [type, shape, numbers]}, and so on."""
    if isinstance(value, list):
        return [given(each, made) for each in value]
    if not isinstance(value, dict):
        return value
    if "made" in value:
        return made[value["made"]]
    if "model" in value:
        return stand_in(*value["model"])
    if "tuple" in value:
        return tuple(given(each, made) for each in value["tuple"])
    if "array" in value:
        kind, shape, numbers = value["array"]
        return np.array(numbers, dtype=kind).reshape(shape)
    if "tensor" in value:
        import torch

        kind, shape, numbers = value["tensor"]
        return torch.tensor(numbers, dtype=getattr(torch, kind)).reshape(shape)
    if "weights" in value:
        import torch

        shape, seed, scale = value["weights"]
        return (
            torch.tensor(eighths(seed, math.prod(shape)), dtype=torch.float32).reshape(shape)
            * scale
        )
    return {name: given(each, made) for name, each in value.items()}


def stand_in(vocab, tokens):
    """Return a model of two texts, (batch, s) and (batch, t), that gives logits (batch, t, vocab).

    They depend on the first text and on the second up to there. One of `tokens` is likeliest.
    """
    import torch

    class StandIn(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.unused = torch.nn.Parameter(torch.zeros(1))  # whose device some ask for

        def forward(self, source, target):
            if len(source) != len(target):
                raise ValueError(f"{len(source)} sources, and {len(target)} targets")
            read, after_each = torch.zeros(len(source), dtype=torch.int64), []
            for token in (*source.unbind(1), *target.unbind(1)):
                read = (read * 31 + token + 1) % 65_521
                after_each.append(read)
            drawn = torch.stack(after_each[source.shape[1] :], dim=1) % 1_008 + 1
            logits = (
                drawn.unsqueeze(-1) * torch.arange(2, vocab + 2) % 1_009 / 1_009
            )  # no two equal
            logits[..., tokens] += 1
            return logits

    return StandIn()


def eighths(seed, count):
    """Return multiples of 1/8 from -1 to 1, by a generator that is the same wherever it runs."""
    factors = np.full(count + 1, 1103515245, np.uint64)
    factors[0] = 1
    powers = np.cumprod(factors)  # modulo 2^64, and so modulo 2^31
    states = powers[1:] * np.uint64(seed) + np.cumsum(powers[:-1]) * np.uint64(12345)
    high = (states & np.uint64(2**31 - 1)) >> np.uint64(16)
    return (high % np.uint64(17)).astype(float) / 8 - 1


def leaves(value):
    """Return what tuples, dictionaries and lists of arrays hold; anything else as it is."""
    if isinstance(value, dict):
        value = tuple(value[name] for name in sorted(value, key=str))
    if isinstance(value, tuple) or (
        isinstance(value, list) and any(getattr(each, "ndim", 0) for each in value)
    ):
        return [leaf for each in value for leaf in leaves(each)]
    return [value]


def look_at(value, ignored=None):
    """Return one part in words, and its numbers: two projections of an array, and its size.

    `ignored`: how many entries there are, and a bit for each on which right answers differ.
    """
    if value is None or isinstance(value, (str, bool)):
        return repr(value)[:40], []
    is_tensor = hasattr(value, "detach")
    kind = str(value.dtype) if is_tensor else "list" if isinstance(value, list) else "array"
    try:  # types of numbers are told apart in PyTorch alone: NumPy goes from one to another
        array = value.detach().cpu().double().numpy() if is_tensor else np.asarray(value, float)
    except Exception:
        return f"a {type(value).__name__}", []
    flat, words = array.ravel(), f"{kind} {array.shape}"
    if ignored and ignored[0] == flat.size:
        bits = int(ignored[1], 16)
        flat = np.where([bits >> n & 1 for n in range(flat.size)], 0, flat)
    for name, odd in (("nan", np.isnan(flat)), ("inf", flat == np.inf), ("-inf", flat == -np.inf)):
        words += f", {odd.sum()} {name}" if odd.any() else ""
    flat = np.where(np.isfinite(flat), flat, 0)
    largest, i = np.abs(flat).max(initial=0), np.arange(flat.size)
    if not largest:
        return words + ", no other number than 0", []
    norm = largest * np.sqrt(((flat / largest) ** 2).sum())
    projected = (flat @ np.cos(a + b * i) / (norm + 0.03) for a, b in ((0.3, 1.7), (1.1, 0.61)))
    return words, [*map(float, projected), math.log(norm + 0.03)]


# Around the calls


def sow(seed):
    random.seed(seed)
    np.random.seed(seed)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


@contextlib.contextmanager
def own_random_numbers():
    """Let random numbers go on afterwards as if none had been drawn here."""
    torch, kept = sys.modules.get("torch"), (random.getstate(), np.random.get_state())
    try:
        with torch.random.fork_rng(devices=[]) if torch else contextlib.nullcontext():
            yield
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])


@contextlib.contextmanager
def quiet():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()):
            yield


@contextlib.contextmanager
def refusing(names):
    """Let the built-in functions raise that an exercise asks to write, such as `math.exp`."""

    def refuse(*_, **__):
        raise RuntimeError("not allowed in this exercise")

    kept = []
    for name in names:
        root, *path, last = name.split(".")
        owner = sys.modules.get(root)
        for part in path:
            owner = getattr(owner, part, None)
        if not hasattr(owner, last):  # nobody has imported it
            continue
        kept.append((owner, last, getattr(owner, last)))
        setattr(owner, last, refuse)
    try:
        yield
    finally:
        for each in kept:
            setattr(*each)


@contextlib.contextmanager
def limited():
    """Raise TimeoutError after some seconds, where there are such alarms."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def stop(_, frame):
        while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        if not frame:  # else wait: half of a package would stay behind
            raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, MAX_SECONDS, 1)  # again, for code that catches everything
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
