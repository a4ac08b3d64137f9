"""YAML that a program writes into a file of people: what it keeps of the form, and what it cannot keep.

Reading of packages is strict and elsewhere (`yamltree`); what comes here was read strictly before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml


class _Loader(yaml.SafeLoader):
    """Reads `true`, `false`, null and plain decimal numbers as such, and all else as text: no dates, no `yes`."""


_Loader.yaml_implicit_resolvers = {}
for _tag, _form, _first in (
    ("bool", r"^(?:true|false)$", "tf"),
    ("null", r"^(?:null|~|)$", ["n", "~", ""]),
    ("int", r"^-?(?:0|[1-9][0-9]{0,15})$", "-0123456789"),
    ("float", r"^-?[0-9]{1,15}\.[0-9]{1,15}$", "-0123456789"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_form), list(_first))


def typed_yaml(text: str) -> dict[str, Any]:
    """The mapping in `text`, with numbers and truths as such.

    >>> typed_yaml("a: true\\nb: 3\\nc: yes\\nd: 2024-01-01\\ne: 010")
    {'a': True, 'b': 3, 'c': 'yes', 'd': '2024-01-01', 'e': '010'}
    """
    return dict(yaml.load(text, Loader=_Loader))


def dump_yaml(document: Mapping[str, Any], one_line: str) -> str:
    """`document` in block form, keys in their order; the mappings in lists under the key `one_line` a line each.

    Strings are quoted where they would be read as something else.

    >>> print(dump_yaml({"rows": [{"a": 1, "b": "2"}]}, "rows"), end="")
    rows:
      - {a: 1, b: '2'}
    """
    text: str = yaml.dump(
        _lined(document, one_line), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10**6
    )
    return text


def comment_lines(text: str) -> int:
    """How many lines of well-formed YAML hold a comment."""
    tokens = yaml.scan(text, Loader=yaml.SafeLoader)
    covered = [(token.start_mark.index, token.end_mark.index) for token in tokens]
    marks = (at for at, char in enumerate(text) if char == "#")
    free = (at for at in marks if not any(start <= at < end for start, end in covered))
    return len({text.count("\n", 0, at) for at in free})


class _Line(dict[str, Any]):
    """A mapping that is written in one line."""


class _Dumper(yaml.SafeDumper):
    """Lists are indented below their key."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


_Dumper.add_representer(
    _Line,
    lambda dumper, line: dumper.represent_mapping("tag:yaml.org,2002:map", line.items(), flow_style=True),
)


def _lined(value: Any, one_line: str, key: str = "") -> Any:
    if isinstance(value, Mapping):
        return {name: _lined(item, one_line, name) for name, item in value.items()}
    if isinstance(value, list):
        return [
            _Line(item) if key == one_line and isinstance(item, dict) else _lined(item, one_line)
            for item in value
        ]
    return value
