"""Versions that a release tag has shipped stay as they are; the first tag starts the law."""

from __future__ import annotations

import subprocess
from pathlib import Path

from towbench.tests import freeze


def test_no_frozen_file_changed() -> None:
    assert freeze.broken(freeze.recorded(), freeze.versioned_files()) == []


def test_a_release_tag_froze_what_it_shipped() -> None:
    done = subprocess.run(
        ["git", "tag", "--list", "v*", "--merged"],
        cwd=freeze.ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    if done.stdout.split():
        assert freeze.recorded(), "run `make freeze` before tagging a release"


def test_a_changed_or_missing_frozen_file_is_named() -> None:
    now = freeze.versioned_files()
    first, second, *_ = now
    frozen = now | {first: "another hash", "sql/views/gone_v1.sql": "some hash"}
    assert freeze.broken(frozen, now) == sorted([first, "sql/views/gone_v1.sql"])
    assert second in now


def test_what_fills_prompts_and_copies_is_frozen_by_entry() -> None:
    now = freeze.versioned_files()
    assert {
        "schemas/attacks.yaml#attacks_v1", "schemas/attacks.yaml#padding_v1",
        "schemas/rubrics.yaml#elaborated_v1", "schemas/traits.yaml#construct_v1",
        "schemas/transfers.yaml#transfer_v1", "schemas/trees/leaves.yaml#logic",
    } <= now.keys()  # fmt: skip


def test_comments_may_change_and_formulas_may_not(tmp_path: Path) -> None:
    view = tmp_path / "a_v1.sql"
    hashes = []
    for text in ("-- one\nSELECT 1 AS a;", "-- two\nSELECT  1  AS a;", "SELECT 2 AS a;"):
        view.write_text(text)
        hashes.append(freeze.content_hash(view))
    assert hashes[0] == hashes[1] != hashes[2]
