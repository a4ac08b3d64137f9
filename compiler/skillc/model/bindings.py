"""`llm-bindings.yaml`: which model profile a worker, or a role of it, uses (SPEC 13)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from skillc.diagnostic import Diagnostic, finding
from skillc.model.fields import read_fields
from skillc.model.package import Bindings, WorkerBinding
from skillc.model.scalars import Before, Word, WordOrNull, null_is_none
from skillc.model.schema import Fields
from skillc.runtime.naming import is_segment
from skillc.source.document import YamlFile
from skillc.source.node import Mapping
from skillc.text import Text
from skillc.wording import say


class BindingFields(Fields):
    """One worker's binding."""

    noun: ClassVar[str] = say("a worker's binding")
    short: ClassVar[str] = "profileId"
    profile_id: Word | None = None
    by_role: dict[str, WordOrNull] | None = None


class BindingsFields(Fields):
    """An llm-bindings.yaml."""

    noun: ClassVar[str] = say("an llm-bindings.yaml")
    default_profile_id: Word | None = None
    workers: dict[str, Annotated[BindingFields | None, Before(null_is_none)]] | None = None


def read_bindings(file: YamlFile | None) -> tuple[Bindings, list[Diagnostic]]:
    """The bindings of a package; a null binding is none, role ids stay text (`no`, `on`). Codes: fields."""
    if file is None or file.root is None:
        return Bindings(), []
    reading = read_fields(BindingsFields, file.root, file.source.span())
    fields = reading.value
    node = file.root.get("workers") if isinstance(file.root, Mapping) else None
    workers = []
    for key, entry in node if isinstance(node, Mapping) else ():
        binding = (fields.workers or {}).get(key.value) or BindingFields()
        roles = _roles(entry, binding)
        profile = binding.profile_id.value if binding.profile_id else None
        workers.append(WorkerBinding(key, profile, roles))
    default = fields.default_profile_id
    named = [default, *(text for entry in (fields.workers or {}).values() for text in _named(entry))]
    bindings = Bindings(
        default.value if default else None, tuple(workers), tuple(text for text in named if text)
    )
    wrong = (_no_role(role) for worker in workers for role, _ in worker.by_role if not is_segment(role.value))
    return bindings, [*reading.diagnostics, *wrong]


def _no_role(key: Text) -> Diagnostic:
    return finding(
        "field-type",
        key.span,
        say("`byRole` names `{role}`, which is no role", role=key.value),
        say("a role is one plain segment of a tag: letters, digits, `_`, `-`, `·`"),
    )


def _named(binding: BindingFields | None) -> Iterable[Text | None]:
    return (binding.profile_id, *(binding.by_role or {}).values()) if binding else ()


def _roles(entry: object, binding: BindingFields) -> tuple[tuple[Text, str], ...]:
    node = entry.get("byRole") if isinstance(entry, Mapping) else None
    pairs = []
    for key, _ in node if isinstance(node, Mapping) else ():
        profile = (binding.by_role or {}).get(key.value)
        if profile is not None:
            pairs.append((key, profile.value))
    return tuple(pairs)
