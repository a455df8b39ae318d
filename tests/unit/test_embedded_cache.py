"""The digest cache."""

from towbench.udfs.embedded.cache import DigestCache


def test_remembers_and_forgets_the_oldest() -> None:
    made: list[tuple[str, ...]] = []

    def make(*texts: str) -> str:
        made.append(texts)
        return "".join(texts)

    cache = DigestCache(make, size=2)
    assert [cache("a"), cache("b"), cache("a"), cache("c"), cache("a")] == ["a", "b", "a", "c", "a"]
    assert made == [("a",), ("b",), ("c",)]
    cache("b")
    assert made[-1] == ("b",)


def test_borders_of_arguments_count() -> None:
    cache = DigestCache(lambda *texts: texts, size=8)
    assert cache("ab", "c") == ("ab", "c")
    assert cache("a", "bc") == ("a", "bc")
