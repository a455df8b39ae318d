"""Quality: whole numbers 1-5 for every asked dimension and overall."""

import pytest

from towbench.udfs import filter_quality
from towbench.udfs.reply import Asked, read

ASKED = Asked("zh", dimensions=("theme", "language"))


def test_list_and_map_are_read_alike_in_asked_order() -> None:
    as_list = (
        '{"dimensions": [{"name": "language", "reason": "r", "score": 3},'
        ' {"name": "theme", "reason": "r", "score": 4}], "reason": "fair", "overall": 4}'
    )
    as_map = '{"dimensions": {"language": 3, "theme": 4.0}, "overall": 4}'
    for reply in (as_list, as_map):
        found = read(reply, filter_quality, ASKED)
        assert found.value == {"overall": 4, "dimensions": {"theme": 4, "language": 3}}


@pytest.mark.parametrize(
    ("reply", "status", "reason"),
    [
        ('{"dimensions": {"theme": 4}, "overall": 4}', "unparsable", "missing=language"),
        ('{"dimensions": {"theme": 4, "language": 6}, "overall": 4}', "out_of_range", "language=6"),
        ('{"dimensions": {"theme": 4, "language": 3}, "overall": 3.5}', "out_of_range", "overall"),
        ('{"dimensions": {"theme": 4, "language": 3}}', "unparsable", "no_verdict"),
    ],
)
def test_what_breaks_a_rule_has_no_value(reply: str, status: str, reason: str) -> None:
    found = read(reply, filter_quality, ASKED)
    assert (found.value, found.status) == (None, status)
    assert reason in str(found.reason)
