"""A benchmark of three items in the released layout, and judges that follow simple rules."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from towbench.tests.scripted_endpoint import Asked, Reply, chat

PARAGRAPH = "河水退下去以后，渡口露出一排青石，老周每天清早来数石头，数到第七块就停住。"
TASKS = {"completion": "小说", "guide": "议论文", "open": "诗歌"}
SYSTEMS = ("alpha", "beta")


def write_benchmark(folder: Path) -> Path:
    """Items c1, g1 and o1 with texts of alpha and beta; alpha gave none for o1."""
    for task, label in TASKS.items():
        name = f"{task[0]}1"
        item = {
            "infer_id": name, "task_type": task, "sub_task": label,
            "basic_instruction": f"请写一篇{label}，题为渡口{name}。",
            "information": "上文。\n[fill in the blank]\n下文。" if task == "completion" else "",
            "reference": f"范文{name}：" + PARAGRAPH * 3,
        }  # fmt: skip
        (folder / task / "inferences").mkdir(parents=True)
        _write(folder / task / "aligned.jsonl", item)
        for system in SYSTEMS:
            text = None if (system, name) == ("alpha", "o1") else f"{system}写{name}：" + PARAGRAPH
            output = {"infer_id": name, "model": system, "output": text}
            _write(folder / task / "inferences" / f"{system}.jsonl", output)
    return folder


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False) + "\n", "utf-8")


def judge(asked: Asked, number: int) -> Reply:
    """A reply to any prompt of the package; scores move from call to call."""
    prompt, fields = asked.prompt, str(asked.body.get("response_format", ""))
    score = 2 + number % 3
    if "weights" in fields:
        names = re.findall(r"^(\w+): ", prompt.rpartition("## 评价维度")[2], re.MULTILINE)
        shares = [round(1 / len(names), 2)] * len(names)
        shares[0] = round(shares[0] + 1 - sum(shares), 2)
        weights = [{"name": n, "weight": w} for n, w in zip(names, shares, strict=True)]
        return _json(weights=weights, reason="r")
    if "share" in fields:
        plan = [("内容", 0.5 + number % 2 / 10), ("语言", 0.5 - number % 2 / 10)]
        parts = [{"name": n, "share": s, "reason": "r", "score": score} for n, s in plan]
        return _json(dimensions=parts, reason="r", total=score)
    if "dimensions" in fields:
        names = re.findall(r"^- (\w+)（", prompt, re.MULTILINE)
        parts = [{"name": name, "reason": "r", "score": score} for name in names]
        return _json(dimensions=parts, reason="r", total=score)
    if "1 到 3 的整数" in prompt:
        return _json(reason="r", score=1 + number % 3)
    return _json(reason="r", score=score)


def _json(**fields: Any) -> dict[str, Any]:
    return chat(json.dumps(fields, ensure_ascii=False))
