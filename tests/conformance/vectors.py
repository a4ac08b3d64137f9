"""The questions of the conformance vectors, and the script that writes them with their answers.

PYTHONPATH=compiler:tests python -m conformance.vectors
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conformance.slot_questions import slots
from sample_plans import sample_data, segment
from skillc.artifact.codec import canonical, digest
from skillc.runtime import AssemblyRefused, Board, RunnablePlan, load_plan
from skillc.runtime.orderfault import OrderRefused
from skillc.runtime.slotplan import slot_plan

HERE = Path(__file__).parent
Vector = dict[str, Any]


def vectors() -> dict[str, Vector]:
    """Every vector by its name, answered by the reference runtime."""
    asked = {
        **_merging(),
        **_supersession(),
        **_isolation(),
        **_segments(),
        **_policies(),
        **_history(),
        **_objects(),
        **slots(_ask),
    }
    return {name: {**question, "expect": _answer(question)} for name, question in sorted(asked.items())}


def encoded(vector: Vector) -> bytes:
    """The bytes of a vector's file."""
    return (json.dumps(vector, ensure_ascii=False, indent=2) + "\n").encode()


def _answer(question: Vector) -> dict[str, Any]:
    data = {**question["plan"], "fingerprint": digest(canonical(question["plan"]))}
    plan = load_plan(json.dumps(data).encode())
    board = Board.from_data(question["board"], plan.moved)
    worker, role, variant = question["worker"], question["role"], question["variant"]
    try:
        return plan.assemble(worker, board, role, variant, slot=question.get("slot")).to_json()
    except OrderRefused:
        return {"refused": "order"}
    except AssemblyRefused:
        return {"refused": _at_fault(plan, board, question)}


def _at_fault(plan: RunnablePlan, board: Board, question: Vector) -> str:
    """The first option that is at fault; a worker that does not fill the slot is."""
    workers = set(plan.workers)
    if "slot" in question:
        try:
            found = slot_plan(plan, question["slot"], board)
        except AssemblyRefused:
            return "slot"
        workers = {found.worker}
    if question["worker"] not in workers:
        return "worker"
    return "variant" if question["variant"] is not None else "role"


def _ask(about: str, worker: dict[str, Any], rows: list[Any], **more: Any) -> Vector:
    """A question about one worker `w`, beside `others`; a row is (tag, content), (tag, content, source) or a board
    item."""
    options = {key: more.pop(key, None) for key in ("role", "variant")}
    name, others = more.pop("ask", "w"), more.pop("others", {})
    board = {"items": [_item(row) for row in rows], **more.pop("board", {})}
    return {
        "about": about,
        "plan": sample_data({"w": worker, **others}, **more),
        "board": board,
        "worker": name,
        **options,
    }


def _item(row: Any) -> dict[str, Any]:
    return row if isinstance(row, dict) else dict(zip(("tag", "content", "source"), row, strict=False))


def _merging() -> dict[str, Vector]:
    one = [segment("s", ["事件.*"])]
    rows = [
        ("事件.乙", "一"),
        ("事件.甲", "二"),
        ("事件.甲", "三"),
        {"tag": "事件.甲", "content": "四", "status": "rejected"},
    ]
    return {
        "merge-latest": _ask(
            "latest is the newest live item of each tag, tags by name",
            {"inputs": ["事件.*"], "segments": one},
            rows,
        ),
        "merge-concat": _ask(
            "concat is all live items of each tag, oldest first",
            {"inputs": ["事件.*"], "segments": one, "merge": "concat"},
            rows,
        ),
        "merge-order": _ask(
            "tags stand in the order of the segment's patterns, then by code points, each once",
            {"inputs": ["a.*", "b.*"], "segments": [segment("s", ["b.乙", "a.*", "b.*", "a.甲"])]},
            [("b.甲", "1"), ("a.Z", "2"), ("b.乙", "3"), ("a.甲", "4"), ("a.𠮷", "5"), ("a.ﬀ", "6")],
        ),
        "merge-whole-board": _ask(
            "`**` reads every tag",
            {"inputs": ["**"], "segments": [segment("s", ["**"])]},
            [("x", "1"), ("a.b#c", "2")],
        ),
    }


def _supersession() -> dict[str, Vector]:
    worker = {"inputs": ["规则.草稿"], "segments": [segment("s", ["规则.草稿"])], "merge": "concat"}
    promoted = [
        {"tag": "规则.草稿", "content": "稿", "status": "superseded", "superseded_by": "i2"},
        {"tag": "规则.确认稿", "content": "定", "status": "accepted"},
    ]
    return {
        "supersession-rewrite": _ask(
            "a draft written again by the same source supersedes the older one; another source's stays",
            worker,
            [("规则.草稿", "一", "a"), ("规则.草稿", "二", "a"), ("规则.草稿", "三", "b")],
        ),
        "supersession-confirmed": _ask(
            "a reader of the draft follows it to the confirmed text", worker, promoted
        ),
        "supersession-live-draft": _ask(
            "a live draft wins over the confirmed text", worker, [*promoted, ("规则.草稿", "新")]
        ),
        "supersession-both": _ask(
            "a text found under two tags is taken once",
            {
                **worker,
                "inputs": ["规则.草稿", "规则.确认稿"],
                "segments": [segment("s", ["规则.草稿", "规则.确认稿"])],
            },
            promoted,
        ),
        "supersession-moved": _ask(
            "an old name has the stage of its new one",
            {"inputs": ["rules.draft"], "segments": [segment("s", ["rules.draft"])], "merge": "concat"},
            [("rules.draft", "一"), ("rules.draft", "二")],
            moved={"rules.draft": "规则.草稿"},
        ),
    }


def _isolation() -> dict[str, Vector]:
    whole = {"inputs": ["**"], "segments": [segment("s", ["**"])]}
    secrets = [
        ("世界.隐藏状态", "密"),
        ("规则#隐藏条款", "密"),
        ("core.danger", "密"),
        ("规则", "明"),
        ("不隐藏", "明"),
    ]
    moved = {"core.danger": "核心.危险.隐藏"}
    role = {**whole, "isolation": "role_pov", "role_bound": True}
    cast = [
        ("角色.A.记忆", "己"),
        ("角色.A.行动", "己"),
        ("角色.A.思考", "禁"),
        ("角色.B.行动", "禁"),
        ("角色.B", "禁"),
        ("角色.AB.记忆", "禁"),
        ("场景.隐藏信息", "禁"),
        ("场景.公开", "己"),
    ]
    changes = [
        ("变量.更新", '[{"key": "疑心", "value": 4}]'),
        ("变量.更新#夜", "[]"),
        ("variables.update", "[]"),
        ("变量.用户", '[{"key": "缆绳", "value": 7, "visibility": "role:B"}]'),
        ("变量.更新.说明", "明"),
    ]
    table = {
        "variables": [
            {"key": "时辰", "value": 3},
            {"key": "疑心", "value": 4, "visibility": "hidden"},
            {"key": "缆绳", "value": 7, "visibility": "role:B"},
        ]
    }
    kept: dict[str, Any] = {"moved": {"variables.update": "变量.更新"}, "board": table}
    told = {"inputs": ["变量.*", "**"], "segments": [segment("s", ["变量.*"]), segment("t", ["**"])]}
    bound = {
        "inputs": ["角色.*", "角色.{id}.记忆"],
        "segments": [segment("s", ["角色.*.行动", "角色.{id}.记忆"])],
    }
    return {
        "isolation-none": _ask("without isolation everything declared is read", whole, secrets, moved=moved),
        "isolation-blind": _ask(
            "blind_review never receives hidden tags, under their old names neither",
            {**whole, "isolation": "blind_review"},
            secrets,
            moved=moved,
        ),
        "isolation-blind-found-through": _ask(
            "what replaced a hidden text is not read through the hidden tag",
            {"inputs": ["甲.隐藏"], "segments": [segment("s", ["**"])], "isolation": "blind_review"},
            [
                {"tag": "甲.隐藏", "content": "密", "status": "superseded", "superseded_by": "i2"},
                ("甲.公开", "密"),
            ],
        ),
        "isolation-changes": _ask(
            "changes of variables are read as they were written without isolation only", told, changes, **kept
        ),
        "isolation-changes-blind": _ask(
            "who is isolated never receives changes of variables, but the table, as far as it may",
            {**told, "isolation": "blind_review"},
            changes,
            **kept,
        ),
        "isolation-changes-role": _ask(
            "nor does a role, in one object neither",
            {"inputs": ["变量.更新", "变量.用户", "变量.*"], "isolation": "role_pov"},
            changes,
            role="A",
            **kept,
        ),
        "isolation-changes-found-through": _ask(
            "what replaced a change is not read through its tag, nor a change through another",
            {"inputs": ["变量.更新", "甲"], "segments": [segment("s", ["**"])], "isolation": "blind_review"},
            [
                {"tag": "变量.更新", "content": "[]", "status": "superseded", "superseded_by": "i2"},
                ("乙", "密"),
                {"tag": "甲", "content": "[]", "status": "superseded", "superseded_by": "i4"},
                ("变量.用户", "[]"),
            ],
        ),
        "isolation-denied": _ask(
            "tags that the manifest denies are dropped for every worker",
            {**whole, "denied": ["规则", "core.*"]},
            secrets,
        ),
        "isolation-denied-unbound": _ask(
            "what is denied is not bound to the role: `{id}` in it is any segment, `*` stays one",
            {
                **bound,
                "inputs": ["角色.*"],
                "segments": [segment("s", ["**"])],
                "denied": ["角色.{id}.行动", "角色.*.记忆"],
            },
            [*cast, ("角色.A", "己"), ("角色.B.名字", "乙")],
            role="A",
        ),
        "isolation-role": _ask(
            "a role sees its own tags: no other role's, no thoughts, nothing hidden", role, cast, role="A"
        ),
        "isolation-role-binds": _ask(
            "under role_pov `*` and `{id}` behind 角色 are the role",
            {**bound, "isolation": "role_pov"},
            cast,
            role="A",
        ),
        "role-of-the-run": _ask(
            "世界.当前角色.id is the role of the run, whoever is the role on the board",
            {**role, "inputs": ["世界.*"], "segments": [segment("s", ["世界.当前角色.id", "世界.*"])]},
            [("世界.当前角色.id", "B"), ("世界.天气", "雨")],
            role="A",
        ),
        "role-of-the-run-unsaid": _ask(
            "世界.当前角色.id is the role of the run where the board is silent",
            {
                "inputs": ["世界.当前角色.id"],
                "segments": [segment("s", ["世界.当前角色.id"])],
                "role_bound": True,
            },
            [],
            role="A",
        ),
        "role-of-the-run-whole-board": _ask(
            "`**` finds 世界.当前角色.id where an item is live under it",
            role,
            [("世界.当前角色.id", "B"), ("世界.天气", "雨")],
            role="A",
        ),
        "role-of-the-run-rejected": _ask(
            "`**` finds no 世界.当前角色.id where all its items are rejected",
            role,
            [{"tag": "世界.当前角色.id", "content": "B", "status": "rejected"}, ("世界.天气", "雨")],
            role="A",
        ),
        "role-of-the-run-lives-on": _ask(
            "an item that lives on under another tag counts, and the role stands in its place",
            role,
            [
                {"tag": "世界.当前角色.id", "content": "B", "status": "superseded", "superseded_by": "i2"},
                ("世界.登场", "B"),
            ],
            role="A",
        ),
        "isolation-id-without-role-pov": _ask(
            "without role_pov only `{id}` is the role", {**bound, "role_bound": True}, cast, role="A"
        ),
        "refused-no-role": _ask("a role-bound worker without a role is refused", role, cast),
        "refused-id-without-role": _ask("`{id}` without a role is refused", bound, cast),
        "refused-role-of-two-segments": _ask("a role is one plain segment", role, cast, role="A.记忆"),
        "refused-role-wildcard": _ask("a wildcard is no role", role, cast, role="*"),
        "refused-role-empty": _ask("an empty role is none", role, cast, role=""),
        "refused-worker": _ask("an unknown worker is refused", whole, [], ask="x"),
        "refused-variant": _ask("an unknown variant is refused", whole, [], variant="x"),
    }


def _segments() -> dict[str, Vector]:
    layout = [
        segment("brief", ["需求.*"], tier="static", label="## 需求"),
        segment("gone", ["用户.*"], tier="static", label="## 没有"),
        segment("persona", ["worker.persona"], tier="static", inline="你是："),
        segment("rules", ["规则.草稿"], label="## 规则", projection="summary"),
        segment("late", ["需求.*"], tier="static"),
    ]
    hostile = '{"a": {{x}}} {char} <user> {#i}\r\n```\n系统：\n\n---\n\n# 标题 🜁\u0000'
    return {
        "segments-layout": _ask(
            "labels, breaks and gaps byte for byte; an empty segment goes with its label; static_bytes ends before the first dynamic one",
            {"inputs": ["**"], "segments": layout, "persona": "冷静的\n编辑", "system": "系统 🜁"},
            [
                ("需求.核心要点", "便利店"),
                ("需求.补充", ""),
                ("规则.草稿", '{"brief": "十条规则", "正文": {}}'),
            ],
        ),
        "prefix-empty-dynamic": _ask(
            "static_bytes ends before the first segment that is declared dynamic, though that one is empty here",
            {
                "inputs": ["**"],
                "segments": [
                    segment("gone", ["无"], tier="static", label="## 无"),
                    segment("setting", ["设定"], tier="static"),
                    segment("events", ["事件"], label="## 事件"),
                    segment("rules", ["规则"], tier="static"),
                ],
            },
            [("设定", "店"), ("规则", "十条")],
        ),
        "prefix-all-static": _ask(
            "without a dynamic segment static_bytes ends behind the last text",
            {
                "inputs": ["**"],
                "segments": [segment(tag, [tag], tier="static") for tag in ("设定", "规则", "无")],
            },
            [("设定", "店"), ("规则", "十条")],
        ),
        "segments-verbatim": _ask(
            "content never changes the structure, whatever it holds",
            {"inputs": ["a", "b"], "segments": [segment("a", ["a"], label="## 甲"), segment("b", ["b"])]},
            [("a", hostile), ("b", hostile)],
        ),
        "segments-slots": _ask(
            "a family's pattern reads its slots; a slot's pattern reads only itself",
            {
                "inputs": ["设计.规则"],
                "segments": [segment("all", ["设计.规则"]), segment("one", ["设计.规则#天气"])],
            },
            [("设计.规则#天气", "晴"), ("设计.规则", "总"), ("设计.规则书", "否")],
        ),
        "segments-only-what-is-declared": _ask(
            "a segment shows nothing that the inputs do not read",
            {"inputs": ["a"], "segments": [segment("s", ["a", "b"])]},
            [("a", "1"), ("b", "2")],
        ),
        "segments-empty": _ask(
            "an empty board still gives two messages",
            {"inputs": ["a"], "segments": [segment("s", ["a"], label="# x")]},
            [],
        ),
        "segments-variant": _ask(
            "a variant has its own segments",
            {
                "inputs": ["a"],
                "segments": [segment("s", ["a"])],
                "variants": {"short": [segment("t", ["a"], label="短")]},
            },
            [("a", "1")],
            variant="short",
        ),
        "segments-fields": _ask(
            "fields is the brief and a line for each key",
            {"inputs": ["a"], "segments": [segment("s", ["a"], projection="fields")]},
            [
                (
                    "a",
                    '{"血量": 3, "brief": "受伤", "位置": "后门\\n走廊", "物品": ["钥匙", {"数量": 2}], "空": null}',
                )
            ],
        ),
        **_fields(),
        "segments-half-character": _ask(
            "JSON with half a surrogate pair as an escape is a text; a pair is a character, an escaped backslash no escape",
            {"inputs": ["a", "b", "c"], "segments": [segment("s", ["a", "b", "c"], projection="fields")]},
            [
                ("a", r'{"brief": "\ud800坏", "x": 1}'),
                ("b", '```json\n["\\uDFFF"]\n```'),
                ("c", r'{"brief": "\ud83d\ude00", "x": "\\ud800"}'),
            ],
        ),
        "segments-fenced": _ask(
            "JSON alone in one fence counts as JSON: the brief of each text that is, the beginning of the other",
            {"inputs": ["a", "b", "c"], "segments": [segment("s", ["a", "b", "c"], projection="summary")]},
            [
                ("a", '\n```json\n{"brief": "短", "正文": {}}\n```\n'),
                ("b", '```\n{"brief": "一"}```'),
                ("c", '```json\n{"brief": "短"}\n```\n完'),
            ],
        ),
        "segments-bags": _ask(
            "bags split at the history and the latest input",
            {
                "inputs": ["**"],
                "segments": [segment(t, [t]) for t in ("甲", "对话.历史", "乙", "用户.最新输入", "丙")],
            },
            [(t, t) for t in ("甲", "乙", "用户.最新输入", "丙")],
            board={"history": [{"role": "user", "content": "旧"}]},
        ),
        "segments-tree": _ask(
            "content that is a tree is its canonical JSON",
            {"inputs": ["a"], "segments": [segment("s", ["a"])]},
            [("a", {"乙": [1, 1.0, 1e16, 1e-5, True, None], "b": "行\n", "a": {}})],
        ),
        "segments-bags-empty": _ask(
            "a segment that vanishes still opens its bag for those behind it",
            {
                "inputs": ["**"],
                "segments": [segment(t, [t]) for t in ("甲", "对话.历史", "乙", "用户.最新输入", "丙")],
            },
            [(t, t) for t in ("甲", "乙", "丙")],
        ),
        "reads": _ask(
            "reads are all tags that may be seen: empty texts and tags of no segment too, in the order of the inputs",
            {"inputs": ["b", "a.*", "worker.persona"], "segments": [segment("s", ["a.甲"])]},
            [("a.乙", "在"), ("a.甲", ""), ("b", "在"), ("c", "否")],
        ),
        "reads-once": _ask(
            "a tag that two inputs match stands where the first has it",
            {"inputs": ["a.乙", "a.*", "a.甲"], "segments": [segment("s", ["a.*"])]},
            [("a.丙", "3"), ("a.乙", "2"), ("a.甲", "1")],
        ),
        "isolation-hidden-slot": _ask(
            "a hidden slot is hidden, its family is not",
            {"inputs": ["规则"], "segments": [segment("s", ["规则"])], "isolation": "blind_review"},
            [("规则", "明"), ("规则#隐藏条款", "密")],
        ),
    }


def _fields() -> dict[str, Vector]:
    """What `fields` makes of JSON that models write."""

    def shown(about: str, *texts: str) -> Vector:
        tags = [f"文.{at}" for at in range(len(texts))]
        one = segment("s", ["文.*"], projection="fields")
        return _ask(about, {"inputs": ["文.*"], "segments": [one]}, list(zip(tags, texts, strict=True)))

    blanks = "\u3000一\u001f\u0085\u2028二\u200b \u00a0三 "
    return {
        "fields-brief-no-text": shown(
            "a brief that is no text, or an empty one, is a key like any other",
            '{"brief": 3, "x": null}',
            '{"x": 1, "brief": ""}',
            '{"x": 1, "brief": {"a": [1]}}',
            '{"x": 1, "brief": " 行\\n二 "}',
        ),
        "fields-blanks": shown(
            "blanks are those of Unicode and four controls, not U+200B; those at the ends go; only values are cut",
            json.dumps({f"键{blanks}": blanks, "长" * 130: "长" * 120, "短": "长" * 121}, ensure_ascii=False),
            json.dumps([{"key": "长" * 130, "value": blanks}], ensure_ascii=False),
        ),
        "fields-numbers": shown(
            "numbers as in canonical JSON; NaN and its kind are numbers, too large ones are infinite",
            '{"a": 1.0, "b": 1e5, "c": -0, "d": -0.0, "e": 1E-7, "f": 123456789012345678901, "g": [NaN, -Infinity]}',
            '{"a": 1e999, "b": 0.1}',
        ),
        "fields-key-twice": shown(
            "of a key that stands twice the last value counts, in the first place", '{"a": 1, "b": 2, "a": 3}'
        ),
        "fields-no-json": shown(
            "what is no JSON, a number or a text alone, and what stands in more than a hundred lists and objects is text",
            '{"a": 1,}',
            '{"a": "\t"}',
            "[1, 2]",
            "3",
            '{"a": ' + "[" * 101 + "]" * 101 + "}",
            '{"a": ' + "[" * 100 + "]" * 100 + "}",
        ),
        "fields-long-number": shown(
            "a whole number of more than 4,300 digits makes a text no JSON",
            '{"a": ' + "7" * 4301 + "}",
            '{"a": ' + "7" * 4300 + "}",
        ),
    }


def _policies() -> dict[str, Vector]:
    events = [("运行.事件流", f"{n}时：甲\n{n}时：乙\n") for n in range(1, 8)]
    story = [
        ("运行.事件流", "夜里的便利店只有一个人，" * 3),
        ("运行.事件流", "the clock says 3:07 🕒 and stops"),
    ]

    def under(kind: str, n: int | None, rows: list[Any], about: str) -> Vector:
        one = segment("s", ["运行.事件流"], policy=(kind, n))
        return _ask(about, {"inputs": ["运行.事件流"], "segments": [one]}, rows)

    return {
        "policy-latest": under("latest", None, events, "latest wins over inputMerge"),
        "policy-concat": under("concat", None, events, "concat wins over inputMerge"),
        "policy-tail-lines": under("tail_lines", 3, events, "exactly the last lines, over all items"),
        "policy-last-turns": under("last_turns", 2, events, "exactly the last items"),
        "policy-window-turns": under(
            "window_turns", 3, events, "seven items under a window of three: four are dropped"
        ),
        "policy-window-lines": under(
            "window_lines", 5, events, "fourteen lines under a window of five: six are dropped"
        ),
        "tokens-tail": under("tail_tokens", 20, story, "the last tokens by the estimator"),
        "tokens-blanks": under(
            "tail_tokens",
            3,
            [("运行.事件流", "ab cd\n\tef gh\n")],
            "a space weighs as much as a letter, a tab and a line end as much as any other character",
        ),
        "tokens-tail-vanishing": under(
            "tail_tokens",
            3,
            [("运行.事件流", "雨夜甲"), ("运行.事件流", "乙a乙")],
            "an item of which the cut would leave a part of a character is gone, and so is the blank line behind it",
        ),
        "tokens-window-begin": under(
            "window_tokens",
            2,
            [("运行.事件流", "a b c\nd e f\n")],
            "a window over tokens drops what weighs as many whole tokens as the closed form says, not down to as many",
        ),
        "tokens-window": under("window_tokens", 15, story, "a window over tokens by the estimator"),
    }


def _blocks(roles: str) -> list[dict[str, str]]:
    """A dialogue: `u` a block of the user's, `a` of the assistant's, `s` of the system's."""
    names = {"u": "user", "a": "assistant", "s": "system"}
    return [{"role": names[role], "content": f"第{n}段"} for n, role in enumerate(roles)]


def _history() -> dict[str, Vector]:
    long = _blocks("ua" * 7)
    english = {"package": {**sample_data({})["package"], "language": "en"}}

    def shown(
        about: str, blocks: list[dict[str, str]], more: dict[str, Any] | None = None, **own: Any
    ) -> Vector:
        """A worker that shows a static text, the dialogue as `own` says, and the latest input."""
        rows = [
            segment("setting", ["设定"], tier="static", label="## 设定"),
            segment("h", ["对话.历史"], **own),
            segment("turn", ["用户.最新输入"]),
        ]
        worker = {"inputs": ["设定", "对话.历史", "用户.最新输入"], "segments": rows}
        items = [("设定", "便利店"), ("用户.最新输入", "现在")]
        return _ask(about, worker, items, board={"history": blocks}, **(more or {}))

    return {
        "history-turns": shown(
            "blocks are turns, between one user's message with what is before and one with what is behind",
            _blocks("uaua"),
        ),
        "history-adjacent": shown(
            "what one role says in a row is one message; a block of the system is a named part of the user's",
            _blocks("uuaasuau"),
        ),
        "history-english": shown(
            "names in English where the package's language is en", _blocks("uasua"), english
        ),
        "history-label": shown(
            "label and constant text of the segment stand before its blocks",
            _blocks("ua"),
            label="## 对话",
            inline="到此为止：",
        ),
        "history-answer-first": shown(
            "an answer before which no question is shown is a named part of the user's message",
            _blocks("aaua"),
        ),
        "history-system-first": shown(
            "what the system says before an answer is its question", _blocks("saua")
        ),
        "history-empty-block": shown(
            "an empty block is none", [{"role": "user", "content": ""}, *_blocks("uaa")[1:], *_blocks("ua")]
        ),
        "history-verbatim": shown(
            "content changes no structure, whatever it holds",
            [
                {"role": role, "content": "用户：\n\n---\n\n{{x}} {char} <user>\r\n🜁"}
                for role in ("user", "assistant")
            ],
        ),
        "history-fields": shown(
            "a window of five blocks: of fourteen the first six go", long, projection="fields"
        ),
        "history-cut-at-a-question": shown(
            "a cut at an answer moves on to the next question", _blocks("uaa" + "ua" * 5), projection="fields"
        ),
        "history-cut-before-a-notice": shown(
            "what the system says between question and answer is not parted from them",
            _blocks("uausausauaua"),
            policy=("window_turns", 4),
        ),
        "history-cut-in-silence": shown(
            "answers to nobody may be parted, once there are as many as the window is large",
            _blocks("u" + "a" * 13),
            policy=("window_turns", 3),
        ),
        "history-summary": shown("up to forty blocks stay whole", _blocks("ua" * 20)),
        "history-summary-cut": shown(
            "of forty-two the first twenty go", _blocks("ua" * 21), projection="summary"
        ),
        "history-full-cut": shown("of 162 the first eighty go", _blocks("ua" * 81), projection="full"),
        "history-fixed": shown("nothing of the dialogue", long, label="## 对话", projection="fixed"),
        "history-concat": shown("all of it", _blocks("ua" * 25), policy=("concat", None)),
        "history-latest": shown(
            "latest is no policy of a dialogue: the window of the projection counts",
            long,
            policy=("latest", None),
            projection="fields",
        ),
        "history-last-turns": shown(
            "the last three blocks begin with an answer: two", long, policy=("last_turns", 3)
        ),
        "history-last-turn": shown("an answer keeps its question", long, policy=("last_turns", 1)),
        "history-window-turns": shown("the policy's own window", long, policy=("window_turns", 3)),
        "history-tail-lines": shown("whole blocks from a question on", long, policy=("tail_lines", 3)),
        "history-tail-lines-cut": shown(
            "where no question is left, the end of the last answer",
            [*long[:3], {"role": "assistant", "content": "一\n二\n三\n"}],
            policy=("tail_lines", 2),
        ),
        "history-empty-before-the-cut": shown(
            "an empty block before the cut is gone and begins no group",
            [
                {"role": "user", "content": ""},
                {"role": "user", "content": "一\n二\n三"},
                {"role": "assistant", "content": "四"},
            ],
            policy=("tail_lines", 2),
        ),
        "history-empty-behind-the-cut": shown(
            "an empty block right behind the cut is left whole and begins a group, though it is not shown",
            [
                {"role": "user", "content": "一\n二\n"},
                {"role": "user", "content": ""},
                {"role": "assistant", "content": "四"},
            ],
            policy=("tail_lines", 1),
        ),
        "history-window-lines": shown("a window over lines", long, policy=("window_lines", 4)),
        "tokens-history-tail": shown("the last tokens, from a question on", long, policy=("tail_tokens", 14)),
        "tokens-history-window": shown(
            "a window over tokens, from a question on", long, policy=("window_tokens", 8)
        ),
        "history-undeclared": _ask(
            "who does not declare the dialogue does not get it",
            {"inputs": ["a"], "segments": [segment("s", ["a", "对话.历史"])]},
            [("a", "1")],
            board={"history": long},
        ),
        "history-last-word": _ask(
            "where the assistant would have the last word, the user repeats the instruction",
            {"inputs": ["a", "对话.历史"], "segments": [segment("s", ["a"]), segment("h", ["对话.历史"])]},
            [("a", "1")],
            board={"history": _blocks("ua")},
        ),
        "history-no-last-word": _ask(
            "a block of the user's at the end needs no instruction",
            {"inputs": ["对话.历史"], "segments": [segment("h", ["对话.历史"])]},
            [],
            board={"history": _blocks("uau")},
        ),
        "history-among-tags": _ask(
            "other tags of its segment are the user's, by name; items of the tag itself stand before the blocks",
            {"inputs": ["对话.*"], "segments": [segment("h", ["对话.*"])], "merge": "concat"},
            [("对话.题记", "记"), ("对话.历史", "旧"), ("对话.乙", "乙")],
            board={"history": _blocks("ua")},
        ),
        "history-twice": _ask(
            "only the first segment of the dialogue has turns; a later one shows it as text",
            {
                "inputs": ["对话.历史"],
                "segments": [
                    segment("one", ["对话.历史"]),
                    segment("two", ["对话.历史"], policy=("last_turns", 2)),
                ],
            },
            [],
            board={"history": _blocks("uaua")},
        ),
        "history-whole-board": _ask(
            "the whole board shows the dialogue as text",
            {"inputs": ["**"], "segments": [segment("all", ["**"])]},
            [("a", "1"), ("题", "记")],
            board={"history": _blocks("uas")},
        ),
        "history-object": _ask(
            "without segments the dialogue is a text of the JSON object",
            {"inputs": ["对话.历史", "a"]},
            [("a", "1")],
            board={"history": _blocks("uas")},
        ),
        "history-variant": _ask(
            "a variant shows the dialogue in its own measure",
            {
                "inputs": ["对话.历史"],
                "segments": [segment("h", ["对话.历史"])],
                "variants": {"short": [segment("h", ["对话.历史"], policy=("last_turns", 2))]},
            },
            [],
            board={"history": long},
            variant="short",
        ),
        "history-bags": _ask(
            "the dialogue is a text with names in its bag",
            {
                "inputs": ["**"],
                "segments": [segment(t, [t]) for t in ("甲", "对话.历史", "乙", "用户.最新输入", "丙")],
            },
            [(t, t) for t in ("甲", "乙", "用户.最新输入", "丙")],
            board={"history": _blocks("auas")},
        ),
        **_fallback(),
        "variables": _ask(
            "the board's variables are the text of 变量.当前",
            {"inputs": ["变量.当前"], "segments": [segment("v", ["变量.当前"])]},
            [],
            board={"variables": {"血量": 3, "旗": [True, None, "𠮷"]}},
        ),
        **_cells(),
    }


def _cells() -> dict[str, Vector]:
    """A table of variables: who sees which row, and how they are shown."""
    rows = [
        {"key": "血 量", "value": 3, "rev": 2, "source": "auditor"},
        {"key": "天", "value": "阴\n有雾"},
        {"key": "幕后", "value": "甲", "rev": 1, "source": "gm", "visibility": "hidden"},
        {"key": "心事", "value": ["渡口"], "rev": 1, "source": "user", "visibility": "role:阿离"},
        {"key": "底细", "value": None, "visibility": "user_only"},
    ]

    def asked(about: str, projection: str | None, role: str | None = None, **more: Any) -> Vector:
        shown = [segment("v", ["变量.当前"], projection=projection)]
        worker = {"inputs": ["变量.当前"], "segments": shown, **more}
        return _ask(about, worker, [], board={"variables": rows}, role=role)

    return {
        "variables-cells": asked("a table of cells is the JSON list of them", None),
        "variables-rows": asked("of a table, fields shows a line for each row", "fields"),
        "variables-blind": asked("a blind review sees no hidden cell", "fields", isolation="blind_review"),
        "variables-role": asked(
            "a role sees public cells and its own", "fields", "阿离", isolation="role_pov"
        ),
        "variables-other-role": asked("a role sees no cell of another", None, "阿青", isolation="role_pov"),
    }


def _fallback() -> dict[str, Vector]:
    """A dialogue that has not begun."""
    rows = [
        ("设定", "便利店"),
        *(("运行.事件流", f"事{n}") for n in range(12)),
        ("用户.最新输入", "早"),
        ("用户.最新输入", "现在"),
    ]
    inputs = ["设定", "对话.历史", "运行.事件流", "用户.最新输入"]
    shown = [segment("s", ["设定"]), segment("h", ["对话.历史"], label="## 对话", projection="fields")]

    def asked(about: str, **more: Any) -> Vector:
        board = more.pop("board", {})
        return _ask(about, {"inputs": inputs, "segments": shown, **more}, rows, board=board)

    return {
        "fallback": asked(
            "where there is no dialogue, events (as many as blocks) and the newest input stand for it"
        ),
        "fallback-slots": _ask(
            "events of a slot stand among the others in the order of writing, and count with them",
            {
                "inputs": inputs,
                "segments": [segment("h", ["对话.历史"], policy=("last_turns", 3))],
            },
            [
                ("运行.事件流", "一"),
                ("运行.事件流#夜", "二"),
                ("运行.事件流", "三"),
                ("运行.事件流#夜", "四"),
                ("用户.最新输入", "早"),
                ("用户.最新输入#二", "晚"),
            ],
        ),
        "fallback-shown": asked(
            "what another segment shows is not repeated", segments=[*shown, segment("t", ["用户.最新输入"])]
        ),
        "fallback-unread": asked("only what the inputs read", inputs=["设定", "对话.历史", "用户.最新输入"]),
        "fallback-no-history": asked("only for who reads the dialogue", inputs=["设定", "用户.最新输入"]),
        "fallback-denied": asked("nothing that is denied", denied=["运行.*"]),
        "fallback-denied-history": asked("not for whom the dialogue is denied", denied=["对话.*"]),
        "fallback-fixed": asked(
            "nothing where nothing of the dialogue is shown",
            segments=[
                segment("h", ["对话.历史"], label="## 对话", projection="fixed"),
                segment("s", ["设定"]),
            ],
        ),
        "fallback-policy": asked(
            "the policy of the segment counts",
            segments=[segment("h", ["对话.历史"], policy=("last_turns", 2))],
        ),
        "fallback-begun": asked("one block, and there is a dialogue", board={"history": _blocks("u")}),
    }


def _objects() -> dict[str, Vector]:
    worker = {"name": "写手", "inputs": ["大纲.草稿", "需求.*"], "outputs": ["正文.草稿", "角色.*"]}
    return {
        "object": _ask(
            "without segments the user message is one JSON object",
            worker,
            [
                ("需求.乙", "二"),
                ("需求.甲", "一"),
                ("大纲.草稿", '引号 " 反斜 \\ 换行\n制表\t响铃\u0007 删\u007f 行\u2028 🜁'),
            ],
        ),
        "object-concat": _ask(
            "items of a tag are joined by a blank line",
            {**worker, "merge": "concat"},
            [("需求.甲", "一"), ("需求.甲", "二")],
        ),
        "object-role": _ask(
            "outputs are bound to the role",
            {"inputs": ["角色.{id}.记忆"], "outputs": ["角色.{id}.行动"], "role_bound": True},
            [("角色.阿离.记忆", "雨")],
            role="阿离",
        ),
        "object-empty": _ask("an empty board gives an object without inputs", worker, []),
    }


if __name__ == "__main__":
    for old in HERE.glob("*.json"):
        old.unlink()
    for name, vector in vectors().items():
        (HERE / f"{name}.json").write_bytes(encoded(vector))
