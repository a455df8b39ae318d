"""The rule negotiator: weights of the content dimensions from genre cues in the instruction."""

import json
import re
from collections.abc import Sequence
from typing import Final

_CUES: Final[dict[str, re.Pattern[str]]] = {
    "poem": re.compile(r"诗歌|诗篇|一首|现代诗|\bpoem|\bpoetry|\bverse\b|\bsonnet", re.IGNORECASE),
    "fiction": re.compile(
        r"小说|故事|人物|情节|主人公|\bstory|\bfiction|\bcharacter|\bplot\b|\bnovel", re.IGNORECASE
    ),
    "prose": re.compile(
        r"散文|随笔|纪实|回忆|乡愁|\bmemoir|\bprose\b|\brecollection|\bmemory", re.IGNORECASE
    ),
    "argument": re.compile(
        r"议论|评论|论述|观点|分析|探讨|文章|\bargu|\bopinion|\bessay|\banaly|\bdiscuss",
        re.IGNORECASE,
    ),
    "address": re.compile(
        r"演讲|发言|致辞|讲话|书信|信件|一封|\bspeech|\baddress\b|\bletter|\btoast\b", re.IGNORECASE
    ),
    "office": re.compile(
        r"合同|协议|方案|计划|总结|报告|通知|公文|制度|规定|办法|申请|\bcontract|\bagreement|\breport|\bplan\b|\bnotice"
        r"|\bregulation|\bsummary|\bproposal|\bapplication",
        re.IGNORECASE,
    ),
}
# Shares in hundredths per genre; names not listed get the mean share.
_SHARES: Final[dict[str, dict[str, int]]] = {
    "poem": {
        "opening_ending": 15,
        "language_rhetoric": 40,
        "instance": 15,
        "logic": 10,
        "emotion": 35,
    },
    "fiction": {
        "opening_ending": 25,
        "language_rhetoric": 30,
        "instance": 20,
        "logic": 20,
        "emotion": 25,
    },
    "prose": {
        "opening_ending": 20,
        "language_rhetoric": 30,
        "instance": 20,
        "logic": 15,
        "emotion": 35,
    },
    "argument": {
        "opening_ending": 20,
        "language_rhetoric": 20,
        "instance": 30,
        "logic": 45,
        "emotion": 15,
    },
    "address": {
        "opening_ending": 25,
        "language_rhetoric": 25,
        "instance": 20,
        "logic": 20,
        "emotion": 30,
    },
    "office": {
        "opening_ending": 20,
        "language_rhetoric": 20,
        "instance": 30,
        "logic": 55,
        "emotion": 5,
    },
    "none": {
        "opening_ending": 25,
        "language_rhetoric": 25,
        "instance": 25,
        "logic": 25,
        "emotion": 25,
    },
}


def negotiate(instruction: str, dimensions: Sequence[str]) -> str:
    """Weights in two decimals, sum exactly 1: `{"weights": {name: weight}, "reason": ...}`."""
    counts = {genre: len(cue.findall(instruction)) for genre, cue in _CUES.items()}
    genre = max(counts, key=lambda name: counts[name])
    if not counts[genre]:
        genre = "none"
    shares = _SHARES[genre]
    mean = sum(shares.values()) / len(shares)
    hundredths = _apportion([shares.get(name, mean) for name in dimensions])
    weights = {name: part / 100 for name, part in zip(dimensions, hundredths, strict=True)}
    found = (
        f"{counts[genre]} cue(s) of {genre}" if genre != "none" else "no genre cue, equal shares"
    )
    return json.dumps({"weights": weights, "reason": f"Instruction: {found}."}, ensure_ascii=False)


def _apportion(shares: Sequence[float]) -> list[int]:
    """100 split in proportion to the shares by the largest remainder, earlier names first."""
    total = sum(shares)
    exact = [100 * share / total for share in shares]
    parts = [int(value) for value in exact]
    by_remainder = sorted(range(len(parts)), key=lambda i: (parts[i] - exact[i], i))
    for i in by_remainder[: 100 - sum(parts)]:
        parts[i] += 1
    return parts
