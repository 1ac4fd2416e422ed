# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A layer that learns
#
# All of deep learning is one loop: guess, measure how wrong the guess is, and change every number a little
# so that it becomes less wrong. Here you write the three parts of it, for the smallest network there is.
#
# This assignment is worth **TOTAL_POINTS points**.
#
# - Where you see `raise NotImplementedError(…)`, delete that line and write your own code.
# - Below each exercise stands a cell of **visible checks**. Run it as often as you like. Your grade
#   comes from **hidden tests** that check the same ideas on other numbers.
# - Before you hand in, restart the kernel and run everything once more.

# %% setup="imports"
import torch
from torch import nn

# %% folded="Behind the scenes: locked notes" include="locked notes"

# %% [markdown]
# ## The layer
#
# A linear layer turns each row $x$ of its input into $W x + b$. `nn.Linear` does that. Write your own,
# with `nn.Parameter` for the numbers that can be learned.


# %% solution="Linear"
class Linear(nn.Module):
    """Turns rows of `n_in` numbers into rows of `n_out` numbers: W x + b.

    weight: parameter of shape (n_out, n_in). bias: parameter of shape (n_out,). Both begin with any
    small numbers.
    """

    def __init__(self, n_in, n_out):
        super().__init__()
        ### BEGIN SOLUTION
        self.weight = nn.Parameter(torch.randn(n_out, n_in) / n_in**0.5)
        self.bias = nn.Parameter(torch.zeros(n_out))
        ### END SOLUTION

    def forward(self, x):
        """Return W x + b for each row of `x`, of shape (n, n_in)."""
        ### BEGIN SOLUTION
        return x @ self.weight.T + self.bias
        ### END SOLUTION


# %% test="Linear"
_layer = Linear(3, 2)
assert {name for name, _ in _layer.named_parameters()} == {"weight", "bias"}, (
    "Two parameters are needed."
)
assert _layer(torch.zeros(4, 3)).shape == (4, 2), "Four rows in, four rows out."
print("Linear passes the visible checks.")

# %% [markdown]
# ## The loss
#
# How wrong is a guess? Take the difference to what was wanted, square it, and average over all numbers.


# %% solution="mean_squared_error"
def mean_squared_error(guess, wanted):
    """Return the mean of the squared differences of two tensors of one shape: a tensor of one number."""
    ### BEGIN SOLUTION
    return ((guess - wanted) ** 2).mean()
    ### END SOLUTION


# %% test="mean_squared_error"
_loss = mean_squared_error(torch.tensor([[1.0, 2.0]]), torch.tensor([[1.0, 5.0]]))
assert torch.is_tensor(_loss) and _loss.shape == (), "A tensor of one number is asked for."
assert torch.isclose(_loss, torch.tensor(4.5)), (
    f"Of the differences 0 and 3 it is 4.5, but you say {_loss}."
)
print("mean_squared_error passes the visible checks.")

# %% [markdown]
# If your results equal those of a mistake that we know, the next cell says which.

# %%
globals()["locked_notes"].look_closer("mean_squared_error", globals())  # of the folded cell

# %% [markdown]
# ## The step
#
# `loss.backward()` computes for each parameter which way the loss grows: its *gradient*. A step goes the
# other way, a little. **Predict first:** what happens with a rate that is far too large?


# %% solution="gradient_step"
def gradient_step(model, x, wanted, rate):
    """Take one step of gradient descent, and return the loss before it, a float.

    model: a module, whose parameters p become p − rate · gradient of the mean squared error. Gradients
    that somebody left behind in it don't count.
    """
    ### BEGIN SOLUTION
    model.zero_grad()
    loss = mean_squared_error(model(x), wanted)
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= rate * parameter.grad
    return loss.item()
    ### END SOLUTION


# %% test="gradient_step"
torch.manual_seed(0)
_x, _layer = torch.randn(20, 3), nn.Linear(3, 2)
_first, *_, _last = [gradient_step(_layer, _x, _x[:, :2], 0.1) for _ in range(50)]
assert isinstance(_first, float), f"Return a float, not {type(_first).__name__}."
assert _last < _first / 10, f"After 50 steps, the loss went from {_first:.3f} to {_last:.3f} only."
print("gradient_step passes the visible checks.")
