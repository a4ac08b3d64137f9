"""Verdicts, promotion, and what a list of legal choices is."""

from __future__ import annotations

from time import process_time

import pytest

from skillc.execute.acceptance import accept, confirmed_tag, reject, send_back, verdict_of
from skillc.execute.legal import choice_fault, choices_in, is_legal, legal_choices
from skillc.runtime import Board


@pytest.mark.parametrize(
    ("content", "passed"),
    [
        ('{"verdict": "pass", "理由": "x"}', True),
        ('```json\n{"verdict": "PASS"}\n```', True),
        ("读者推得出。\nverdict: pass", True),
        ("Verdict：Pass\n很好", True),
        ("- **verdict**: pass", True),
        ('结论如下\n{"verdict": "pass"}', True),
        ("verdict: fail", False),
        ("我的 verdict 是 pass", False),
        ("verdict: passed", False),
        ("verdict: 通过", True),
        ("结论：通过。\n理由：逐条可推", True),
        ("**验收结论**：不通过。", False),
        ("## 结论\n\n通过\n\n## 理由\n一句", True),
        ("裁决：合格", True),
        ("判定：不合格", False),
        ("通过。\n理由：一句", True),
        ("不通过\n理由：一句", False),
        ("- 通过\n- 不通过", False),
        ("结论：规则推得出来\nverdict: pass", True),
        ("结论：通过\nverdict: fail", False),
        ('{"结论": "通过"}', True),
        ('{"结论": "未通过"}', False),
        ("verdict: pass/fail（二选一）", False),
        ("verdict: pass | fail", False),
        ("verdict: pass or fail", False),
        ("verdict: pass-with-changes", False),
        ("verdict: pass，但要改", False),
        ("verdict: pass? 不，fail", False),
        ("verdict: pass/fail\nverdict: pass", False),
        ("> `verdict: pass`", True),
        ("verdict: **pass**。", True),
        ('{"verdict": "fail", "verdict": "pass"}', False),
        ('{\n"verdict": "pass",\n"verdict": "pass"\n}', False),
        ('{"verdict": "fail"}\n{"verdict": "pass"}', False),
        ('{"verdict": "fail"}\nverdict: pass', False),
        ('{"verdict": ["pass"]}', False),
        ('{"a": ' * 2000 + '"verdict: pass"' + "}" * 2000, False),
        ('{"verdict": "maybe"}', False),
        ('{"逐条": [\n{"verdict": "pass"}]}', False),
        ("verdict: pass\nverdict: fail", False),
        ("", False),
    ],
)
def test_only_a_clear_verdict_passes(content: str, passed: bool) -> None:
    board = Board()
    assert verdict_of([board.write("验收.读者.记录", content, "r")]).passed is passed


def test_an_unclear_verdict_is_quoted() -> None:
    item = Board().write("验收.读者.记录", "verdict: pass/fail", "r")
    assert verdict_of([item]).reason == (
        "the verdict in `验收.读者.记录` is neither pass nor fail: `verdict: pass/fail`"
    )


def test_a_verdict_is_found_in_linear_time() -> None:
    blank = Board().write("验收.读者.记录", "\n" * 300_000 + " " * 300_000 + "verdict: pass", "r")
    begun = process_time()
    assert verdict_of([blank]).passed
    assert process_time() - begun < 30


def test_the_record_of_the_review_speaks_first_and_others_only_when_it_is_silent() -> None:
    board = Board()
    other = board.write("备注", "verdict: pass", "r")
    record = board.write("验收.读者.记录", "verdict: fail", "r")
    silent = board.write("验收.读者.记录", "没有结论", "r")
    assert not verdict_of([other, record]).passed
    assert verdict_of([other, silent]).passed
    assert verdict_of([]).reason == "there is no verdict (pass or fail) in the reply, which wrote nothing"


@pytest.mark.parametrize(
    ("tag", "confirmed"),
    [
        ("规则.草稿", "规则.确认稿"),
        ("设计.规则.草稿#天气", "设计.规则.确认稿#天气"),
        ("规则.草稿.说明", None),
        ("规则.候选", None),
        ("rules.draft", "规则.确认稿"),
        ("rules.draft#天气", "规则.确认稿#天气"),
    ],
)
def test_a_draft_is_promoted_under_its_new_name(tag: str, confirmed: str | None) -> None:
    assert confirmed_tag(tag, {"rules.draft": "规则.草稿"}) == confirmed


def test_acceptance_keeps_content_source_scope_and_metadata() -> None:
    board = Board()
    draft = board.write("文.草稿", "一", "w", metadata={"confidence": 1}, scope="章一")
    plain = board.write("记", "二", "w")
    gone = board.write("旧.草稿", "三", "w")
    reject(board, [gone])
    (promotion,) = accept(board, [draft, plain, gone], True, {})
    confirmed = board.items[-1]
    assert (promotion.draft, promotion.confirmed, promotion.tag) == (draft.id, confirmed.id, "文.确认稿")
    assert (confirmed.content, confirmed.source, confirmed.scope) == ("一", "w", "章一")
    assert (confirmed.metadata, confirmed.dependencies) == ({"confidence": 1}, (draft.id,))
    assert [item.status for item in board.items] == ["superseded", "accepted", "rejected", "accepted"]


def test_what_was_sent_back_stays_readable_until_its_revision_is_accepted() -> None:
    board = Board()
    first = board.write("文.草稿", "一", "w")
    accept(board, [first], True, {})
    (sent,) = send_back(board, [first.id])
    assert (sent.tag, sent.status, sent.live) == ("文.确认稿", "revision_requested", True)
    second = board.write("文.草稿", "二", "w")
    assert sent.live
    accept(board, [second], True, {})
    assert sent.status == "superseded"
    assert [item.content for item in board.alive("文.确认稿")] == ["二"]


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ('["要牌", "停牌"]', ("要牌", "停牌")),
        ("要牌、停牌", ("要牌", "停牌")),
        ("- 要牌\n- 停牌\n", ("要牌", "停牌")),
        ("可以要牌，也可以停牌。", ()),
        ("| 席位 | 行动 |\n|---|---|\n| A | 坚守 |", ()),
        ('{"要牌": 1}', ()),
        ('{"choices": ["要牌", "停牌"], "说明": "x"}', ("要牌", "停牌")),
        ('```json\n["要牌"]\n```', ("要牌",)),
        ('[{"id": "要牌", "说明": "再拿一张"}]', ("要牌",)),
        ("1. 要牌\n2. 停牌", ("要牌", "停牌")),
        ("- **要牌**\n- 要牌（再拿一张）\n- 停牌：不拿。", ("要牌", "要牌", "停牌")),
        ("你现在可以，任选一项：\n\n- 要牌\n- 停牌\n", ("要牌", "停牌")),
        ("可选：\n要牌\n停牌", ("要牌", "停牌")),
        ("可选：要牌、停牌", ("要牌", "停牌")),
        ("注意：今天不能要牌", ()),
        ("[" * 100_000, ()),
        ("", ()),
    ],
)
def test_choices_are_read_from_lists_only(text: str, choices: tuple[str, ...]) -> None:
    assert choices_in(text) == choices


def test_a_choice_may_be_named_by_its_number() -> None:
    choices = legal_choices([Board().write("行动.合法集", "1. 要牌\n2. 停牌", "r")])
    assert is_legal("1", choices) and is_legal("2，不拿了", choices) and is_legal("要牌", choices)
    assert not is_legal("3", choices) and not is_legal("12", choices)


def test_a_choice_may_be_followed_by_what_is_said_with_it() -> None:
    assert is_legal("要牌，再来一张", ("要牌", "停牌"))
    assert is_legal("随便", ())
    assert not is_legal("要牌桌", ("要牌",))
    assert not is_legal("我要牌", ("要牌",))


NUMBERED = ("要牌", "停牌", "1", "2")


@pytest.mark.parametrize(
    ("answer", "choices"),
    [
        ("要牌 停牌", ("要牌", "停牌")),
        ("要牌\n停牌", ("要牌", "停牌")),
        ("要牌，我不想停牌", ("要牌", "停牌")),
        ("打，打人", ("打", "打人")),
        ("跟，过", ("跟", "过")),
        ("1 2", NUMBERED),
        ("1 停牌", NUMBERED),
        ("要牌，2", NUMBERED),
        ("10 20", ("10", "20")),
    ],
)
def test_an_answer_that_names_two_choices_is_none(answer: str, choices: tuple[str, ...]) -> None:
    fault = choice_fault(answer, choices)
    assert fault and "names more than one choice: say one of `" in fault and "\n" not in fault


@pytest.mark.parametrize(
    ("answer", "choices"),
    [
        ("要牌，就要牌！", ("要牌", "停牌")),
        ("1，要牌", NUMBERED),
        ("要牌 1", NUMBERED),
        ("要牌，拿 2 张", NUMBERED),
        ("跟，我看过了", ("跟", "过")),
        ("打人", ("打", "打人")),
        ("hit, with it", ("hit", "wit")),
        ("要牌 👩\u200d👧", ("要牌", "停牌")),
    ],
)
def test_words_that_are_no_choice_may_be_said_with_one(answer: str, choices: tuple[str, ...]) -> None:
    assert choice_fault(answer, choices) is None


@pytest.mark.parametrize("unseen", ["\u200b", "\ufeff", "\u202e", "\x07", "\u200d"])
@pytest.mark.parametrize("form", ["要牌{0}", "{0}要牌", "要{0}牌", "要牌，好{0}"])
def test_an_answer_with_a_character_that_nobody_sees_is_none(form: str, unseen: str) -> None:
    said = form.format(unseen)
    fault = choice_fault(said, ("要牌", "停牌"))
    assert fault == "the answer holds a character that nobody sees; possible is `要牌`, `停牌`"
    assert is_legal(said, ())
