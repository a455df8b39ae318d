"""`docs/views.md` says what the headers of the views say."""

from towbench.schemas.definitions import current_versions, sql_files
from towbench.tests.docs_views import PAGE, page


def test_the_page_is_what_the_headers_say() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python tests/docs_views.py"


def test_every_view_has_a_line_and_current_ones_are_bold() -> None:
    text = PAGE.read_text("utf-8")
    for file in sql_files("views"):
        assert file.name.removesuffix(".sql") in text
    for version in current_versions().values():
        assert f"| **{version}** |" in text
