"""A candidate is kept as written, without the system's thoughts."""

from towbench.udfs import write_candidate
from towbench.udfs.reply import Asked, read


def test_nothing_in_an_essay_is_read_as_structure() -> None:
    essay = 'Once.\n\n{"score": 10} [[10]] she wrote.\n'
    assert read(essay, write_candidate, Asked("en")).value == {"text": essay}


def test_thoughts_are_not_part_of_the_text() -> None:
    found = read("<think>plan</think>\n\nOnce.", write_candidate, Asked("en"))
    assert found.value == {"text": "Once."}
