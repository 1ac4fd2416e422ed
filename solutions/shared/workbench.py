import base64
import dis
import inspect
import io
import sys
from contextlib import contextmanager

import matplotlib.pyplot as plt


def show(alt):
    """Show the figure that was just drawn; `alt` tells in words what it shows."""
    picture = io.BytesIO()
    plt.gcf().savefig(picture, format="png", dpi=100, bbox_inches="tight")
    plt.close()
    content = base64.b64encode(picture.getvalue()).decode()
    words = {"image/png": {"alt": alt}}
    display({"image/png": content, "text/plain": alt}, metadata=words, raw=True)


def is_unsolved(name):
    """Tell whether the exercise `name` is still the stub that it was given as."""
    thing, stub = globals().get(name), f"{name}: your turn"
    parts = vars(thing).values() if isinstance(thing, type) else [thing]
    codes = [getattr(inspect.unwrap(part), "__code__", None) for part in parts]
    return any(step.argval == stub for code in codes if code for step in dis.get_instructions(code))


@contextmanager
def lending(but=""):
    """While BORROW is True, let borrowed functions stand in for unsolved exercises."""
    lent = globals().get("LENT", {}) if globals().get("BORROW") else {}
    lent = {name: lent[name] for name in lent if name != but and is_unsolved(name)}
    yours = {name: globals()[name] for name in lent}
    globals().update(lent)
    try:
        yield lent
    finally:
        globals().update(yours)


@contextmanager
def needs(*names):
    """Run the lines below; if they need an unsolved exercise, say which."""
    try:
        with lending() as lent:
            borrowed = [name for name in names if name in lent]
            if borrowed:
                print(f"(borrowed: {', '.join(borrowed)})")
            yield
    except NotImplementedError as stub:
        name, _, said = str(stub).partition(":")
        if said != " your turn":
            raise
        plt.close("all")
        print(f"○ This cell waits for your `{name}`.")


class NotYet(AssertionError):
    """Visible checks failed: one line replaces the traceback."""

    def _render_traceback_(self):
        return [str(self)]


def run_checks(name, ideas):
    """Print ✓ or ✗ for each idea of an exercise; `ideas` yields (idea, holds, what to say)."""
    failed = 0
    try:
        with lending(but=name):
            for idea, holds, hint in ideas():
                print(f"✓ {idea}" if holds else f"✗ {idea}\n    {hint}")
                failed += not holds
    except NotImplementedError as stub:
        if not str(stub).endswith(": your turn"):
            raise
        waits = str(stub).partition(":")[0]
        # On stderr, so that Validate in JupyterLab doesn't call an unsolved exercise fine.
        print(f"○ These checks wait for your `{waits}`.", file=sys.stderr)
        return
    except Exception:
        if not failed:
            raise
        print("… The other checks can't run before that.")
    if failed:
        raise NotYet(f"{name}: begin with the first ✗, then run this cell again.")
    print(f"{name} passes the visible checks.")


def try_ideas(name, ideas):
    """Run checks that nothing depends on: what fails is printed, and the notebook goes on."""
    try:
        run_checks(name, ideas)
    except NotYet:
        print(f"○ {name} is still open. That costs nothing.")


def compare(what, found, guess):
    """Put a guess beside what was found."""
    said = (
        "no guess yet: write one into the cell above" if guess is None else f"you guessed {guess}"
    )
    print(f"{what} {found} ({said}).")


def play(draw, **ranges):
    """Draw with sliders where ipywidgets is installed, else once, with the defaults of `draw`."""
    try:
        from ipywidgets import interact
    except ImportError:
        print(
            "(`pip install ipywidgets` gives you sliders; without them, change the numbers here.)"
        )
        draw()
    else:
        interact(draw, **ranges)
