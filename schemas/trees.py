"""Judging trees: YAML files of nodes, weight rules, maps and leaves, read into table rows (SPEC 4).

To add a tree, put `<name>_v<N>.yaml` into `schemas/trees/`; a new leaf also needs a line in
`schemas/trees/leaves.yaml` and, unless it is a rule, a prompt of its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

from towbench.schemas.errors import DataError

WEIGHT_RULES = ("fixed", "negotiated", "leaf_count", "inserted")
MAPS = {"identity": (0,), "affine": (2,), "clamp_affine": (4,), "steps": (2, 4, 6, 8, 10)}
_NODE_KEYS = {"weight_rule", "weight", "map", "map_args", "tasks", "children"}


@dataclass(frozen=True)
class Leaf:
    """A row of `judge.leaf`: what a leaf's raw score may be; `anchor` is the reference's score."""

    leaf: str
    kind: str
    rule: str | None
    uses_reference: bool
    low: float
    high: float
    anchor: float | None


@dataclass(frozen=True)
class Node:
    """A row of `judge.tree_node`; `tasks` already holds what the ancestors allow (None = all)."""

    tree: str
    version: int
    node: str
    parent: str | None
    position: int
    leaf: str | None
    weight_rule: str
    weight: float | None
    map: str
    map_args: list[float]
    tasks: list[str] | None


def load_leaves() -> dict[str, Leaf]:
    """The leaves of `schemas/trees/leaves.yaml` by name."""
    text = (files("towbench") / "schemas" / "trees" / "leaves.yaml").read_text("utf-8")
    return {
        name: Leaf(
            leaf=name,
            kind=row["kind"],
            rule=row.get("rule"),
            uses_reference=row["uses_reference"],
            low=float(row["low"]),
            high=float(row["high"]),
            anchor=None if row.get("anchor") is None else float(row["anchor"]),
        )
        for name, row in yaml.load(text, Loader=yaml.CSafeLoader).items()
    }


def load_trees() -> dict[str, list[Node]]:
    """Every shipped tree by its versioned name, nodes depth first, the root first."""
    folder = files("towbench") / "schemas" / "trees"
    leaves = load_leaves()
    trees: dict[str, list[Node]] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if re.fullmatch(r".+_v\d+\.yaml", file.name):
            nodes = read_tree(file.read_text("utf-8"), file.name, leaves)
            trees[nodes[0].tree] = nodes
    return trees


def read_tree(text: str, where: str, leaves: Mapping[str, Leaf]) -> list[Node]:
    """Parse and check one tree file.

    Raises:
        DataError: naming `where`, the node and the fault.
    """
    data = yaml.load(text, Loader=yaml.CSafeLoader)
    name, version = data.get("tree"), data.get("version")
    versioned = f"{name}_v{version}"
    if not isinstance(name, str) or where != f"{versioned}.yaml":
        raise DataError(f"{where}: holds tree {versioned}; the file must be named {versioned}.yaml")
    roots = data.get("nodes") or {}
    if len(roots) != 1:
        raise DataError(f"{where}: a tree has exactly one root node, found {sorted(roots)}")
    (root, children), *_ = roots.items()
    counter = iter(range(1_000_000))
    rows = [
        Node(
            versioned, version, root, None, next(counter), None, "fixed", 1.0, "identity", [], None
        )
    ]
    rows += _children(children, root, None, versioned, version, where, leaves, counter)
    names = [row.node for row in rows]
    if twice := sorted({node for node in names if names.count(node) > 1}):
        raise DataError(f"{where}: node names must be unique, twice: {', '.join(twice)}")
    return rows


def _children(
    children: Mapping[str, Any],
    parent: str,
    tasks: list[str] | None,
    tree: str,
    version: int,
    where: str,
    leaves: Mapping[str, Leaf],
    counter: Iterator[int],
) -> list[Node]:
    rows: list[Node] = []
    _check_siblings(children, parent, where)
    for name, spec in children.items():
        at = f"{where}: node {name}"
        if unknown := sorted(set(spec) - _NODE_KEYS):
            raise DataError(f"{at}: unknown key {unknown[0]}; known: {sorted(_NODE_KEYS)}")
        inner = spec.get("children")
        if not inner and name not in leaves:
            raise DataError(f"{at}: no such leaf in schemas/trees/leaves.yaml")
        kind, args = spec.get("map", "identity"), [float(arg) for arg in spec.get("map_args", [])]
        if kind not in MAPS or len(args) not in MAPS[kind]:
            raise DataError(f"{at}: map {kind} with {len(args)} arguments; see SPEC maps {MAPS}")
        own = spec.get("tasks", tasks)
        allowed = own if tasks is None or own is None else [task for task in own if task in tasks]
        weight = spec.get("weight")
        rows.append(
            Node(
                tree=tree,
                version=version,
                node=name,
                parent=parent,
                position=next(counter),
                leaf=None if inner else name,
                weight_rule=spec["weight_rule"],
                weight=None if weight is None else float(weight),
                map=kind,
                map_args=args,
                tasks=allowed,
            )
        )
        if inner:
            rows += _children(inner, name, allowed, tree, version, where, leaves, counter)
    return rows


def _check_siblings(children: Mapping[str, Any], parent: str, where: str) -> None:
    rules = {name: spec.get("weight_rule") for name, spec in children.items()}
    for name, rule in rules.items():
        if rule not in WEIGHT_RULES:
            raise DataError(f"{where}: node {name}: weight_rule {rule}; known: {WEIGHT_RULES}")
        if rule in ("fixed", "inserted") and children[name].get("weight") is None:
            raise DataError(f"{where}: node {name}: weight_rule {rule} needs a weight")
    kinds = set(rules.values())
    if len(kinds) > 1 and kinds != {"negotiated", "inserted"}:
        raise DataError(f"{where}: children of {parent} mix the weight rules {sorted(kinds)}")
    if kinds == {"fixed"} and abs(sum(spec["weight"] for spec in children.values()) - 1) > 1e-9:
        raise DataError(f"{where}: fixed weights under {parent} do not sum to 1")
