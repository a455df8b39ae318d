"""Rules that mark spans of a text for reviewers: personal data, unsafe text, advertisements.

Marks decide nothing: they point a person at a span. Numbers that carry a checksum must pass it, and
a longer find hides a shorter one inside it. The word list of unsafe text is short on purpose and
finds only the plainest cases; fiction uses the same words lawfully, so expect false marks there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

MARK_VERSION: Final = "marks_v1"

_ID_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS: Final = "10X98765432"
# Codes of the administrative regions an identity number may start with.
_REGIONS: Final = frozenset(
    [
        "11",
        "12",
        "13",
        "14",
        "15",
        "21",
        "22",
        "23",
        "31",
        "32",
        "33",
        "34",
        "35",
        "36",
        "37",
        "41",
        "42",
        "43",
        "44",
        "45",
        "46",
        "50",
        "51",
        "52",
        "53",
        "54",
        "61",
        "62",
        "63",
        "64",
        "65",
        "71",
        "81",
        "82",
        "83",
    ]
)
_SURNAMES: Final = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻苏潘葛范彭郎鲁韦马苗"
    "方俞任袁柳鲍史唐费廉岑薛雷贺倪汤罗毕郝邬安常傅卞齐伍余顾孟黄穆萧尹姚邵汪毛禹狄戴宋庞熊纪舒屈"
    "项祝董梁杜阮蓝季贾江童颜郭梅林钟徐邱骆高夏蔡田樊胡凌霍虞万卢莫房丁邓洪包石崔龚程陆翁侯段武刘"
    "叶白蒲谭温庄柴瞿连艾容向古易廖耿曾关"
)
_TITLE: Final = (
    "先生|女士|小姐|同志|同学|老师|教授|医生|经理|主任|书记|局长|科长|处长|校长|院长|律师"
)


class Mark(NamedTuple):
    """`text[start:end]` is of `kind`; the excerpt hides what is personal."""

    kind: str
    start: int
    end: int
    excerpt: str


def mark_text(text: str) -> list[Mark]:
    """Marks of a text in the order of their places; offsets count characters."""
    found = [mark for rule in _RULES for mark in rule.find(text)]
    found.sort(key=lambda mark: (mark.start, -mark.end, mark.kind))
    kept: list[Mark] = []
    for mark in found:
        if not kept or mark.end > kept[-1].end:
            kept.append(mark)
    return kept


class _Rule(NamedTuple):
    kind: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool]
    hides: bool

    def find(self, text: str) -> Iterator[Mark]:
        for match in self.pattern.finditer(text):
            span = "mark" if "mark" in self.pattern.groupindex else 0
            said = match[span]
            if said and self.holds(said):
                excerpt = mask(said) if self.hides else said[:40]
                yield Mark(self.kind, match.start(span), match.end(span), excerpt)


def mask(said: str) -> str:
    """The first and last characters of a find, what is between hidden: `138*****678`."""
    shown = 3 if len(said) >= 11 else 1
    tail = said[-shown:] if len(said) > 2 else ""
    return said[:shown] + "*" * (len(said) - shown - len(tail)) + tail


def is_identity_number(said: str) -> bool:
    """A resident identity number: region, a date that can be, and the ISO 7064 check character."""
    month, day = int(said[10:12]), int(said[12:14])
    total = sum(int(digit) * weight for digit, weight in zip(said[:17], _ID_WEIGHTS, strict=True))
    return (
        said[:2] in _REGIONS
        and said[6:8] in ("19", "20")
        and 1 <= month <= 12
        and 1 <= day <= 31
        and _ID_CHECKS[total % 11] == said[17].upper()
    )


def is_card_number(said: str) -> bool:
    """16 to 19 digits that pass Luhn and are more than one digit over and over."""
    digits = [int(char) for char in said if char.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (
        16 <= len(digits) <= 19 and len(set(digits)) > 2 and (sum(digits[::-2]) + doubled) % 10 == 0
    )


def _always(said: str) -> bool:
    return True


def _rule(
    kind: str, pattern: str, holds: Callable[[str], bool] = _always, hides: bool = True
) -> _Rule:
    return _Rule(kind, re.compile(pattern, re.ASCII | re.IGNORECASE), holds, hides)


_FREE: Final = r"(?<![0-9A-Za-z])"
_END: Final = r"(?![0-9A-Za-z])"
# Kinds start with their class: pii (personal), unsafe, ad.
_RULES: Final = (
    _rule("pii_identity_number", rf"{_FREE}[1-9]\d{{16}}[0-9X]{_END}", is_identity_number),
    _rule("pii_bank_card", rf"{_FREE}[3-69]\d{{3}}(?:[ -]?\d{{4}}){{3}}(?:[ -]?\d{{1,3}})?{_END}",
          is_card_number),
    _rule("pii_mobile", rf"{_FREE}(?:(?:\+|00)86[ -]?)?1[3-9]\d(?:[ -]?\d{{4}}){{2}}{_END}"),
    _rule("pii_phone",
          rf"(?:{_FREE}|(?<=电话))\(?0\d{{2,3}}\)?[ -]\d{{7,8}}(?:-\d{{1,5}})?{_END}"
          rf"|{_FREE}\(\d{{3}}\) ?\d{{3}}-\d{{4}}{_END}|{_FREE}400-?\d{{3}}-?\d{{4}}{_END}"
          r"|(?:电话|座机|传真|热线)\s*[:：]?\s*(?:\d{3,4}-)?\d{7,8}(?!\d)"),
    _rule("pii_mail",
          rf"{_FREE}[A-Z0-9][A-Z0-9._%+-]{{0,63}}@[A-Z0-9-]{{1,63}}(?:\.[A-Z0-9-]{{1,63}}){{1,4}}{_END}"),
    _rule("pii_number_plate",
          r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]"
          rf"[A-HJ-NP-Z][ ·•]?(?=[A-Z]{{0,4}}\d)[A-HJ-NP-Z0-9]{{5,6}}{_END}",
          lambda said: sum(char.isdigit() for char in said) >= 3),
    _rule("pii_name",
          rf"(?:姓名|联系人|经办人|申请人|身份证持有人|甲方代表|乙方代表)\s*[:：]\s*"
          rf"(?P<mark>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}})(?![\u4e00-\u9fff])"),
    _rule("pii_name",
          rf"(?:尊敬的|致|联系)(?P<mark>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}})(?={_TITLE})"),
    _rule("pii_account", r"(?:微信号?|QQ号?|扣扣|wechat)\s*[:：]\s*[A-Z0-9_-]{5,20}"),
    _rule("unsafe_violence", r"(?:制作|自制|组装|配制)(?:炸弹|炸药|枪支|雷管|毒气)", hides=False),
    _rule("unsafe_drugs",
          r"(?:出售|贩卖|代购|购买)(?:冰毒|海洛因|大麻|摇头丸|K粉|迷药|听话水)", hides=False),
    _rule("unsafe_sex", r"裸聊|援交|一夜情服务|上门服务小姐|成人视频|色情(?:网站|电影|视频)",
          hides=False),
    _rule("unsafe_gambling", r"网上赌场|在线博彩|真人荷官|六合彩特码|赌博网站", hides=False),
    _rule("unsafe_fraud",
          r"代开发票|代办(?:证件|文凭|学历)|办假证|刷单返利|(?:办理|提供|发放)高利贷|信用卡套现",
          hides=False),
    _rule("unsafe_self_harm", r"自杀(?:方法|教程|群)|how to kill (?:yourself|myself)", hides=False),
    _rule("ad_contact",
          r"(?:加|添加|关注)(?:我的?|本人|客服|小编)\s*(?:微信|QQ|扣扣|公众号|vx|wx)"
          r"|(?:请|欢迎|可以?)(?:加|添加|关注)[^\n，。]{0,6}(?:微信|QQ|扣扣|公众号)"
          r"|(?:请|欢迎|扫码|速)(?:加|进|入)群(?![众体组])|(?:QQ群|微信群|群号)\s*[:：]?\s*\d{5,}"
          r"|扫(?:描|一扫)?(?:下方|上方|以下)?二维码",
          hides=False),
    _rule("ad_offer",
          r"限时(?:优惠|抢购|特价|折扣)|(?:全场|低至|享受?)\s*[\d.一二三四五六七八九]{1,3}\s*折"
          r"|(?:点击|马上|立即)(?:购买|下单|领取|咨询|报名|下载)|免费(?:领取|试用|咨询)|包邮"
          r"|(?:click|order|buy) (?:here|now)|limited[- ]time offer|\d{1,2}% off|promo code",
          hides=False),
    _rule("ad_site_text",
          r"(?:更多|点击)[^\n。]{0,12}(?:范文|文章|内容)[^\n。]{0,8}(?:请(?:关注|访问|点击)|尽在)"
          r"|本文(?:来自|来源于?|由[^\n。]{1,12}整理)|转载请注明", hides=False),
    _rule("ad_url",
          r"https?://[^\s<>\"'，。；、）】]{3,200}"
          rf"|{_FREE}www\.[A-Z0-9-]{{1,63}}(?:\.[A-Z0-9-]{{1,63}}){{1,4}}", hides=False),
)  # fmt: skip
