"""A learned metric from a folder: a tiny regression checkpoint, made here with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from towbench.schemas.metrics import asked_metrics
from towbench.udfs import measure_learned
from towbench.udfs.measure_learned import CheckpointError

torch = pytest.importorskip("torch", reason="the extra learned-metrics is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="the extra learned-metrics is not installed")
transformers = pytest.importorskip(
    "transformers", reason="the extra learned-metrics is not installed"
)

pytestmark = pytest.mark.slow

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"雨停了天亮时河水退涨"]
LONGEST = 24


def checkpoint(folder: Path, num_labels: int = 1) -> Path:
    """A checkpoint of a BERT of two layers, as `save_pretrained` writes it."""
    torch.manual_seed(7)
    words = tokenizers.models.WordPiece(
        {word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"
    )
    made = tokenizers.Tokenizer(words)
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]",
    ).save_pretrained(folder)  # fmt: skip
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=LONGEST, num_labels=num_labels,
        initializer_range=0.5,
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(tmp_path_factory.mktemp("c") / "tiny")


def measure(folder: Path, *pairs: tuple[str, str]) -> list[dict[str, Any]]:
    texts, references = zip(*pairs, strict=True)
    columns = ([str(folder)] * len(pairs), texts, references)
    return list(
        measure_learned.run(*(pa.chunked_array([pa.array(c)]) for c in columns)).to_pylist()
    )


def by_hand(folder: Path, text: str, reference: str) -> float:
    """The model's own output for reference, then text."""
    model = transformers.BertForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        return float(model(**tokenizer(reference, text, return_tensors="pt")).logits[0, 0])


PAIRS = [
    ("雨停了", "天亮时雨停了"), ("河水退了", "河水涨了"), ("雨", "天亮"), ("天亮时雨停了", "雨停了"),
]  # fmt: skip


def test_scores_are_those_of_the_model_in_any_company(folder: Path) -> None:
    rows = measure(folder, *(PAIRS * 10))
    wanted = [by_hand(folder, *pair) for pair in PAIRS] * 10
    assert [row["status"] for row in rows] == ["ok"] * 40
    assert [row["score"] for row in rows] == pytest.approx(wanted, abs=1e-5)
    assert len({round(score, 6) for score in wanted}) == 4


def test_reference_and_text_are_told_apart(folder: Path) -> None:
    one, other = measure(folder, PAIRS[0], PAIRS[3])
    assert one["score"] != pytest.approx(other["score"], abs=1e-6)


def test_a_pair_that_is_too_long_is_cut_and_says_so(folder: Path) -> None:
    short, long = measure(folder, PAIRS[0], ("雨停了" * 20, "天亮时雨停了"))
    assert short["reason"] is None
    n_token = 60 + 6 + 3
    assert (long["status"], long["reason"]) == ("ok", f"cut_to_tokens={LONGEST}<{n_token}")


def test_a_checkpoint_that_is_no_metric_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"LEARNED_METRIC.*has 2 outputs"):
        measure(checkpoint(tmp_path / "two", num_labels=2), PAIRS[0])
    broken = checkpoint(tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(CheckpointError, match=r"LEARNED_METRIC.*broken"):
        measure(broken, PAIRS[0])


def test_it_can_be_asked_for(folder: Path) -> None:
    [(name, parameters)] = asked_metrics(("learned",), "a/b", folder)
    assert name.startswith("learned:tiny@")
    assert parameters == {"path": str(folder)}
