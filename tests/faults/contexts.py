"""Faults in how a context is put together."""

from __future__ import annotations

from faults.fault import BASIC, DECIDE, GAME, INFER, OUTLINE, RULES, WRITE, Fault, one

SELF = """  - id: self
    tier: static
    tags: ["角色.{id}.设定.确认稿"]
    label: "## 你自己"
"""

CONTEXTS = (
    one(
        "a segment shows what the worker does not read",
        RULES,
        INFER,
        'tags: ["规则.说明.草稿", "规则.草稿"]',
        'tags: ["规则.说明.草稿", "规则.草稿", "核心.危险.隐藏"]',
        ("segment-outside-inputs", INFER, "核心.危险.隐藏"),
    ),
    one(
        "a segment has the name of another",
        BASIC,
        OUTLINE,
        "  - id: notes\n",
        "  - id: answers\n",
        ("duplicate-segment", OUTLINE, "answers"),
    ),
    one(
        "a policy is mistyped",
        GAME,
        DECIDE,
        "policy: window_turns_12",
        "policy: windows_turns_12",
        ("unknown-policy", DECIDE, "windows_turns_12"),
    ),
    one(
        "a projection that there is not",
        RULES,
        WRITE,
        '    label: "## 验收意见"\n',
        '    label: "## 验收意见"\n    projection: brief\n',
        ("unknown-projection", WRITE, "brief"),
    ),
    one(
        "a segment is dropped",
        GAME,
        DECIDE,
        '  - id: state\n    tier: dynamic\n    tags: ["世界.当前状态"]\n    label: "## 此刻的局面"\n',
        "",
        ("input-in-no-segment", DECIDE, "世界.当前状态"),
    ),
    one(
        "a tail slides",
        GAME,
        DECIDE,
        "policy: window_turns_12",
        "policy: tail_lines_40",
        ("sliding-tail", DECIDE, "tail_lines_40"),
    ),
    Fault(
        "the model's window is too small",
        BASIC,
        (
            ("llm-bindings.yaml", None, "defaultProfileId: small\n"),
            (
                "/profiles.json",
                None,
                '{"profiles": [{"id": "small", "model": "m", "contextWindow": 2000}]}\n',
            ),
        ),
        (("over-budget", OUTLINE, "outline"),),
    ),
    Fault(
        "a fixed segment is moved below what changes",
        GAME,
        (
            (DECIDE, SELF, ""),
            (DECIDE, "  - id: events\n", SELF + "  - id: events\n"),
        ),
        (("dynamic-before-static", DECIDE, "static"),),
    ),
    one(
        "what changes every round is called fixed",
        BASIC,
        OUTLINE,
        "  - id: previous\n    tier: dynamic",
        "  - id: previous\n    tier: static",
        ("static-but-rewritten", OUTLINE, "static"),
    ),
)
