"""`profiles.json`: the model profiles of a workspace, with the place of what findings point at (SPEC 13).

The file stands outside packages and enters no plan. What it may hold beside the fields below is the
business of whoever calls the model, and ignored here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from skillc.diagnostic import Diagnostic, Label, finding
from skillc.model.fields import read_fields
from skillc.model.scalars import Before, Count, Word, null_is_none
from skillc.model.schema import Fields
from skillc.source.document import YamlFile
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Span, Text
from skillc.wording import say


@dataclass(frozen=True, slots=True)
class Profile:
    """One model on one server. `span` is its id where it is written."""

    id: str
    span: Span
    provider: str = "openai"
    model: str = ""
    base_url: str | None = None
    capabilities: frozenset[str] = frozenset()
    context_window: int | None = None
    window_span: Span | None = None
    max_output_tokens: int | None = None
    """How many tokens a reply may have; None when the profile does not say."""


@dataclass(frozen=True, slots=True)
class Profiles:
    """All profiles by id. `default`: what a session uses where nothing else is said; a single profile is it."""

    source: Source
    by_id: dict[str, Profile]
    default: str | None = None
    default_span: Span | None = None
    broken: bool = False
    """Some of the file cannot be read: a profile that is not here may be there."""


def _there(value: object) -> object:
    """A mapping of names to `true` or `false` as the list of those that are there."""
    if isinstance(value, dict):
        return [Scalar(name, node.span) for name, node in value.items() if _is_true(node)]
    return null_is_none(value)


def _is_true(node: object) -> bool:
    return isinstance(node, Scalar) and node.value == "true"


class ProfileFields(Fields):
    """One profile. Other keys belong to the client that uses it."""

    is_open: ClassVar[bool] = True
    noun: ClassVar[str] = say("a model profile")
    required: ClassVar[tuple[str, ...]] = ("id", "model")
    id: Word | None = None
    provider: Word | None = None
    base_url: Word | None = None
    model: Word | None = None
    capabilities: Annotated[list[Word] | None, Before(_there)] = None
    context_window: Count | None = None
    max_output_tokens: Count | None = None


def read_profiles(file: YamlFile | None) -> tuple[Profiles | None, list[Diagnostic]]:
    """The profiles of a file: a list, or a mapping with the list under `profiles` and `defaultProfileId`.

    None when there is no file. Codes: field-type, missing-field, duplicate-key for an id that comes twice.
    """
    if file is None:
        return None, []
    entries, default, found = _outline(file)
    by_id: dict[str, Profile] = {}
    broken = file.broken or bool(found)
    for node in entries:
        profile, said = _profile(node)
        found += said
        broken = broken or bool(said)
        if profile and profile.id in by_id:
            found.append(_twice(profile, by_id[profile.id]))
        elif profile:
            by_id[profile.id] = profile
    chosen = default.value if default else next(iter(by_id)) if len(by_id) == 1 else None
    return Profiles(file.source, by_id, chosen, default.span if default else None, broken), found


def _outline(file: YamlFile) -> tuple[tuple[Node, ...], Text | None, list[Diagnostic]]:
    root, default = file.root, None
    if isinstance(root, Mapping):
        stated = root.get("defaultProfileId")
        if isinstance(stated, Scalar) and not stated.is_null:
            default = Text(stated.value, stated.span)
        root = root.get("profiles")
    if isinstance(root, Sequence):
        return root.items, default, []
    if file.broken:
        return (), default, []
    place = root.span if root is not None else file.source.span()
    message = say("model profiles are a list, or a mapping with the list under `profiles`")
    return (), default, [finding("field-type", place, message)]


def _profile(node: Node) -> tuple[Profile | None, list[Diagnostic]]:
    reading = read_fields(ProfileFields, node, node.span.part(0, 0))
    fields: Any = reading.value
    if fields.id is None:
        return None, list(reading.diagnostics)
    window, reply = fields.context_window, fields.max_output_tokens
    profile = Profile(
        id=fields.id.value,
        span=fields.id.span,
        provider=fields.provider.value if fields.provider else "openai",
        model=fields.model.value if fields.model else "",
        base_url=fields.base_url.value if fields.base_url else None,
        capabilities=frozenset(word.value for word in fields.capabilities or ()),
        context_window=int(window.value) if window else None,
        window_span=window.span if window else None,
        max_output_tokens=int(reply.value) if reply else None,
    )
    return profile, list(reading.diagnostics)


def _twice(profile: Profile, first: Profile) -> Diagnostic:
    return finding(
        "duplicate-key",
        profile.span,
        say("the profile id `{id}` is used twice", id=profile.id),
        say("give each profile an id of its own"),
        [Label(first.span, say("first used here"))],
    )
