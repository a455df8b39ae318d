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
    """`{dimension: weight}`: exactly the asked names, each in [-1, 1], sum 1 (SPEC 4).

    A sum off by at most 0.01 is normalised and marked; no weight is ever supplied.
    """
    whole = verdict
    if "weights" not in verdict.fields:
        own = {key: one for key, one in verdict.fields.items() if key != "reason"}
        whole = Verdict({"weights": own}, verdict.repairs)
    entries = whole.exactly("weights", "weight", asked.dimensions)
    weights = {name: entry.number("weight", -1, 1, name) for name, entry in entries.items()}
    total = sum(weights.values())
    if abs(total - 1) > _TOLERANCE + _ROUNDING:
        raise Fault("out_of_range", f"sum={round(total, 6)}")
    if abs(total - 1) > _ROUNDING:
        weights = {name: weight / total for name, weight in weights.items()}
        if any(abs(weight) > 1 for weight in weights.values()):
            raise Fault("out_of_range", f"sum={round(total, 6)}")
        verdict.repairs.append("normalised")
    return Settled(dict(weights), verdict.rationale())
