"""Judging trees: YAML files of nodes, weight rules, maps and leaves, read into table rows (SPEC 4).

A tree that ships is `<name>_v<N>.yaml` in `schemas/trees/`; its leaves stand in `leaves.yaml`
there, and every leaf but a rule has prompts of its name. A user's own tree lies anywhere in the
same form: see `own_trees.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import count, pairwise
from typing import Any

from towbench.schemas.errors import DataError
from towbench.schemas.strict_yaml import check_keys, check_name, mapping, number, parse_mapping

WEIGHT_RULES = ("fixed", "negotiated", "leaf_count", "inserted")
MAPS = {"identity": (0,), "affine": (2,), "clamp_affine": (4,), "steps": (2, 4, 6, 8, 10)}
LANGS = ("zh", "en")
TASKS = ("completion", "guide", "open")
"""Tasks of the published benchmark; the items of others may have their own."""
_NODE_KEYS = {
    "leaf", "weight_rule", "weight", "map", "map_args", "tasks", "genres", "about", "children",
}  # fmt: skip


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
    """A row of `judge.tree_node`; tasks and genres hold what the ancestors allow (None = all)."""

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
    genres: list[str] | None


@dataclass(frozen=True)
class Tree:
    """A tree of one file.

    Attributes:
        name: with its version, `tow_v1`.
        nodes: depth first, the root first.
        about: what a negotiator is told of nodes that the package does not describe, by language.
    """

    name: str
    nodes: list[Node]
    about: dict[str, dict[str, str]]


def load_leaves() -> dict[str, Leaf]:
    """The leaves of `schemas/trees/leaves.yaml` by name."""
    file = files("towbench") / "schemas" / "trees" / "leaves.yaml"
    return read_leaves(file.read_text("utf-8"), "leaves.yaml")


def load_trees() -> dict[str, Tree]:
    """Every shipped tree by its versioned name."""
    folder = files("towbench") / "schemas" / "trees"
    leaves = load_leaves()
    trees: dict[str, Tree] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if re.fullmatch(r".+_v\d+\.yaml", file.name):
            tree = read_tree(file.read_text("utf-8"), file.name, leaves)
            trees[tree.name] = tree
    return trees


def read_leaves(text: str, where: str) -> dict[str, Leaf]:
    """Parse and check a file of leaves.

    Raises:
        DataError: naming `where`, the leaf and the fault.
    """
    leaves = {}
    for name, row in parse_mapping(text, where).items():
        at = f"{where}: leaf {name}"
        check_name(name, at)
        given = mapping(row, at)
        check_keys(given, {"kind", "rule", "uses_reference", "low", "high", "anchor"}, at)
        low, high = (number(given.get(end), f"{at}: {end}") for end in ("low", "high"))
        anchor = given.get("anchor")
        leaf = Leaf(
            leaf=name,
            kind=given.get("kind", "model"),
            rule=given.get("rule"),
            uses_reference=given.get("uses_reference"),  # type: ignore[arg-type]
            low=low,
            high=high,
            anchor=None if anchor is None else number(anchor, f"{at}: anchor"),
        )
        if leaf.kind not in ("model", "rule") or (leaf.kind == "rule") != (leaf.rule is not None):
            raise DataError(f"{at}: kind is model, or rule with the name of the rule")
        if not isinstance(leaf.uses_reference, bool):
            raise DataError(f"{at}: uses_reference is true or false")
        if not low < high or not (anchor is None or low <= anchor <= high):
            raise DataError(f"{at}: wants low < high and an anchor between them, if any")
        leaves[name] = leaf
    return leaves


def read_tree(text: str, where: str, leaves: Mapping[str, Leaf]) -> Tree:
    """Parse and check one tree file.

    Raises:
        DataError: naming `where`, the node and the fault.
    """
    data = parse_mapping(text, where)
    check_keys(data, {"tree", "version", "nodes"}, where)
    name, version = data.get("tree"), data.get("version")
    versioned = f"{name}_v{version}"
    if type(version) is not int or version < 1 or where.rpartition("/")[2] != f"{versioned}.yaml":
        raise DataError(
            f"{where}: holds tree {versioned}; the file must be named {versioned}.yaml, or `tree:` "
            "and `version:` in it must say what the file name says"
        )
    check_name(name, where)
    roots = mapping(data.get("nodes"), f"{where}: nodes")
    if len(roots) != 1:
        raise DataError(f"{where}: a tree has exactly one root node, found {sorted(roots)}")
    reading = _Reading(where, leaves, versioned, version)
    (root, children), *_ = roots.items()
    check_name(root, where)
    reading.add(root, None, {"weight_rule": "fixed", "weight": 1.0, "children": children}, ())
    _check_fixed_sums(reading.nodes, where)
    return Tree(versioned, reading.nodes, reading.about)


class _Reading:
    """Nodes of a file, collected depth first."""

    def __init__(self, where: str, leaves: Mapping[str, Leaf], tree: str, version: int) -> None:
        self.nodes: list[Node] = []
        self.about: dict[str, dict[str, str]] = {}
        self._where, self._leaves, self._tree, self._version = where, leaves, tree, version
        self._position = count()

    def add(
        self, name: str, parent: Node | None, spec: Mapping[str, Any], trail: tuple[str, ...]
    ) -> None:
        """Check a node and all under it; `trail` names its ancestors."""
        at = f"{self._where}: node {name}"
        if name in trail:
            raise DataError(f"{at}: hangs under itself ({' > '.join((*trail, name))})")
        if any(node.node == name for node in self.nodes):
            raise DataError(f"{at}: stands twice; node names must be unique (see the key leaf)")
        children = spec.get("children")
        leaf = None if "children" in spec else spec.get("leaf", name)
        if "children" in spec and "leaf" in spec:
            raise DataError(f"{at}: has children and a leaf")
        if "children" not in spec and (not isinstance(leaf, str) or leaf not in self._leaves):
            raise DataError(f"{at}: no such leaf {leaf} in leaves.yaml")
        weight = spec.get("weight")
        node = Node(
            tree=self._tree,
            version=self._version,
            node=name,
            parent=parent.node if parent else None,
            position=next(self._position),
            leaf=leaf,
            weight_rule=spec["weight_rule"],
            weight=None if weight is None else float(weight),
            map=spec.get("map", "identity"),
            map_args=self._map_args(spec, leaf, at),
            tasks=_allowed(spec, "tasks", parent.tasks if parent else None, at),
            genres=_allowed(spec, "genres", parent.genres if parent else None, at),
        )
        if unknown := sorted(set(node.genres or ()) - known_genres()):
            raise DataError(f"{at}: unknown genre {unknown[0]}; known: {sorted(known_genres())}")
        self.nodes.append(node)
        self._add_about(name, spec, at)
        if "children" in spec:
            given = mapping(children, f"{at}: children")
            if not given:
                raise DataError(f"{at}: has no children")
            specs = {child: self._checked(child, one) for child, one in given.items()}
            _check_siblings(specs, name, self._where)
            for child, one in specs.items():
                self.add(child, node, one, (*trail, name))

    def _checked(self, name: Any, spec: Any) -> Mapping[str, Any]:
        """A node's specification with known keys, weight rule and weight."""
        at = f"{self._where}: node {name}"
        check_name(name, at)
        given = mapping(spec, at)
        check_keys(given, _NODE_KEYS, at)
        rule, weight = given.get("weight_rule"), given.get("weight")
        if rule not in WEIGHT_RULES:
            raise DataError(f"{at}: weight_rule {rule}; known: {WEIGHT_RULES}")
        if rule not in ("fixed", "inserted"):
            if weight is not None:
                raise DataError(f"{at}: weight_rule {rule} takes no weight")
            return given
        if weight is None:
            raise DataError(f"{at}: weight_rule {rule} needs a weight")
        low = -1 if rule == "fixed" else 0
        if not low <= number(weight, f"{at}: weight") <= 1:
            raise DataError(f"{at}: weight {weight} is not within {low} and 1")
        return given

    def _map_args(self, spec: Mapping[str, Any], leaf: str | None, at: str) -> list[float]:
        kind, given = spec.get("map", "identity"), spec.get("map_args", [])
        if (
            not isinstance(kind, str)
            or kind not in MAPS
            or not isinstance(given, list)
            or len(given) not in MAPS[kind]
        ):
            raise DataError(f"{at}: map {kind} with map_args {given}; known maps: {MAPS}")
        args = [number(arg, f"{at}: map_args") for arg in given]
        if leaf is None:
            if kind != "identity":
                raise DataError(f"{at}: only leaves have a map")
            return args
        bounds = args[::2]
        if kind == "steps" and (
            any(a >= b for a, b in pairwise(bounds)) or bounds[-1] < self._leaves[leaf].high
        ):
            high = self._leaves[leaf].high
            raise DataError(f"{at}: the bounds of steps must rise up to {high:g}, the leaf's end")
        if kind == "clamp_affine" and not args[0] < args[1]:
            raise DataError(f"{at}: clamp_affine wants low < high")
        return args

    def _add_about(self, name: str, spec: Mapping[str, Any], at: str) -> None:
        if "about" not in spec:
            return
        texts = mapping(spec["about"], f"{at}: about")
        check_keys(texts, set(LANGS), f"{at}: about")
        for lang in LANGS:
            text = texts.get(lang)
            if not isinstance(text, str) or not text.strip() or "\n" in text.strip():
                raise DataError(f"{at}: about wants one line of text for each of {LANGS}")
        self.about[name] = {lang: texts[lang].strip() for lang in LANGS}


def _check_siblings(children: Mapping[str, Mapping[str, Any]], parent: str, where: str) -> None:
    kinds = {spec["weight_rule"] for spec in children.values()}
    if "inserted" in kinds and "negotiated" not in kinds:
        raise DataError(f"{where}: an inserted weight under {parent} needs negotiated siblings")
    if len(kinds) > 1 and kinds != {"negotiated", "inserted"}:
        raise DataError(f"{where}: children of {parent} mix the weight rules {sorted(kinds)}")


def _check_fixed_sums(nodes: list[Node], where: str) -> None:
    """Fixed weights under a node sum to 1 for every task and genre that the tree tells apart.

    A branch without a leaf for them falls away there, whatever it says itself.
    """
    for task, genre in _combinations(nodes):
        held = [node for node in nodes if _holds(node.tasks, task) and _holds(node.genres, genre)]
        leading = {node.node for node in held if node.leaf is not None}
        for node in reversed(held):
            if node.node in leading and node.parent is not None:
                leading.add(node.parent)
        sums: dict[str, float] = {}
        for node in held:
            if node.weight_rule == "fixed" and node.node in leading and node.parent is not None:
                sums[node.parent] = sums.get(node.parent, 0) + (node.weight or 0)
        for parent, total in sums.items():
            if abs(total - 1) > 1e-9:
                named = ", ".join(filter(None, (task, genre))) or "texts named nowhere"
                raise DataError(
                    f"{where}: fixed weights under {parent} do not sum to 1 for {named}: {total:g}"
                )


def _combinations(nodes: list[Node]) -> Iterator[tuple[str | None, str | None]]:
    """Every task and genre that the nodes tell apart; None stands for any other."""
    tasks = {task for node in nodes for task in node.tasks or ()}
    genres = {genre for node in nodes for genre in node.genres or ()}
    others = (None,) if known_genres() - genres else ()
    for task in (*sorted(tasks), None):
        for genre in (*sorted(genres), *others):
            yield task, genre


def _holds(allowed: list[str] | None, one: str | None) -> bool:
    return allowed is None or one in allowed


def _allowed(
    spec: Mapping[str, Any], key: str, inherited: list[str] | None, at: str
) -> list[str] | None:
    """What a node holds for, within what its ancestors allow."""
    own = spec.get(key)
    if own is None:
        return inherited
    if not isinstance(own, list) or not own or not all(isinstance(one, str) for one in own):
        raise DataError(f"{at}: {key} is a list of names, not {own!r}")
    kept = own if inherited is None else [one for one in own if one in inherited]
    if not kept:
        raise DataError(f"{at}: holds nowhere: no {key} of {own} are those of its parent")
    return kept


@cache
def known_genres() -> set[str]:
    """Names in `schemas/tables/genre.csv`."""
    text = (files("towbench") / "schemas" / "tables" / "genre.csv").read_text("utf-8")
    return {line.partition(",")[0] for line in text.splitlines()[1:]}
