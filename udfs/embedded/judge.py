"""The rule judge: eight Tree-of-Writing leaves as weighted ramps of text statistics times gates.

It does not read for meaning, truth or argument: leaf names follow the paper, each is a proxy.
"""

import json
import math
from collections.abc import Mapping
from typing import Final

from towbench.schemas.trees import load_leaves
from towbench.udfs.embedded.gates import gate_factors
from towbench.udfs.embedded.relation import measured
from towbench.udfs.embedded.rules import RAMPS

# Weights of the ramps in each leaf; a statistic that needs a reference drops out without one.
LEAVES: Final[dict[str, dict[str, float]]] = {
    "opening_ending": {
        "end_recall": 2,
        "recall": 1,
        "diversity": 2,
        "rare": 1,
        "sentence_spread": 1,
        "novelty": 1,
        "paragraph_flow": 1,
    },
    "language_rhetoric": {
        "diversity": 3,
        "rare": 3,
        "sentence_spread": 2,
        "dash_k": 1,
        "sense_k": 1,
        "recall": 2,
    },
    "instance": {"rare": 2, "novelty": 2, "recall": 3, "sense_k": 1, "detail_k": 1},
    "logic": {
        "recall": 3,
        "novelty": 1,
        "repeat_short": 2,
        "cohesion": 1,
        "paragraph_cohesion": 1,
        "paragraph_flow": 1,
        "order_cues": 2,
        "diversity": 1,
    },
    "emotion": {
        "sense_k": 2,
        "dash_k": 1,
        "sentence_spread": 2,
        "diversity": 2,
        "novelty": 1,
        "recall": 2,
    },
    "plot": {"recall": 3, "novelty": 2, "diversity": 2, "rare": 1, "sentence_spread": 1},
    "impression": {
        "recall": 3,
        "diversity": 2,
        "rare": 2,
        "novelty": 2,
        "sentence_spread": 1,
        "cohesion": 1,
        "sense_k": 1,
    },
}
RANGES: Final = {
    leaf.leaf: (leaf.low, leaf.high)
    for leaf in load_leaves().values()
    if leaf.leaf in LEAVES or leaf.leaf == "paragraphing"
}
# Recall keeps growing past what models reach, so that a near copy outranks a half of one.
_OPEN_ENDED: Final = frozenset({"recall", "end_recall"})


def judge(leaf: str, instruction: str, reference: str, text: str, lang: str) -> str:
    """One leaf's reply, `{"score": number, "reason": one sentence}`."""
    stats = measured(instruction, reference, text, lang)
    shares = _paragraph_shares(stats) if leaf == "paragraphing" else ramp_shares(leaf, stats, lang)
    factors = gate_factors(stats)
    low, high = RANGES[leaf]
    score = low + (high - low) * _mean(leaf, shares) * math.prod(factors.values())
    # The trees map plot in steps (1-4, 5-7, 8-10): whole numbers only.
    value = math.floor(score + 0.5) if leaf == "plot" else round(score, 2)
    return json.dumps({"score": value, "reason": _reason(shares, factors)}, ensure_ascii=False)


def ramp_shares(leaf: str, stats: Mapping[str, float], lang: str) -> dict[str, float]:
    """Each statistic of the leaf on its ramp, 0 (low) to 1 (high)."""
    ramps = RAMPS[f"{lang}_{'fill' if stats['fill'] else 'whole'}"]
    shares = {}
    for name in LEAVES[leaf]:
        if name in stats:
            low, high = ramps[name]
            share = min(max((stats[name] - low) / (high - low), 0.0), 1.0)
            shares[name] = 0.6 * share + 0.4 * stats[name] if name in _OPEN_ENDED else share
    return shares


def _mean(leaf: str, shares: Mapping[str, float]) -> float:
    weights = LEAVES.get(leaf, {})
    total = sum(weights.get(name, 1.0) for name in shares)
    return sum(weights.get(name, 1.0) * share for name, share in shares.items()) / total


def _paragraph_shares(stats: Mapping[str, float]) -> dict[str, float]:
    """Division into paragraphs: none giant, not one block, not a list, none twice."""
    blocks = 1.0 if stats["paragraphs"] > 1 or stats["letters"] < 250 else 0.3
    return {
        "paragraphs": blocks,
        "longest_paragraph": min(max((1200 - stats["longest_paragraph"]) / 800, 0.0), 1.0),
        "lists": 1 - min(stats["lists"] / 0.6, 1.0),
    }


def _reason(shares: Mapping[str, float], factors: Mapping[str, float]) -> str:
    ordered = sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))
    parts = ", ".join(f"{name} {share:.2f}" for name, share in ordered)
    cuts = ", ".join(f"{name} x{factor:.2f}" for name, factor in sorted(factors.items()))
    return f"Ramps 0-1: {parts}; gates: {cuts or 'none closed'}."
