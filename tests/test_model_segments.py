"""contextSegments and contextVariants: what they mean, and what is refused where."""

from __future__ import annotations

import pytest

from reading import FRONT, lines, read_worker, texts

SEGMENTS = """contextSegments:
  - id: brief
    tier: static
    tags: ["需求.核心要点"]
    label: "## 创作需求"
  - id: history
    tier: dynamic
    tags: ["运行.事件流"]
    policy: tail_lines_80
    projection: summary
  - id: rule
    tier: dynamic
    inline: |
      只写正文。
"""


def test_segments_are_read_in_written_order() -> None:
    worker, found = read_worker(FRONT + SEGMENTS)
    assert found == () and worker.segments is not None and not worker.segments_broken
    brief, history, rule = worker.segments
    assert (brief.id.value, brief.tier, texts(brief.tags)) == ("brief", "static", ["需求.核心要点"])
    assert brief.label == "## 创作需求" and brief.policy is None
    assert history.policy is not None and (history.policy.kind, history.policy.n) == ("tail_lines", 80)
    assert history.projection == "summary"
    assert rule.tags == () and rule.inline == "只写正文。\n"
    assert history.id.span.text == "history"


def test_no_segments_are_none_and_not_an_empty_list() -> None:
    assert read_worker(FRONT)[0].segments is None
    assert read_worker(FRONT + "contextSegments: []\n")[0].segments == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("tier: static", "tier: fixed", "11:11 field-type"),
        ("    tier: static\n", "", "10:5 missing-field"),
        ("projection: summary", "projection: sumary", "18:17 unknown-projection"),
        ("policy: tail_lines_80", "policy: tail_80", "17:13 unknown-policy"),
        ('    tags: ["需求.核心要点"]\n', "", "10:9 missing-field"),
        ("label:", "lable:", "13:5 unknown-field"),
        ('["运行.事件流"]', '["运行..事件流"]', "16:15 bad-tag"),
        ('["运行.事件流"]', '"运行.事件流"', ""),
    ],
)
def test_each_error_is_told_at_its_place_and_only_once(old: str, new: str, said: str) -> None:
    worker, found = read_worker(FRONT + SEGMENTS.replace(old, new, 1))
    assert lines(found) == ([said] if said else [])
    assert worker.segments_broken == bool(said)
    assert not worker.broken


def test_variants_are_resolved_into_full_lists() -> None:
    variants = """contextVariants:
  short:
    policies: {history: tail_lines_20}
  bare:
    contextSegments:
      - {id: only, tier: static, tags: ["需求.核心要点"]}
  both:
    contextSegments:
      - {id: only, tier: dynamic, tags: ["运行.事件流"], policy: concat}
    policies: {only: latest}
"""
    worker, found = read_worker(FRONT + SEGMENTS + variants)
    assert found == ()
    short, bare, both = (worker.variants[name] for name in ("short", "bare", "both"))
    assert [segment.id.value for segment in short] == ["brief", "history", "rule"]
    assert short[1].policy is not None and short[1].policy.n == 20
    assert worker.segments is not None and worker.segments[1].policy is not None
    assert worker.segments[1].policy.n == 80
    assert [segment.id.value for segment in bare] == ["only"]
    assert both[0].policy is not None and both[0].policy.kind == "latest"


def test_a_policy_of_a_segment_that_is_not_there_is_refused() -> None:
    _, found = read_worker(FRONT + SEGMENTS + "contextVariants: {short: {policies: {histroy: latest}}}\n")
    assert [(d.code.slug, d.span.text) for d in found] == [("field-type", "histroy")]
    assert "history" in found[0].help
