"""Fields that stand beside the name they belong to, for want of an indentation. Loaded when there are some."""

from __future__ import annotations

from collections.abc import Collection

from skillc.diagnostic import Diagnostic, Edit, Fix, Label, finding
from skillc.source.node import Mapping, Node, Scalar
from skillc.text import Text
from skillc.wording import say

Entry = tuple[Text, Node]


def indented(named: Mapping, fields: Collection[str]) -> tuple[Mapping, list[Diagnostic]]:
    """A mapping of names with the `fields` that stand among them put below the empty name above them: one field-type
    a name. What holds a mapping itself is a name, whatever it is called."""
    entries: list[Entry] = []
    below: dict[int, list[Entry]] = {}
    for key, node in named:
        last = entries[-1][1] if entries else None
        is_field = key.value in fields and not isinstance(node, Mapping)
        if is_field and isinstance(last, Scalar) and last.is_null:
            below.setdefault(len(entries) - 1, []).append((key, node))
        else:
            entries.append((key, node))
    found = [_outdented(entries[at][0], fields) for at, fields in below.items()]
    for at, moved in below.items():
        name = entries[at][0]
        span = moved[0][0].span.source.span(moved[0][0].span.start, moved[-1][1].span.end)
        entries[at] = (name, Mapping(tuple(moved), span))
    return Mapping(tuple(entries), named.span), found


def _outdented(name: Text, moved: list[Entry]) -> Diagnostic:
    keys = [key for key, _ in moved]
    lines = {key.span.position[0] for key in keys}
    alone = name.span.position[0] not in lines and len(lines) == len(keys)
    can_move = alone and all("\n" not in node.span.text for _, node in moved)
    edits = tuple(Edit(key.span.source.span(key.span.start, key.span.start), "  ") for key in keys)
    return finding(
        "field-type",
        keys[0].span,
        say("`{field}` belongs below `{name}`", field=keys[0].value, name=name.value),
        say("indent it"),
        [Label(name.span, say("nothing stands below `{name}`", name=name.value))],
        fix=Fix(say("indent it"), edits, safe=False) if can_move else None,
    )
