"""Encodings: what the bytes say counts, declarations only tip the scale."""

from random import Random

import pytest

from towbench.ingest.decode import Undecodable, decode

ZH = (
    "<html><head>{meta}</head><body><p>雨夜灯火，照着河边的旧船。宁吉喆说：“好。”</p></body></html>"
)
EN = "<html><head>{meta}</head><body><p>He said “no” — and left… for the café.</p></body></html>"
TRADITIONAL = "<html><head>{meta}</head><body><p>風雨故人來，燈火照著河邊的舊船。</p></body></html>"


def meta(label: str) -> str:
    return f'<meta http-equiv="Content-Type" content="text/html; charset={label}">'


@pytest.mark.parametrize(
    ("page", "codec", "encoding"),
    [
        (ZH, "gb18030", "gb18030"),
        (ZH, "utf-8", "utf-8"),
        (TRADITIONAL, "big5", "big5"),
        (TRADITIONAL, "utf-8", "utf-8"),
        (EN, "cp1252", "windows-1252"),
        (EN, "utf-8", "utf-8"),
    ],
)
@pytest.mark.parametrize("label", ["", "gb2312", "utf-8", "big5", "iso-8859-1", "x-unknown"])
@pytest.mark.parametrize("header", [None, "text/html; charset=GBK", "text/html; charset=utf-8"])
def test_no_declaration_overrules_the_bytes(
    page: str, codec: str, encoding: str, label: str, header: str | None
) -> None:
    text = page.format(meta=meta(label) if label else "")
    assert decode(text.encode(codec), header) == (text, encoding)


@pytest.mark.parametrize("text", ["雨夜灯火", "你好", "联通"])
def test_a_few_undeclared_characters_are_enough(text: str) -> None:
    assert decode(text.encode("gb18030")) == (text, "gb18030")
    assert decode(text.encode("utf-8")) == (text, "utf-8")


def test_characters_outside_gb2312_under_a_gb2312_label() -> None:
    text = f"<html><head>{meta('gb2312')}</head>二〇〇四年，陶喆、朱镕基，㐂。</html>"
    assert decode(text.encode("gb18030")) == (text, "gb18030")


@pytest.mark.parametrize(
    ("head", "header"),
    [
        (meta("gbk"), "text/html; charset=ISO-8859-1"),
        ("<meta content='text/html; charset=gb2312\"' http-equiv=Content-Type", "text/html"),
        ("<meta charset=>", "text/html; charset="),
        ("<meta http-equiv=content-type content=gb2312>", None),
    ],
)
def test_wrong_headers_and_malformed_declarations_do_no_harm(head: str, header: str | None) -> None:
    """Cases G31: w3lib reads the first of these as cp1252 without a single U+FFFD."""
    text = ZH.format(meta=head)
    assert decode(text.encode("gb18030"), header) == (text, "gb18030")


def test_a_byte_order_mark_decides() -> None:
    text = ZH.format(meta=meta("gb2312"))
    assert decode(b"\xef\xbb\xbf" + text.encode(), "text/html; charset=gbk") == (text, "utf-8")
    assert decode(text.encode("utf-16")) == (text, "utf-16-le")


def test_a_declaration_behind_the_first_4_kb_tips_the_scale() -> None:
    # Two bytes that are a common character both as GBK and as Big5.
    pad = "<!--" + "x" * 5000 + "-->"
    body = (pad + meta("big5")).encode() + "中".encode("big5")
    assert decode(body).encoding == "big5"
    assert decode((pad + meta("gbk")).encode() + "中".encode("gb18030")).encoding == "gb18030"


@pytest.mark.parametrize("codec", ["gb18030", "utf-8"])
def test_single_damaged_bytes_cost_single_characters(codec: str) -> None:
    body = ZH.format(meta="").encode(codec) * 20 + b"\xff<p>"
    decoded = decode(body)
    assert decoded.encoding == codec
    assert decoded.text.count("雨夜灯火") == 20


def test_another_declared_encoding_is_tried() -> None:
    text = f"<html><head>{meta('shift_jis')}</head><p>雨の夜、ともしびがともる。</p></html>"
    assert decode(text.encode("shift_jis")) == (text, "cp932")


@pytest.mark.parametrize("label", ["base64", "idna", "unicode_escape", "rot13", "\x00", "é"])
def test_a_label_that_is_no_text_encoding_is_ignored(label: str) -> None:
    text = ZH.format(meta=meta(label))
    assert decode(text.encode("gb18030")).encoding == "gb18030"


def test_ascii_is_utf8() -> None:
    assert decode(b"<p>plain</p>") == ("<p>plain</p>", "utf-8")
    assert decode(b"") == ("", "utf-8")


@pytest.mark.parametrize("body", [bytes(range(256)) * 40, b"\x89PNG\r\n\x1a\n" + bytes(2000)])
def test_bytes_that_are_no_text_are_said_to_be(body: bytes) -> None:
    with pytest.raises(Undecodable, match="no text in utf-8, gb18030"):
        decode(body)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("label", ["", "utf-8", "gb2312"])
@pytest.mark.parametrize("page", [ZH, EN, "雨夜灯火，\n照着河边的旧船。"])
def test_utf16_without_a_mark_is_told_by_its_zero_bytes(page: str, label: str, codec: str) -> None:
    text = page.format(meta=meta(label) if label else "")
    assert decode(text.encode(codec)) == (text, codec)


def test_a_page_in_hz_needs_no_declaration() -> None:
    text = ZH.format(meta="").replace("喆", "哲")
    assert decode(text.encode("hz")) == (text, "hz")


@pytest.mark.parametrize(("inner", "encoding"), [("utf-8", "utf-8"), ("gb18030", "gb18030")])
@pytest.mark.parametrize("wrong", ["latin-1", "cp1252"])
def test_a_text_that_was_encoded_twice_is_decoded_twice(
    inner: str, encoding: str, wrong: str
) -> None:
    text = "<p>" + "他说：“来年再看。”" * 3
    once = text.encode(inner)
    # Bytes that windows-1252 leaves open stay control characters, as browsers have it.
    taken = "".join(bytes([byte]).decode(wrong, "ignore") or chr(byte) for byte in once)
    assert decode(taken.encode()) == (text, encoding)


def test_accented_words_are_not_taken_for_a_second_encoding() -> None:
    text = "<p>Le café naïf de l’été, où l’on s’assied. Ça va… «oui»</p>"
    assert decode(text.encode()) == (text, "utf-8")


def test_pieces_in_another_encoding_are_read_by_themselves() -> None:
    """A template in UTF-8 round an article in GBK, and the other way round."""
    frame, article = "<h1>渡口网首页</h1>", f"<p>{'雨夜灯火，照着河边的旧船。' * 9}</p>"
    for outer, inner, encoding in (
        ("utf-8", "gb18030", "gb18030"),
        ("gb18030", "utf-8", "utf-8"),
    ):
        body = frame.encode(outer) + article.encode(inner) + frame.encode(outer)
        assert decode(body) == (frame + article + frame, encoding)


def test_english_between_full_width_quotes_is_no_big5() -> None:
    text = "<p>He said “no” — and left… for ‘home’.</p>"
    assert decode(text.encode("gb18030")) == (text, "gb18030")


def test_a_damaged_piece_of_a_mixed_page_costs_single_characters() -> None:
    sound, damaged = f"<p>{'雨夜灯火，照着河边的旧船。' * 9}</p>", "<p>一句话也没有说，老人。</p>"
    body = sound.encode("gb18030") + damaged.encode()[:-6] + b"\xe8</p>" + sound.encode()
    assert "一句话也没有说，老人" in decode(body).text


def test_bytes_with_zeros_that_are_no_text_are_not_read_as_utf16() -> None:
    with pytest.raises(Undecodable):
        decode(Random(1).randbytes(4000))
