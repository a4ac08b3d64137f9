from __future__ import annotations

import hashlib
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.grammar import parse_tag
from skillc.grammar.characters import may_stand_in_name, meant
from skillc.runtime import Board
from skillc.runtime.naming import may_stand, tag_fault
from skillc.tags import Pattern, literal
from skillc.text import Source, Text


def statuses(board: Board) -> list[str]:
    return [item.status for item in board.items]


def test_items_are_numbered_in_writing_order() -> None:
    board = Board()
    first = board.write("a.b", "一", source="user")
    second = board.write("a.c", "二", source="user")
    assert (first.id, first.seq, second.id, second.seq) == ("i1", 1, "i2", 2)
    assert first.digest == "sha256:" + hashlib.sha256("一".encode()).hexdigest()


@pytest.mark.parametrize("tag", ["大纲.草稿", "大纲.当前", "大纲.草稿#第一卷"])
def test_rewriting_a_draft_or_current_state_supersedes_the_older_item(tag: str) -> None:
    board = Board()
    old = board.write(tag, "一", source="w")
    new = board.write(tag, "二", source="w")
    assert (old.status, old.superseded_by, new.status) == ("superseded", new.id, "live")


@pytest.mark.parametrize(
    "tag", ["大纲.候选", "大纲.确认稿", "运行.事件流", "更新.世界状态", "大纲.草稿.旁注"]
)
def test_other_items_accumulate(tag: str) -> None:
    board = Board()
    board.write(tag, "一", source="w")
    board.write(tag, "二", source="w")
    assert statuses(board) == ["live", "live"]


def test_another_source_supersedes_nothing() -> None:
    board = Board()
    board.write("大纲.草稿", "一", source="a")
    board.write("大纲.草稿", "二", source="b")
    assert statuses(board) == ["live", "live"]


def test_slots_of_a_family_are_tags_of_their_own() -> None:
    board = Board()
    board.write("规则.草稿#天气", "一", source="w")
    board.write("规则.草稿#怪物", "二", source="w")
    assert statuses(board) == ["live", "live"]


def test_a_moved_tag_has_the_stage_of_its_new_name() -> None:
    board = Board({"rules.draft": "规则.草稿"})
    board.write("rules.draft", "一", source="w")
    board.write("rules.draft", "二", source="w")
    assert statuses(board) == ["superseded", "live"]


def test_status_is_an_appended_event_and_content_never_changes() -> None:
    board = Board()
    item = board.write("a", "一", source="w")
    board.set_status("i1", "rejected")
    board.set_status("i1", "live")
    assert [event.status for event in board.events] == ["rejected", "live"]
    assert item.content == "一"
    assert item.live


def test_live_and_newest_follow_status() -> None:
    board = Board()
    for text in "一二三":
        board.write("a.b", text, source="w")
    board.set_status("i3", "rejected")
    assert [item.content for item in board.live(literal("a.b"))] == ["一", "二"]
    newest = board.newest("a.b")
    assert newest is not None
    assert newest.content == "二"
    board.set_status("i2", "rejected")
    board.set_status("i1", "rejected")
    assert board.newest("a.b") is None
    board.set_status("i2", "live")
    board.set_status("i1", "live")
    assert [item.content for item in board.live(literal("a.b"))] == ["一", "二"]


def test_live_finds_by_pattern_in_writing_order() -> None:
    board = Board()
    for tag in ["角色.B.行动", "角色.A.行动", "规则#天气", "规则", "规则书"]:
        board.write(tag, tag, source="w")
    assert [i.tag for i in board.live(Pattern(("角色", "*", "行动")))] == ["角色.B.行动", "角色.A.行动"]
    assert [i.tag for i in board.live(literal("规则"))] == ["规则#天气", "规则"]
    assert [i.tag for i in board.live(literal("规则#天气"))] == ["规则#天气"]
    assert len(board.live(Pattern(("**",)))) == 5


def test_a_chain_of_successors_that_bites_its_tail_ends() -> None:
    board = Board()
    a, b = board.write("a", "", source="w"), board.write("b", "", source="w")
    board.set_status(a.id, "superseded", b.id)
    board.set_status(b.id, "superseded", a.id)
    assert board.heir(a) is None


@pytest.mark.parametrize("tag", ["", "a..b", ".a", "a.", "a.*", "a {x}", "a b", "角色.{id}", "a#"])
def test_what_is_no_concrete_tag_is_refused(tag: str) -> None:
    with pytest.raises(ValueError, match="is no tag"):
        Board().write(tag, "", source="w")


@pytest.mark.parametrize(
    ("tag", "fault"),
    [
        ("规则．草稿", "`．` (U+FF0E) stands where `.` belongs"),
        ("规则。草稿", "`。` (U+3002) stands where `.` belongs"),
        ("规则:草稿", "`:` (U+003A) may not stand in a tag"),
        ("规则\u200b.草稿", "U+200B may not stand in a tag"),
        ("规则 .草稿", "U+0020 may not stand in a tag"),
        ("角色.*", "it holds `*`, and one concrete tag belongs here"),
        ("cafe\u0301", "it is not in NFC"),
        ("a#b.c", "one `#slot` may end it"),
        ("a." * 32 + "a", "at most 32 segments"),
        ("a" * 65, "of 64 characters"),
    ],
)
def test_the_refusal_of_a_tag_names_what_is_wrong(tag: str, fault: str) -> None:
    board = Board()
    for _ in "ab":
        with pytest.raises(ValueError) as refusal:
            board.write(tag, "", source="w")
        assert fault in str(refusal.value)
    assert board.items == []


def test_the_board_and_the_grammar_agree_about_every_character() -> None:
    chars = [char for char in map(chr, range(0x110000)) if not 0xD800 <= ord(char) <= 0xDFFF]
    differing = [f"U+{ord(char):04X}" for char in chars if may_stand(char) != may_stand_in_name(char)]
    assert differing == []
    own = [char for char in chars[:0x10000] if meant(char)]
    assert all(f"stands where `{meant(char)}` belongs" in str(tag_fault(f"a{char}b")) for char in own)


@given(st.text("a规·_.#*{}1 ．\u0301", max_size=12))
def test_the_board_and_the_grammar_agree_about_the_form_of_tags(tag: str) -> None:
    source = Source("", tag)
    parsed, _ = parse_tag(Text(tag, source.span()))
    assert (tag_fault(tag) is None) == (parsed == tag)


def test_content_that_utf8_cannot_carry_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match="`a` holds half a surrogate pair at character 3"):
        Board().write("a", "好好\ud800", source="w")


def test_keys_of_the_author_are_read_past_as_in_a_check() -> None:
    item = {"tag": "需求.a", "content": "x", "x-from": "第一稿"}
    board = Board.from_data(
        {"x-note": "返工", "items": [item], "history": [{"role": "user", "content": "y", "x-at": 1}]}
    )
    assert [item.tag for item in board.items] == ["需求.a"] and "x-note" not in board.to_data()


def test_unknown_ids_and_statuses_are_refused() -> None:
    board = Board()
    board.write("a", "", source="w", id="x")
    with pytest.raises(ValueError, match="no item `y`"):
        board.set_status("y", "rejected")
    with pytest.raises(ValueError, match="`gone` is no status"):
        board.set_status("x", "gone")
    with pytest.raises(ValueError, match="has an item `x` already"):
        board.write("a", "", source="w", id="x")


# The board file


def test_a_board_file_is_read_in_writing_order() -> None:
    board = Board.from_data(
        {
            "items": [
                {"tag": "大纲.草稿", "content": "一", "source": "outline"},
                {"tag": "大纲.草稿", "content": "二", "source": "outline"},
                {"tag": "用户.最新输入", "content": "三", "status": "rejected"},
            ],
            "history": [{"role": "user", "content": "你好"}],
            "variables": {"血量": 3},
            "role": "A",
            "worker": "w",
        }
    )
    assert statuses(board) == ["superseded", "live", "rejected"]
    assert board.history == [{"role": "user", "content": "你好"}]
    assert board.variables == {"血量": 3}
    assert board.case == {"role": "A", "worker": "w"}


def test_a_superseded_draft_leads_to_its_confirmed_text_without_saying_so() -> None:
    board = Board.from_data(
        {
            "items": [
                {"tag": "规则.草稿", "content": "一", "status": "superseded"},
                {"tag": "规则.确认稿", "content": "一", "status": "accepted"},
            ]
        }
    )
    heir = board.heir(board.items[0])
    assert heir is not None
    assert heir.tag == "规则.确认稿"


def test_a_stated_status_wins_over_supersession() -> None:
    board = Board.from_data(
        {
            "items": [
                {"tag": "a.草稿", "content": "一", "source": "w", "status": "live"},
                {"tag": "a.草稿", "content": "二", "source": "w"},
            ]
        }
    )
    assert statuses(board) == ["live", "live"]


def test_a_tree_as_content_becomes_canonical_json() -> None:
    board = Board.from_data({"items": [{"tag": "a", "content": {"b": 1, "a": ["好"]}}]})
    assert board.items[0].content == '{"a":["好"],"b":1}'


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "a board must be a mapping, not list"),
        ({"itmes": []}, "a board has the key `itmes`, which is unknown"),
        ({"items": {}}, "`items` of the board must be a list, not dict"),
        ({"items": [{"tag": "a", "content": "", "sorce": "x"}]}, "item 1 (`a`) has the key `sorce`"),
        ({"items": [{"tag": "a"}]}, "item 1 (`a`) of the board needs `tag` and `content`"),
        ({"items": [{"tag": "a", "content": 3}]}, "`content` of item 1 (`a`) must be text, not int"),
        ({"items": [{"tag": "a", "content": None}]}, "must be text, not nothing"),
        ({"items": [{"tag": "a.*", "content": ""}]}, "item 1 (`a.*`) of the board: `a.*` is no tag"),
        ({"items": [{"tag": "a", "content": "", "status": "dead"}]}, "has status `dead`; there are live"),
        ({"items": [{"tag": "a", "content": "\ud800"}]}, "half a surrogate pair"),
        ({"history": [{"role": "bot", "content": ""}]}, "entry 1 of `history` of the board needs a `role`"),
        ({"history": [{"role": "user"}]}, "`content` of entry 1 of `history` must be text, not nothing"),
        ({"history": ["你好"]}, "entry 1 of `history` must be a mapping, not str"),
        ({"variables": "x"}, "`variables` must be a mapping, not str"),
        ({"variables": [{"key": "血量"}]}, "`variables` of the board: cell 1 has no `value`"),
        ({"role": 7}, "`role` must be text, not int"),
    ],
)
def test_what_a_board_file_does_not_know_is_named(data: object, sentence: str) -> None:
    with pytest.raises(ValueError) as refusal:
        Board.from_data(data)
    assert sentence in str(refusal.value)


TAGS = st.sampled_from(["大纲.草稿", "大纲.确认稿", "角色.A.行动", "状态.当前", "规则#天气"])
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)


@given(
    st.lists(st.tuples(TAGS, TEXTS, st.sampled_from(["a", "b"])), max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.sampled_from(["live", "accepted", "rejected", "superseded"]))),
)
def test_a_board_survives_its_file(writes: list[tuple[str, str, str]], events: list[tuple[int, str]]) -> None:
    board = Board()
    for tag, content, source in writes:
        board.write(tag, content, source, metadata={"x": 1}, dependencies=["i1"])
    for at, status in events:
        if at < len(board.items):
            heir = board.items[-1].id if status == "superseded" else None
            board.set_status(board.items[at].id, status, heir)
    data = board.to_data()
    again = Board.from_data(data)
    assert again.to_data() == data
    for tag in {item.tag for item in board.items}:
        assert [i.id for i in again.alive(tag)] == [i.id for i in board.alive(tag)]


HALF = "\ud83d"


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        (
            {"variables": {"旗": [1, {"名": HALF}]}},
            "`variables.旗.2.名` of the board holds half a surrogate pair",
        ),
        ({"variables": {HALF: 1}}, "a key of the board holds half a surrogate pair"),
        ({"variables": {"旗": float("nan")}}, "`variables.旗` of the board is `nan`, which is no number"),
        ({"variables": {"旗": {1, 2}}}, "`variables.旗` of the board is set, which is no JSON value"),
        (
            {"items": [{"tag": "a", "content": "x", "source": HALF}]},
            "`items.1.source` of the board holds half",
        ),
        ({"items": [{"tag": "a", "content": "x", "id": HALF}]}, "`items.1.id` of the board holds half"),
        (
            {"items": [{"tag": "a", "content": "x", "metadata": {"a": [HALF]}}]},
            "`items.1.metadata.a.1` of the",
        ),
        ({"items": [{"tag": f"a{HALF}", "content": "x"}]}, "`items.1.tag` of the board holds half"),
        ({"history": [{"role": "user", "content": HALF}]}, "`history.1.content` of the board holds half"),
        (
            {"items": [{"tag": "a", "content": "x", "status": "superseded", "superseded_by": ["a"]}]},
            "`superseded_by` of item 1 (`a`) must be text, not list",
        ),
    ],
)
def test_what_could_not_be_stored_or_sent_is_refused_with_its_place(board: object, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        Board.from_data(board)
    assert sentence in str(caught.value)


def test_a_board_is_no_deeper_than_programs_can_walk() -> None:
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(ValueError, match="nested more than 100 levels deep"):
        Board.from_data({"variables": {"旗": deep}})


def test_what_is_written_beside_the_content_is_text_that_can_be_stored() -> None:
    for more in ({"source": HALF}, {"source": "w", "id": HALF}, {"source": "w", "scope": HALF}):
        with pytest.raises(ValueError, match="holds half a surrogate pair"):
            Board().write("a", "x", **more)


def test_long_chains_and_many_slots_are_walked_once() -> None:
    begun = process_time()
    board = Board()
    for number in range(20_000):
        board.write("文.草稿", str(number), source="w")
    last = board.items[-1]
    heir = board.write("文.确认稿", "终", source="w")
    board.set_status(last.id, "superseded", heir.id)
    assert board.heirs("文.草稿") == [heir] and board.heir(board.items[0]) is heir
    for number in range(20_000):
        board.write(f"规则#s{number * 7919 % 20_000}", "x", source="w")
    assert board.tags(literal("规则")) == sorted(board.tags(literal("规则")))
    assert process_time() - begun < 30


def test_a_circle_of_superseded_items_has_no_heir() -> None:
    board = Board()
    one, two = board.write("a", "1", source="w"), board.write("a", "2", source="w")
    board.set_status(one.id, "superseded", two.id)
    board.set_status(two.id, "superseded", one.id)
    assert board.heirs("a") == [] and board.heir(one) is None


def test_a_slot_of_a_moved_tag_has_the_stage_of_the_new_name() -> None:
    board = Board({"old.x": "新.草稿"})
    old, new = (board.write("old.x#甲", text, source="w") for text in "一二")
    other = board.write("old.x#乙", "三", source="w")
    assert (old.superseded_by, new.live, other.live) == (new.id, True, True)
