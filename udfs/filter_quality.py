"""SQL function `filter_quality`: 1-5 for a document as a whole and for each rubric dimension."""

from towbench.udfs.reply import Asked, Fault, Settled, Verdict

NAME = "filter_quality"
REPLY = "quality_v1"

_LOW, _HIGH = 1, 5


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """An object that names an overall score."""
    return "overall" in verdict.fields


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{"overall": n, "dimensions": {name: n}}`: whole numbers 1-5, exactly the asked names."""
    entries = verdict.exactly("dimensions", "score", asked.dimensions)
    scores = {name: _whole(entry, "score", name) for name, entry in entries.items()}
    overall = _whole(verdict, "overall", "overall")
    return Settled({"overall": overall, "dimensions": scores}, verdict.rationale())


def _whole(verdict: Verdict, key: str, label: str) -> int:
    value = verdict.number(key, _LOW, _HIGH, label)
    if value != int(value):
        raise Fault("out_of_range", f"{label}={value}")
    return int(value)
