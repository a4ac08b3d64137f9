"""What a provider's prefix cache serves in play: 200 turns of `dialogue/world-simulator`, with hysteresis and with a
sliding window over the dialogue.

`python tests/benchmarks/history.py [turns]` prints for each worker the tokens of a prompt and the share of them that
begin as the prompt before began. Nothing is timed, so the figures are the same on every machine.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

from rules import parse
from skillc.artifact.encoding import canonical, plan_data
from skillc.cli.datafile import read_data
from skillc.plan import compile_package
from skillc.runtime import Board, RunnablePlan, load_plan
from skillc.runtime.estimate import estimate_tokens
from skillc.runtime.history import KEPT
from skillc.runtime.slotplan import slot_plans

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGE = "dialogue/world-simulator"
BOARD = f"skills/{PACKAGE}/contexts/gm-first.yaml"
TURNS = 200
SLIDING = "sliding"
SENTENCE = "水涨到了第三级石阶，撑船的人把缆绳又往上系了一道，没有回头。"
"""What stands for anything that a model writes; it is repeated, numbered by the turn."""


@dataclass(slots=True)
class Served:
    """Of all prompts of a worker: their tokens, and those of them that a cache of the prompt before would serve."""

    tokens: int = 0
    cached: int = 0
    prompts: int = 0

    @property
    def share(self) -> float:
        return self.cached / self.tokens

    def add(self, before: str, prompt: str) -> None:
        self.prompts += 1
        self.tokens += estimate_tokens(prompt)
        self.cached += estimate_tokens(prompt[: shared(before, prompt)])


def shared(a: str, b: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[:middle] == b[:middle] else (low, middle - 1)
    return low


def compiled(measure: str, projection: str | None) -> RunnablePlan:
    """The package with the order that its board carries compiled into the workers, and with the dialogue of the gm
    in this projection (None: its own), cut by hysteresis or by a sliding window of the same n."""
    _, graphs = parse(ROOT)
    plan, _ = compile_package(graphs[PACKAGE])
    loaded = load_plan(canonical(plan_data(plan)))
    data = plan_data(loaded)
    data["play"] = None
    for slot in slot_plans(loaded, start()):
        rows = [_row(segment, measure, projection) for segment in slot.segments]
        data["workers"][slot.worker]["segments"] = rows
    return load_plan(canonical(data))


def _row(segment: Any, measure: str, projection: str | None) -> dict[str, Any]:
    row = {name: getattr(segment, name) for name in segment.fields()}
    row["tags"] = [list(pattern.parts) for pattern in segment.tags]
    row["policy"] = segment.policy and {"kind": segment.policy.kind, "n": segment.policy.n}
    if ["对话", "历史"] in row["tags"]:
        row["projection"] = projection or row["projection"]
        if measure == SLIDING:
            row["policy"] = {"kind": "last_turns", "n": KEPT[row["projection"] or "summary"]}
    return row


def start() -> Board:
    """The board of the first turn, the design done."""
    return Board.from_data(dict(read_data(os.path.join(ROOT, BOARD), "board")))


class Play:
    """Turns of play on one board, and all prompts by worker; what models write is as long as in the package's own
    script."""

    def __init__(self, plan: RunnablePlan) -> None:
        self.plan = plan
        self.board = start()
        self.served: dict[str, Served] = {}
        self._last: dict[tuple[str, str | None], str] = {}
        cards = next(
            i.pattern for i in plan.workers["world-simulator"].inputs if i.pattern.text == "角色.*.设定"
        )
        self._roles = [tag.split(".")[1] for tag in self.board.tags(cards)]

    def turn(self, number: int) -> None:
        """gm, each role, narrator, auditor; then the dialogue grows."""

        def write(tag: str, sentences: int, source: str) -> None:
            self.board.write(tag, text(number, sentences), source=source)

        write("用户.最新输入", 1, "user")
        self._ask("world-simulator")
        write("世界.裁决.当前", 12, "world-simulator")
        for role in self._roles:
            write(f"角色.{role}.可见信息", 3, "world-simulator")
            self._ask("role-decide", role)
            write(f"角色.{role}.行动", 3, "role-decide")
            write(f"角色.{role}.信念.当前", 3, "role-decide")
        self._ask("narrator")
        self._ask("auditor")
        write("世界.编年.当前", 20, "auditor")
        self.board.variables["回合"] = number
        for role, sentences in (("user", 1), ("assistant", 16)):
            self.board.history.append({"role": role, "content": text(number, sentences)})

    def _ask(self, worker: str, role: str | None = None) -> None:
        messages = self.plan.assemble(worker, self.board, role).messages
        prompt = "".join(f"<{message['role']}>{message['content']}" for message in messages)
        before = self._last.get((worker, role))
        if before is not None:
            self.served.setdefault(worker, Served()).add(before, prompt)
        self._last[worker, role] = prompt


def text(turn: int, sentences: int) -> str:
    return f"第{turn}回合。" + SENTENCE * sentences


def play(plan: RunnablePlan, turns: int) -> dict[str, Served]:
    """What a cache would have served in so many turns, by worker."""
    session = Play(plan)
    for number in range(1, turns + 1):
        session.turn(number)
    return session.served


def report(turns: int = TURNS) -> str:
    """The table: a row for each measure of the gm's dialogue, one for each worker that shows none."""
    lines = [
        f"prompt tokens that a prefix cache serves, {turns} turns of {PACKAGE}: hysteresis / sliding window"
    ]
    others: dict[str, Served] = {}
    for projection in KEPT:
        kept, slid = (play(compiled(measure, projection), turns) for measure in ("hysteresis", SLIDING))
        gm, other = kept.pop("world-simulator"), slid["world-simulator"]
        name = f"world-simulator, {projection} ({KEPT[projection]} to {2 * KEPT[projection]} blocks)"
        lines.append(_line(name, gm, other))
        others = kept
    lines += [_line(name, served, served) for name, served in others.items()]
    return "\n".join(lines) + "\n"


def _line(name: str, kept: Served, slid: Served) -> str:
    sizes = f"{kept.tokens // kept.prompts:,} / {slid.tokens // slid.prompts:,} tokens a prompt"
    read = f"{(kept.tokens - kept.cached) // kept.prompts:,} / {(slid.tokens - slid.cached) // slid.prompts:,} read anew"
    return f"{100 * kept.share:7.1f} % / {100 * slid.share:.1f} %  {name}  ({sizes}, {read})"


if __name__ == "__main__":
    sys.stdout.write(report(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS))
