"""Segments and tags of one worker: covered, shown, in order, each once."""

from __future__ import annotations

from building import findings, package, ref, text, underlined, worker
from counting import calls
from skillc.diagnostic import Severity
from skillc.model.package import Segment

ASKED = "需求.核心要点"


def segment(id: str, tier: str, *tags: str) -> Segment:
    name = text(id)
    return Segment(name, tier, tuple(ref(tag) for tag in tags))  # type: ignore[arg-type]


def test_a_segment_shows_only_what_is_read() -> None:
    made = package(
        {
            "w": worker(
                ["大纲.草稿", "角色.*"],
                [],
                segments=[("a", "static", ["大纲.草搞", "角色.甲.卡", "worker.persona"])],
            )
        }
    )
    (found,) = findings("segment-outside-inputs", made)
    assert found.message == "segment `a` shows `大纲.草搞`, which inputTags of `w` do not cover"
    assert "did you mean `大纲.草稿`" in found.help


def test_a_wildcard_segment_needs_as_wide_an_input() -> None:
    rows = [("a", "static", ["角色.*"])]
    assert underlined(
        "segment-outside-inputs", package({"w": worker(["角色.甲.卡"], [], segments=rows)})
    ) == ["w: 角色.*"]
    pov = worker(["角色.{id}.*"], [], segments=rows, isolation="role_pov")
    assert findings("segment-outside-inputs", package({"w": pov})) == []


def test_segments_of_variants_are_checked_once() -> None:
    odd = segment("a", "static", "不.读")
    made = package({"w": worker(["读.了"], [], variants={"x": (odd,), "y": (odd,)})})
    assert len(findings("segment-outside-inputs", made)) == 1


def test_nothing_follows_from_a_worker_without_inputs() -> None:
    made = package({"w": worker([], [], inputs_missing=True, segments=[("a", "static", ["大纲.草稿"])])})
    assert findings("segment-outside-inputs", made) == []


def test_an_input_in_no_segment() -> None:
    rows = [("a", "static", ["大纲.草稿"]), ("b", "dynamic", ["角色.甲.卡"])]
    made = package(
        {"w": worker(["大纲.草稿", "角色.*", "用户.最新输入", "worker.persona"], [], segments=rows)}
    )
    assert underlined("input-in-no-segment", made) == ["w: 用户.最新输入"]


def test_inputs_that_need_no_segment() -> None:
    plain = package({"w": worker(["大纲.草稿"], [])})
    assert findings("input-in-no-segment", plain) == []
    rows = [("a", "static", ["大纲.草稿"])]
    variant = worker(
        ["大纲.草稿", "提示.长"], [], segments=rows, variants={"long": (segment("b", "static", "提示.长"),)}
    )
    assert findings("input-in-no-segment", package({"w": variant})) == []
    broken = worker(["大纲.草稿", "提示.长"], [], segments=rows, segments_broken=True)
    assert findings("input-in-no-segment", package({"w": broken})) == []


def test_an_input_that_stands_for_the_dialogue_before_it_begins_is_shown() -> None:
    rows = [("a", "static", ["大纲.草稿"]), ("h", "dynamic", ["对话.历史"])]
    inputs = ["大纲.草稿", "对话.历史", "运行.事件流", "用户.最新输入", "用户.修改说明"]
    assert underlined("input-in-no-segment", package({"w": worker(inputs, [], segments=rows)})) == [
        "w: 用户.修改说明"
    ]
    assert len(findings("input-in-no-segment", package({"w": worker(inputs, [], segments=rows[:1])}))) == 4


def test_one_finding_for_a_worker_whose_static_segments_come_late() -> None:
    rows = [
        ("a", "static", ["甲.a"]),
        ("b", "dynamic", ["甲.b"]),
        ("c", "static", ["甲.c"]),
        ("d", "static", ["甲.d"]),
    ]
    made = package({"w": worker(["甲.*"], [], segments=rows)})
    (found,) = findings("dynamic-before-static", made)
    assert "`c` of `w` stands behind the dynamic `b`" in found.message
    assert [label.span.text for label in found.related] == ["b"]


def test_a_mistyped_input_is_one_finding_wherever_the_tag_is_shown() -> None:
    for read, told in (("情节.线.确认搞", "unproduced-input"), ("情节.線.确认稿", "confusable-tags")):
        made = package(
            {
                "plot": worker([ASKED], ["情节.线.草稿"]),
                "write": worker(
                    [ASKED, read],
                    ["正文.草稿"],
                    segments=[("need", "static", [ASKED]), ("line", "dynamic", ["情节.线.确认稿"])],
                ),
            },
            targets=[ASKED],
        )
        assert findings(told, made)
        assert findings("segment-outside-inputs", made) == findings("input-in-no-segment", made) == [], read


def test_a_segment_is_never_told_what_it_shows_already() -> None:
    rows = [("a", "static", ["人物.阿珍.卡", "人物.阿强.卡"])]
    made = package({"w": worker(["人物.阿珍.卡"], [], segments=rows)})
    (found,) = findings("segment-outside-inputs", made)
    assert found.span.text == "人物.阿强.卡"
    assert "did you mean" not in found.help
    other = package({"w": worker(["人物.阿珍.卡", "人物.阿墙.卡"], [], segments=rows)})
    assert "did you mean `人物.阿墙.卡`" in findings("segment-outside-inputs", other)[0].help


def test_a_segment_that_play_rewrites_is_told_once() -> None:
    rows = [("need", "dynamic", [ASKED]), ("log", "static", ["正文.草稿"])]
    made = package({"w": worker([ASKED, "正文.草稿?"], ["正文.草稿"], segments=rows)}, targets=[ASKED])
    assert len(findings("static-but-rewritten", made)) == 1
    assert findings("dynamic-before-static", made) == []


def test_static_first_is_in_order() -> None:
    rows = [
        ("a", "static", ["甲.a"]),
        ("c", "static", ["甲.c"]),
        ("b", "dynamic", ["甲.b"]),
        ("d", "dynamic", ["甲.d"]),
    ]
    for number in range(len(rows) + 1):
        made = package({"w": worker(["甲.*"], [], segments=rows[:number])})
        assert findings("dynamic-before-static", made) == []


def test_the_same_id_or_the_same_content_twice() -> None:
    rows = [
        ("a", "static", ["甲.a"]),
        ("a", "static", ["甲.b"]),
        ("c", "dynamic", ["甲.a"]),
        ("d", "dynamic", ["甲.a", "甲.b"]),
    ]
    made = package({"w": worker(["甲.*"], [], segments=rows)})
    assert [d.message for d in findings("duplicate-segment", made)] == [
        "`w` has two segments `a`",
        "segment `c` of `w` shows exactly what `a` shows",
    ]


def test_a_variant_may_use_the_ids_of_the_segments() -> None:
    one, two = segment("a", "static", "甲.a"), segment("a", "static", "甲.b")
    made = package({"w": worker(["甲.*"], [], variants={"x": (one,), "y": (two,)})})
    assert findings("duplicate-segment", made) == []


def test_a_tag_twice_in_one_list() -> None:
    made = package({"w": worker(["甲.a", "甲.b", "甲.a?"], ["甲.a", "甲.c", "甲.c"])})
    assert [d.message for d in findings("duplicate-tag", made)] == [
        "`甲.a` stands twice in inputTags of `w`",
        "`甲.c` stands twice in outputTags of `w`",
    ]


def test_wider_and_narrower_tags_are_no_duplicates() -> None:
    made = package({"w": worker(["甲.*", "甲.a", "甲.a#一", "甲.{id}"], ["甲.a", "甲.a#一"])})
    assert findings("duplicate-tag", made) == []


def test_the_whole_board() -> None:
    made = package({"w": worker(["**"], ["**"])})
    assert [(d.severity, d.span.text) for d in findings("whole-board", made)] == [
        (Severity.INFO, "**"),
        (Severity.ERROR, "**"),
    ]
    assert findings("whole-board", package({"w": worker(["甲.*"], ["甲.*"])})) == []


def test_a_mistyped_tag_of_a_segment_is_one_finding() -> None:
    made = package({"w": worker(["大纲.草稿"], [], segments=[("a", "static", ["大纲.草搞"])])})
    assert len(findings("segment-outside-inputs", made)) == 1
    assert findings("input-in-no-segment", made) == []


def test_segments_of_which_something_is_unread_are_not_taken_for_the_same() -> None:
    rows = [("a", "static", ["甲.一"]), ("b", "dynamic", ["甲.一"]), ("b", "dynamic", ["甲.二"])]
    made = package({"w": worker(["甲.*"], [], segments=rows, segments_broken=True)})
    assert [d.message for d in findings("duplicate-segment", made)] == ["`w` has two segments `b`"]


def test_many_segments_that_nothing_covers_cost_no_more_than_they_are() -> None:
    def work(count: int) -> int:
        rows = [(f"s{at}", "static", [f"乙.某{at}物.草稿"]) for at in range(count)]
        made = package({"w": worker([f"甲.此{at}事.草稿" for at in range(count)], [], segments=rows)})
        assert len(findings("segment-outside-inputs", made)) == count
        return calls(
            lambda: [findings(slug, made) for slug in ("segment-outside-inputs", "input-in-no-segment")]
        )

    assert work(400) < 3 * work(200)
