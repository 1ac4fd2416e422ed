"""How people keep their notebooks: a catalogue of habits, none of which may cost a point.

edits    small changes of a notebook, and what a habit is
hosts    what Colab, VS Code and Kaggle, copying, splitting and merging do to a notebook
cells    what people write in cells of their own
answers  what people write in the cells of their answers
layers   the same in PyTorch
state    settings of libraries and of the process that a cell leaves to those below it
"""

from tests.habits import answers, cells, hosts, layers, state
from tests.habits.edits import Habit

CATALOGUE: tuple[Habit, ...] = (
    *hosts.HABITS,
    *cells.HABITS,
    *answers.HABITS,
    *state.HABITS,
    *layers.HABITS,
)
