"""SQL function `score_plan`: dimensions that a judge chose, their shares and scores, the total.

The total is the judge's own: that it need not be the sum of shares and scores is what auto-plan
is held against (HoWToBench 5.4).
"""

from towbench.udfs.negotiate_weights import sum_to_one
from towbench.udfs.reply import Asked, Fault, Settled, Verdict

NAME = "score_plan"
REPLY = "plan_v1"


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """An object with a total."""
    return "total" in verdict.fields


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{"score": total, "parts": [{"name", "share", "score"}]}`: shares 0-1 with the sum 1.

    Every dimension is named once. A sum off by at most 0.01 is normalised and marked.
    """
    if asked.low is None or asked.high is None:
        raise Fault("unparsable", "prompt_without_range")
    entries = verdict.named("dimensions", "score")
    names = [name for name, _ in entries]
    if not names:
        raise Fault("unparsable", "dimensions=[]")
    if len(set(names)) < len(names):
        raise Fault("unparsable", f"twice={max(names, key=names.count)}")
    shares = sum_to_one(
        {name: entry.number("share", 0, 1, f"share of {name}") for name, entry in entries}, verdict
    )
    parts = [
        {
            "name": name,
            "share": shares[name],
            "score": entry.number("score", asked.low, asked.high, name),
        }
        for name, entry in entries
    ]
    total = verdict.number("total", asked.low, asked.high)
    return Settled({"score": total, "parts": parts}, verdict.rationale())
