"""The rule back-constructor: summary, theme and traits of a text, taken from its own sentences."""

import json
import re
from collections.abc import Sequence
from typing import Final

from towbench.udfs.embedded import lexicon
from towbench.udfs.embedded.features import Profile, profile

# Which sentences show a trait, by a part of the trait's name; other traits take key sentences.
_SPEAKING: Final = re.compile(r"[“”「」\"]|说|道|问|\bsaid\b|\basked\b")
_NUMBERED: Final = re.compile(
    r"\d|[一二三四五六七八九十]+[、是条]|第[一二三四五六七八九十]|\bfirst|\bsecond", re.IGNORECASE
)
_LIMITS: Final = {"zh": (10, 100, 160), "en": (5, 100, 80)}  # theme, trait, summary: Han / words


def construct(text: str, lang: str, traits: Sequence[str]) -> str:
    """`{"summary": ..., "theme": ..., "traits": [{"name", "text"}]}`, all extracted."""
    own = profile(text, lang)
    ranked = _ranked(own)
    theme_size, trait_size, summary_size = _LIMITS[lang]
    reply = {
        "summary": _quote(own, ranked[:3], summary_size),
        "theme": _theme(own, theme_size),
        "traits": [
            {"name": name, "text": _quote(own, _chosen(own, name, ranked), trait_size)}
            for name in traits
        ],
    }
    return json.dumps(reply, ensure_ascii=False)


def _key_terms(own: Profile) -> list[str]:
    """Content words by count x rarity, the topic first."""
    counts, rarities = own.reading.counts, own.reading.rarities
    score = {word: count * rarities[word] for word, count in counts.items()}
    repeated = [word for word, count in counts.items() if count > 1] or list(counts)
    return sorted(repeated, key=lambda word: (-score[word], word))


def _theme(own: Profile, limit: int) -> str:
    chosen: list[str] = []
    for word in _key_terms(own):
        size = sum(map(len, chosen)) + len(word) if own.lang == "zh" else len(chosen) + 1
        if size > limit or len(chosen) == 4:
            break
        chosen.append(word)
    return ("" if own.lang == "zh" else " ").join(chosen)


def _ranked(own: Profile) -> list[int]:
    """Sentence numbers, most central first: share of key terms, early sentences a little ahead."""
    terms = {word: 1 / (place + 3) for place, word in enumerate(_key_terms(own)[:20])}
    score = []
    for place, sentence in enumerate(own.sentences):
        low = sentence.lower()
        weight = sum(value for word, value in terms.items() if word in low)
        score.append(weight / (len(sentence) + 20) ** 0.5 + 0.02 / (place + 1))
    return sorted(range(len(score)), key=lambda place: (-score[place], place))


def _chosen(own: Profile, trait: str, ranked: Sequence[int]) -> list[int]:
    """The sentences that show `trait`, best first."""
    low = trait.lower()

    def matching(pattern: re.Pattern[str]) -> list[int]:
        return [place for place in ranked if pattern.search(own.sentences[place])]

    if re.search("plot|structure|情节|结构|脉络", low):
        picked = [0, ranked[0], len(own.sentences) - 1]
    elif re.search("character|人物|角色", low):
        picked = matching(_SPEAKING)
    elif re.search("emotion|feeling|tone|情感|感情", low):
        picked = matching(lexicon.FEELING[own.lang])
    elif re.search("language|style|imagery|语言|风格|意象", low):
        picked = matching(lexicon.SENSORY[own.lang])
    elif re.search("instance|detail|data|clause|事例|数据|条款|措施", low):
        picked = matching(_NUMBERED)
    else:
        picked = []
    return list(dict.fromkeys([*picked[:3], *ranked]))[:3]


def _quote(own: Profile, places: Sequence[int], limit: int) -> str:
    """These sentences in the order of the text, as many as fit; one too long is cut."""
    taken: list[int] = []
    used = 0
    for place in places:
        size = _size(own.sentences[place], own.lang)
        if used + size <= limit:
            taken.append(place)
            used += size
    glue = "" if own.lang == "zh" else " "
    if taken or not places:
        return glue.join(own.sentences[place] for place in sorted(taken))
    first = own.sentences[places[0]]
    return first[: limit - 1] + "…" if own.lang == "zh" else " ".join(first.split()[:limit])


def _size(sentence: str, lang: str) -> int:
    return len(sentence) if lang == "zh" else len(sentence.split())
