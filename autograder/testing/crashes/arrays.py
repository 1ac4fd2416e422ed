"""Exceptions of NumPy and PyTorch: shapes, axes, indices, dtypes, gradients."""

from __future__ import annotations

from autograder.testing.crashes.rule import Rule

_INNER = (
    "In a matrix product the last size on the left must be the last but one on the right; here "
    "{a} meets {b}. Print both shapes just before {line}: which axes should meet?"
)
_UNFIT = "These shapes don't fit: ({a}) and ({b}). Print both just before {line}."
_JOINED = (
    "Arrays that are joined must have the same sizes along every other axis. Print their shapes "
    "just before {line}."
)
_LAID_OUT = (
    "{n} numbers can't be laid out in the shape ({shape}), which must hold exactly as many. Which "
    "of its sizes is not what you expected?"
)
_AXES = "Print the shape just before {line}: how many axes do you expect?"
_DTYPES = (
    "Two tensors of different dtypes are combined. Which of them has a dtype that you didn't "
    "expect?"
)
_NOT_FOR = (
    "PyTorch can't do this with numbers of dtype {dtype}. Print the dtypes just before {line}: "
    "which one did you not expect?"
)

RULES = (
    Rule("crash-shapes", r"size (?P<b>\d{1,9}) is different from (?P<a>\d{1,9})\)", _INNER),
    Rule("crash-shapes", r"not aligned: (?P<a>\d{1,9}) \(dim \d\) != (?P<b>\d{1,9})", _INNER),
    Rule(
        "crash-shapes",
        r"cannot be multiplied \(\d{1,9}x(?P<a>\d{1,9}) and (?P<b>\d{1,9})x\d{1,9}\)",
        _INNER,
    ),
    Rule(
        "crash-shapes",
        r"batch2 tensor to be: \[(?P<a>[\d, ]{1,40})\] but got: \[(?P<b>[\d, ]{1,40})\]",
        "In a product of two stacks of matrices, the shape of the second should begin with ({a}), "
        "but it begins with ({b}). Print both shapes just before {line}.",
    ),
    Rule(
        "crash-shapes",
        r"normalized_shape=\[(?P<a>[\d, ]{1,40})\], expected input with shape .{1,60}? but got "
        r"input of size\[(?P<b>[\d, ]{1,80})\]",
        "The norm was made for last axes of ({a}), and gets the shape ({b}). Which of the two is "
        "not what you expected?",
    ),
    Rule(
        "crash-shapes",
        r"attn_mask is torch\.Size\(\[(?P<a>[\d, ]{1,60})\]\), but should be "
        r"\((?P<b>[\d, ]{1,60})\)",
        "The attention mask has the shape ({a}), and ({b}) is needed. Print both just before "
        "{line}: from which sizes is the mask made?",
    ),
    Rule(
        "crash-shapes",
        r"Padding size should be less than the corresponding input dimension",
        "More is padded on here than this kind of padding has numbers for. Print the shape just "
        "before {line}: how long is the axis, and how much is added?",
    ),
    Rule("crash-shapes", r"Sizes of tensors must match except in dimension", _JOINED),
    Rule("crash-shapes", r"dimensions except for the concatenation axis must match", _JOINED),
    Rule(
        "crash-broadcast",
        r"not be broadcast together with (?:remapped )?shapes (?:\[original->remapped\]: )?"
        r"\((?P<a>[\d,]{0,60})\)(?:->\([\w,]{0,60}\))? \((?P<b>[\d,]{0,60})\)",
        _UNFIT,
    ),
    Rule(
        "crash-broadcast",
        r"broadcast input array from shape \((?P<a>[\d,]{0,60})\) into shape "
        r"\((?P<b>[\d,]{0,60})\)",
        _UNFIT,
    ),
    Rule(
        "crash-broadcast",
        r"size of tensor a \((?P<a>\d{1,9})\) must match the size of tensor b "
        r"\((?P<b>\d{1,9})\) at non-singleton dimension (?P<axis>\d{1,9})",
        "These two don't fit: along axis {axis} a size of {a} meets {b}, and only a size of 1 is "
        "stretched. Print both shapes just before {line}.",
    ),
    Rule(
        "crash-broadcast",
        r"expanded size of the tensor \((?P<a>\d{1,9})\) must match the existing size "
        r"\((?P<b>\d{1,9})\)",
        "A size of {b} can't be stretched to {a}; only a size of 1 can. Print both shapes just "
        "before {line}.",
    ),
    Rule(
        "crash-reshape",
        r"cannot reshape array of size (?P<n>\d{1,12}) into shape \((?P<shape>[-\d,]{0,60})\)",
        _LAID_OUT,
    ),
    Rule(
        "crash-reshape",
        r"shape '\[(?P<shape>[-\d, ]{0,60})\]' is invalid for input of size (?P<n>\d{1,12})",
        _LAID_OUT,
    ),
    Rule(
        "crash-reshape",
        r"view size is not compatible",
        "`view` needs the numbers to lie in memory in the order of the axes, which a transpose, "
        "for example, changes; `reshape` copies them if necessary.",
    ),
    Rule(
        "crash-axis",
        r"axis (?P<axis>-?\d{1,9}) is out of bounds for array of dimension (?P<n>\d{1,9})",
        f"Your code uses axis {{axis}}, but the number of axes is {{n}}, counted from 0. {_AXES}",
    ),
    Rule(
        "crash-axis",
        r"Dimension out of range [^\n]{0,80}but got (?P<axis>-?\d{1,9})",
        f"Your code uses axis {{axis}}, which this tensor doesn't have. {_AXES}",
    ),
    Rule(
        "crash-axis",
        r"axes don't match array|number of dimensions in the tensor input does not match",
        _AXES,
    ),
    Rule(
        "crash-index",
        r"index out of range in self",
        "An embedding was asked for a token, or a position, that it doesn't have. For which "
        "vocabulary, or length, was it made?",
    ),
    Rule(
        "crash-index",
        r"index (?P<at>-?\d{1,12}) is out of bounds for (?:axis|dimension) (?P<axis>\d{1,3}) with "
        r"size (?P<n>\d{1,12})",
        "Along axis {axis} there are {n} entries, counted from 0, and your code asks for number "
        "{at}. Where does that number come from?",
    ),
    Rule(
        "crash-index",
        r"(?:list|tuple) index out of range",
        "Your code asks for an entry beyond the end of a list or tuple. How long is it just before "
        "{line}?",
    ),
    Rule("crash-index", r"too many indices for (?:array|tensor)", f"An index too many. {_AXES}"),
    Rule(
        "crash-index",
        r"invalid index (?:to scalar variable|of a 0-dim tensor)",
        f"An index for a single number, which has no axis. {_AXES}",
    ),
    Rule("crash-dtype", r"have the same dtype|expected scalar type", _DTYPES),
    Rule("crash-dtype", r"not implemented for '(?P<dtype>\w{1,20})'", _NOT_FOR),
    Rule(
        "crash-dtype",
        r"complex dtype\. Got: (?P<dtype>\w{1,20})",
        _NOT_FOR,
    ),
    Rule(
        "crash-dtype",
        r"only supports boolean masks",
        "The mask here holds numbers, not booleans. What makes True and False of them?",
    ),
    Rule(
        "crash-scalar",
        r"only (length-1|0-dimensional|integer scalar) arrays can be converted",
        "A whole array stands where a single number is needed; the functions in `math`, for "
        "example, take one number at a time.",
    ),
    Rule(
        "crash-gradient",
        r"Can't call numpy\(\) on Tensor that requires grad",
        "This tensor takes part in learning, and in NumPy its gradient would be lost. Which "
        "function of PyTorch does what you need there?",
    ),
    Rule(
        "crash-gradient",
        r"does not require grad and does not have a grad_fn",
        "Nothing that could learn is connected with what `backward` starts from. Where on the way "
        "is the connection lost: at a plain number, in NumPy, at a `detach`, under `no_grad`?",
    ),
    Rule(
        "crash-gradient",
        r"leaf Variable that requires grad is being used in an in-place operation",
        "A parameter can't be changed in place while gradients are recorded.",
    ),
    Rule(
        "crash-gradient",
        r"backward through the graph a second time",
        "`backward` ran twice through the same computation. Which tensor is still the one from the "
        "step before?",
    ),
    Rule(
        "crash-gradient",
        r"modified by an inplace operation",
        "A tensor that the gradient needs was overwritten. Which line writes into a tensor instead "
        "of making a new one?",
    ),
)
