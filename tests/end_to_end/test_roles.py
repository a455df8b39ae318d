"""What each role sends: published sampling by default, its own on top, to its own provider."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from towbench.tests.project import Project
from towbench.udfs.embedded.endpoint import Endpoint, Options, running

pytestmark = pytest.mark.slow

ROLES = ("JUDGE", "NEGOTIATOR", "CLASSIFIER", "FILTER", "CONSTRUCTOR")
PUBLISHED = {
    "rules-1-judge": {"temperature": 0, "max_tokens": 2048},
    "rules-1-negotiator": {"temperature": 0, "max_tokens": 2048},
    "rules-1-classifier": {"temperature": 0, "max_tokens": 4096},
    "rules-1-filter": {"temperature": 0, "max_tokens": 4096},
    "rules-1-constructor": {"temperature": 0, "max_tokens": 4096},
    "lead-half": {"temperature": 0.7, "top_p": 0.8, "top_k": 20, "max_tokens": 16000},
}
"""SPEC 4; the labelling models are given room for long replies."""


def sent(endpoint: Endpoint) -> dict[str, list[dict[str, Any]]]:
    """The distinct parameters that each model was asked with."""
    found: dict[str, list[dict[str, Any]]] = {}
    for record in endpoint.records:
        known = found.setdefault(record.model, [])
        if dict(record.parameters) not in known:
            known.append(dict(record.parameters))
    return found


def build(project: Project, **settings: str) -> None:
    """Corpus and scores of a few articles, every role played by a model of its own."""
    chosen = {f"{role}S" if role == "JUDGE" else role: name(role) for role in ROLES}
    chosen |= {"WRITERS": "pen/lead-half", "LIMIT": "2"} | settings
    project.run("corpus", code=0, **chosen)
    project.run("score", code=0, **chosen)


def name(role: str) -> str:
    """The judge and the writer have providers of their own."""
    return f"{'seat' if role == 'JUDGE' else 'desk'}/rules-1-{role.lower()}"


def test_every_role_sends_the_published_sampling(tmp_path: Path) -> None:
    with running(Options()) as endpoint:
        build(Project(tmp_path), BASE_URL=endpoint.url, API_KEY="any-word")
        assert sent(endpoint) == {model: [asked] for model, asked in PUBLISHED.items()}


def test_a_role_has_its_own_sampling_and_a_provider_its_own_settings(tmp_path: Path) -> None:
    """null takes a parameter out; a key goes to its own provider only."""
    own: dict[str, dict[str, Any]] = {
        "JUDGE": {"top_p": 0.95, "max_tokens": 512},
        "NEGOTIATOR": {"seed": 7},
        "CLASSIFIER": {"temperature": None},
        "FILTER": {"max_tokens": None},
        "CONSTRUCTOR": {"temperature": 0.3},
        "WRITER": {"top_k": None, "max_tokens": 900},
    }
    samplings = {f"{role}_SAMPLING": json.dumps(given) for role, given in own.items()}
    with (
        running(Options(key="key-of-desk")) as desk,
        running(Options(key="key-of-seat", latency="lognormal:30")) as seat,
        running(Options(key="key-of-pen")) as pen,
    ):
        build(
            Project(tmp_path),
            BASE_URL=desk.url, API_KEY="key-of-desk",
            SEAT_BASE_URL=seat.url, SEAT_API_KEY="key-of-seat", SEAT_CONCURRENCY="1",
            PEN_BASE_URL=pen.url, PEN_API_KEY="key-of-pen",
            JUDGE_TEMPERATURE="1", **samplings,
        )  # fmt: skip
        assert sent(seat) == {
            "rules-1-judge": [{"temperature": 1, "top_p": 0.95, "max_tokens": 512}]
        }
        assert sent(pen) == {"lead-half": [{"temperature": 0.7, "top_p": 0.8, "max_tokens": 900}]}
        assert sent(desk) == {
            "rules-1-negotiator": [{"temperature": 0, "max_tokens": 2048, "seed": 7}],
            "rules-1-classifier": [{"max_tokens": 4096}],
            "rules-1-filter": [{"temperature": 0}],
            "rules-1-constructor": [{"temperature": 0.3, "max_tokens": 4096}],
        }
        spans = sorted((one.at, one.done) for one in seat.records)
        assert len(spans) > 5
        # One at a time, though the others may send sixteen.
        assert all(done < at + 0.01 for (_, done), (at, _) in pairwise(spans))
