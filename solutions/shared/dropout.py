from torch import nn


def fault_of_dropout(found, rate):
    """Return what is wrong with numbers in train mode, or nothing; without dropout each was 1."""
    lost, factor = found.abs() < 1e-3, 1 / (1 - rate)
    share, kept = lost.double().mean().item(), found[~lost]
    if not len(kept):
        return "all of it is lost."
    usual = kept.median()
    is_one_factor = (kept - usual).abs().max() < 1e-3 * factor
    if is_one_factor and abs(usual - 1) < 1e-3:
        if share:
            return "some of it is lost, but the rest stays as large as it was."
        return "all of it comes through, as it does without dropout."
    if lost.double().mean(-1).std() > 0.35:
        return "some tokens lose all of it, others nothing: a draw decided about many numbers."
    if is_one_factor and abs(share - rate) > 0.05:
        return f"{share:.0%} of it is lost."
    if not is_one_factor or abs(usual - factor) > 1e-3 * factor:
        return "some of it is neither lost nor enlarged by the factor 1 / (1 - dropout)."
    return ""


def fault_of_sublayers(block, rate, ends, *inputs):
    """Return what is wrong with the dropout of a fresh block, or nothing.

    `ends`: the bias at the end of each sublayer, in their order. All weights become 0, and these 1:
    each sublayer adds 1 to each number. What a norm is given, less what the norm before it returned,
    is what really reached the sum.
    """
    ones = [block.get_parameter(end) for end in ends]
    for name, value in block.train().named_parameters():
        if "norm" not in name:
            value.fill_(any(value is one for one in ones))
    sums, residuals = [], [inputs[0].clone()]
    for part in block.modules():
        if isinstance(part, nn.LayerNorm):
            part.register_forward_pre_hook(lambda _, given: sums.extend(x.clone() for x in given))
            part.register_forward_hook(lambda _, __, found: residuals.append(found.clone()))
    block(*inputs)
    if len(sums) != len(ends):  # another way to write norms
        return ""
    for end, total, residual in zip(ends, sums, residuals, strict=False):
        if ((total.abs() < 1e-6) & (residual.abs() > 1e-6)).double().mean() > rate / 2:
            return f"The residual beside {end.split('.')[0]} loses numbers as well. Does dropout come before the sum, or after?"
        if said := fault_of_dropout(total - residual, rate):
            return f"What {end.split('.')[0]} adds to the residual: {said}"
    return ""
