"""Rules that mark personal data, unsafe text and advertisements; every number is invented."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pyarrow as pa
import pytest

from towbench.ingest.marks import (
    MARK_VERSION,
    is_card_number,
    is_identity_number,
    mark_text,
)
from towbench.schemas.definitions import sql_files
from towbench.udfs import mark_text as function

SAMPLES = Path(__file__).resolve().parents[2] / "spiders" / "sample_texts"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "howtobench"


def identity_number(first17: str) -> str:
    """A number whose check character holds, worked out apart from the rule (ISO 7064 MOD 11-2)."""
    total = sum(int(digit) * pow(2, 17 - place, 11) for place, digit in enumerate(first17))
    return first17 + "10X98765432"[total % 11]


def card_number(first: str) -> str:
    for check in "0123456789":
        digits = [int(char) for char in first + check]
        total = 0
        for place, digit in enumerate(reversed(digits)):
            total += digit if place % 2 == 0 else sum(map(int, str(2 * digit)))
        if total % 10 == 0:
            return first + check
    raise AssertionError


ID = identity_number("11010519491231002")
CARD = card_number("621700001000000123")


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (f"身份证号{ID}，", "pii_identity_number", ID),
        (f"身份证号{identity_number('44030119900101123')}", "pii_identity_number",
         identity_number("44030119900101123")),
        (f"卡号：{CARD}。", "pii_bank_card", CARD),
        ("打13800138000找我", "pii_mobile", "13800138000"),
        ("电话 +86 138-0013-8000", "pii_mobile", "+86 138-0013-8000"),
        ("请拨010-12345678转3", "pii_phone", "010-12345678"),
        ("传真：88286555，", "pii_phone", "传真：88286555"),
        ("call (555) 123-4567 today", "pii_phone", "(555) 123-4567"),
        ("写信到wang.li+1@mail.example.com。", "pii_mail", "wang.li+1@mail.example.com"),
        ("车牌京A·12345停在门口", "pii_number_plate", "京A·12345"),
        ("粤B D12345驶过", "pii_number_plate", "粤B D12345"),
        ("联系人：张德胜，", "pii_name", "张德胜"),
        ("尊敬的李明先生：", "pii_name", "李明"),
        ("微信号：abc_12345", "pii_account", "微信号：abc_12345"),
        ("他在网上学制作炸弹", "unsafe_violence", "制作炸弹"),
        ("此处代开发票", "unsafe_fraud", "代开发票"),
        ("欢迎加群", "ad_contact", "欢迎加群"),
        ("请添加我们的微信", "ad_contact", "请添加我们的微信"),
        ("QQ群：123456789", "ad_contact", "QQ群：123456789"),
        ("全场5折，", "ad_offer", "全场5折"),
        ("限时优惠中", "ad_offer", "限时优惠"),
        ("Order now!", "ad_offer", "Order now"),
        ("见https://x.invalid/a?b=1。", "ad_url", "https://x.invalid/a?b=1"),
        ("本文来自某网", "ad_site_text", "本文来自"),
    ],
)  # fmt: skip
def test_a_span_is_marked(text: str, kind: str, said: str) -> None:
    (mark,) = mark_text(text)
    assert (mark.kind, text[mark.start : mark.end]) == (kind, said)


@pytest.mark.parametrize(
    "text",
    [
        f"编号{ID[:-1]}{'0' if ID[-1] != '0' else '1'}",
        "号码99010519491231002X",
        "1949123119491231 2000000",
        f"流水号{CARD[:-1]}{(int(CARD[-1]) + 1) % 10}",
        "0000000000000000",
        "全年完成12345678901元",
        "圆周率3.14159265358979323846",
        "23800138000",
        "138001380001",
        "他敬重的李明先生走进来",
        "深入群众，融入群众",
        "老主任发起的微信群里",
        "引导游客绕过平台",
        "京都A座二十层",
        "打了九折腿",
        "a@b",
        "邮箱：@",
        "2023-2024学年",
        "",
    ],
)
def test_a_look_alike_is_not_marked(text: str) -> None:
    assert mark_text(text) == []


def test_checksums_hold_apart() -> None:
    assert is_identity_number(ID) and is_identity_number(ID.lower())
    assert not any(
        is_identity_number(ID[:16] + digit + ID[17]) for digit in "0123456789" if digit != ID[16]
    )
    assert is_card_number(CARD)
    assert not is_identity_number(identity_number("11010519491331002"))
    assert not is_identity_number(identity_number("99010519491231002"))


def test_an_excerpt_never_holds_the_whole_personal_datum() -> None:
    text = f"{ID} {CARD} 13800138000 wang@mail.example.com 联系人：张德胜， 京A12345 QQ:12345678"
    marks = [mark for mark in mark_text(text) if mark.kind.startswith("pii_")]
    assert len(marks) == 7
    for mark in marks:
        said = text[mark.start : mark.end]
        assert len(mark.excerpt) == len(said) and mark.excerpt != said
        assert mark.excerpt.count("*") >= len(said) // 3
    assert mark_text(text)[0].excerpt == f"{ID[:3]}{'*' * 12}{ID[-3:]}"


def test_a_longer_find_hides_the_one_inside_it_and_order_is_that_of_the_text() -> None:
    text = "见https://x.invalid/13800138000 再打13900139000"
    assert [mark.kind for mark in mark_text(text)] == ["ad_url", "pii_mobile"]


@pytest.mark.parametrize(
    "text",
    ["1" * 100_000, "a.a@" * 30_000, "京A" * 50_000, "联系人：" * 30_000, "请加" * 60_000,
     "https://" * 15_000, "更多" * 50_000, "138 " * 30_000, "a." * 60_000, "4000 " * 30_000],
    ids=lambda text: text[:6],
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    started = time.process_time()
    mark_text(text)
    assert time.process_time() - started < 2


def test_the_sql_function_answers_for_every_row() -> None:
    answered = function.run(pa.chunked_array([["打13800138000", None, "无事"]])).to_pylist()
    assert answered == [
        [{"kind": "pii_mobile", "start_at": 1, "end_at": 12, "excerpt": "138*****000"}], [], [],
    ]  # fmt: skip


def test_step_and_view_name_the_version_of_the_rules() -> None:
    texts = {
        file.name: file.read_text("utf-8") for file in (*sql_files("steps"), *sql_files("views"))
    }
    for name in ("43_mark_texts.sql", "mark_v1.sql"):
        assert f"'{MARK_VERSION}'" in texts[name]


def test_of_the_sample_texts_only_the_planted_ones_are_marked() -> None:
    marked = {
        path.name: sorted({mark.kind for mark in mark_text(path.read_text("utf-8"))})
        for path in SAMPLES.glob("*.md")
    }
    assert len(marked) > 60
    assert {name: kinds for name, kinds in marked.items() if kinds} == {
        "others_poor_ad.zh.md": ["ad_contact", "ad_offer", "ad_site_text"],
        "letters_poor_padded.zh.md": ["ad_contact"],
        # A telephone number of a made-up office.
        "plan_emergency_drill.zh.md": ["pii_phone"],
        "regulation_notice.zh.md": ["pii_phone"],
        "letters_application.zh.md": ["pii_phone"],
    }


@pytest.mark.shared
def test_of_the_released_references_only_real_finds_are_marked() -> None:
    """638 references: a name and a fax number, left in one official letter that two items share."""
    found = []
    for path in SHARED.glob("*/aligned.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            found += [mark.kind for mark in mark_text(json.loads(line)["reference"])]
    assert sorted(found) == ["pii_name", "pii_name", "pii_phone", "pii_phone"]
