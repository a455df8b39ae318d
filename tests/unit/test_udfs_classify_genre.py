"""A genre is one of the labels of the reply schema, or none."""

from towbench.udfs import classify_genre
from towbench.udfs.reply import Asked, read


def test_a_known_label_in_any_case() -> None:
    found = read('{"reason": "r", "label": "creative - poetry"}', classify_genre, Asked("en"))
    assert (found.value, found.rationale) == ({"label": "Creative - Poetry"}, "r")


def test_an_unknown_genre_is_named_and_not_mapped() -> None:
    found = read('{"label": "Limerick"}', classify_genre, Asked("en"))
    assert (found.value, found.status, found.reason) == (None, "unparsable", "unknown=Limerick")
    assert read('{"label": null}', classify_genre, Asked("en")).reason == "label=null"
