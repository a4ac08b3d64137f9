"""`profiles.json`: the model profiles of a workspace, with the place of what findings point at (SPEC 13).

The file stands outside packages and enters no plan. Whoever calls a model holds its profile to more than is asked
here: which keys there are, and what the checks read of them.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from skillc.diagnostic import Diagnostic, Label, finding
from skillc.model.fields import nearest, read_fields
from skillc.model.scalars import Before, Count, Word, WordOrNull, null_is_none, plain
from skillc.model.schema import Fields
from skillc.source.document import YamlFile
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Span, Text
from skillc.value import value
from skillc.wording import say, series

CAPABILITIES = ("json_schema", "forced_tool", "tools", "json_object", "thinking", "streaming")
"""What a profile may say that its server has."""
SECRETS = ("apikey", "key", "secret", "token", "password", "authorization")
"""Keys, without what people write differently, that look as if a secret stood behind them."""


@value
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


@value
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
    value = plain(value)
    if isinstance(value, dict):
        return [Scalar(name, *node.span.place) for name, node in value.items() if _is_true(node)]
    return null_is_none(value)


def _is_true(node: object) -> bool:
    return isinstance(node, Scalar) and node.value == "true"


class FileFields(Fields):
    """The file, where it is a mapping."""

    noun: ClassVar[str] = say("the file of model profiles")
    profiles: Any = None
    default_profile_id: WordOrNull = None


class ProfileFields(Fields):
    """One profile. What is `Any` matters to nobody but the client that uses it."""

    noun: ClassVar[str] = say("a model profile")
    required: ClassVar[tuple[str, ...]] = ("id", "model")
    id: Word | None = None
    provider: Word | None = None
    base_url: Word | None = None
    model: Word | None = None
    api_key_env: Word | None = None
    capabilities: Annotated[list[Word] | None, Before(_there)] = None
    context_window: Count | None = None
    max_output_tokens: Count | None = None
    temperature: Any = None
    thinking_tokens: Count | None = None
    timeout_seconds: Any = None
    max_retries: Count | None = None


def read_profiles(file: YamlFile | None) -> tuple[Profiles | None, list[Diagnostic]]:
    """The profiles of a file: a list, or a mapping with the list under `profiles` and `defaultProfileId`.

    None when there is no file. Codes: unknown-field, field-type, missing-field, duplicate-key for an id that comes
    twice.
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
    found: list[Diagnostic] = []
    if isinstance(root, Mapping):
        reading = read_fields(FileFields, root, None)
        default, root = reading.value.default_profile_id, root.get("profiles")
        if root is not None or "profiles" in reading.faults:
            found += reading.diagnostics
    if isinstance(root, Sequence):
        return root.items, default, found
    if not file.broken and not found:
        place = root.span if root is not None else file.source.span()
        message = say("model profiles are a list, or a mapping with the list under `profiles`")
        found.append(finding("field-type", place, message))
    return (), default, found


def _profile(node: Node) -> tuple[Profile | None, list[Diagnostic]]:
    reading = read_fields(ProfileFields, node, node.span.part(0, 0))
    fields: Any = reading.value
    secrets = _secrets(node)
    known = {secret.span for secret in secrets}
    found = [
        *secrets,
        *(said for said in reading.diagnostics if said.span not in known),
        *_capabilities(node),
    ]
    if fields.id is None:
        return None, found
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
    return profile, found


def _secrets(node: Node) -> list[Diagnostic]:
    """The keys of a profile that look as if a secret stood behind them: none is near a right one."""
    return [
        finding(
            "unknown-field",
            key.span,
            say("`{key}`: a profile holds no secret", key=key.value),
            say("put the key into an environment variable, and name that in `apiKeyEnv`"),
        )
        for key, _ in (node if isinstance(node, Mapping) else ())
        if key.value.lower().replace("_", "").replace("-", "") in SECRETS
    ]


def _capabilities(node: Node) -> list[Diagnostic]:
    """The capabilities that there are not."""
    there = node.get("capabilities") if isinstance(node, Mapping) else None
    keys = [key for key, _ in there] if isinstance(there, Mapping) else []
    items = [Text(item.value, item.span) for item in _scalars(there)]
    return [_no_capability(name) for name in (*keys, *items) if name.value not in CAPABILITIES]


def _scalars(node: Node | None) -> list[Scalar]:
    items = node.items if isinstance(node, Sequence) else ()
    return [item for item in items if isinstance(item, Scalar) and not item.is_null]


def _no_capability(name: Text) -> Diagnostic:
    near = nearest(name.value, CAPABILITIES)
    return finding(
        "unknown-field",
        name.span,
        say("there is no capability `{name}`", name=name.value)
        if near is None
        else say("there is no capability `{name}`; did you mean `{near}`?", name=name.value, near=near),
        say("known capabilities: {known}", known=series(CAPABILITIES)),
    )


def _twice(profile: Profile, first: Profile) -> Diagnostic:
    return finding(
        "duplicate-key",
        profile.span,
        say("the profile id `{id}` is used twice", id=profile.id),
        say("give each profile an id of its own"),
        [Label(first.span, say("first used here"))],
    )
