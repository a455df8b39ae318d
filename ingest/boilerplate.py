"""Lines that sites put before, after and around texts: one pattern a row (pure data)."""

import re
from typing import Final


def _any_of(rows: str) -> str:
    return "|".join(row.strip() for row in rows.strip().splitlines())


_OPEN: Final = r"[【\[（(]?\s*"

ABOUT: Final = re.compile(
    _OPEN
    + "(?:"
    + _any_of(r"""
        来\s*源
        作\s*者
        编\s*辑
        责任编辑|责编|稿源|信息来源|原标题
        发布(?:时间|日期|者)?
        时\s*间|日\s*期|更新时间|最后更新
        字\s*[号体]
        浏览(?:次数)?|点击|阅读|人气|分享|打印
        当前位置|您(?:的|现在的)?位置|首页
        delivered (?:\d|[A-Z])
        Audio mp3|click for pdf|Your browser does not
        AUTHENTICITY CERTIFIED|text unauthenticated
        Published|Updated|Posted|By [A-Z]|Share this|Image copyright
    """)
    # What goes on without a separator, or is a sentence of several clauses, is text.
    + r")(?![^\s:：|\d]{12}|.{12,}[，,].*[。！？.!?”\"]$)"
    + r"|\d{4}[-年/.]\d{1,2}[-月/.]\d{1,2}日?\s*\d\d?:\d\d"
)
"""Starts of a line about the text (byline, source, date with time) that may stand before it."""

AFTER: Final = re.compile(
    _OPEN
    + "(?:(?:"
    + _any_of(r"""
        编\s*辑|校\s*对|审\s*核|打印|关闭|扫码|长按|关注我们
        版权|免责|特别声明|转载|技术支持|备案|网站标识
        关键[词字]|标签|广告
        Follow us|Sign up|Subscribe|Share (?:this|on)|Notice
    """)
    + r")(?:\s*[:：|\]】)）/\[]|\s|$)|"
    + _any_of(r"""
        责任编辑|责编|[上下]一[篇页]
        (?:打印|关闭)(?:窗口|页面|本[页稿文])|分享[到至]
        长按.{0,6}(?:二维码|识别|关注)|扫码(?:关注|下载|阅读|查看)
        (?:作\s*者|来\s*源|声明)\s*[:：]
        (?:微信)?扫一扫
        (?:版权|免责|特别)声明|版权(?:所有|归)|转载(?:请|须|自|或)
        转发.{0,8}保留
        点击(?:下载|收藏)
        打开.{0,12}(?:APP|客户端)|下载.{0,12}客户端|(?:展开|查看|阅读)(?:全文|剩余|原文)
        本文(?:档)?(?:仅代表|来源|来自)|提示】本文档|以上内容仅
        [^。]{0,30}(?:ICP备|版权所有)
        ©|Copyright|All rights reserved|U\.S\. Copyright
        Page Updated|Audio Source|Text Source|Book/CDs|Online Speech Bank
        Also in this database
        Filed under|Posted in|Tags?\s*:
        This essay was written
    """)
    + ")",
    re.IGNORECASE,
)
"""Starts of a line that may stand after a text and belongs to the site."""

_END_OF_HEADING: Final = r")\s*(?:[（(]?\s*\d+\s*条?\s*[)）]?)?\s*[】\]:：>»]*$"

COMMENTS: Final = re.compile(
    r"[【\[]?(?:"
    + _any_of(r"""
        (?:网友|最新|精彩|发表|全部|我要|读者|热门)评论|评论区|网友跟帖|文明上网.{0,20}
        评论(?=\s*[（(]?\s*\d)
        \d+ (?:comments?|thoughts on .*|responses to .*)
        Comments?|Leave a (?:reply|comment)
    """)
    + _END_OF_HEADING,
    re.IGNORECASE,
)
"""A heading over readers' comments: the text is over."""

RELATED: Final = re.compile(
    r"[【\[]?(?:"
    + _any_of(r"""
        相关(?:阅读|文章|链接|新闻|内容|文件|资讯|推荐|报道|解读)
        延伸(?:阅读)?
        (?:编辑|今日|精彩|精选)?推荐(?:阅读)?
        往期(?:推荐|回顾)
        热门(?:推荐|文章|新闻)
        热点(?:推荐|新闻|文章)
        更多(?:精彩|阅读|内容)
        猜你喜欢|[为给][你您]推荐|APP精彩推荐
        大家(?:都|还)?在看|[看读]过本文的人还[看读]过
        Most popular|Something to consider|Also in this database
        (?:More )?Related (?:posts?|articles?|papers|stories|reading)
        You may also like|Read (?:more|next)|More from .{2,40}
    """)
    + _END_OF_HEADING,
    re.IGNORECASE,
)
"""A heading over links to other texts: the text is over, unless it goes on below the links."""

CRUMBS: Final = re.compile(r"[^。！？]{0,60}(?:>|»|›)[^。！？]{0,60}$")
"""A path of links from the start page to this one."""
