"""Prompts of a user's own leaves: files in `prompts/` beside a tree file (schemas/own_trees.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import duckdb

from towbench.prompts import Prompt, PromptError, load_prompts, parse_prompt
from towbench.prompts.rows import dimension_rows
from towbench.schemas.errors import DataError
from towbench.schemas.own_trees import OwnTree
from towbench.schemas.trees import Leaf

_REPLY = "leaf_score_v1"
_SLOTS = ("instruction", "reference", "text")


def add_own_prompts(con: duckdb.DuckDBPyConnection, trees: Iterable[OwnTree]) -> None:
    """Add the prompts of own leaves to what `load_prompts` gives.

    A leaf that uses a reference has a prompt with and one without it (`_noref`) in each language
    that it has any prompt in. A negotiated node is one that the package or the tree describes.

    Raises:
        DataError: a file is no prompt of an own leaf, one is missing, or it was changed since it
            was first loaded; a node is not described.
    """
    described = {row["dimension"] for row in dimension_rows()}
    for own in trees:
        for node in own.tree.nodes:
            if (
                node.weight_rule == "negotiated"
                and node.node not in described | own.tree.about.keys()
            ):
                raise DataError(
                    f"{own.path}: node {node.node}: a negotiator must be told what it is; add "
                    "about: {zh: …, en: …}"
                )
        folder = own.path.parent / "prompts"
        prompts = _read(folder, own.leaves)
        for leaf in own.leaves.values():
            _check_complete(folder, leaf, prompts)
        _check_unchanged(con, folder, prompts)
        load_prompts().update(prompts)


def _read(folder: Path, leaves: Mapping[str, Leaf]) -> dict[str, Prompt]:
    found: dict[str, Prompt] = {}
    for path in sorted(folder.glob("*.md")):
        try:
            prompts = parse_prompt(path.name, path.read_text("utf-8-sig"))
        except (PromptError, UnicodeDecodeError) as error:
            raise DataError(f"{folder.parent}: {error}") from error
        for prompt in prompts:
            _check(path, prompt, leaves)
            found[prompt.prompt_id] = prompt
    return found


def _check(path: Path, prompt: Prompt, leaves: Mapping[str, Leaf]) -> None:
    leaf = leaves.get(prompt.task)
    if leaf is None:
        raise DataError(f"{path}: task {prompt.task} is no leaf in {path.parents[1]}/leaves.yaml")
    if prompt.reply != _REPLY:
        raise DataError(f"{path}: the reply of a leaf is {_REPLY}, not {prompt.reply}")
    if prompt.range != (leaf.low, leaf.high):
        wanted = f"[{leaf.low:g}, {leaf.high:g}]"
        raise DataError(f"{path}: range is not that of the leaf, {wanted}")
    if unknown := sorted(set(prompt.slots) - set(_SLOTS)):
        raise DataError(f"{path}: no text for the slot {unknown[0]}; known: {', '.join(_SLOTS)}")
    if "text" not in prompt.slots:
        raise DataError(f"{path}: the slot text is missing: there is nothing to judge")
    if prompt.has_reference != (leaf.uses_reference and "_noref_" not in path.name):
        raise DataError(
            f"{path}: shows a reference or none where the other is wanted: only the prompt of a "
            "leaf with uses_reference that is not named _noref has the slot reference"
        )
    if prompt.has_reference and prompt.anchor != leaf.anchor:
        raise DataError(f"{path}: anchor {prompt.anchor} is not that of the leaf, {leaf.anchor}")


def _check_complete(folder: Path, leaf: Leaf, prompts: Mapping[str, Prompt]) -> None:
    own = [prompt for prompt in prompts.values() if prompt.task == leaf.leaf]
    if not own:
        raise DataError(f"{folder}: no prompt {leaf.leaf}_v1.zh.md or {leaf.leaf}_v1.en.md")
    wanted = {True, False} if leaf.uses_reference else {False}
    for lang in sorted({prompt.lang for prompt in own}):
        missing = wanted - {prompt.has_reference for prompt in own if prompt.lang == lang}
        for has_reference in missing:
            name = leaf.leaf + ("" if has_reference or not leaf.uses_reference else "_noref")
            raise DataError(f"{folder}: no prompt {name}_v1.{lang}.md")


def _check_unchanged(
    con: duckdb.DuckDBPyConnection, folder: Path, prompts: Mapping[str, Prompt]
) -> None:
    rows = con.execute("SELECT prompt_id, prompt_hash FROM judge.prompt").fetchall()
    known: dict[str, str] = dict(rows)
    for prompt in prompts.values():
        if known.get(prompt.prompt_id, prompt.sha256) != prompt.sha256:
            newer = prompt.prompt_id.replace(f"_v{prompt.version}.", f"_v{prompt.version + 1}.")
            raise DataError(
                f"{folder}: {prompt.prompt_id}.md was changed since it was first loaded; save the "
                f"change as {newer}.md, the older file may stay"
            )
