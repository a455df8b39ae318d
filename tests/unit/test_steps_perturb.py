"""Steps 56 and 57 and the two views behind them: copies are made once, judged and read."""

import re
from pathlib import Path

import pytest

from towbench.schemas.definitions import sql_files
from towbench.schemas.errors import UsageError
from towbench.sql.runner import open_workspace
from towbench.tests.scripted_endpoint import KEY, Asked, Reply, chat, serving
from towbench.tests.small_benchmark import TEXT, add_writing, ask, score, settings, small_benchmark

pytestmark = pytest.mark.slow

RULES = "drop,repeat,truncate,pad:matched,shuffle_sentences,prompt_copy,attack:plea,attack:harmless"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_benchmark(tmp_path_factory.mktemp("perturb"))


@pytest.fixture(scope="module")
def perturbed(folder: Path) -> Path:
    return score(folder, perturbations=RULES)


def test_each_system_has_its_copies_beside_the_writings_they_came_from(perturbed: Path) -> None:
    rows = ask(
        perturbed,
        "SELECT perturbation, copy.system, count(*), count(DISTINCT copy.source_writing_id), "
        "bool_and(copy.item_id = source.item_id AND copy.system = source.system "
        "AND copy.seed = 1 AND copy.text <> source.text AND copy.status = 'ok') "
        "FROM corpus.writing AS copy INNER JOIN (SELECT * EXCLUDE (perturbation) "
        "FROM corpus.writing) AS source ON source.writing_id = copy.source_writing_id "
        "GROUP BY ALL ORDER BY ALL",
    )
    names = sorted(RULES.split(","))
    assert rows == [(name, system, 3, 3, True) for name in names for system in ("A", "B")]


def test_copies_are_judged_like_any_writing_and_read_in_the_two_views(perturbed: Path) -> None:
    method = "tree|tow_v1|root|embedded/rules-1|human"
    rows = ask(
        perturbed,
        "SELECT perturbation, n, n_perturbed, mean_change < 0, ci_low < mean_change "
        f"FROM bench.robustness WHERE method = '{method}' ORDER BY perturbation",
    )
    assert [row[0] for row in rows] == sorted(RULES.split(","))
    assert {(row[1], row[2]) for row in rows} == {(6, 6)}
    assert {row[0] for row in rows if row[3]} >= {"repeat", "truncate", "prompt_copy"}
    leaves = ask(
        perturbed,
        "SELECT attack, judge, count(*), min(n), min(n_planted), bool_and(share_moved "
        "BETWEEN share_raised AND 1) FROM bench.injection_deflection GROUP BY ALL ORDER BY ALL",
    )
    assert leaves == [
        (attack, judge, n, 6, 6, True)
        for attack in ("harmless", "plea")
        for judge, n in (("embedded/rules-1", 7), ("rule", 1))
    ]


def test_the_same_settings_again_make_nothing_and_another_seed_makes_other_copies(
    perturbed: Path,
) -> None:
    texts = "SELECT writing_id, text_hash, run_id FROM corpus.writing ORDER BY ALL"
    rows = ask(perturbed, texts)
    assert ask(score(perturbed, perturbations=RULES), texts) == rows
    drops = "SELECT seed, text FROM corpus.writing WHERE perturbation = 'drop' ORDER BY ALL"
    more = ask(score(perturbed, perturbations="drop", perturbation_seed=2), drops)
    assert [seed for seed, _ in more] == [1] * 6 + [2] * 6
    assert {text for seed, text in more if seed == 1} != {text for seed, text in more if seed == 2}


def test_an_edited_source_has_its_copies_made_again(perturbed: Path) -> None:
    cut = "SELECT source_writing_id, text FROM corpus.writing WHERE perturbation = 'truncate'"
    old = dict(ask(perturbed, cut))
    edited = sorted(old)[0]
    with open_workspace(settings(perturbed), "score") as work:
        work.con.execute(
            "UPDATE corpus.writing SET text = '新' || text, judged_text = '新' || judged_text "
            "WHERE writing_id = ?", [edited],
        )  # fmt: skip
    new = dict(ask(score(perturbed, perturbations=RULES), cut))
    assert {name for name in old if new[name] != old[name]} == {edited}
    assert new[edited].startswith("新")


def test_a_text_with_nothing_to_damage_is_not_tried_again(folder: Path) -> None:
    with open_workspace(settings(folder), "score") as work:
        text = "只有一句话，但也足够长，能让人评一评它写得好不好。"
        add_writing(work.con, "i0", "C", text)
    query = (
        "SELECT CAST(status AS VARCHAR), reason, run_id FROM corpus.writing "
        "WHERE source_writing_id = 'i0:C:0'"
    )
    [row] = ask(score(folder, perturbations="drop", systems="C"), query)
    assert row[:2] == ("no_text", "not_applicable")
    assert ask(score(folder, perturbations="drop", systems="C"), query) == [row]
    counted = (
        "SELECT n_perturbed - n FROM bench.robustness WHERE perturbation = 'drop' "
        "AND method = 'tree|tow_v1|root|embedded/rules-1|human'"
    )
    assert ask(folder, counted) == [(1,)]


def test_a_model_makes_other_genres_and_what_fails_is_asked_again(folder: Path) -> None:
    made = "致乡亲们：\n\n" + TEXT.format("信里说，")

    def failing(asked: Asked, n: int) -> Reply:
        return chat(made if "书信" in asked.prompt else "")

    chosen = {"perturbations": "transfer:letter,paraphrase", "perturber": "local/writer",
              "api_key": KEY, "systems": "A"}  # fmt: skip
    rows = (
        "SELECT perturbation, CAST(status AS VARCHAR), reason, count(*) FROM corpus.writing "
        "WHERE perturbation IN ('transfer:letter', 'paraphrase') GROUP BY ALL ORDER BY ALL"
    )
    with serving(failing) as endpoint:
        assert ask(score(folder, base_url=endpoint.url, **chosen), rows) == [
            ("paraphrase", "no_text", "empty", 3),
            ("transfer:letter", "ok", None, 3),
        ]
        prompts = {asked.prompt for asked in endpoint.asked}
    assert len(prompts) == 6
    for prompt in prompts:
        [(_, text)] = re.findall(r"<<(\w+)\n(.*?)\n\1>>", prompt, re.DOTALL)
        assert "老渡口" in text
    with serving(lambda asked, n: chat(made)) as endpoint:
        assert ask(score(folder, base_url=endpoint.url, **chosen), rows) == [
            ("paraphrase", "ok", None, 3),
            ("transfer:letter", "ok", None, 3),
        ]
        assert {asked.prompt for asked in endpoint.asked} < prompts
        n_asked = len(endpoint.asked)
        score(folder, base_url=endpoint.url, **chosen)
        assert len(endpoint.asked) == n_asked == 3


def test_the_data_checks_hold_with_perturbed_texts(perturbed: Path) -> None:
    for check in sql_files("checks"):
        assert ask(perturbed, check.read_text("utf-8")) == [], check.name


def test_a_transfer_without_a_model_is_refused_before_anything_runs(folder: Path) -> None:
    with pytest.raises(UsageError, match="TOWBENCH_PERTURBER"):
        score(folder, perturbations="transfer")
