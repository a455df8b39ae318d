"""Every setting of towbench: one frozen class, read from `TOWBENCH_*` variables and `.env`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

EMBEDDED = "embedded/rules-1"
SAMPLE_WRITERS = (
    "embedded/drop-paragraph",
    "embedded/lead-half",
    "embedded/shuffle-words",
    "embedded/prompt-copy",
)
PRESENTATIONS = ("reference_first",)
Names = Annotated[tuple[str, ...], NoDecode]
"""A tuple of names written as one comma-separated string."""


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
    contact: str = Field("", description="URL or mail address told to crawled sites")
    judges: Names = Field((EMBEDDED,), description="models that score leaves")
    negotiator: str = Field(EMBEDDED, description="model that gives weights")
    classifier: str = Field(EMBEDDED, description="model that names the genre")
    filter: str = Field(EMBEDDED, description="model that rates document quality")
    constructor: str = Field(EMBEDDED, description="model that writes instructions from texts")
    writers: Names = Field(SAMPLE_WRITERS, description="systems that write sample candidates")
    trees: Names = Field(("tow",), description="trees to compute (tow = the current version)")
    presentations: Names = Field(("reference_first",), description="order of reference and text")
    references: Names = Field(("human",), description="reference modes: human, none, system:<id>")
    repeats: int = Field(1, ge=1, le=1000, description="judgements per leaf and judge")
    negotiator_repeats: int = Field(1, ge=1, le=1000, description="negotiations per item")
    samples: int = Field(1, ge=1, le=1000, description="texts per writer and item")
    judge_temperature: float = Field(0.0, ge=0, le=2, description="temperature of the judges")
    transport: Literal["live", "replay"] = Field("live", description="how models are reached")
    base_url: str | None = Field(None, description="OpenAI-compatible endpoint of every provider")
    api_key: SecretStr | None = Field(None, description="its key; never stored or printed")
    concurrency: int = Field(16, ge=1, le=4096, description="requests in flight per endpoint")
    request_timeout: float = Field(300.0, gt=0, description="seconds a request may take")
    retry: Names = Field((), description="final statuses to ask again in this run")
    threads: int = Field(2, ge=2, le=256, description="DuckDB threads")

    @field_validator(
        "systems", "items", "sources", "judges", "writers", "trees", "presentations",
        "references", "retry", mode="before",
    )  # fmt: skip
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
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

    @field_validator("negotiator", "classifier", "filter", "constructor")
    @classmethod
    def _model_names_its_provider(cls, value: str) -> str:
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

    def public_json(self) -> str:
        """The settings as JSON for the `run` table, without secrets, keys sorted."""
        values = self.model_dump(mode="json", exclude={"api_key"})
        return json.dumps(values, ensure_ascii=False, sort_keys=True)


def _check_model_name(model: str) -> None:
    provider, _, name = model.partition("/")
    if not provider or not name or "|" in model:
        raise ValueError(f"a model is named provider/model without '|', got {model!r}")


def _dotenv() -> dict[str, str]:
    from dotenv import dotenv_values

    return {key: value for key, value in dotenv_values(".env").items() if value is not None}
