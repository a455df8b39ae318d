"""SQL function `score_rubric`: a score for each dimension of a rubric and the total beside them."""

from towbench.udfs.reply import Asked, Fault, Settled, Verdict

NAME = "score_rubric"
REPLY = "rubric_scores_v1"


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """An object with a total."""
    return "total" in verdict.fields


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{"score": total, "parts": [{"name", "score"}]}`: exactly the asked names, all in range."""
    if asked.low is None or asked.high is None:
        raise Fault("unparsable", "prompt_without_range")
    entries = verdict.exactly("dimensions", "score", asked.dimensions)
    parts = [
        {"name": name, "score": entry.number("score", asked.low, asked.high, name)}
        for name, entry in entries.items()
    ]
    total = verdict.number("total", asked.low, asked.high)
    return Settled({"score": total, "parts": parts}, verdict.rationale())
