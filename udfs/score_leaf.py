"""SQL function `score_leaf`: a judge's score of one leaf, on the scale of the leaf's prompt."""

from towbench.udfs.reply import Asked, Fault, Settled, Verdict

NAME = "score_leaf"
REPLY = "leaf_score_v1"


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """An object that names a score."""
    return "score" in verdict.fields


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{"score": n}`, within the range that the prompt states (SPEC 4)."""
    if asked.low is None or asked.high is None:
        raise Fault("unparsable", "prompt_without_range")
    score = verdict.number("score", asked.low, asked.high)
    return Settled({"score": score}, verdict.rationale())
