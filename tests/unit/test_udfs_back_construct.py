"""Back-construction: summary, theme, and the asked traits as lines."""

from towbench.udfs import back_construct
from towbench.udfs.reply import Asked, read

ASKED = Asked("zh", dimensions=("情节", "人物"))
REPLY = (
    '{"summary": "一次远行。", "theme": "告别", "traits": [{"name": "人物", "text": "老人"},'
    ' {"name": "情节", "text": "渡河"}, {"name": "人物", "text": "孩子"}]}'
)


def test_traits_become_lines_in_asked_order() -> None:
    found = read(REPLY, back_construct, ASKED)
    assert found.value == {
        "summary": "一次远行。",
        "theme": "告别",
        "traits": "情节：渡河\n人物：老人\n人物：孩子",
    }


def test_a_missing_or_unknown_trait_and_an_empty_field_are_faults() -> None:
    for change, reason in (
        (("情节", "人物"), "missing=情节"),
        (("情节", "文采"), "missing=情节"),
        (("告别", " "), 'theme=" "'),
    ):
        found = read(REPLY.replace(*change), back_construct, ASKED)
        assert (found.value, found.status, found.reason) == (None, "unparsable", reason)
    asked = Asked("zh", dimensions=("人物",))
    assert read(REPLY, back_construct, asked).reason == "unknown=情节"
