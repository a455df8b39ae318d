"""Trees and leaves of a user: a file named in `TOWBENCH_TREES` beside the names of shipped trees.

    mine/epic_v1.yaml                the tree, in the form of schemas/trees/tow_v1.yaml
    mine/leaves.yaml                 its own leaves, if any, as in schemas/trees/leaves.yaml
    mine/prompts/heroism_v1.zh.md    their prompts: read by towbench.prompts.own

A version is frozen when it is first loaded: a file that says something else then is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import duckdb

from towbench.schemas.errors import DataError, UsageError
from towbench.schemas.reference import replace_rows
from towbench.schemas.trees import (
    TASKS,
    Leaf,
    Tree,
    load_leaves,
    load_trees,
    read_leaves,
    read_tree,
)

_FILE = re.compile(r"\.ya?ml$")


@dataclass(frozen=True)
class OwnTree:
    """A tree of a user, its file, and the leaves that lie beside it."""

    path: Path
    tree: Tree
    leaves: dict[str, Leaf]


def tree_name(setting: str) -> str:
    """The tree that an entry of `TOWBENCH_TREES` names: itself, or what its file is called."""
    return Path(setting).stem if _FILE.search(setting) else setting


def load_own_trees(con: duckdb.DuckDBPyConnection, trees: Iterable[str]) -> list[OwnTree]:
    """Load the files among the entries of `TOWBENCH_TREES` into judge.tree_node and judge.leaf.

    Returns:
        What was loaded; prompts of the leaves are still to be.

    Raises:
        UsageError: there is no such file.
        DataError: a file is not a tree, or not the one that was loaded under its version before.
    """
    loaded = []
    shipped = load_leaves()
    for entry in trees:
        if not _FILE.search(entry):
            continue
        path = Path(entry)
        if not path.is_file():
            raise UsageError(f"TOWBENCH_TREES: no such file {entry}")
        own = _read_own_leaves(path.parent, shipped)
        tree = read_tree(_text(path), str(path), shipped | own)
        if tree.name in load_trees():
            raise DataError(f"{path}: {tree.name} is a tree of the package; choose another name")
        _check_tasks(con, path, tree)
        _store(con, path, tree, own)
        loaded.append(OwnTree(path, tree, own))
    return loaded


def _read_own_leaves(folder: Path, shipped: Mapping[str, Leaf]) -> dict[str, Leaf]:
    path = folder / "leaves.yaml"
    if not path.is_file():
        return {}
    leaves = read_leaves(_text(path), str(path))
    for leaf in leaves.values():
        if leaf.leaf in shipped:
            raise DataError(f"{path}: leaf {leaf.leaf} is one of the package; choose another name")
        if leaf.kind != "model":
            raise DataError(f"{path}: leaf {leaf.leaf}: a rule is code; own leaves have prompts")
    return leaves


def _check_tasks(con: duckdb.DuckDBPyConnection, path: Path, tree: Tree) -> None:
    """Refuse a task that no item can have: its nodes would never be judged, and nothing said so."""
    rows = con.execute("SELECT DISTINCT task FROM corpus.item").fetchall()
    known = {*TASKS, *(task for (task,) in rows)}
    for node in tree.nodes:
        if unknown := sorted(set(node.tasks or ()) - known):
            raise DataError(
                f"{path}: node {node.node}: unknown task {unknown[0]}; known: {sorted(known)}"
            )


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 ({error})") from error


def _store(
    con: duckdb.DuckDBPyConnection, path: Path, tree: Tree, leaves: Mapping[str, Leaf]
) -> None:
    """Insert what is new; refuse what was loaded with other content before."""
    name, _, version = tree.name.rpartition("_v")
    told = [
        {"dimension": node, "lang": lang, "description": text}
        for node, texts in tree.about.items()
        for lang, text in texts.items()
    ]
    nodes = [asdict(node) for node in tree.nodes]
    faults = [
        _changed(con, "judge.tree_node", "tree", tree.name, nodes),
        *(
            _changed(
                con, "judge.dimension", "dimension", node,
                [row for row in told if row["dimension"] == node],
            )
            for node in tree.about
        ),
    ]  # fmt: skip
    if any(faults):
        raise DataError(
            f"{path}: says something else than when {tree.name} was first loaded; scores rest on "
            f"that, so save the change as {name}_v{int(version) + 1}.yaml with "
            f"version: {int(version) + 1} (and other node names where an about changed)"
        )
    for leaf in leaves.values():
        if _changed(con, "judge.leaf", "leaf", leaf.leaf, [asdict(leaf)]):
            raise DataError(
                f"{path.parent / 'leaves.yaml'}: leaf {leaf.leaf} was loaded with other values "
                "before; give the changed leaf and its prompts another name"
            )
    replace_rows(con, "judge.tree_node", nodes)
    for table, rows in (
        ("judge.leaf", [asdict(leaf) for leaf in leaves.values()]),
        ("judge.dimension", told),
    ):
        if rows:
            replace_rows(con, table, rows)


def _changed(
    con: duckdb.DuckDBPyConnection,
    table: str,
    key: str,
    name: str,
    rows: Sequence[Mapping[str, object]],
) -> bool:
    """Whether `table` holds rows of this name, but others."""
    columns = list(rows[0])
    known = con.execute(
        f"SELECT {', '.join(columns)} FROM {table} WHERE {key} = ?", [name]
    ).fetchall()
    return bool(known) and sorted(map(repr, known)) != sorted(
        repr(tuple(row[column] for column in columns)) for row in rows
    )
