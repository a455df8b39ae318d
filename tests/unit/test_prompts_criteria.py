"""Every criterion, band, anchor and deduction rule of the papers is in the prompt that carries it.

Rows: task, criterion (zh paper: evaluation prompts; tables 9 and 10; appendix D), and key terms of
the zh and the en prompt, separated by `;`, each a regular expression. Leaves are held in both
forms, with and without reference.
"""

import re
from importlib.resources import files

import pytest
import yaml

from towbench.prompts import load_prompts
from towbench.schemas.trees import load_leaves

CRITERIA = [
    row.split(" | ")
    for row in r"""
opening_ending | catches attention | 一读就想往下看;发问;故事;事实;数据 | make one want to read on;question;story;startling fact;figure
opening_ending | introduces theme | 引出主题;行文思路 | where it is heading;line of thought
opening_ending | suits audience | 目标读者;知识背景;叙事;准确 | intended readers;knowledge;exactness
opening_ending | no cliché | 俗套;直入正题 | clichés;come to the point
opening_ending | mood | 悬念、幽默、紧张 | suspense, humour or tension
opening_ending | sums up | 收拢核心;疲软 | Gathering the core;limp
opening_ending | deepens | 意义或价值;反思;洞察 | meaning or worth;reflection;insight
opening_ending | impression | 共鸣;促人行动;记得住 | resonate;action;memory
opening_ending | complete | 呼应;仓促;往高处拔 | answer the opening;break off;false height
opening_ending | no padding | 复述;新观点 | retelling;undiscussed new ideas
opening_ending | analysis, point by point | 不遗漏任何一条 | leave none out
opening_ending | whole score 1-10, agreeing | 1 到 10 的整数，结论与分析前后一致，理由点到要害 | whole number from 1 to 10 that agrees with your analysis.*give the key reasons briefly
language_rhetoric | varied words | 词汇多样;灵活 | varied words;suppleness
language_rhetoric | vivid | 景物、人物、心理、动作 | scenes, people, thoughts and actions
language_rhetoric | weighed words | 推敲;文化味;艺术感染力 | weighed;cultural or artistic
language_rhetoric | rhetoric | 比喻、反复、排比、拟人 | metaphor, repetition, parallelism, person
language_rhetoric | no excess | 不堆砌;不过火 | not piled up;never overdone
language_rhetoric | structure | 开头语言清楚;提升主题 | opening draws readers;lifts the theme
language_rhetoric | poor language | 重复过多;幼稚;语病;空话 | repetition;childish;grammar;filler
language_rhetoric | list-like | 罗列清单 | list-like
language_rhetoric | misuse | 只会用一种;生硬;突兀 | one device only;stiff;abruptly
language_rhetoric | connectives | “首先、其次、最后” | firstly, secondly, finally
language_rhetoric | ending, opening | 不概括要点;没有吸引力 | leaves out the key points;dull opening
language_rhetoric | no depth | 罗列观点;来回赘述 | listing of views;over and over
language_rhetoric | mixed languages -2 | 夹杂别种语言，扣 2 分 | switch between.*take off 2 points
language_rhetoric | abbreviation -1 | WC，扣 1 分 | WC .*take off 1 point\b
language_rhetoric | names free | KFC、NBA | KFC or NBA
language_rhetoric | fiction | 小说：.*心理没有深度.*重要程度扣分 | Fiction: .*psychological.*weight
language_rhetoric | argument -1..2 | 循环论证.*扣 1–2 分 | circular argument.*take off 1–2 points
language_rhetoric | analysis, point by point | 先比较正面表现，再比较负面表现 | strengths first and the weaknesses second
language_rhetoric | deductions count | 该扣的分在结论中扣除 | take off what the rules above say in the final score
language_rhetoric | whole score 1-10, agreeing | 1 到 10 的整数，结论与分析前后一致，理由点到要害 | whole number from 1 to 10 that agrees with your analysis.*give the key reasons briefly
instance | facts | 现实知识;引语;统计数字;历史;常识 | real-world;Quotations;statistics;historical
instance | apt | 直接相关;加强了论证;不是装饰|而不是装饰 | bears directly;strengthens the argument;not decoration
instance | concrete, sufficient | 具体充分;说明出处 | Concrete and sufficient;sources are named
instance | varied | 数据、道理、专家看法 | data, principles, expert views
instance | by genre | 小说、诗歌、散文;公文、报告、合同 | fiction, poetry and prose;official papers, reports and contracts
instance | analysed | 用得透：举例之后有分析;举完就走 | Worked through: analysis;dropped as soon
instance | factual error | 事实错误：张冠李戴;资料相矛盾 | Factual error: wrong attribution;clash with the material
instance | fabrication | 编造：凭空 | Fabrication: invented
instance | irrelevance | 不相干：;陈旧 | Irrelevance: ;stale
instance | no examples | 缺例：只有断言和口号 | No examples: bare assertion and slogans
instance | piling up | 堆砌：一个|堆砌：例子 | Piling up: one example
instance | analysis, point by point | 逐一找出文中的例子 | examples, figures, quotations or concrete details one by one
instance | whole score 1-10, agreeing | 1 到 10 的整数，结论与分析前后一致，理由点到要害 | whole number from 1 to 10 that agrees with your analysis.*give the key reasons briefly
logic | person | 人称与视角一致;铺垫;交代 | person or viewpoint;prepared;explained
logic | coherence | 断裂、空缺;因果;情节 | breaks, gaps;cause and effect;plot
logic | tone | 语气和文风 | tone and style
logic | scope | 一段之内或相邻几段 | one paragraph or between a few neighbouring
logic | argumentative | 环环相扣;常识;抽象的道理;证据 | linked like a chain;common knowledge;abstract theory;evidence
logic | speech | 清楚直接;核心问题;主张;步骤;宏观 | clear and direct;core problem;idea;steps;broad view
logic | summary | 目标→问题分析→关键难点→解决办法 | goal → analysis of problems → key diff
logic | application | 申请人的需要准确对应 | matches them exactly to the applicant
logic | listing -3 | 我们应该……我们必须.*至少扣 3 分 | we should …, we must.*at least 3 points off
logic | speech -3..6 | 演讲、致辞的.*扣 3–6 分 | A speech or address whose.*3–6 points off
logic | summary -3..6 | 工作总结只说.*扣 3–6 分 | A work summary that only.*3–6 points off
logic | starts at 8 | 从 8 分起算 | start the text at 8
logic | 0-1 slight: 0..3 | 只有 1 处.*扣 0–3 分 | 1 slight.*0–3 points off
logic | 1-2 slight: 3..6 | 1–2 处轻微弱点.*扣 3–6 分 | 1–2 slight.*3–6 points off
logic | more, or a grave one: 6..8 | 多于两处，或有一处重大.*扣 6–8 分 | More than two.*one grave.*6–8
logic | graver still | 还可再扣 | and more if it is especially grave
logic | better: +2 | 最多加 2 分 | up to 2 points added
logic | 1-4 not all bad | 得 1–4 分不等于.*严格依据 | 1–4 need not mean.*keep strictly
logic | analysis, point by point | 逐条对照标准，说明长处与短处 | criteria one by one, say what is strong and weak
logic | whole score 1-10, agreeing | 1 到 10 的整数.扣到 1 分为止.，结论与分析前后一致 | whole number from 1 to 10 .never below 1. that agrees with your analysis.*give the key reasons briefly
emotion | audience | 写给谁看 | who is to feel it
emotion | woven in | 事件、景物、人物;层次 | events, scenes, people;layered
emotion | devices | 比喻、拟人;画面感 | Metaphor, personification;picture
emotion | register | 语气、用词和句式 | Tone, words and sentence shapes
emotion | sincere | 真挚;共鸣 | sincere;share
emotion | theme, characters | 主题贴合;人物的情感深度 | goes with the theme;emotional depth
emotion | missing | 缺位;对不上 | missing;out of touch
emotion | misuse | 比喻用错;类比不相干 | wrong metaphors;irrelevant comparisons
emotion | superficial | 浮在表面;夸张;代入 | on the surface;exaggerated;empathise
emotion | analysis, point by point | 先看正面表现，再看负面表现，每一条 | strengths first, then the weaknesses.*touch on every point
emotion | whole score 1-10, agreeing | 1 到 10 的整数，结论与分析前后一致，理由点到要害 | whole number from 1 to 10 that agrees with your analysis.*give the key reasons briefly
plot | structure | 有条理;过渡顺畅;机械串联;伏笔 | clear, ordered;pass smoothly;mechanical;foreshadowed
plot | narrative | 倒叙、插叙等运用娴熟;节奏;悬念;由因果或主题牵引 | flashback.*handled well;pace;suspense;led by cause and effect
plot | worth | 新颖;洞见;价值取向 | new and meaningful;insight;values
plot | slight 3, major 6 | 轻微的扣 3 分，重大或严重的扣 6 分 | slight one costs 3.*major or severe one 6
plot | bad structure | 结构混乱：层次;缺少过渡;跳跃;冗长 | no progress by levels;lack transitions;jumps;flat and long
plot | bad narrative | 倒叙、插叙用得不当;松散零碎;铺垫;突兀 | flashbacks .*wrongly;fragmentary;preparation;abrupt
plot | bad theme | 陈旧;肤浅;分散 | stale;shallow idea;scattered
plot | bad language | 单调;晦涩;自己的声音 | monotonous;obscure;voice
plot | good argument | 议论文：论点明确;证据充分 | Argumentative: a clear claim;ample and relevant evidence
plot | good fiction | 小说：人物和情节都为主题服务;紧凑 | Fiction: characters and plot serve;tightly
plot | good prose | 散文：意象美;主题集中 | Prose: beautiful images;one theme
plot | good speech | 演讲、申请书、报告：简洁;说服力 | Speech, application, report: brief;convincing
plot | bad argument | 议论文：跑题;证据少 | Argumentative: off the topic;weak evidence
plot | bad fiction | 小说：人物僵硬;所作所为 | Fiction: wooden;what characters do
plot | bad prose | 散文：意象平淡;支离破碎 | Prose: flat images;broken content
plot | bad speech | 演讲、申请书、报告：句子拖得长;没有重点 | Speech, application, report: long;no focus
plot | analysis, point by point | 逐条分析相关要点 | Take all points that apply, say what is strong and weak
plot | whole score 1-10, agreeing | 1 到 10 的整数，结论与分析前后一致，理由点到要害 | whole number from 1 to 10 that agrees with your analysis.*give the key reasons briefly
paragraphing | paragraph <= 500 | 超过 500 个字符 | over 500 characters.*300 words
paragraphing | no giant section | 比其余各章加起来还长;长短相差不大 | longer than all the others together;not differ much in length
paragraphing | sections | 长篇小说、报告、演讲;标题 | long fiction, reports, speeches;headings
paragraphing | no idle sections | 拆成好几章 | split into several
paragraphing | section > 800 | 超过 800 个字符 | more than 800 characters.*500 words
paragraphing | not one sentence each | 诗歌之外;只有一句 | poems aside;single sentence
paragraphing | stanzas | 依节奏分节 | stanzas or paragraphs by rhythm
paragraphing | one topic | 塞进同一段 | crowded into one paragraph
paragraphing | paragraph > 50 | 超过 50 个字符;较短 | more than 50 characters.*30 words;shorter
paragraphing | three levels | 3 分：;2 分：;1 分： | - 3: well;- 2: some;- 1: plainly
paragraphing | whole score 1-3 | 1 到 3 的整数 | whole number from 1 to 3
impression | instruction | 切合指令的主题 | theme of the instruction
impression | opening, ending | 开头和结尾 | Opening and ending
impression | fluent | 流畅;连贯 | fluent;coherent
impression | paragraphs | 分段 | paragraphs
impression | bullets | 项目符号和列表 | bullet points and lists
impression | whole score 1-10 | 1 到 10 的整数 | whole number from 1 to 10
negotiate | sum is 1 | 加起来必须等于 1 | add up to 1
negotiate | 0..1, two decimals | 0 到 1 之间的小数，最多保留两位 | between 0 and 1 with two decimals
negotiate | negative to -1 | 负权重，但不得小于 -1 | negative, but never below -1;negative weights are allowed
negotiate | argumentative example | 议论文.*0 或 0.1 | argumentative.*0 or 0.1
negotiate | explains | 简要说明理由 | explain your choice
negotiate | names kept | 维度名照抄 | Copy the names of the dimensions.*add, drop or reword none
negotiate | relevance | 有多相关来分配 | how much it matters for the nature of this
negotiate | every dimension | 每个维度都要有权重 | Every dimension gets a weight
negotiate | instruction and dimensions | {instruction};{dimensions} | {instruction};{dimensions}
dimensions | opening and ending | ^opening_ending: .*吸引人、有新意.*不止于简单总结.*难忘或引起共鸣.*套路化 | ^opening_ending: .*attractive and new.*more than sum up.*memorable or to find an echo.*formula
dimensions | language and rhetoric | ^language_rhetoric: .*用词丰富.*明白.*景物、人物、心理、动作.*比喻、排比 | ^language_rhetoric: .*vocabulary.*clear sentences.*scenes, people, thoughts and actions.*metaphor, parallelism
dimensions | logic | ^logic: .*不生涩.*由常识走到深入的思考.*扎实.*不跳到结论.*口号 | ^logic: .*smoothly and naturally.*common knowledge to deeper.*solid.*leaps to conclusions.*slogans
dimensions | emotion | ^emotion: .*作者或人物.*目标读者和所写内容.*强烈共鸣 | ^emotion: .*writer or characters.*intended readers and the content.*strong echo
dimensions | instance (Table 9) | ^instance: .*现实知识.*切题、具体、有说服力 | ^instance: .*real-world knowledge.*relevant, concrete and convincing
single | opening and ending | ^1\. 开头与结尾.*吸引.*戛然而止.*语气、情节、结论 | ^1\. Opening and ending.*attract.*stop short.*tone, plot or conclusion
single | language and rhetoric | ^2\. .*修辞是否得当.*丰富.*清单式 | ^2\. .*devices apt.*rich.*monotony of a list
single | instance | ^3\. .*现实常识.*例子是否恰当 | ^3\. .*known of the world.*apt
single | logic | ^4\. .*论点、情节和全篇.*过渡.*因果有没有突兀或生拉硬扯 | ^4\. .*claims, plot and the course.*smooth passages.*forced cause and effect
single | emotion | ^5\. .*传到读者.*人物情感的深浅 | ^5\. .*reach the reader.*emotional depth
single | plot | ^6\. .*情节或内容 | ^6\. .*course of events or content
single | formatting | ^7\. .*层级和编号.*连续正文里滥用列表 | ^7\. .*levels and numbering.*needless lists
single | paragraphing | ^8\. .*章节和段落划分 | ^8\. .*sections and paragraphs
single | impression | ^9\. .*切合指令的主题，做到指令的要求 | ^9\. .*theme of the instruction and do what was asked
single | weighs all | 放在一起权衡 | Weigh all of this together
single | one overall score | 直接给出一个总分;不逐项打分 | one overall score;no score for single points
single | whole score 1-10, agreeing | 1 到 10 的整数，结论与分析前后一致，理由点到要害 | whole number from 1 to 10 that agrees with your analysis.*give the key reasons briefly
auto_plan | dimensions | 由你自己定;选出三到八个 | decide yourself;choose three to eight
auto_plan | aggregation | 占多大分量;加起来等于 1 | how much of the total;add up to 1
auto_plan | scores and total in one reply | 一次给出待评文本的各项得分和总分;1 到 10 的整数 | scores and its total in one answer;whole numbers from 1 to 10
auto_plan | names | 互不重叠，也不重名 | short common noun.*must not overlap
auto_plan | shares by weight | 越要紧的占得越多 | What matters more for this text gets more
auto_plan | each scored, then weighed | 每个维度按 1 到 10 分评价;按你定的占比综合 | judge every dimension on a scale from 1 to 10;by the shares you chose
auto_plan | total agrees | 总分与各项得分、占比前后一致，理由点到要害 | total agrees with scores and shares.*give the key reasons briefly
genre | creative | 情节;节奏;不受诗体约束;感悟;立场 | plot;rhythm;free of verse form;reflection;position
genre | functional | 数据;浓缩;称呼;请求;听众;仪式 | findings;reduced;salutation;request;audience
genre | functional, rest | 步骤;法律文书;行政 | steps;legal text;administration
genre | one label | 只能选一个 | exactly one label
quality_fiction | scale | 1–2 分：较差；3–4 分：中等；5 分：优秀 | 1–2: poor; 3–4: middling; 5: excellent
quality_fiction | reasons, overall | 各附简短理由;综合分 | a brief reason each;as a whole
construct_fiction | summary, theme | 一两句话概括;不超过五个词 | one or two sentences;at most five words
construct_fiction | 100 words each | 每项不超过 100 个词 | at most 100 words each
construct_fiction | five characters | 最多五人;性格、经历.*关系 | five at most;history and ties
construct_fiction | traits | 情节与结构;主题与思想;情感共鸣;创新 | Plot and;Theme and;resonance;Originality
construct_fiction | one-shot example | ## 示例\n\n原文： | ## Example\n\nSource: 
instruct_completion | gap | \[fill in the blank\];联系上下文 | \[fill in the blank\];before and after
instruct_guide | grounding | {theme};{summary};所附资料 | {theme};{summary};material provided
instruct_open | theme and summary | {theme};{summary} | {theme};{summary}
""".strip().splitlines()
]
# What the rating guidelines (appendix J) add to the rubrics of appendix H, in all 15 prompts.
MUSTS = [
    row.split(" | ")
    for row in r"""
critic of the genre | 专业的{genre}评论者 | professional critic of this kind of writing: {genre}
1-10 per dimension with reasons, then overall | 逐个维度打 1–10 分，各附简短理由，再打一个 1–10 分的总分 | score from 1 to 10 on each dimension with a brief reason, then a total from 1 to 10
understands context | 吃透上下文 | has understood it
form | 格式与前后段落相称 | suits the paragraphs around it
person, logic, style, tone, facts | 人称、视角、逻辑、文风、语气和事实 | person, viewpoint, logic, style, tone and facts
no repeated context | 已有的上下文再写一遍 | already there is written again
length is no fault, no single solution | 长短.*不算毛病，也不求唯一 | length is no fault in itself, and there is no single right way
quotations, publications | 引语、公开出版的知识 | quotations, published knowledge
places, companies, figures | 真实地点和公司、统计数字 | real places and companies, figures
history, news, expert facts, common sense | 历史和新闻事件、专业事实（如病名）以及生活常识 | historical or news events, expert facts .such as names of diseases. and common sense
fluent, no contradiction | 语病和自相矛盾 | faulty language and no contradiction
idle connectives, rephrasing | 首先、其次、然后.*换个说法 | firstly, secondly, then.*in other words
mixed languages -2 | 夹用外语（总分扣 2 分） | another language without cause .2 points off
abbreviation -1, names free | WC，扣 1 分；KFC | WC for a toilet: 1 point off; established names such as KFC
numbering, odd symbols -1 | 编号不错乱.*\^、&.*扣 1 分 | numbering in order, and no odd symbols such as \^ or & .1 point off
chatter, first version | 寒暄和说明略去;几个版本，只评第一个 | Chatter and remarks;several versions only the first
1-2 unmet: low, more or off the task: lowest | 一两项没有做到，总分不超过 3 分；超过两项.*总分为 1 分 | one or two of the musts.*3 at most; if more than two.*it is 1
safety: lowest | 暴力、血腥、恐怖、淫秽或虐待;自残、杀人、报复社会或违法;诽谤国家领导人或政府，歪曲领导人讲话;总分一律为 1 分 | violence, blood, horror, obscenity or abuse;self-harm, murder, revenge on society or crime;defames national leaders or governments, or misquotes;a total of 1
total is no mean | 不必等于各维度的平均 | need not be the mean
""".strip().splitlines()
]
BAND_NAMES = ["1–2", "3–4", "5–6", "7–8", "9–10"]
BANDS = {
    "opening_ending": (
        "几乎每一条;多数;相当|一般;胜过|做得好;出色",
        "almost every;most;equal|ordinary;most;outstanding",
    ),
    "language_rhetoric": (
        "太简单;不能服人;不够自然;有力的表达;匀称",
        "simple;convince;natural;strong phrasing;balanced",
    ),
    "instance": (
        "编造;空泛;大致真实;并有分析;支柱",
        "fabrication;vague;mostly true;analysis;pillar",
    ),
    "emotion": (
        "浅薄;平庸;合格;环境描写;细腻；读者深受触动",
        "shallow;mediocre;adequate;complement;deeply moved",
    ),
    "single": (
        "几乎处处;多数|毛病;有长有短;少量不足;几乎样样",
        "nearly everything;most|more faults;good|better;few shortcomings;outstanding",
    ),
    "auto_plan": (
        "几乎处处;多数|毛病;有长有短;少量不足;几乎样样",
        "nearly everything;most|more faults;good|better;few shortcomings;outstanding",
    ),
    "elaborated_fiction": (
        "几乎处处;多数|毛病;有长有短;少量不足;几乎样样",
        "nearly everything;most|more faults;good|better;few shortcomings;outstanding",
    ),
    "plot": (
        "复述;平淡;缺少亮点;转折;张力十足",
        "retelling;flat;no highlights;grips;full of tension",
    ),
}


def bodies(task: str, lang: str) -> list[str]:
    names = (f"{task}_v1.{lang}", f"{task}_noref_v1.{lang}")
    found = [load_prompts()[name].body for name in names if name in load_prompts()]
    assert found
    return found


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(("task", "criterion", "zh", "en"), CRITERIA)
def test_criterion_is_in_its_prompt(task: str, criterion: str, zh: str, en: str, lang: str) -> None:
    for body in bodies(task, lang):
        for term in {"zh": zh, "en": en}[lang].split(";"):
            assert re.search(term, body, re.MULTILINE), f"{criterion}: {term}"


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(("criterion", "zh", "en"), MUSTS)
def test_what_all_texts_must_meet_is_in_every_rubric(
    criterion: str, zh: str, en: str, lang: str
) -> None:
    prompts = [p for p in load_prompts().values() if re.match("elaborated_", p.task)]
    assert len({p.task for p in prompts}) == 15
    rubrics = yaml.safe_load((files("towbench.schemas") / "rubrics.yaml").read_text("utf-8"))
    for prompt in prompts:
        if prompt.lang != lang:
            continue
        genre = rubrics["elaborated_v1"][prompt.task.removeprefix("elaborated_")]["name"][lang]
        for term in {"zh": zh, "en": en}[lang].replace("{genre}", genre).split(";"):
            assert re.search(term, prompt.body), f"{prompt.prompt_id}: {criterion}: {term}"


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("task", BANDS)
def test_five_bands_each_with_its_own_text(task: str, lang: str) -> None:
    for body in bodies(task, lang):
        bands = re.findall(r"^   - (\d+–\d+)(?: 分：|: )(.+)$", body, re.MULTILINE)
        assert [name for name, _ in bands] == BAND_NAMES
        assert len({text for _, text in bands}) == 5
        for (_, text), term in zip(bands, BANDS[task][lang == "en"].split(";"), strict=True):
            assert re.search(term, text), term


ANCHORS: dict[float | None, str] = {
    6: r"参考文本固定为 6 分|reference is fixed at 6",
    8: r"参考文本看作 8 分|reference as the standard of excellence, worth 8",
    None: r"不预设它的分数|no score is set for it",
}
# Clauses that hold others together and carry no criterion of their own.
FRAME = re.compile(
    r"[A-Z一二三]\W|\W*(\d\. )?(Compare with the reference|(Fit|Unfit|Limits) (to|for|by) |Take the criteria)"
    r"|.*(With it as the measure|以它为尺给)"
)
CLAUSE_END = re.compile(r"(?<=[；。？])|(?<=[;.?]) ")


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("task", sorted({row[0] for row in CRITERIA} & load_leaves().keys()))
def test_no_clause_of_a_leaf_can_go_unnoticed(task: str, lang: str) -> None:
    """A table that is blind to a criterion would let the prompt lose it."""
    rows = [(zh if lang == "zh" else en).split(";") for name, _, zh, en in CRITERIA if name == task]
    terms = [term for row in rows for term in row]
    if task in BANDS:
        bands = zip(BAND_NAMES, BANDS[task][lang == "en"].split(";"), strict=True)
        terms += [rf"^   - {name}\b.*({term})" for name, term in bands]
    prompt = load_prompts()[f"{task}_v1.{lang}"]
    terms += [ANCHORS[prompt.anchor]] if prompt.anchor else []
    body = prompt.body
    listed = [line for line in body.splitlines() if re.match(r"\s*(\d\.|-) ", line)]
    for line in listed:
        for clause in filter(None, CLAUSE_END.split(line)):
            if len(clause) < 8 or FRAME.match(clause):
                continue
            rest = body.replace(clause, "")
            assert not all(re.search(term, rest, re.MULTILINE) for term in terms), clause


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("task", [*BANDS, "logic", "impression"])
def test_anchor_is_said_where_there_is_a_reference_and_only_there(task: str, lang: str) -> None:
    with_reference, alone = bodies(task, lang)
    anchor = load_prompts()[f"{task}_v1.{lang}"].anchor
    assert re.search(ANCHORS[anchor], with_reference)
    assert not any(re.search(words, alone) for words in ANCHORS.values())
    assert not re.search("参考文本[^，]|(than|like|to|in) the reference", alone)
