"""`skillc order`: look at a projection order, change it, merge it into the document for 设计.worker集 (SPEC 11)."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from skillc.cli.epilog import Epilog, Listing, examples
from skillc.cli.errors import CLEAN, FINDINGS, USAGE, Stop
from skillc.cli.language import add_language_option, note, words
from skillc.cli.order_compile import merged
from skillc.cli.order_file import OrderFile, as_file, inner_comments, read_rows
from skillc.cli.order_table import Shown, as_json, as_text, view
from skillc.cli.order_target import Target, find_target, read_board
from skillc.cli.terminal import has_color
from skillc.report.language import retold
from skillc.runtime import AssemblyRefused, Board
from skillc.runtime.orderdocument import order_in_force
from skillc.runtime.orderedit import edited
from skillc.runtime.orderfault import OrderFault, OrderRefused, order_faults
from skillc.runtime.slotplan import compile_order, slot_plans
from skillc.wording import say

EPILOG = Epilog(
    say(
        "TARGET is a file with an order (alone, or under `context_order` of a document for 设计.worker集), or a package: "
        "then its context-order file is meant. Rows are named by their number in `skillc order show`, slots by any of "
        "their names."
    ),
    Listing(
        say("actions:"),
        (
            (
                "show TARGET",
                say("the flat table of each slot; with --format yaml the order as a file"),
            ),
            ("move TARGET SLOT ROW TO", say("put a row at another place")),
            ("project TARGET SLOT ROW PROJECTION", say("full, summary, fields or fixed")),
            ("anchor TARGET SLOT ROW SIDE", say("before or after the row of the dialogue")),
            (
                "replace TARGET SLOT ROWS",
                say("other rows, from a YAML or JSON file; - is standard input"),
            ),
            ("compile TARGET…", say("play_slots and context_order as one document")),
        ),
    ),
    examples(
        ("skillc order show world-simulator --board board.yaml", say("with tokens a row, on this board")),
        ("skillc order show world-simulator --format yaml", say("a first context-order.yaml")),
        "skillc order move context-order.yaml gm 4 1",
        "skillc order anchor context-order.yaml 主世界层 3 before",
        "skillc order compile world-simulator order.json --output worker-set.json",
    ),
    say(
        "An edit writes the file whole or not at all, in the form that it has (YAML or JSON), rows in normal form. What "
        "cannot be done, and what the slot's worker does not read, is refused, and the file stays as it is."
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = _action(actions, "show", say("show an order slot by slot"))
    show.add_argument("--board", metavar="FILE", help=say("count tokens on this board, and follow its order"))
    show.add_argument("--role", help=say("the role of slots that run once per role"))
    show.add_argument("--format", choices=("text", "json", "yaml"), default="text")
    show.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    for name, help, values in (
        ("move", say("put a row at another place"), [("to", int)]),
        ("project", say("show more or less of a row"), [("projection", str)]),
        ("anchor", say("put a row before or after the dialogue"), [("side", str)]),
    ):
        edit = _action(actions, name, help)
        edit.add_argument("slot", metavar="SLOT")
        edit.add_argument("row", metavar="ROW", type=int)
        for value, kind in values:
            edit.add_argument(value, metavar=value.upper(), type=kind)
    replace = _action(actions, "replace", say("give a slot other rows"))
    replace.add_argument("slot", metavar="SLOT")
    replace.add_argument(
        "rows", metavar="ROWS", help=say("a YAML or JSON file with a list of rows; - is standard input")
    )
    compiling = _action(
        actions, "compile", say("merge switches and order into the document for 设计.worker集"), "+"
    )
    compiling.add_argument(
        "--output", metavar="FILE", help=say("write the document there (JSON, or YAML by its name)")
    )


def _action(actions: Any, name: str, help: str, count: str | None = None) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=help)
    parser.add_argument(
        "target", metavar="TARGET", nargs=count, help=say("a file with an order, or a package")
    )
    parser.add_argument(
        "--package",
        metavar="PKG",
        help=say("the package that the order is for, where a file does not lie in it"),
    )
    add_language_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """One action; refusals go to standard error with exit code 2, faults of an order with 1."""
    if args.action == "show":
        return _show(args)
    if args.action == "compile":
        return merged(args)
    target = find_target(args.target, args.package, want_file=True)
    assert target.file is not None
    return _edit(args, target, target.file)


def _edit(args: argparse.Namespace, target: Target, file: OrderFile) -> int:
    before = file.normal
    try:
        after = edited(before, _request(args))
        _check(target, before, after)
    except OrderRefused as refused:
        raise Stop(str(refused), USAGE) from refused
    lost = inner_comments(file.path)
    file.write(after)
    if lost == 1:
        note(
            args,
            None,
            say("skillc: note: a line with a comment inside `{path}` was not kept", path=file.path),
        )
    elif lost:
        lines = say(
            "skillc: note: {n} lines with comments inside `{path}` were not kept", n=lost, path=file.path
        )
        note(args, None, lines)
    shown = Shown(file.path, view(target.plan, after, only=args.slot), _unknown(target))
    sys.stdout.write(as_text(shown, False, words(args)))
    return CLEAN


def _request(args: argparse.Namespace) -> dict[str, Any]:
    request: dict[str, Any] = {"slot": args.slot, "index": getattr(args, "row", None)}
    if args.action == "move":
        return {**request, "op": "move", "to": args.to}
    if args.action == "project":
        return {**request, "op": "set_projection", "projection": args.projection}
    if args.action == "anchor":
        return {**request, "op": "set_anchor", "anchor": args.side}
    return {"op": "replace", "slot": args.slot, "inserts": read_rows(args.rows)}


def _check(target: Target, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Refuse what the edit breaks; faults that were there stay somebody else's."""
    if target.plan is None:
        return
    known = {_identity(fault) for fault in order_faults(target.plan, before)}
    new = [fault for fault in order_faults(target.plan, after) if _identity(fault) not in known]
    if new:
        raise OrderRefused(new)


def _identity(fault: OrderFault) -> tuple[str, str | None, str | None]:
    return fault.kind, fault.slot, fault.ref


def _show(args: argparse.Namespace) -> int:
    target = find_target(args.target, args.package)
    board, role = read_board(args.board, args.role, target)
    faults: tuple[OrderFault, ...] = ()
    try:
        shown = _shown(target, board, role, args.board is not None)
    except OrderRefused as refused:
        faults = refused.faults
        order = target.file.order if target.file else order_in_force(target.need_plan(), board)[0]
        shown = Shown(target.name, view(None, order))
    except AssemblyRefused as refused:
        raise Stop(str(refused)) from refused
    if args.format == "yaml":
        return _file_form(target, board, faults)
    if args.format == "json":
        sys.stdout.write(as_json(shown, faults))
    else:
        told = words(args)
        sys.stdout.write(as_text(shown, has_color(sys.stdout, args.color), told))
        sys.stderr.writelines(f"skillc: {retold(told, fault.text)}\n" for fault in faults)
    return FINDINGS if faults else CLEAN


def _file_form(target: Target, board: Board, faults: tuple[OrderFault, ...]) -> int:
    """The order as the text of a file, which has no faults."""
    if faults:
        raise Stop("\n".join(fault.text for fault in faults), FINDINGS)
    order = target.file.normal if target.file else order_in_force(target.need_plan(), board)[0]
    sys.stdout.write(as_file(order))
    return CLEAN


def _unknown(target: Target) -> str:
    """What a table says where the package is not known."""
    return "" if target.plan else say("which rows are static is known with the package: --package PKG")


def _shown(target: Target, board: Board, role: str | None, filled: bool) -> Shown:
    if target.plan is None:
        assert target.file is not None
        wrong = order_faults(None, target.file.order)
        if wrong:
            raise OrderRefused(wrong)
        return Shown(target.name, view(None, target.file.order), _unknown(target))
    if target.file is not None:
        plans, faults = compile_order(target.plan, target.file.order)
        if faults:
            raise OrderRefused(faults)
        name = target.name
    else:
        plans = slot_plans(target.plan, board)
        origin = _origin(order_in_force(target.plan, board)[1])
        name = say("{name}: {origin}", name=target.name, origin=origin)
    return Shown(name, view(target.plan, plans, board if filled else None, role))


def _origin(origin: str) -> str:
    return {
        "worker-set": say("the order in 设计.worker集"),
        "order": say("the order in 设计.上下文投影排序"),
        "package": say("the order of the package"),
        "declared": say("no order; what the workers declare"),
    }[origin]
