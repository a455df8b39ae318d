"""All sub-questions of the 15 rubrics (paper, appendix H) are in the prompts that judge by them.

Rows follow appendix H in its order: rubric, dimension, a key term for each sub-question in zh and
in en, separated by `;`. The trait lists of back-construction are whole and keep their limits.
"""

import re
from importlib.resources import files
from typing import Any

import pytest
import yaml

from towbench.prompts import load_prompts

SUB_QUESTIONS = """
argumentative theme | 主题够不够醒目;中心意思;核心论点;撑起全文 | theme stand out;main claim;sound;carry the whole
argumentative evidence | 够不够;具体、细致;理论分析、事例、数据、专家;不同角度 | enough evidence;concrete;theory, facts, figures;more than one side
argumentative language_logic | 干净、明白;连贯;说服力;严密并层层递进 | lean, plain;follow on;convince;strict, step upon step
argumentative structure | 引论、本论、结论;排得顺;过渡 | opening, body and close;sensible order;transitions
argumentative reflection | 社会、个人;引人深想;新颖独到;出人意料 | society, the individual;reader thinking;fresh;surprising
summary goals | 目标和计划;对照目标;深入反思;得失 | aims and plans;against them;how far they were met;lessons
summary content_logic | 要点;成果、困难和待改进;时间、轻重或类别;轻松跟上 | main points;difficulties;time, weight or category;follows easily
summary language | 精当简练;有限篇幅;信服;吸引 | exact and brief;little space;trust;attention
summary readability | 标题;读来;版面;关键词、引用数据 | clear headings;reading pleasant;layout;marked keywords or figures
summary novelty | 独特;老套路;前瞻性;经验与趋势 | insight;usual mould;forward-looking;past experience with trends
contract completeness | 权利义务、违约责任、争议解决;遗漏;歧义 | rights and duties;left out;one reading only
contract legality | 主体资格、管辖、赔偿;劳动法、知识产权法;漏洞;评估 | capacity of the parties, jurisdiction;labour;legal gaps;careful look
contract operability | 付款方式、交付标准、服务质量;谁负责;监督履行 | payment;delivery;responsible;monitoring
contract fairness | 均衡;偏向一方;公正;减少纠纷 | in balance;one-sided;even-handed;disputes less likely
contract adaptability | 法律修改、市场波动;变更和调整;长期合作;僵硬 | new law;amend;long-term;rigidity
delivery language | 清楚、简洁;语法;句式;庄重、幽默或抒情 | clear, brief;grammar;varied build;formal, humorous, emotional
delivery emotion | 真挚;真实态度;共鸣;气氛 | sincere;really thinks;draw it in;mood of the occasion
delivery structure | 开头、主体、结尾;重点;过渡 | opening, body and close;key points;passages between parts
delivery occasion | 婚礼、追思会;心理和需要;文化 | wedding, a memorial;feels and needs;culture
delivery originality | 视角和创意;模板;新鲜的说法;记得住 | speaker's own;stock pattern;fresh turns;remember
documentary authenticity | 忠实;可靠的来源;多个视角;不偏不倚 | faithfully;reliable sources;several sides;without bias
documentary characters | 立体丰满;内心和情绪;人物关系;成长与转变 | rounded;inner life;relations;growth and change
documentary narrative | 清楚合理;节奏;拖沓;时间跳接、空间转换 | clearly and logically;pace;drawn out;broken timelines
documentary depth | 深思;社会关怀;批判与反思;揭示社会问题 | think hard;concern for society;critical and reflective;social problems
documentary language | 简练、清楚;细节、比喻、描写;主题和情感一致 | spare, clear;detail, metaphor and description;agree with theme
essay argument | 中心论点或立场;直接回应;洞见;批判性思考 | central claim;speaks directly;see deep;critical thought
essay logic | 前后连贯;层次;论据是否有力;透彻 | hang together;layers;strong evidence;examined
essay language | 准确、精练;重分析;批判的眼光;个人 | exact, brief;analytical;critical mind;voice of its own
essay breadth | 多个角度;周全;不同层次;整体的把握 | several angles;all-round;layers;view of the whole
essay originality | 独到见解;思想贡献;继续思考;解读空间 | insights;gain for the discussion;look further;new readings
fiction plot | 紧凑;想读下去;拖沓或漏洞;开端、发展、转折、高潮;张力;中长篇 | well paced;gripping;delay or holes;climax;tension;longer works
fiction characters | 丰满、多面;成长、变化或冲突;内心挣扎;往来;推动情节 | many-sided;grow, change;inner struggle;deal with each other;drive the plot
fiction theme | 主题是否明确;深度;人物、情节或象征;时代、社会或文化 | clear theme;depth;characters, plot or symbols;a society or a culture
fiction language | 生动优美;情绪和心思;调子和气氛;情感张力;细节 | vivid and graceful;feel and think;tone and air;emotional tension;details
fiction emotion | 共鸣;感同身受;真切可信;打动 | stir the reader;empathy;true to life;move
fiction originality | 俗套;创造力;角度;辨识度 | worn tropes;invention;view of its subject;identity
letter format | 称呼、正文、结尾;段落;编排 | salutation, body and closing;paragraphs distinct;laid out
letter clarity | 言简意赅;冗长;连贯;准确;含混 | brief;long tangled;coherent;information right;vague
letter tone | 收信人的身份;诚意与尊重;礼貌和专业 | recipient's standing;sincerity and respect;polite and professional
letter purpose | 请求、告知、建议;准确;不跑题 | request, a notice, a suggestion;correct;straying
letter etiquette | 书信礼仪;文化背景;整洁、规范 | courtesies;culture or situation;tidy, standard
official accuracy | 属实;细节是否都在;遗漏;法律、政策 | true and exact;every needed;missing;law, policy
official structure | 清楚合理;逻辑联系;先后;不重复 | clear and reasonable;logical links;right sequence;repetition
official language | 公文用语;口语;精确严谨;便于理解和执行 | register of official;avoid talk;precise and rigorous;act on
official format | 格式是否规范;标题、发文字号、日期、署名;标点用字;庄重 | standard form;number, date and signature;punctuation;formal
official executability | 指令是否明确;具体;合乎法规;公共利益 | directives clear;specific enough;lawful;public interest
plan objectives | 可衡量、能实现;引导执行;量化指标;销售增幅、培训完成率 | measurable;guide the work;indicators in numbers;growth of sales
plan feasibility | 操作指引;步骤、时间、责任;资源、人手;预案 | working guidance;steps, dates;people and time;contingency
plan innovation | 惯常做法;新方法;已有方案;突破 | beaten track;methods;existing plans;break through
plan risk | 风险和情形;防范措施;替代办法;灵活 | risks and situations;concrete measures;alternatives;adapt
plan evaluation | 评估机制;反馈;跟踪;迭代 | mechanism;report back;track results;iterated
poem language | 新颖独特;以少胜多;不押韵;节奏;声音 | new and distinctive;few words;without rhyme;rhythm;sounds
poem theme | 个人、社会、存在;哲思;角度是否独特;隐喻、象征 | society or existence;philosophy;its own;metaphor or symbol
poem emotion | 真诚;象征、暗示;复杂度;起伏与内心冲突 | sincere;symbol or hint;complexity;inner conflicts
poem form | 碎片式、非线性;服务于主题;形式与内容;排列 | fragmented or non-linear;support of theme;form and content;layout
poem effect | 共鸣;多种解读;难忘;挑战 | resonate;several readings;stay with;challenge
prose theme | 中心意思;引人深思;哲理、社会或人生;亲身经历 | central idea;makes readers think;philosophy, society or life;lived experience
prose language | 凝练优美;文采;独特;修辞 | concise, graceful;literary and fluent;distinctive;rhetoric
prose structure | 清楚有序;主题的展开;节奏;句式 | clear and ordered;theme unfold;pace;sentence shapes
prose emotion | 真切深沉;细腻的描写;共鸣;普遍性 | genuine and deep;fine description;echo;universal
prose culture | 文化、社会或历史;时代精神;独特;文学体验 | culture, society or history;spirit of the time;distinctive;literary experience
report structure | 分层有序;一步步;衔接;重复或缺漏;严密 | logical levels;step by step;well joined;repetition or gaps;strict
report accuracy | 可信来源;客观事实;核心方面;背景;漏掉要点 | credible sources;the facts;core aspects;background;key point missing
report language | 清楚精练;语法和用字;正式文体;专业流畅 | clear and concise;grammar and spelling;formal writing;professional and fluent
report depth | 新的视角;新的路径;问题实质;研究功力 | fresh perspectives;new way;heart of the matter;analysis and research
report usefulness | 紧扣题目;目的;对象的需要;付诸行动;参考 | keep to the subject;purpose;audience's needs;acted on;reference
document structure | 标题、背景、正文、结论;过渡;快速看懂;惯例 | title, background, body;transitions;grasp and answer;usually do
document clarity | 精练;选词;复杂句或含糊;返工 | lean;word choice;over-long sentences;rewrite
document conformity | 行业、单位或文种;标题结构;统一;专业 | trade, organisation;titles, order of sections;same throughout;professional
document persuasion | 逻辑框架;关系是否明确;论据或数据;背景问题 | logical frame;explicit relations;evidence or data;background problem
document orientation | 情境、读者或时限;期待;预定目的;指导行动 | situation, readers or deadline;expect;purpose directly;guide action
speech goal | 告知、说服或鼓舞;支撑;号召 | inform, to persuade or to inspire;serve;call to action
speech clarity | 核心意思;结构是否合理;过渡;含混 | main ideas;logically built;smooth steps;ambiguity
speech evidence | 事实、数据或例子;充分;来源 | facts, data or examples;enough;sources
speech depth | 深入题目;兴趣、需要和背景;反对意见 | go into the topic;cares for, needs and knows;opposing views
speech style | 准确;风格;尊重;简洁有力;重复 | exact;style suit;respectful;brief and strong;repetition
"""
ROWS = [re.split(r" \| ", row) for row in SUB_QUESTIONS.strip().splitlines()]


def data(name: str) -> dict[str, Any]:
    source = (files("towbench.schemas") / f"{name}.yaml").read_text(encoding="utf-8")
    return dict(next(iter(yaml.safe_load(source).values())))


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(("dimension", "zh", "en"), ROWS, ids=[row[0] for row in ROWS])
def test_sub_questions_are_in_the_quality_prompt(
    dimension: str, zh: str, en: str, lang: str
) -> None:
    rubric, key = dimension.split()
    for name in ("quality_{}_v1", "elaborated_{}_v1", "elaborated_{}_noref_v1"):
        prompt = load_prompts()[f"{name.format(rubric)}.{lang}"]
        (line,) = [line for line in prompt.body.splitlines() if re.match(rf"- {key}\b", line)]
        assert key in prompt.dimensions
        for term in {"zh": zh, "en": en}[lang].split(";"):
            assert re.search(term, line), term


def test_rows_cover_every_dimension() -> None:
    rubrics = data("rubrics")
    assert [row[0] for row in ROWS] == [
        f"{rubric} {key}" for rubric, case in rubrics.items() for key in case["parts"]
    ]
    assert [len(case["parts"]) for case in rubrics.values()] == [5] * 6 + [6] + [5] * 8


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_example_answers_every_trait_within_the_limits(lang: str) -> None:
    labels = {"zh": ("原文", "概要", "主题"), "en": ("Source", "Summary", "Theme")}[lang]
    for genre, case in data("traits").items():
        example = [
            re.split("：|: ", line, maxsplit=1) for line in case["example"][lang].splitlines()
        ]
        names = [name for name, _ in example]
        traits = [part[lang]["name"] for part in case["parts"].values()]
        assert list(dict.fromkeys(names)) == [*labels, *traits], genre
        assert names.count("人物") + names.count("Character") <= 5
        texts = dict(example)
        assert len(texts[labels[2]]) <= 15 if lang == "zh" else len(texts["Theme"].split()) <= 5
        for name in traits:
            size = len(texts[name]) / 1.5 if lang == "zh" else len(texts[name].split())
            assert 0 < size <= 100
        body = load_prompts()[f"construct_{genre}_v1.{lang}"].body
        assert case["example"][lang] in body
        assert all(re.search(rf"^- {name}[：:]", body, re.MULTILINE) for name in traits)
