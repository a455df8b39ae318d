"""Trees: what ships loads, a fault in a file is named with its node, depth does not matter."""

import pytest

from towbench.prompts import load_prompts
from towbench.schemas.errors import DataError
from towbench.schemas.trees import Leaf, load_leaves, load_trees, read_tree

LEAVES = load_leaves()


def tree(nodes: str, name: str = "mine") -> str:
    return f"tree: {name}\nversion: 1\nnodes:\n  root:\n{nodes}"


def test_the_four_published_trees_ship() -> None:
    assert {"tow_v1", "tow_five_v1", "tow_released_v1", "average_v1"} <= load_trees().keys()


def test_completion_has_no_format_leaf_in_tow() -> None:
    nodes = {node.node: node for node in load_trees()["tow_v1"]}
    assert nodes["formatting"].tasks == ["guide", "open"]
    assert nodes["emotion"].tasks is None
    assert (nodes["root"].parent, nodes["emotion"].parent) == (None, "content")


def test_depth_three_loads_with_tasks_handed_down() -> None:
    text = tree(
        """
    top:
      weight_rule: leaf_count
      tasks: [guide, open]
      children:
        middle:
          weight_rule: leaf_count
          tasks: [open, completion]
          children:
            logic: {weight_rule: fixed, weight: 1}
"""
    )
    nodes = {node.node: node for node in read_tree(text, "mine_v1.yaml", LEAVES)}
    assert nodes["logic"].tasks == ["open"]
    assert [node.position for node in nodes.values()] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("nodes", "fault"),
    [
        ("    nonsense: {weight_rule: negotiated}", "node nonsense: no such leaf"),
        ("    logic: {weight_rule: guessed}", "node logic: weight_rule guessed"),
        ("    logic: {weight_rule: fixed}", "node logic: weight_rule fixed needs a weight"),
        ("    logic: {weight_rule: fixed, weight: 0.9}", "do not sum to 1"),
        ("    logic: {weight_rule: negotiated, map: steps, map_args: [1]}", "map steps"),
        ("    logic: {weight_rule: negotiated, wieght: 1}", "unknown key wieght"),
        (
            "    logic: {weight_rule: negotiated}\n    emotion: {weight_rule: leaf_count}",
            "mix the weight rules",
        ),
    ],
)
def test_a_fault_names_file_and_node(nodes: str, fault: str) -> None:
    with pytest.raises(DataError, match=fault) as caught:
        read_tree(tree(nodes), "mine_v1.yaml", LEAVES)
    assert str(caught.value).startswith("mine_v1.yaml: ")


def test_file_name_and_content_must_agree() -> None:
    with pytest.raises(DataError, match=r"must be named mine_v1\.yaml"):
        read_tree(tree("    logic: {weight_rule: negotiated}"), "other_v1.yaml", LEAVES)


@pytest.mark.parametrize("leaf", [leaf for leaf in LEAVES.values() if leaf.kind == "model"])
def test_every_model_leaf_has_prompts_of_its_scale_and_anchor(leaf: Leaf) -> None:
    prompts = [prompt for prompt in load_prompts().values() if prompt.task == leaf.leaf]
    assert {prompt.lang for prompt in prompts} == {"zh", "en"}
    assert {prompt.has_reference for prompt in prompts} == (
        {True, False} if leaf.uses_reference else {False}
    )
    assert {prompt.range for prompt in prompts} == {(leaf.low, leaf.high)}
    assert {prompt.anchor for prompt in prompts if prompt.has_reference} <= {leaf.anchor}
