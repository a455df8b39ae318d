"""Every setting of towbench: one frozen class, read from `TOWBENCH_*` variables and `.env`."""

from __future__ import annotations

import difflib
import json
import os
import re
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from towbench.schemas.metrics import METRICS, SIMILARITY
from towbench.schemas.perturbations import expand

EMBEDDED = "embedded/rules-1"
EMBEDDER = "embedded/ngrams-1"
SAMPLE_WRITERS = (
    "embedded/drop-paragraph",
    "embedded/lead-half",
    "embedded/shuffle-words",
    "embedded/prompt-copy",
)
PRESENTATIONS = ("reference_first", "candidate_first")
Names = Annotated[tuple[str, ...], NoDecode]
"""A tuple of names written as one comma-separated string."""
Sampling = Annotated[dict[str, float | int | str | bool | None], NoDecode]
"""Sampling parameters written as a JSON object; null leaves one out."""


class Provider(BaseModel):
    """Where the models of one endpoint alias are reached."""

    model_config = ConfigDict(frozen=True)

    alias: str
    base_url: str | None
    api_key: SecretStr | None
    concurrency: int
    requests_per_minute: int | None
    tokens_per_minute: int | None


class Settings(BaseSettings):
    """Settings of a run; a field `x` is read from `TOWBENCH_X`.

    Models are named `provider/model`; `embedded/rules-1` is the offline one. Lists are
    comma-separated. `TOWBENCH_<PROVIDER>_BASE_URL`, `_API_KEY`, `_CONCURRENCY`, `_RPM` and `_TPM`
    override the global values for one provider.
    """

    model_config = SettingsConfigDict(
        env_prefix="TOWBENCH_", env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True
    )

    db: Path = Field(Path("data/towbench.duckdb"), description="the database file")
    ledger: Path = Field(Path("data/ledger.duckdb"), description="the file of paid replies")
    landing: Path = Field(Path("data/landing"), description="folder of crawled pages (WARC)")
    release: Path = Field(Path("release"), description="folder that releases are written to")
    benchmark: str | None = Field(None, description="only this benchmark (default: all)")
    systems: Names = Field((), description="only these systems")
    items: Names = Field((), description="only these item ids")
    limit: int | None = Field(
        None, ge=1, description="first n items by hash of the id; in corpus: articles per source"
    )
    sources: Names = Field((), description="sources to crawl (default: the bundled sample sites)")
    since: date | None = Field(
        None, description="crawl no article whose address names an earlier day (YYYY-MM-DD)"
    )
    revisit_days: float | None = Field(
        None, ge=0, description="fetch pages again that were fetched this many days ago"
    )
    contact: str = Field("", description="URL or mail address told to crawled sites")
    judges: Names = Field((EMBEDDED,), description="models that score leaves")
    negotiator: str = Field(EMBEDDED, description="model that gives weights")
    classifier: str = Field(EMBEDDED, description="model that names the genre")
    filter: str = Field(EMBEDDED, description="model that rates document quality")
    constructor: str = Field(EMBEDDED, description="model that writes instructions from texts")
    marker: str | None = Field(
        None, description="model that also looks for personal data, unsafe text and advertisements"
    )
    writers: Names = Field(SAMPLE_WRITERS, description="systems that write sample candidates")
    perturbations: Names = Field(
        (), description="damages and attacks to judge copies with: drop, repeat, transfer, attack …"
    )
    perturbed: int = Field(5, ge=1, description="writings of each system that are perturbed")
    perturbation_seed: int = Field(
        1, ge=0, le=2**31 - 1, description="draws the writings and what happens to them"
    )
    perturber: str | None = Field(None, description="model that makes transfer and paraphrase")
    metrics: Names = Field(
        ("bleu", "rouge"),
        description="metrics to compute: bleu, rouge, similarity, learned; or none",
    )
    embedder: str = Field(
        EMBEDDER, description="model whose vectors the metric similarity compares"
    )
    learned_metric: Path | None = Field(
        None, description="folder of the regression checkpoint that the metric learned loads"
    )
    trees: Names = Field(
        ("tow",), description="trees to compute (tow = the current version), or files of your own"
    )
    presentations: Names = Field(
        ("reference_first",), description="order of the texts: reference_first, candidate_first"
    )
    references: Names = Field(("human",), description="reference modes: human, none, system:<id>")
    repeats: int = Field(1, ge=1, le=1000, description="judgements per leaf and judge")
    negotiator_repeats: int = Field(1, ge=1, le=1000, description="negotiations per item")
    samples: int = Field(1, ge=1, le=1000, description="texts per writer and item")
    judge_temperature: float = Field(0.0, ge=0, le=2, description="temperature of the judges")
    judge_sampling: Sampling = Field(
        {}, description='JSON over the published sampling, e.g. {"top_p": 0.95, "max_tokens": null}'
    )
    negotiator_sampling: Sampling = Field({}, description="the same for the negotiator")
    classifier_sampling: Sampling = Field({}, description="the same for the classifier")
    filter_sampling: Sampling = Field({}, description="the same for the filter")
    constructor_sampling: Sampling = Field({}, description="the same for the constructor")
    marker_sampling: Sampling = Field({}, description="the same for the marker")
    writer_sampling: Sampling = Field({}, description="the same for the writers")
    perturber_sampling: Sampling = Field({}, description="the same for the perturber")
    transport: Literal["live", "batch", "replay"] = Field(
        "live", description="how models are reached: one by one, in batches, from the ledger alone"
    )
    batch_poll: float = Field(30.0, gt=0, description="seconds between two looks at a batch")
    budget: float | None = Field(None, ge=0, description="USD that one run may spend at most")
    prices: Path | None = Field(
        None, description="your own price table (default: prices.csv in this folder, if any)"
    )
    base_url: str | None = Field(None, description="OpenAI-compatible endpoint of every provider")
    api_key: SecretStr | None = Field(None, description="its key; never stored or printed")
    concurrency: int = Field(16, ge=1, le=4096, description="requests in flight per endpoint")
    context: Names = Field(
        (), description="tokens that models take in, e.g. local/qwen3=32768,openai=128000"
    )
    request_timeout: float = Field(300.0, gt=0, description="seconds a request may take")
    retry: Names = Field((), description="final statuses to ask again in this run")
    threads: int = Field(2, ge=2, le=256, description="DuckDB threads")

    @field_validator(
        "systems", "items", "sources", "judges", "writers", "trees", "presentations",
        "references", "retry", "context", "perturbations", "metrics", mode="before",
    )  # fmt: skip
    @classmethod
    def _split(cls, value: object) -> object:
        """The parts of a comma-separated string, each once."""
        if isinstance(value, str):
            parts = (part.strip() for part in value.split(","))
            return tuple(dict.fromkeys(part for part in parts if part))
        return value

    @field_validator(
        "judge_sampling", "negotiator_sampling", "classifier_sampling", "filter_sampling",
        "constructor_sampling", "marker_sampling", "writer_sampling", "perturber_sampling",
        mode="before",
    )  # fmt: skip
    @classmethod
    def _read_json(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            raise ValueError(f"not a JSON object: {value!r}") from None

    @field_validator("context")
    @classmethod
    def _contexts_are_numbers(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for entry in value:
            model, _, tokens = entry.rpartition("=")
            if not model or not tokens.isdigit():
                raise ValueError(f"wants <provider or model>=<tokens>, got {entry!r}")
        return value

    @field_validator("judges", "writers")
    @classmethod
    def _models_name_their_provider(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for model in value:
            _check_model_name(model)
        return value

    @field_validator("presentations")
    @classmethod
    def _presentations_are_known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := set(value) - set(PRESENTATIONS):
            raise ValueError(f"unknown {', '.join(sorted(unknown))}; known: {PRESENTATIONS}")
        return value

    @field_validator("perturbations")
    @classmethod
    def _perturbations_are_known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return expand(value)

    @field_validator("metrics")
    @classmethod
    def _metrics_are_known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := set(value) - set(METRICS):
            raise ValueError(f"unknown {', '.join(sorted(unknown))}; known: {', '.join(METRICS)}")
        return value

    @field_validator("references")
    @classmethod
    def _references_are_known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for mode in value:
            if mode not in ("human", "none") and not re.fullmatch("system:[^|]+", mode):
                raise ValueError(f"unknown {mode!r}; known: human, none, system:<id>")
        return value

    @field_validator("retry")
    @classmethod
    def _retried_statuses_are_known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        table = (files("towbench") / "schemas" / "tables" / "status.csv").read_text("utf-8")
        rows = [line.split(",") for line in table.splitlines()]
        known = sorted(status for group, status, _ in rows if group == "row")
        if unknown := set(value) - set(known):
            raise ValueError(f"unknown {', '.join(sorted(unknown))}; known: {', '.join(known)}")
        return value

    @field_validator(
        "negotiator", "classifier", "filter", "constructor", "marker", "perturber", "embedder"
    )
    @classmethod
    def _model_names_its_provider(cls, value: str | None) -> str | None:
        if value is not None:
            _check_model_name(value)
        return value

    def provider(self, model: str) -> Provider:
        """Endpoint settings for `provider/model`, the provider's own values first."""
        alias = model.split("/", 1)[0]
        own = {key.upper(): value for key, value in _dotenv().items()} | dict(os.environ)
        prefix = f"TOWBENCH_{alias.upper().replace('-', '_')}_"

        def value(name: str) -> str | None:
            return own.get(prefix + name) or None

        def number(name: str) -> int | None:
            text = value(name)
            if text is not None and not text.isdigit():
                raise ValueError(f"{prefix}{name} must be a whole number, got {text!r}")
            return int(text) if text else None

        key = value("API_KEY")
        return Provider(
            alias=alias,
            base_url=value("BASE_URL") or self.base_url,
            api_key=SecretStr(key) if key else self.api_key,
            concurrency=number("CONCURRENCY") or self.concurrency,
            requests_per_minute=number("RPM"),
            tokens_per_minute=number("TPM"),
        )

    def context_of(self, model: str) -> int | None:
        """Tokens that `provider/model` takes in, as set for it or its provider; None = not set."""
        sizes = {name: int(size) for name, _, size in (one.rpartition("=") for one in self.context)}
        return sizes.get(model, sizes.get(model.partition("/")[0]))

    def naming(self, model: str) -> str:
        """The settings that name a model, for messages: `TOWBENCH_JUDGES (local/qwen3)`."""
        roles = ("judges", "writers", "negotiator", "classifier", "filter", "constructor",
                 "marker", "perturber", "embedder")  # fmt: skip
        named = {role: getattr(self, role) for role in roles}
        found = [f"TOWBENCH_{role.upper()}" for role, value in named.items()
                 if value == model or (isinstance(value, tuple) and model in value)]  # fmt: skip
        return f"{' or '.join(found) or 'the setting of a model'} ({model})"

    def models(self, command: str) -> tuple[str, ...]:
        """The models that a command may call; none where the ledger alone answers."""
        if self.transport == "replay":
            return ()
        if command == "corpus":
            marker = (self.marker,) if self.marker else ()
            return (self.classifier, self.filter, self.constructor, *marker)
        if command == "generate":
            return self.writers
        perturber = (self.perturber,) if self.perturber else ()
        embedder = (self.embedder,) if SIMILARITY in self.metrics else ()
        return (*self.judges, self.negotiator, *self.writers, *perturber, *embedder)

    def public(self) -> dict[str, Any]:
        """The settings that may be shown and stored: no key, no credentials in an address."""
        values = self.model_dump(mode="json", exclude={"api_key"})
        if self.base_url:
            address = urlsplit(self.base_url)
            host = address.netloc.rpartition("@")[2]
            values["base_url"] = urlunsplit((address.scheme, host, address.path, "", ""))
        return values

    def public_json(self) -> str:
        """The public settings as JSON for the `run` table, keys sorted."""
        return json.dumps(self.public(), ensure_ascii=False, sort_keys=True)


def _check_model_name(model: str) -> None:
    provider, _, name = model.partition("/")
    if not provider or not name or "|" in model:
        raise ValueError(f"a model is named provider/model without '|', got {model!r}")


def unknown_variables() -> list[str]:
    """`TOWBENCH_*` variables that no setting reads, each with the nearest that one does."""
    known = {f"TOWBENCH_{name.upper()}" for name in Settings.model_fields}
    own = re.compile(r"TOWBENCH_\w+_(BASE_URL|API_KEY|CONCURRENCY|RPM|TPM)")
    faults = []
    for name in sorted({*os.environ, *_dotenv()}):
        if name.startswith("TOWBENCH_") and name not in known and not own.fullmatch(name):
            near = difflib.get_close_matches(name, known, n=1)
            faults.append(f"{name} is no setting" + (f"; did you mean {near[0]}?" if near else ""))
    return faults


def _dotenv() -> dict[str, str]:
    from dotenv import dotenv_values

    return {key: value for key, value in dotenv_values(".env").items() if value is not None}
