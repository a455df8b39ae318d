"""SQL function `negotiate_weights`: how much each asked dimension counts for one instruction."""

from towbench.udfs.reply import Asked, Fault, Settled, Verdict

NAME = "negotiate_weights"
REPLY = "weights_v1"

_TOLERANCE = 0.01
_ROUNDING = 1e-9


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """An object with weights, or one that is the map of weights itself."""
    return "weights" in verdict.fields or set(asked.dimensions) <= verdict.fields.keys()


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{dimension: weight}`: exactly the asked names, each in [-1, 1], sum 1 (SPEC 4)."""
    whole = verdict
    if "weights" not in verdict.fields:
        own = {key: one for key, one in verdict.fields.items() if key not in ("nonce", "reason")}
        whole = Verdict({"weights": own}, verdict.repairs)
    entries = whole.exactly("weights", "weight", asked.dimensions)
    weights = {name: entry.number("weight", -1, 1, name) for name, entry in entries.items()}
    return Settled(dict(sum_to_one(weights, verdict)), verdict.rationale())


def sum_to_one(weights: dict[str, int | float], verdict: Verdict) -> dict[str, int | float]:
    """The weights if their sum is 1; one off by at most 0.01 is normalised and marked (SPEC 4).

    No weight is ever supplied: any other sum is a Fault.
    """
    total = sum(weights.values())
    if abs(total - 1) > _TOLERANCE + _ROUNDING:
        raise Fault("out_of_range", f"sum={round(total, 6)}")
    if abs(total - 1) <= _ROUNDING:
        return weights
    shares = {name: weight / total for name, weight in weights.items()}
    if any(abs(share) > 1 for share in shares.values()):
        raise Fault("out_of_range", f"sum={round(total, 6)}")
    verdict.repairs.append("normalised")
    return shares
