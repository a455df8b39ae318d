"""Prompts as rows of the database: `judge.prompt` and what negotiators are told of each node."""

from __future__ import annotations

from towbench.prompts import load_prompts


def prompt_rows() -> list[dict[str, object]]:
    """Rows of `judge.prompt`; of a task, language and use of a reference the newest is current."""
    loaded = load_prompts().values()
    newest: dict[tuple[str, str, bool], int] = {}
    for prompt in loaded:
        key = (prompt.task, prompt.lang, prompt.has_reference)
        newest[key] = max(prompt.version, newest.get(key, 0))
    return [
        {
            "prompt_id": prompt.prompt_id,
            "task": prompt.task,
            "lang": prompt.lang,
            "version": prompt.version,
            "has_reference": prompt.has_reference,
            "reply": prompt.reply,
            "low": prompt.range[0] if prompt.range else None,
            "high": prompt.range[1] if prompt.range else None,
            "anchor": prompt.anchor,
            "dimensions": "\n".join(prompt.dimensions),
            "body": prompt.body,
            "prompt_hash": prompt.sha256,
            "is_current": prompt.version == newest[prompt.task, prompt.lang, prompt.has_reference],
        }
        for prompt in loaded
    ]


def dimension_rows() -> list[dict[str, str]]:
    """What negotiators are told of each node: rows of `judge.dimension`, newest version."""
    prompts = (prompt for prompt in load_prompts().values() if prompt.task == "dimensions")
    newest = {prompt.lang: prompt for prompt in sorted(prompts, key=lambda one: one.version)}
    return [
        {"dimension": name, "lang": lang, "description": description}
        for lang, prompt in newest.items()
        for name, description in (line.split(": ", 1) for line in prompt.body.splitlines())
    ]
