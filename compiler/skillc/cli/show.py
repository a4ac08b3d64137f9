"""`skillc show PACKAGE:WORKER`: the exact context that a worker receives on a board."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from skillc import driver
from skillc.cli.check import check
from skillc.cli.datafile import read_data, text_of
from skillc.cli.epilog import Epilog, Verbatim, cells, examples
from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.forms import add_form_options
from skillc.cli.language import add_language_option, language, words
from skillc.cli.place import Place, find_package, find_place, split_worker
from skillc.cli.terminal import has_color
from skillc.diagnostic import Severity
from skillc.execute.roles import needs_role, role_ids
from skillc.report import render
from skillc.report.counts import count
from skillc.report.language import ENGLISH, Words, retold
from skillc.report.visible import visible
from skillc.runtime import AssemblyRefused, Board, Context, RunnablePlan, load_plan
from skillc.runtime.selection import filtered, missing
from skillc.runtime.slotplan import slot_plan
from skillc.value import replace
from skillc.wording import said_in, say, series

EPILOG = Epilog(
    say("Without a board the worker is shown on an empty one. A board file is YAML or JSON:"),
    Verbatim(
        """
  items:
    - tag: 需求.核心要点
      content: 夜班便利店，十条规则，员工手册体
      source: user
"""
    ),
    examples(
        "skillc show basic:outline",
        "skillc show weird-rules-short:review-infer --board board.yaml",
        "skillc show roleplay-game-theory:role-decide --board board.yaml --role A --json",
        (
            "skillc show world-simulator --slot gm --board board.yaml",
            say("a slot of the play turn, by the order in force"),
        ),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("worker", metavar="PACKAGE:WORKER", help=say("as in basic:outline"))
    parser.add_argument(
        "--board", metavar="FILE", help=say("a board file; its role, variant, worker and slot are defaults")
    )
    parser.add_argument("--slot", help=say("a slot of the play turn: gm, perspective, narrator, auditor"))
    parser.add_argument("--role", help=say("the role of a role-bound run"))
    parser.add_argument("--variant", help=say("a variant of contextVariants"))
    add_form_options(parser)
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    package, worker = split_worker(args.worker)
    data = read_data(args.board, say("board")) if args.board else {}
    slot = args.slot or (None if worker else text_of(data, "slot", args.board))
    worker = worker or (None if args.slot else text_of(data, "worker", args.board))
    if not worker and not slot:
        raise Stop(say("say which worker of `{package}` to show: `{package}:WORKER`", package=package))
    place = find_place([])
    plan = load_plan(
        compile_one(place, find_package(place, package), language(args, place)).files["plan.json"]
    )
    role = args.role or text_of(data, "role", args.board)
    variant = args.variant or text_of(data, "variant", args.board)
    try:
        board = Board.from_data(data, plan.moved)
        worker = worker or slot_plan(plan, slot or "", board).worker
        context = plan.assemble(worker, board, role=role, variant=variant, slot=slot)
    except AssemblyRefused as error:
        said = retold(words(args, place), str(error))
        hint = _roles_hint(plan, worker or "", board, role)
        raise Stop(say("{error}{hint}", error=said, hint=hint)) from error
    except ValueError as error:
        raise Stop(str(error)) from error
    told = words(args, place)
    notes = list(_notes(plan, worker, board, role, told))
    if args.format == "json":
        sys.stderr.writelines(f"skillc: {said_in(told, line)}\n" for line in notes)
        sys.stdout.write(json.dumps(context.to_json(), ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(readable(context, has_color(sys.stdout, args.color), notes, told))
    return CLEAN


def _roles_hint(plan: RunnablePlan, worker: str, board: Board, role: str | None) -> str:
    """The roles that could have been given, where one was wanted."""
    roles = role_ids(plan, board)
    wanted = role is None and worker in plan.workers and needs_role(plan.workers[worker])
    if not (wanted and roles):
        return ""
    return say(" (roles: {roles}): --role {first}", roles=series(roles), first=roles[0])


def _notes(plan: RunnablePlan, worker: str, board: Board, role: str | None, told: Words) -> Iterator[str]:
    """What a run would lack on this board: there the worker would not be ready."""
    roles = role_ids(plan, board)
    if role is not None and roles and role not in roles:
        yield say("note: {role} is none of the roles: {roles}", role=role, roles=series(roles))
    lacking: list[str] = []
    for pattern in missing(plan, plan.workers[worker], board, role):
        kept_back = filtered(plan, plan.workers[worker], board, role, pattern)
        yield from (
            say(
                "note: {tag} is there, but never given to {worker} ({why})",
                tag=tag,
                worker=worker,
                why=retold(told, why),
            )
            for tag, why in kept_back
        )
        lacking += [] if kept_back else [pattern.text]
    if lacking:
        yield say("missing: {tags}", tags=series(lacking))


def compile_one(place: Place, path: str, lang: str = "en") -> driver.Built:
    """The package at `path`, checked and compiled now; refuses with its errors, in the language `lang`."""
    checked = check(replace(place, only=frozenset([path])))
    (built,) = driver.build(checked)
    if built.plan is None:
        errors = [d for d in checked.diagnostics if d.severity is Severity.ERROR]
        text = render("text", errors, count(errors, 1, len(built.package.workers)), language=lang)
        raise Stop(
            say("`{path}` has errors, so there is no plan:\n\n{report}", path=path, report=text), FINDINGS
        )
    return built


def readable(context: Context, color: bool, notes: Iterable[str] = (), words: Words = ENGLISH) -> str:
    """The messages with a rule where the fixed prefix and where the static part ends. Characters that would steer
    a terminal are shown by their number; the JSON form has them as they are."""
    reads = say("reads: {tags}", tags=series(context.reads) or say("nothing on this board"))
    lines = [*(visible(said_in(words, line)) for line in (reads, *notes)), ""]
    marks = {at: said_in(words, mark) for at, mark in _marks(**context.prefix).items()}
    offset = 0
    for number, message in enumerate(context.messages):
        said = say("{role}, message {number}", role=message["role"], number=number)
        lines.append(_bar(said_in(words, said), color))
        data = message["content"].encode()
        lines.append(_marked(data, offset, marks, color) or said_in(words, _EMPTY))
        offset += len(data)
    lines.append(_bar(said_in(words, say("segments")), color))
    widest = max((cells(segment["id"]) for segment in context.segments), default=0)
    lines += [said_in(words, _segment(segment, max(widest, 20))) for segment in context.segments] or [
        said_in(words, _EMPTY)
    ]
    return "\n".join(lines) + "\n"


_EMPTY = say("(empty)")


def _marks(fixed_bytes: int, static_bytes: int) -> dict[int, str]:
    if fixed_bytes == static_bytes:
        return {fixed_bytes: say("fixed prefix and static part end: {bytes} bytes", bytes=fixed_bytes)}
    return {
        fixed_bytes: say("fixed prefix ends: {bytes} bytes", bytes=fixed_bytes),
        static_bytes: say("static part ends: {bytes} bytes", bytes=static_bytes),
    }


def _segment(segment: Mapping[str, Any], width: int) -> str:
    """One row; its id takes `width` cells of the terminal."""
    return say(
        "{id} {tier:8} {tokens:6} tokens  {tags}",
        id=segment["id"] + " " * (width - cells(segment["id"])),
        tier=segment["tier"],
        tokens=segment["tokens"],
        tags=series(segment["tags"]),
    )


def _marked(data: bytes, offset: int, marks: dict[int, str], color: bool) -> str:
    """The text of one message, with a line for each mark that falls inside it or at its end."""
    parts, start = [], 0
    for at in sorted(marks):
        if offset < at <= offset + len(data):
            parts += [_lines(data[start : at - offset]), _bar(marks[at], color)]
            start = at - offset
    rest = _lines(data[start:])
    return "\n".join([*parts, rest] if rest else parts)


def _lines(data: bytes) -> str:
    return "\n".join(map(visible, data.decode().split("\n")))


def _bar(text: str, color: bool) -> str:
    line = f"──── {text} ────"
    return f"\x1b[1;36m{line}\x1b[0m" if color else line
