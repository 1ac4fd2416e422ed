"""Time hw3's capstone: what right answers on file take, how long they learn, and what they earn.

`python -m tests.benchmarks.capstone` runs the hidden tests of `train`, the capstone among them, on
each right `Transformer` and each right `train`, beside solutions of everything else, under several
seeds. It takes up to an hour of one core and prints each answer as it goes; `--answers` names some.
"""

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from tests.answering import examined
from tests.courses import KIT
from tests.mutants.exercises import SOLUTION, exercise_named, right_answers_of

_ASSIGNMENT, _EXERCISE = "hw3_transformer", "train"
_CAPSTONE = "test_your_model_learns_to_write_strings_backwards"


@dataclass(frozen=True)
class Training:
    """One run of the hidden tests of `train`."""

    cpu: float  # seconds
    batches: int  # that the capstone trained for
    score: float  # of the capstone


def main() -> None:
    """Measure the answers that the command line asks for; print a row of a table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--answers", nargs="+", default=(), help="such as train/rmsprop")
    options = parser.parse_args()
    torch.set_num_threads(1)  # as in the sandbox
    print("| answer | batches, a seed each | CPU s, median | most | marks of the capstone |")
    print("|---|---|--:|--:|---|", flush=True)
    for exercise, name, source in _answers(options.answers):
        runs = [_trained(exercise, source, seed) for seed in range(options.seeds)]
        print(_row(f"{exercise}/{name}", runs), flush=True)


def _answers(chosen: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the right answers on file, or those `chosen`: to which exercise, name and source."""
    for exercise in ("Transformer", _EXERCISE):
        for name, source in right_answers_of(exercise_named(KIT, exercise)):
            full_name = f"{exercise}/{name}"
            if full_name in chosen or (not chosen and full_name != f"Transformer/{SOLUTION}"):
                yield exercise, name, source


def _trained(exercise: str, source: str, seed: int) -> Training:
    """Run the hidden tests under `seed`, which also decides how the model is initialised."""
    began = time.process_time()
    found = examined(
        _ASSIGNMENT, exercise, source, on=_EXERCISE, seed=seed, draws=seed, skip_slow=False
    )
    cpu = time.process_time() - began
    (capstone,) = (finding for finding in found if finding.verdict.name == _CAPSTONE)
    losses = [each.reply["value"] for each in capstone.exchanges if each.name == _EXERCISE]
    return Training(cpu, sum(map(len, losses)), capstone.verdict.score)


def _row(name: str, runs: Sequence[Training]) -> str:
    seconds = [run.cpu for run in runs]
    cells = [name, " ".join(str(run.batches) for run in runs)]
    cells += [f"{statistics.median(seconds):.1f}", f"{max(seconds):.1f}"]
    cells.append(" ".join(f"{run.score:g}" for run in runs))
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
