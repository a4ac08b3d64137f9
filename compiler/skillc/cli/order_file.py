"""A file that holds a projection order, read strictly and written in the form that it has."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Mapping
from typing import Any

from skillc.cli.datafile import json_value, read_data, read_value, yaml_value
from skillc.cli.errors import FINDINGS, Stop
from skillc.report.reasons import reason
from skillc.runtime.boardorder import CONTEXT_ORDER
from skillc.runtime.order import TOP, normal_order, renamed
from skillc.runtime.orderdocument import with_order
from skillc.runtime.orderfault import order_faults
from skillc.source.yamlform import comment_lines, dump_yaml, typed_yaml
from skillc.store.files import rewrite
from skillc.value import value
from skillc.wording import say, series

WHAT = say("projection order")


@value
class OrderFile:
    """The file at `path`: its `data`, and the `order` in it as written; `inside`: it is a document of 设计.worker集,
    and the order a part of that."""

    path: str
    data: dict[str, Any]
    order: dict[str, Any]
    inside: bool

    @property
    def normal(self) -> dict[str, Any]:
        """The order in normal form. Refuses one with faults of form: an edit would drop what it cannot read."""
        faults = order_faults(None, self.order)
        if faults:
            raise Stop(
                say(
                    "the order in `{path}` cannot be edited: {faults}",
                    path=self.path,
                    faults=series(fault.text for fault in faults),
                ),
                FINDINGS,
            )
        return normal_order(self.order)

    def text_with(self, order: Mapping[str, Any]) -> str:
        """The text of the file with `order`, which is in normal form, in place of its own."""
        if self.inside:
            switches = {**order["play_slots"], **parts_of(self.data).switches}
            document = with_order(self.data, {**order, "play_slots": switches})
        else:
            document = _alone(self.data, order)
        if self.path.endswith(".json"):
            return dumped(document)
        return _head(self.path) + dump_yaml(document, one_line="inserts")

    def write(self, order: Mapping[str, Any]) -> None:
        """Write it whole or not at all, through a link to its target; a mark at its beginning and its line ends stay."""
        try:
            rewrite(self.path, _as_written(self.path, self.text_with(order)))
        except OSError as error:
            raise Stop(
                say("cannot write `{path}`: {reason}", path=self.path, reason=reason(error))
            ) from error


def read_order_file(path: str) -> OrderFile:
    """The order in a YAML or JSON file: alone, or under `context_order` of a document for 设计.worker集."""
    data = typed(path)
    parts = parts_of(data)
    if parts.order is None:
        raise Stop(say("`{path}` holds no projection order: neither `slots` nor `agents`", path=path))
    return OrderFile(path, data, parts.order, parts.order is not data)


@value
class Parts:
    """What a file says: an order as written, switches of its own, and the document around the order."""

    order: dict[str, Any] | None
    switches: dict[str, bool]
    document: dict[str, Any]


def parts_of(data: dict[str, Any]) -> Parts:
    """The parts of an order, or of a document for 设计.worker集 or 设计.worker规格."""
    if {"slots", "agents"} & renamed(data, TOP).keys():
        return Parts(data, {}, {})
    body = data.get("正文")
    holders = [holder for holder in (data, body) if isinstance(holder, dict)]
    inside = next((holder[key] for holder in holders for key in CONTEXT_ORDER if key in holder), None)
    switches = {name: on for holder in holders for name, on in _said(holder).items()}
    return Parts(inside if isinstance(inside, dict) else None, switches, data)


def read_rows(path: str) -> list[Any]:
    """Rows for a slot: the list in a YAML or JSON file, or under its `inserts`; `-` is either on standard input."""
    value = _standard_input() if path == "-" else read_value(path, say("list of rows"))
    rows = value.get("inserts") if isinstance(value, dict) else value
    if not isinstance(rows, list):
        raise Stop(say("`{path}` holds no list of rows", path=path))
    return rows


def _standard_input() -> object:
    data = sys.stdin.read().encode("utf-8", "surrogatepass")
    try:
        json.loads(data)
    except json.JSONDecodeError:
        return yaml_value("-", data)
    except (ValueError, RecursionError):
        pass  # JSON by its form, and refused below with what is wrong in it.
    return json_value("-", data, say("list of rows"))


def as_file(order: Mapping[str, Any]) -> str:
    """The text of a context-order.yaml with `order`, which is in normal form."""
    return dump_yaml(_alone({}, order), one_line="inserts")


def typed(path: str) -> dict[str, Any]:
    """The mapping in a file with numbers and truths as such; what the strict reading refuses is refused, and so is the
    table that `skillc order show --format json` prints."""
    strict = read_data(path, WHAT)
    slots = strict.get("slots")
    if isinstance(slots, list) and any(
        isinstance(slot, dict) and {"slot", "rows"} <= slot.keys() for slot in slots
    ):
        raise Stop(
            say(
                "`{path}` is the table that `skillc order show --format json` prints, and no order: `--format yaml` "
                "prints the order in the form of a file",
                path=path,
            )
        )
    if path.endswith(".json"):
        return dict(strict)
    with open(path, encoding="utf-8-sig") as file:
        return typed_yaml(file.read())


def dumped(document: Mapping[str, Any]) -> str:
    """JSON as people read it."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _as_written(path: str, text: str) -> bytes:
    """`text` with the byte order mark and the line ends of the file at `path`: those of its first line."""
    with open(path, "rb") as file:
        before = file.read()
    crlf = before.partition(b"\n")[0].endswith(b"\r")
    data = (text.replace("\n", "\r\n") if crlf else text).encode()
    return codecs.BOM_UTF8 + data if before.startswith(codecs.BOM_UTF8) else data


def _alone(data: Mapping[str, Any], order: Mapping[str, Any]) -> dict[str, Any]:
    """The order as a document of its own, with what its author wrote beside it."""
    own = ("schema", "brief", "play_slots", "slots", "agents")
    more = {key: value for key, value in data.items() if TOP.get(key, key) not in own}
    head = {key: order[key] for key in ("schema", "brief") if key in order}
    switches = {"play_slots": order["play_slots"]} if order["play_slots"] else {}
    return {**head, **more, **switches, "slots": order["slots"]}


def _said(holder: Mapping[str, Any]) -> dict[str, bool]:
    switches: dict[str, bool] = normal_order({"play_slots": renamed(holder, TOP).get("play_slots")})[
        "play_slots"
    ]
    return switches


def _head(path: str) -> str:
    """The comment that a file begins with."""
    with open(path, encoding="utf-8-sig") as file:
        lines = file.read().split("\n")
    count = next((at for at, line in enumerate(lines) if line.strip() and not line.startswith("#")), 0)
    return "".join(f"{line}\n" for line in lines[:count])


def inner_comments(path: str) -> int:
    """How many lines of a YAML file hold a comment that an edit does not keep: all but those at its head."""
    if path.endswith(".json"):
        return 0
    with open(path, encoding="utf-8-sig") as file:
        return comment_lines(file.read()) - comment_lines(_head(path))
