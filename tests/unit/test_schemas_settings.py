"""Settings: read from the environment, checked, and never shown with a key."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from towbench.schemas.settings import Settings


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_lists_are_comma_separated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWBENCH_JUDGES", "openai/gpt-4o, embedded/rules-1,")
    assert Settings().judges == ("openai/gpt-4o", "embedded/rules-1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("JUDGES", "gpt-4o"),
        ("NEGOTIATOR", "a/b|c"),
        ("LIMIT", "0"),
        ("CONCURRENCY", "many"),
        ("REFERENCES", "humn"),
        ("RETRY", "refusd"),
        ("PRESENTATIONS", "sideways"),
    ],
)
def test_a_value_that_cannot_be_right_is_refused(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"TOWBENCH_{name}", value)
    with pytest.raises(ValidationError, match=name.lower()):
        Settings()


def test_a_provider_overrides_the_global_endpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("TOWBENCH_DEEP_SEEK_RPM=30\n")
    monkeypatch.setenv("TOWBENCH_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("TOWBENCH_DEEP_SEEK_BASE_URL", "http://127.0.0.1:2/v1")
    provider = Settings().provider("deep-seek/chat")
    assert provider.base_url == "http://127.0.0.1:2/v1"
    assert provider.requests_per_minute == 30
    assert Settings().provider("openai/gpt-4o").base_url == "http://127.0.0.1:1/v1"


def test_a_key_is_in_no_text_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWBENCH_API_KEY", "sk-secret")
    settings = Settings()
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() == "sk-secret"
    assert "sk-secret" not in settings.public_json() + repr(settings) + str(settings)
    assert "sk-secret" not in repr(settings.provider("openai/gpt-4o"))


def test_each_role_has_its_own_sampling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWBENCH_JUDGE_SAMPLING", '{"top_p": 0.95, "max_tokens": null}')
    settings = Settings()
    assert settings.judge_sampling == {"top_p": 0.95, "max_tokens": None}
    assert settings.negotiator_sampling == {}
    for wrong in ("top_p=1", "[1]", '{"a": [1]}'):
        monkeypatch.setenv("TOWBENCH_JUDGE_SAMPLING", wrong)
        with pytest.raises(ValidationError, match="judge_sampling"):
            Settings()


def test_a_context_is_that_of_the_model_or_of_its_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWBENCH_CONTEXT", "local/a=4096, local=8192")
    settings = Settings()
    sizes = [settings.context_of(model) for model in ("local/a", "local/b", "else/a")]
    assert sizes == [4096, 8192, None]
    monkeypatch.setenv("TOWBENCH_CONTEXT", "local/a=4k")
    with pytest.raises(ValidationError, match="local/a=4k"):
        Settings()
