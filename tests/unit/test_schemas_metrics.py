"""Which metrics are asked for, under which names."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from towbench.schemas import metrics
from towbench.schemas.errors import UsageError
from towbench.schemas.metrics import asked_metrics, is_computed
from towbench.schemas.settings import Settings


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names(**settings: object) -> list[str]:
    chosen = Settings.model_validate(settings)
    asked = asked_metrics(chosen.metrics, chosen.embedder, chosen.learned_metric)
    return [name for name, _ in asked]


def checkpoint(folder: Path, weights: bytes = b"w") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(weights)
    return folder


def test_bleu_and_rouge_are_the_default() -> None:
    assert names() == [
        "bleu_1", "bleu_2", "bleu_3", "bleu_4", "bleu_released_1", "bleu_released_2",
        "bleu_released_3", "bleu_released_4", "rouge_1", "rouge_2", "rouge_l",
    ]  # fmt: skip
    assert names(metrics=("rouge", "rouge")) == ["rouge_1", "rouge_2", "rouge_l"]
    assert names(metrics=("none",)) == []


def test_similarity_is_named_after_its_model() -> None:
    assert names(metrics=("similarity",)) == ["similarity:embedded/ngrams-1"]
    chosen = {"metrics": ("similarity",), "embedder": "openai/text-embedding-3-small"}
    assert names(**chosen) == ["similarity:openai/text-embedding-3-small"]
    assert "openai/text-embedding-3-small" in Settings.model_validate(chosen).models("score")
    assert "embedded/ngrams-1" not in Settings.model_validate({}).models("score")


def test_other_weights_are_another_learned_metric(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "find_spec", lambda name: object())
    folder = checkpoint(tmp_path / "bleurt-tiny")
    chosen = {"metrics": ("learned",), "learned_metric": folder}
    [first] = names(**chosen)
    assert (
        first.startswith("learned:bleurt-tiny@") and len(first) == len("learned:bleurt-tiny@") + 8
    )
    assert names(**chosen) == [first]
    checkpoint(folder, b"other")
    assert names(**chosen) != [first]
    [(_, parameters)] = asked_metrics(("learned",), "a/b", Path("bleurt-tiny"))
    assert parameters == {"path": str(folder.resolve())}


def test_a_learned_metric_that_cannot_be_had_is_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="TOWBENCH_LEARNED_METRIC"):
        names(metrics=("learned",))
    with pytest.raises(UsageError, match="no folder with config"):
        names(metrics=("learned",), learned_metric=tmp_path / "nowhere")
    monkeypatch.setattr(metrics, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"torch and transformers.*learned-metrics"):
        names(metrics=("learned",), learned_metric=checkpoint(tmp_path / "c"))


@pytest.mark.parametrize(("name", "value"), [("METRICS", "bleu,blue"), ("EMBEDDER", "text-small")])
def test_a_setting_that_cannot_be_right_is_refused(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"TOWBENCH_{name}", value)
    with pytest.raises(ValidationError, match=name.lower()):
        Settings()


def test_names_that_are_computed_here_are_known() -> None:
    own = ["bleu_1", "rouge_l", "similarity:a/b", "learned:c@12345678"]
    assert [is_computed(name) for name in own] == [True] * 4
    assert not any(map(is_computed, ["BLEU", "bleu", "bertscore", "similarity"]))
