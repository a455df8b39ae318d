"""Trees: what ships loads, a fault in a file is named with its node, depth does not matter."""

import pytest

from towbench.prompts import load_prompts
from towbench.schemas.errors import DataError
from towbench.schemas.trees import Leaf, load_leaves, load_trees, read_leaves, read_tree

LEAVES = load_leaves()


def tree(nodes: str, name: str = "mine") -> str:
    return f"tree: {name}\nversion: 1\nnodes:\n  root:\n{nodes}"


def test_the_published_trees_and_baselines_ship() -> None:
    assert load_trees().keys() == {
        "tow_v1", "tow_five_v1", "tow_released_v1", "average_v1", "single_v1", "elaborated_v1",
        "auto_plan_v1",
    }  # fmt: skip


def test_completion_has_no_format_leaf_in_tow() -> None:
    nodes = {node.node: node for node in load_trees()["tow_v1"].nodes}
    assert nodes["formatting"].tasks == ["guide", "open"]
    assert nodes["emotion"].tasks is None
    assert (nodes["root"].parent, nodes["emotion"].parent) == (None, "content")


def test_depth_three_loads_with_tasks_and_genres_handed_down() -> None:
    text = tree(
        """
    top:
      weight_rule: leaf_count
      tasks: [guide, open]
      genres: [poem]
      children:
        middle:
          weight_rule: leaf_count
          tasks: [open, completion]
          children:
            logic: {weight_rule: fixed, weight: 1}
"""
    )
    nodes = {node.node: node for node in read_tree(text, "mine_v1.yaml", LEAVES).nodes}
    assert (nodes["logic"].tasks, nodes["logic"].genres) == (["open"], ["poem"])
    assert [node.position for node in nodes.values()] == [0, 1, 2, 3]


def test_a_leaf_may_stand_at_two_places_under_other_names() -> None:
    text = tree(
        """
    story: {leaf: plot, weight_rule: fixed, weight: 1, genres: [fiction]}
    order: {leaf: plot, weight_rule: fixed, weight: 0.4, genres: [report, plan]}
    clarity:
      {leaf: language_rhetoric, weight_rule: fixed, weight: 0.6, genres: [report, plan]}
"""
    )
    nodes = read_tree(text, "mine_v1.yaml", LEAVES).nodes
    assert [node.leaf for node in nodes] == [None, "plot", "plot", "language_rhetoric"]


def test_about_is_kept_for_the_negotiator() -> None:
    about = "about: {zh: 气势如何。, en: How grand it is.}"
    text = tree(f"    scope: {{leaf: plot, weight_rule: negotiated, {about}}}")
    found = read_tree(text, "mine_v1.yaml", LEAVES).about
    assert found == {"scope": {"zh": "气势如何。", "en": "How grand it is."}}


CYCLE = """
    top: &top
      weight_rule: leaf_count
      children:
        top: *top
"""
DEEP_CYCLE = """
    top: &top
      weight_rule: leaf_count
      children:
        middle:
          weight_rule: leaf_count
          children: {top: *top}
"""


@pytest.mark.parametrize(
    ("nodes", "fault"),
    [
        ("    nonsense: {weight_rule: negotiated}", "node nonsense: no such leaf"),
        ("    logic: {weight_rule: guessed}", "node logic: weight_rule guessed"),
        ("    logic: {weight: 1}", "node logic: weight_rule None"),
        ("    logic: {weight_rule: fixed}", "node logic: weight_rule fixed needs a weight"),
        ("    logic: {weight_rule: fixed, weight: 0.9}", "do not sum to 1.*0.9"),
        ("    logic: {weight_rule: fixed, weight: one}", "node logic: weight: wants a number"),
        ("    logic: {weight_rule: fixed, weight: true}", "wants a number, got True"),
        ("    logic: {weight_rule: fixed, weight: .nan}", "wants a number"),
        ("    logic: {weight_rule: fixed, weight: 1.5}", "weight 1.5 is not within -1 and 1"),
        ("    logic: {weight_rule: negotiated, weight: 1}", "negotiated takes no weight"),
        ("    logic: {weight_rule: inserted, weight: 0.3}", "needs negotiated siblings"),
        ("    logic: {weight_rule: negotiated, map: steps, map_args: [1]}", "map steps"),
        ("    logic: {weight_rule: negotiated, map: curve}", "map curve"),
        ("    logic: {weight_rule: negotiated, map: steps, map_args: [4, 0, 9, 5]}", "up to 10"),
        ("    logic: {weight_rule: negotiated, map: steps, map_args: [7, 0, 4, 5, 10, 9]}", "rise"),
        (
            "    logic: {weight_rule: negotiated, map: clamp_affine, map_args: [3, 1, 5, 0]}",
            "low <",
        ),
        ("    logic: {weight_rule: negotiated, wieght: 1}", "unknown key wieght"),
        ("    logic: {weight_rule: negotiated, tasks: open}", "tasks is a list"),
        ("    logic: {weight_rule: negotiated, genres: [verse]}", "unknown genre verse"),
        ("    logic: {weight_rule: negotiated, about: {zh: 理}}", "about wants one line"),
        ("    logic: negotiated", "node logic: wants a mapping"),
        ("    Logic: {weight_rule: negotiated}", "'Logic' is no name"),
        ("    top: {weight_rule: negotiated, children: {}}", "node top: has no children"),
        ("    top: {weight_rule: negotiated, leaf: logic, children: {}}", "children and a leaf"),
        (
            "    top: {weight_rule: negotiated, map: affine, map_args: [1, 1], children: {logic: "
            "{weight_rule: negotiated}}}",
            "only leaves have a map",
        ),
        (
            "    logic: {weight_rule: negotiated}\n    emotion: {weight_rule: leaf_count}",
            "mix the weight rules",
        ),
        (
            "    logic: {weight_rule: negotiated}\n    logic: {weight_rule: negotiated}",
            "logic stands twice.*\n.*line 6",
        ),
        (
            "    top: {weight_rule: fixed, weight: 0, children: {logic: {weight_rule: negotiated}}}"
            "\n    logic: {weight_rule: fixed, weight: 1}",
            "node logic: stands twice",
        ),
        (
            "    logic: {weight_rule: fixed, weight: 0.5}\n"
            "    emotion: {weight_rule: fixed, weight: 0.5, tasks: [open], genres: [poem]}",
            "sum to 1 for open: 0.5",
        ),
        (
            "    top: {weight_rule: fixed, weight: 1, tasks: [open], children: "
            "{logic: {weight_rule: negotiated, tasks: [guide]}}}",
            "node logic: holds nowhere",
        ),
        ("    logic: {weight_rule: negotiated, map: [steps]}", r"node logic: map \['steps'\]"),
        (
            "    top: {weight_rule: negotiated, leaf: [logic]}",
            r"node top: no such leaf \['logic'\]",
        ),
        ("    top: {weight_rule: negotiated, leaf: }", "node top: no such leaf None"),
        ("    top: {weight_rule: negotiated, children: }", "node top: children: wants a mapping"),
        ("    logic: {weight_rule: negotiated, genres: [[poem]]}", "genres is a list of names"),
        ("    logic: {weight_rule: fixed, weight: 1, tasks: open}", "tasks is a list of names"),
        ("    ? [logic]\n    : {weight_rule: negotiated}", "a key must be a name(.|\n)*line 5"),
        (f"    logic: {{weight_rule: fixed, weight: 1{'0' * 400}}}", "weight: wants a number"),
        (
            "    top: {weight_rule: fixed, weight: 0.5, children: {emotion: {weight_rule: fixed, "
            "weight: 1, tasks: [guide]}}}\n    logic: {weight_rule: fixed, weight: 0.5}",
            "under root do not sum to 1 for texts named nowhere: 0.5",
        ),
        (CYCLE, r"node top: hangs under itself \(root > top > top\)"),
        (DEEP_CYCLE, r"hangs under itself \(root > top > middle > top\)"),
    ],
)
def test_a_fault_names_file_and_node(nodes: str, fault: str) -> None:
    with pytest.raises(DataError, match=fault) as caught:
        read_tree(tree(nodes), "mine_v1.yaml", LEAVES)
    assert str(caught.value).startswith("mine_v1.yaml: ")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[1, 2]", "wants a mapping of names"),
        ("", "wants a mapping of names"),
        ("tree: [", "not YAML"),
        ("tree: mine\nversion: 1\n", "nodes: wants a mapping"),
        ("tree: mine\nversion: 1\nnodes: {a: {}, b: {}}", r"exactly one root node, found \['a'"),
        ("tree: mine\nversion: 1\nnodes: {root: {}}", "node root: has no children"),
        ("tree: mine\nversion: 1\nleaves: {}\nnodes: {root: {}}", "unknown key leaves"),
        ("tree: mine\nversion: one\nnodes: {}", r"must be named mine_vone\.yaml"),
        ("tree: other\nversion: 1\nnodes: {}", r"must be named other_v1\.yaml"),
    ],
)
def test_a_file_that_is_no_tree_is_named(text: str, fault: str) -> None:
    with pytest.raises(DataError, match=rf"^mine_v1\.yaml: .*{fault}"):
        read_tree(text, "mine_v1.yaml", LEAVES)


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("{low: 1, high: 10}", "uses_reference is true or false"),
        ("{uses_reference: true, low: 10, high: 1}", "wants low < high"),
        ("{uses_reference: true, low: 1, high: 10, anchor: 11}", "anchor between them"),
        ("{uses_reference: true, low: 1}", "high: wants a number"),
        ("{uses_reference: true, low: 1, high: 10, kind: rule}", "kind is model, or rule"),
        ("{uses_reference: true, low: 1, high: 10, anker: 6}", "unknown key anker"),
    ],
)
def test_a_faulty_leaf_is_named(row: str, fault: str) -> None:
    with pytest.raises(DataError, match=f"^leaves.yaml: leaf heroism: .*{fault}"):
        read_leaves(f"heroism: {row}", "leaves.yaml")


@pytest.mark.parametrize("leaf", [leaf for leaf in LEAVES.values() if leaf.kind == "model"])
def test_every_model_leaf_has_prompts_of_its_scale_and_anchor(leaf: Leaf) -> None:
    names = (leaf.leaf, f"{leaf.leaf}_fiction")
    prompts = [prompt for prompt in load_prompts().values() if prompt.task in names]
    assert {prompt.lang for prompt in prompts} == {"zh", "en"}
    assert {prompt.has_reference for prompt in prompts} == (
        {True, False} if leaf.uses_reference else {False}
    )
    assert {prompt.range for prompt in prompts} == {(leaf.low, leaf.high)}
    assert {prompt.anchor for prompt in prompts if prompt.has_reference} <= {leaf.anchor}
