"""The card table with a seat for the user: he is asked, never played; what is legal stands on the board; nobody sees the card
that lies face down."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli import ROOT, examples, replace, skillc
from rehearsing import Rehearsal, killed, left_behind, rehearsed, replied, script_of, text_of
from skillc import driver
from skillc.artifact.codec import encode
from skillc.execute.legal import is_legal, legal_choices
from skillc.execute.models.scripted import ScriptedClient
from skillc.execute.session import Session
from skillc.execute.store import open_store
from skillc.runtime import Board, Context, load_plan
from skillc.source.reader import DiskReader
from test_examples import context_of, plan_of, read
from test_examples import text_of as shown_on

PACKAGE = "dialogue/blackjack-roleplay"
FOLDER = f"skills/{PACKAGE}"
SEATS = ("阿琼", "老周", "用户")
CARD = r"(?:黑桃|红桃|方块|梅花)(?:10|[2-9JQKA])"
CIRCLE = ["dealer", "check-cards", "role-decide/阿琼", "role-decide/老周", "user-turn", "present"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    return rehearsed(PACKAGE, tmp_path_factory.mktemp("played"))


def deck() -> list[str]:
    (text,) = replied(script_of(PACKAGE), "shuffle", "场景.隐藏牌序")
    return [line.split(" ", 1)[1] for line in text.splitlines()]


def points(cards: list[str]) -> int:
    worth = [card[2:] for card in cards]
    total = sum(1 if rank == "A" else 10 if rank in ("J", "Q", "K") else int(rank) for rank in worth)
    return total + 10 if "A" in worth and total <= 11 else total


def test_it_has_no_error_and_no_warning() -> None:
    done = skillc("check", "--strict", FOLDER, "--format", "concise", cwd=ROOT)
    assert done.code == 0, done.out
    assert {line.split()[3] for line in done.out.splitlines()} == {"feedback-loop:", "updates-in-place:"}


def test_who_is_called_in_four_circles_and_why_it_ends(played: Rehearsal) -> None:
    runs = [f"{run.worker}/{run.role}" if run.role else run.worker for run in played.session.record.runs]
    assert runs == [
        *("setup-table", "shuffle"),
        *CIRCLE,
        *("dealer", "check-cards", "dealer", "check-cards", "user-turn", "present"),
        *CIRCLE,
        *("dealer", "check-cards", "present"),
    ]
    assert played.session.record.progress.rounds == 6, "two rounds are left, and nobody has anything to do"


# The user's turn


def test_no_model_is_ever_asked_to_play_for_the_user(played: Rehearsal) -> None:
    assert {call.worker for call in played.calls} == {*plan_of(PACKAGE).workers} - {"user-turn"}
    assert {call.role for call in played.calls if call.worker == "role-decide"} == {"阿琼", "老周"}
    turns = [run for run in played.session.record.runs if run.worker == "user-turn"]
    assert [(run.attempts, run.prompt_tokens, run.profile) for run in turns] == [(1, 0, None)] * 3
    writers = {item.source for item in played.session.board.items if item.tag == "角色.用户.行动"}
    assert writers == {"user-turn"}
    assert played.texts("角色.用户.思考") == []


def test_an_illegal_answer_is_asked_again_and_never_written(played: Rehearsal) -> None:
    assert played.refused == [
        "`分牌` is not possible; possible is `要牌`, `停牌`, `加倍`",
        "`加倍` is not possible; possible is `要牌`, `停牌`",
        "`全押！` is not possible; possible is `要牌`, `停牌`, `加倍`",
    ]
    said = [str(entry.value) for entry in script_of(PACKAGE).user if entry.action == "answer"][1:]
    assert played.texts("角色.用户.行动") == said == ["要牌，一张就好。", "停牌。", "加倍，碗我反正洗惯了。"]
    everything = [item.content for item in played.session.board.items]
    assert not any(text == "分牌" or "全押" in text for text in everything)
    assert [answer.text for answer in played.session.record.answers][1:] == ["", *said]


@pytest.mark.parametrize("said", ["", "  ", "要", "要牌桌", "我想要牌", "弃牌", "加倍 吧", "停"])
def test_only_what_the_board_allows_is_taken(said: str) -> None:
    board = Board.from_data(read(f"{FOLDER}/contexts/user-second.yaml"))
    choices = legal_choices(plan_of(PACKAGE).assemble("user-turn", board).items)
    assert choices == ("要牌", "停牌")
    assert not is_legal(said, choices) and is_legal(f"要牌，{said}", choices)


def test_the_user_is_called_only_when_it_is_his_turn_and_sees_his_own_table(played: Rehearsal) -> None:
    prompts = played.prompts("user-turn")
    assert len(prompts) == 3
    for prompt, hand in zip(
        prompts, ("方块10、红桃6，16 点", "黑桃4，20 点", "黑桃6、红桃5，11 点"), strict=True
    ):
        assert hand in prompt and "你可以" in prompt
    assert "加倍" in prompts[0] and "加倍" not in prompts[1] and "加倍" in prompts[2]


# What the check sends back


def test_the_users_turn_waits_for_the_cards_to_be_checked(played: Rehearsal) -> None:
    wrong, right = replied(script_of(PACKAGE), "dealer", "角色.用户.可见信息")[1:3]
    assert "21 点" in wrong and "20 点" in right
    assert not any("21 点" in prompt for prompt in played.prompts("user-turn"))
    for worker in ("role-decide", "present"):
        assert not any(wrong.strip() in text_of(call) for call in played.calls if call.worker == worker)
    verdicts = [run.verdict for run in played.session.record.runs if run.verdict]
    assert verdicts == ["pass", "fail", "pass", "pass", "pass"]
    again = played.shown("dealer")[2]
    assert "用户 10 加 6 加 4 是 20 点" in again and "第 2 圈" in again
    legal = [item for item in played.session.board.items if item.tag == "角色.用户.合法行动.当前"]
    assert [item.live for item in legal] == [False, False, False, True]


def test_the_ledger_that_counts_is_what_the_deck_gives(played: Rehearsal) -> None:
    """Cards go from the top, none twice; points are what the cards say; a seat with three cards cannot double."""
    cards = deck()
    assert len(cards) == len(set(cards)) == 48 and all(re.fullmatch(CARD, card) for card in cards)
    accepted = [
        item.content
        for item in played.session.board.items
        if item.tag == "场景.隐藏台面.当前" and item.status in ("accepted", "superseded")
    ]
    assert len(accepted) == 5
    for ledger in (accepted[0], *accepted[2:]):
        next_card = int(re.search(r"下一张：(\d+)", ledger)[1])  # type: ignore[index]
        first = 0 if "第 1 局" in ledger else 10
        dealt = re.findall(CARD, ledger)
        assert sorted(dealt) == sorted(cards[first : next_card - 1])
        for line in ledger.splitlines():
            if line.startswith("席位 "):
                assert points(re.findall(CARD, line)) == int(re.search(r"(\d+) 点", line)[1]), line  # type: ignore[index]
        pieces = [int(sign.replace("−", "-")) for sign in re.findall(r"累计[：\s]*(−?\d+) 个", ledger)]
        assert len(pieces) == 4 and sum(pieces) == 0
    assert points(["方块10", "红桃6", "黑桃4"]) == 20 != 21


# What lies face down


@pytest.mark.parametrize(("circles", "hole"), [((0, 1), "红桃9"), ((2,), "梅花7")])
def test_the_card_that_lies_face_down_is_in_nobodys_context(
    played: Rehearsal, circles: tuple[int, ...], hole: str
) -> None:
    """It lies on the board all the time; until it is turned only the dealer and the check are shown it."""
    runs = played.session.record.runs
    board = played.session.board
    seen: dict[bool, set[str]] = {True: set(), False: set()}
    for run in runs:
        if run.stage == "play" and run.round - 1 in circles:
            used = [board.get(id) for id in run.used]
            knows = any(item is not None and hole in item.content for item in used)
            seen[knows].add(run.worker)
    assert seen[True] == {"dealer", "check-cards"}
    assert seen[False] == {"role-decide", "user-turn", "present"} - (
        {"role-decide"} if circles == (1,) else set()
    )
    upto = played.session.board.items
    turned = next(item for item in upto if item.tag == "场景.公开叙述" and hole in item.content)
    assert "翻牌" in turned.content


def test_neither_the_deck_nor_the_ledger_is_among_what_players_read() -> None:
    for worker in ("role-decide", "user-turn", "present"):
        entries = [
            ".".join(map(str, entry.pattern.parts)) for entry in plan_of(PACKAGE).workers[worker].inputs
        ]
        assert not any("隐藏" in entry for entry in entries)
        done = skillc("leak", "场景.隐藏牌序", "--to", f"{PACKAGE}:{worker}", cwd=ROOT)
        assert done.code == 0, "by declared ways alone"


def test_a_seat_is_shown_its_own_hand_and_no_other_seats_papers() -> None:
    board = f"{FOLDER}/contexts/decide-third-zhou.yaml"
    shown = shown_on(context_of(board))
    texts = {item["tag"]: item["content"] for item in read(board)["items"]}
    assert texts["角色.老周.可见信息"].strip() in shown and texts["角色.老周.设定.确认稿"].strip() in shown
    for tag in ("角色.阿琼.设定.确认稿", "角色.阿琼.可见信息", "角色.阿琼.思考", "角色.用户.可见信息"):
        assert texts[tag].strip() not in shown
    assert texts["角色.老周.思考"].strip() not in shown, "not even what he thought himself"


# The host's own dealer


def test_a_program_may_deal_in_the_place_of_the_model(tmp_path: Path, played: Rehearsal) -> None:
    """One line of the worker is changed; the program writes the same tags, and nothing else notices."""
    examples(tmp_path, PACKAGE)
    skill = tmp_path / FOLDER / "workers/dealer/SKILL.md"
    replace(skill, "stage: play\n", "stage: play\nactor: program\n", 1)
    checked = driver.check(DiskReader(str(tmp_path)))
    assert [d.message for d in checked.diagnostics if d.severity.name != "INFO"] == []
    (built,) = driver.build(checked)
    assert built.plan is not None
    script = script_of(PACKAGE)
    deals = [
        entry.reply["outputs"]
        for entry in script.replies
        if entry.worker == "dealer" and isinstance(entry.reply, dict)
    ]
    hands = iter(deals)

    def deal(context: Context, role: str | None) -> dict[str, object]:
        assert role is None and "场景.隐藏牌序" in context.reads
        return dict(next(hands))

    client = ScriptedClient([entry for entry in script.replies if entry.worker != "dealer"])
    store = open_store(str(tmp_path / "s.db"))
    session = Session.open(store, load_plan(encode(built.plan)), client, rounds=6, programs={"dealer": deal})
    user = [entry for entry in script.user if entry.action != "refused"]
    while session.advance().phase == "waiting_user":
        entry = user.pop(0)
        delivery = session.accept() if entry.action == "accept" else session.answer(str(entry.value))
        assert delivery.status == "written"
    assert (session.status.phase, user, client.left_over, list(hands)) == ("done", [], (), [])
    assert left_behind(session) == left_behind(played.session)


# Whole


@pytest.mark.parametrize("every", [1, 5, 8])
def test_a_session_that_dies_anywhere_ends_as_one_that_did_not(
    played: Rehearsal, tmp_path: Path, every: int
) -> None:
    assert left_behind(killed(PACKAGE, tmp_path, every)) == left_behind(played.session)


def test_the_table_breaks_up_with_the_dishes(played: Rehearsal) -> None:
    (text,) = [item.content for item in played.session.deliverables()]
    assert text == replied(script_of(PACKAGE), "present", "输出.场景反馈")[-1]
    record = json.loads(played.texts("验收.核牌.记录")[-1])
    assert record["verdict"] == "pass" and len(record["复核"]) == len(SEATS)
