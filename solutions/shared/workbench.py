import ast
import dis
import functools
import html
import inspect
import itertools
import re
import signal
import sys
import textwrap
import threading
import traceback
import warnings
from contextlib import contextmanager
from pathlib import Path

import matplotlib.pyplot as plt
from IPython.core.inputtransformer2 import TransformerManager

MAX_SECONDS = 30  # of one run of visible checks
SEE_ABOVE = "See above first."  # where an idea fails for a reason that another one tells
EXERCISES = ["NAMES_OF_EXERCISES"]
NOT_HERE = "There is no `{name}` here: run the cell of your answer first."
STOPPED = (
    "Your last run of `{name}` stopped with an error: what is looked at is the version before."
)
LEFT = "In `{name}`, the line `raise NotImplementedError(…)` is still there"
# Some notebooks break lines of a <pre> within a word.
PRE = '<pre style="font-family:monospace;word-break:normal;overflow-wrap:anywhere">'
CHECKED = {}  # by exercise, of the last run of its visible checks: {idea: whether it holds}


def functions_of(name):
    """Return the functions of the exercise `name`: itself, or the methods of a class."""
    thing = globals().get(name)
    parts = list(vars(thing).values()) if isinstance(thing, type) else [thing]
    return [part for part in map(inspect.unwrap, parts) if inspect.isfunction(part)]


def is_unsolved(name):
    """Tell whether the exercise `name` is still the stub that it was given as."""
    steps = itertools.chain.from_iterable(map(dis.get_instructions, functions_of(name)))
    return any(step.argval == f"{name}: your turn" for step in steps)


def hides_code(name):
    """Tell whether the line `raise …` of the stub is reached, and code of one's own stands beside it."""
    stub = f"raise NotImplementedError('{name}: your turn')"
    for function in functions_of(name):
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, SyntaxError):  # nobody kept its text
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                lines = [ast.unparse(line) for line in node.body if not is_text(line)]
                above = itertools.takewhile(lambda line: not line.startswith("return"), lines)
                if stub in above and not set(lines) <= {stub, "super().__init__()"}:
                    return True
    return False


def is_text(line):
    """Tell whether a statement is a text alone, such as a docstring."""
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def mention_stopped(name):
    """Say so if the answer to `name` couldn't be read when it was run last: an older one is still here."""
    begins = re.compile(rf"^(def|class) {name}\b", re.MULTILINE)
    last = next((cell for cell in reversed(globals().get("In", [])) if begins.search(cell)), "")
    try:
        with warnings.catch_warnings(action="ignore"):
            code = TransformerManager().transform_cell(last)  # magics are no errors
            compile(code, "<answer>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        print(f"○ {STOPPED.format(name=name)}")


def used_by(name):
    """Return the names in the code of an exercise, and in what it names; the locked notes find them."""
    notes, thing = globals().get("locked_notes"), globals().get(name)
    return notes.names_in(thing, globals()) if hasattr(notes, "names_in") else set()


@contextmanager
def lending(but=""):
    """While BORROW is True, let borrowed functions stand in for unsolved exercises."""
    lent = globals().get("LENT", {}) if globals().get("BORROW") else {}
    lent = {name: lent[name] for name in lent if name != but and is_unsolved(name)}
    yours = {name: globals()[name] for name in lent}
    globals().update(lent)
    try:
        yield lent
    except ModuleNotFoundError as missing:
        if not lent or missing.name != "torch":
            raise
        raise NothingToBorrow(
            "BORROW takes its functions from PyTorch: `pip install torch`, or set it to False."
        ) from None
    finally:
        globals().update(yours)


def not_right(names):
    """Return those of the exercises whose visible checks didn't all hold when they ran last.

    Checks that stop have None among theirs.
    """
    return [name for name in names if not all(CHECKED.get(name, {}).values())]


class NothingToBorrow(ImportError):
    """PyTorch isn't here."""


@contextmanager
def needs(*names, own=""):
    """Run the lines below; if they need a missing or unsolved exercise, or fail by a wrong one, say it.

    own: one of the exercises, for which nothing borrowed will do here.
    """
    wrong = []
    try:
        with lending(but=own) as lent:
            borrowed = [name for name in names if name in lent]
            if borrowed and not (own and is_unsolved(own)):
                print(f"(borrowed: {', '.join(borrowed)})")
            below = itertools.chain.from_iterable(map(wrong_ones_in, names))
            wrong = list(dict.fromkeys([*not_right([*names, own]), *below]))
            if wrong:
                print(f"(not right yet: {', '.join(wrong)}; so this may differ from the text)")
            yield
    except NothingToBorrow as missing:
        plt.close("all")
        print(f"○ {missing}")
    except NotImplementedError as stub:
        name, _, said = str(stub).partition(":")
        if said != " your turn":
            raise
        plt.close("all")
        if name == own and globals().get("BORROW"):
            print(f"○ This cell needs your own `{name}`: nothing borrowed will do here.")
        else:
            print(f"○ This cell waits for your `{name}`.")
    except Exception as error:
        missing = error.name if isinstance(error, NameError) else None
        if missing in {*names, own, *EXERCISES}:
            plt.close("all")
            print(f"○ {NOT_HERE.format(name=missing)}")
            return
        if not wrong:
            raise
        plt.close("all")
        print(f"○ This ended in {type(error).__name__}: {error}")
        print(f"  Begin with your {' and '.join(wrong)}, then run this cell again.")


class NotYet(AssertionError):
    """Visible checks failed: one line replaces the traceback."""

    def _render_traceback_(self):
        return [str(self)]


def run_checks(name, ideas, graded=True):
    """Print ✓ or ✗ for each idea of an exercise; `ideas` yields (idea, holds, what to say).

    An error is told with the line that it comes from; Python's own words about it are folded. So
    are ideas if all hold, but for those that didn't before. Ideas with nothing to say but "See above
    first." come last, and it is said once.
    """
    if name in EXERCISES and name not in globals():
        raise NotYet(f"✗ {NOT_HERE.format(name=name)}")
    mention_stopped(name)
    failed, lines, later, found = 0, [], [], []
    before, CHECKED[name] = CHECKED.pop(name, {}), {}
    # On stderr, so that Validate in JupyterLab doesn't call an unsolved exercise fine.
    where = sys.stderr if graded else sys.stdout
    try:
        with lending(but=name), limited(MAX_SECONDS):
            for idea, holds, says in ideas():
                if "NoneType" in says:
                    says += " Does your function end with `return`?"
                if holds:
                    lines.append(f"✓ {idea}")
                elif says == SEE_ABOVE:
                    later.append(f"✗ {idea}")
                else:
                    lines.append(f"✗ {idea}\n{textwrap.indent(says, '    ')}")
                if holds and before.get(idea) is False:
                    lines[-1] += " (✗ before: you found it)"
                    found.append(lines[-1])
                CHECKED[name][idea] = bool(holds)
                failed += not holds
    except NothingToBorrow as missing:
        print(f"○ {missing}", file=where)
        del CHECKED[name]
        return
    except Exception as error:
        say(lines, later)
        waits, _, said = str(error).partition(":")
        if said != " your turn":
            tell(error, name, ideas, failed)
        elif waits == name and hides_code(name):
            print(f"✗ {LEFT.format(name=name)}\n    Python stops there. Delete that line.")
        else:
            print(f"○ These checks wait for your `{waits}`.", file=where)
            del CHECKED[name]
            return
        CHECKED[name][""] = None  # nobody knows how many ideas were to follow
        failed += 1
    else:
        if failed:
            say(lines, later)
        else:
            say(found)
            passes = f"✓ {name} passes its {len(lines)} visible checks."
            fold(passes, "\n".join(lines), plain=passes)
    if wrong := wrong_ones_in(name):
        checks = f"{', '.join(wrong)}: the checks there didn't all hold when they ran last"
        print(f"(it uses {checks}{', so begin there' if failed else ''})")
    look_closer(name, failed)
    if failed:
        raise NotYet(f"{name}: begin with the first ✗, then run this cell again.")


def kind_of(answer):
    """Name the type of what came back; of a tuple or list, those of its parts as well."""
    kind = type(answer).__name__
    if isinstance(answer, (tuple, list)):
        parts = ["None" if part is None else type(part).__name__ for part in answer]
        kind += f" of {', '.join(parts) or 'nothing'}"
    return kind


def say(lines, later=()):
    print("".join(f"{line}\n" for line in [*lines, *later]), end="")
    if later:
        print(f"    {SEE_ABOVE}")


def fold(title, words, plain=""):
    """Show a line that unfolds; `plain` is for where nothing can unfold."""
    folded = (
        f"<details><summary>{html.escape(title)}</summary>{PRE}{html.escape(words)}</pre></details>"
    )
    display({"text/html": folded, "text/plain": plain}, raw=True)


def look_closer(name, failed):
    """Say what the locked notes know of an exercise's results, where a notebook has such notes."""
    notes = globals().get("locked_notes")
    if hasattr(notes, "look_closer"):
        with lending(but=name):
            notes.look_closer(name, globals(), failed)


def hint(name=None):
    """Work a small example of the mistake that a note names; else say where to begin."""
    name = getattr(name, "__name__", name)
    if name not in EXERCISES and name in CHECKED:  # a step before one
        print(f"○ {where_to_begin(name)}")
    elif name not in EXERCISES:
        print(f'○ Name one of these, as in hint("{EXERCISES[0]}"):', *EXERCISES, sep="\n  ")
    elif name not in globals():
        print(f"○ {NOT_HERE.format(name=name)}")
    elif hides_code(name):
        print(f"○ {LEFT.format(name=name)}")
    elif is_unsolved(name):
        print(f"○ Your `{name}` isn't written yet, so there is nothing to look at.")
    else:
        mention_stopped(name)
        notes, says = globals().get("locked_notes"), where_to_begin(name)
        if hasattr(notes, "hint"):
            with lending(but=name):
                notes.hint(name, globals(), says, bool(not_right([name])))
        else:
            print(f"○ {says}")


def wrong_ones_in(name):
    """Return the exercises that an exercise uses, and whose visible checks didn't all hold last."""
    return not_right([each for each in EXERCISES if each in used_by(name) - {name}])


def where_to_begin(name):
    """Say what the visible checks of an exercise, or of one that it uses, showed last."""
    if name not in CHECKED:
        return "Run its visible checks first: they say most."
    if wrong := wrong_ones_in(name):
        begin = f"Begin with your {' and '.join(wrong)}, which it uses."
        return f"{begin} If you have mended that, run its checks again."
    wrong = [idea for idea, holds in CHECKED[name].items() if not holds]
    if not wrong:
        return "All of its visible checks hold."
    return f"Begin with this check: {wrong[0]}." if wrong[0] else "Begin where the checks stop."


def progress():
    """Print a line for each exercise, what its visible checks showed last, and where to begin.

    Each idea is right ✓ or wrong ✗; ○ stands for those that your code didn't get to.
    """
    for name in EXERCISES:
        held = list(CHECKED.get(name, {}).values())
        marks = "".join({True: "✓", False: "✗", None: "○"}[each] for each in held)
        counts = {"right": held.count(True), "wrong": held.count(False)}
        said = ", ".join(f"{n} {word}" for word, n in counts.items() if n)
        if not held:
            print(f"○ {name}: not tried yet")
        elif all(held):
            print(f"✓ {name}: all {len(held)} right {marks}")
        else:
            print(f"✗ {name}: {said or 'nothing right yet'} {marks}\n  {where_to_begin(name)}")


@contextmanager
def limited(seconds):
    """Stop what takes longer, where that can be done."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_, frame):
        while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        if not frame:  # else wait a second: half of a package would stay behind
            raise TimeoutError(f"It was still running after {seconds} seconds. Can each loop end?")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def tell(error, name, ideas, failed):
    """Print which line of the notebook an error comes from, and what it says.

    After checks that `failed`, one that arises in a check itself only follows from them.
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = {inspect.unwrap(ideas).__code__.co_filename, tell.__code__.co_filename}
    cells = [
        f for f in frames if f.line and not Path(f.filename).exists() and f.filename not in ours
    ]
    own = {function.__code__.co_filename for function in functions_of(name)}
    if own:  # or it arises in a given cell, which uses what came back
        cells = [f for f in cells if f.filename in own]
    at = cells[-1] if cells else None
    said = str(error).strip().partition("\n")[0]
    if at is not None:
        print(f"✗ Your code stops in line {at.lineno} of its cell: {at.line}")
        print(f"    {type(error).__name__}: {said}")
        notes = globals().get("locked_notes")
        if hasattr(notes, "meaning") and (meaning := notes.meaning(error, at.lineno)):
            print(notes.indented(meaning))
        check = [f.line for f in frames if f.filename == inspect.unwrap(ideas).__code__.co_filename]
        if check and check[-1]:
            print(f"    The checks had come to: {check[-1]}")
    elif isinstance(error, NameError):
        print(f"✗ There is no `{error.name}` here: run the cells above once, folded ones, too.")
        return
    elif failed:
        print("… The other checks can't run before that.")
        return
    elif "NoneType" in said:
        print("✗ `None` comes back\n    Does your function end with `return`?")
    else:
        print(f"✗ The checks can't use what comes back\n    {type(error).__name__}: {said}")
    fold("Python's own words", "".join(traceback.format_exception(error)))


def try_ideas(name, ideas):
    """Run checks that nothing depends on: what fails is printed, and the notebook goes on."""
    try:
        run_checks(name, ideas, graded=False)
    except NotYet:
        print(f"○ {name} isn't right yet. That costs nothing.")


def not_borrowed(*names):
    """Let checks of what is *yours* wait for an exercise that is borrowed."""
    for name in names:
        if globals()[name] is LENT[name]:
            raise NotImplementedError(f"{name}: your turn")


@functools.cache  # once is enough
def mention_sliders():
    """Say how to get sliders, and what to do without them."""
    print(
        "(`pip install ipywidgets` gives you sliders; without them, unfold this cell for its numbers.)"
    )


def play(draw, **ranges):
    """Draw with sliders where ipywidgets is installed, else once, with the defaults of `draw`."""
    try:
        from ipywidgets import interact
    except ImportError:
        mention_sliders()
        draw()
    else:
        for control in interact(draw, **in_steps(draw, ranges)).widget.kwargs_widgets:
            control.description = control.description.replace("_", " ")
            control.style.description_width = "initial"
            control.layout.width = "min(100%, 420px)"
        show_still(draw)


def in_steps(draw, ranges):
    """Return ranges in which each list of numbers is a slider with a step for each."""
    from ipywidgets import SelectionSlider

    begins = {name: each.default for name, each in inspect.signature(draw).parameters.items()}
    return {
        name: SelectionSlider(
            options=[(with_commas(number), number) for number in steps], value=begins[name]
        )
        if isinstance(steps, list)
        else steps
        for name, steps in ranges.items()
    }


def show_still(draw):
    """Show what `draw` draws and prints, for a page or a printout in which no slider is alive.

    Right below a slider that is alive, it is hidden.
    """
    from IPython.utils.capture import capture_output  # ipywidgets needs it, too

    try:
        with capture_output() as seen:
            draw()
    except Exception:  # the sliders tell it
        return
    shown = [output.data for output in seen.outputs]
    printed = f"{PRE}{html.escape(seen.stdout)}</pre>"
    parts = [printed if seen.stdout else ""]
    parts += [data.get("text/html", "") for data in shown]
    words = [seen.stdout, *(data.get("text/plain", "") for data in shown)]
    hidden = "<style>:has(.widget-interact) + * .still {display: none}</style>"
    still = f'{hidden}<div class="still">{"".join(parts)}</div>'
    display({"text/html": still, "text/plain": "\n".join(filter(None, words))}, raw=True)
