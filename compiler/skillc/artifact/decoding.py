"""Bytes of a `plan.json` -> Plan, or one clear sentence why not. Unknown keys are ignored."""

from __future__ import annotations

from skillc.artifact.plan import (
    SCHEMA,
    Acceptance,
    Flows,
    Input,
    LabelRule,
    Orchestrator,
    PackageInfo,
    Plan,
    Play,
    PlaySlot,
    Profiles,
    Ready,
    Roles,
    SegmentPlan,
    SegmentPolicy,
    Startup,
    WorkerPlan,
)
from skillc.tags import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")
    P = TypeVar("P", bound=Plan)


class PlanError(ValueError):
    """A plan that cannot be used; the text is one sentence for people."""


def decode(data: bytes, make: Callable[..., P] = Plan) -> P:  # type: ignore[assignment]
    """The plan in `data`, made by `make`.

    Refuses with PlanError what is not JSON (a cut file, say), another schema, and a missing or
    misshapen part, naming it.
    """
    root = Part(_parse(data))
    schema = root.text("schema")
    if schema != SCHEMA:
        raise PlanError(f"the plan has schema `{schema}`, and this runtime reads `{SCHEMA}`; build it again")
    return make(
        schema=schema,
        compiler=root.text("compiler"),
        package=_package(root.part("package")),
        fingerprint=root.text("fingerprint"),
        startup=root.maybe("startup", _startup),
        asks=root.patterns("asks"),
        ready=_ready(root.part("ready")),
        roles=Roles(ids=root.part("roles").texts("ids"), source=root.part("roles").text_or_none("from")),
        labels=tuple(_label(part) for part in root.parts("labels")),
        sources={part.key: part.as_patterns() for part in root.table("sources")},
        deliverables=root.patterns("deliverables"),
        moved={part.key: part.as_text() for part in root.table("moved")},
        order=root.texts("order"),
        acceptance={part.key: _acceptance(part) for part in root.table("acceptance")},
        workers={part.key: _worker(part) for part in root.table("workers")},
        flows=Flows(
            disclosures=root.part("flows").items("disclosures"),
            declassified=root.part("flows").items("declassified"),
        ),
        play=_play(root),
        orchestrator=_orchestrator(root),
    )


def _parse(data: bytes) -> object:
    import json

    try:
        text = data.decode("utf-8")
        value: object = json.loads(text)
        if b"\\ud" in data or b"\\uD" in data:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except UnicodeEncodeError:
        raise PlanError(
            "the plan holds half a surrogate pair, which is no character; build it again"
        ) from None
    except UnicodeDecodeError as error:
        raise PlanError(f"the plan is not UTF-8 at byte {error.start}; build it again") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise PlanError(f"the plan is cut off or no JSON ({place}); build it again") from None
    except RecursionError:
        raise PlanError("the plan is nested too deeply; build it again") from None


class Part:
    """A piece of the JSON, and where it stands, so that a refusal can say so; most are never asked for that."""

    __slots__ = ("_above", "_at", "key", "value")

    def __init__(
        self, value: object, key: str = "", above: Part | None = None, at: int | None = None
    ) -> None:
        self.value = value
        self.key = key
        self._above = above
        self._at = at

    @property
    def name(self) -> str:
        """What a refusal calls it: by its key, or by its number in a list (0: no number)."""
        if self._above is None:
            return "the plan"
        above = self._above.name
        if self._at is None:
            return f"`{self.key}` of {above}"
        return f"entry {self._at} of {above}" if self._at else f"an entry of {above}"

    def refuse(self, what: str) -> PlanError:
        return PlanError(f"{self.name} should be {what}; build the plan again")

    def get(self, key: str) -> Part:
        value = self.value
        if type(value) is not dict:
            raise self.refuse("an object")
        if key not in value:
            raise PlanError(f"{self.name} has no `{key}`; build the plan again")
        return Part(value[key], key, self)

    def as_text(self) -> str:
        if type(self.value) is not str:
            raise self.refuse("text")
        return self.value

    def as_list(self) -> list[Any]:
        if type(self.value) is not list:
            raise self.refuse("a list")
        return self.value

    def as_pattern(self) -> Pattern:
        pattern = _pattern(self.as_list())
        if pattern is None:
            raise self.refuse("a list of pattern parts")
        return pattern

    def as_patterns(self) -> tuple[Pattern, ...]:
        return tuple([Part(item, "", self, 0).as_pattern() for item in self.as_list()])

    def as_parts(self) -> list[Part]:
        return [Part(item, "", self, at) for at, item in enumerate(self.as_list(), 1)]

    def as_table(self) -> list[Part]:
        if type(self.value) is not dict:
            raise self.refuse("an object")
        return [Part(value, key, self) for key, value in self.value.items()]

    def _plain(self, key: str) -> object:
        """The value under a key; Part itself where there is none, which is no value of JSON."""
        value = self.value
        return value.get(key, Part) if type(value) is dict else Part

    # What follows looks at the value first: only where it is not what it should be, a Part is made to say so.

    def text(self, key: str) -> str:
        value = self._plain(key)
        return value if type(value) is str else self.get(key).as_text()

    def text_or_none(self, key: str) -> str | None:
        value = self._plain(key)
        return value if value is None or type(value) is str else self.get(key).as_text()

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._plain(key)
        if type(value) is list and _TEXTS.issuperset(map(type, value)):
            return tuple(value)
        return tuple([part.as_text() for part in self.get(key).as_parts()])

    def flag(self, key: str) -> bool:
        value = self._plain(key)
        if type(value) is not bool:
            raise self.get(key).refuse("true or false")
        return value

    def part(self, key: str) -> Part:
        return self.get(key)

    def parts(self, key: str) -> list[Part]:
        return self.get(key).as_parts()

    def items(self, key: str) -> list[Any]:
        return self.get(key).as_list()

    def pattern(self, key: str) -> Pattern:
        return _pattern(self._plain(key)) or self.get(key).as_pattern()

    def patterns(self, key: str) -> tuple[Pattern, ...]:
        value = self._plain(key)
        if type(value) is not list:
            return self.get(key).as_patterns()
        found = [pattern for item in value if (pattern := _pattern(item))]
        return tuple(found) if len(found) == len(value) else self.get(key).as_patterns()

    def table(self, key: str) -> list[Part]:
        value = self._plain(key)
        return [] if value == {} else self.get(key).as_table()

    def maybe(self, key: str, read: Callable[[Part], T]) -> T | None:
        return None if self._plain(key) is None else read(self.get(key))

    def optional(self, key: str) -> Part | None:
        """A key that earlier plans of this schema do not have."""
        return self.get(key) if type(self.value) is dict and key in self.value else None


_TEXTS = {str}


def _pattern(value: object) -> Pattern | None:
    """The pattern of these parts; None where there are none, or anything but texts."""
    if type(value) is list and value and _TEXTS.issuperset(map(type, value)):
        return Pattern(tuple(value))
    return None


def _package(part: Part) -> PackageInfo:
    return PackageInfo(
        path=part.text("path"),
        name=part.text("name"),
        kind=part.text("kind"),
        language=part.text("language"),
        description=part.text("description"),
        version=part.text("version"),
    )


def _startup(part: Part) -> Startup:
    return Startup(
        prompt=part.text("prompt"),
        mode=part.text("mode"),
        targets=part.texts("targets"),
        required=part.texts("required"),
        optional=part.texts("optional"),
    )


def _ready(part: Part) -> Ready:
    return Ready(prerequisites=part.patterns("prerequisites"), condition=part.maybe("condition", _condition))


def _condition(part: Part) -> tuple[object, ...]:
    items = part.as_parts()
    if not items:
        raise part.refuse("a condition")
    operator = items[0].as_text()
    if operator in ("and", "or", "not"):
        return (operator, *(_condition(item) for item in items[1:]))
    if operator in ("has", "accepted") and len(items) == 2:
        return (operator, items[1].as_pattern())
    if operator == "count" and len(items) == 3 and type(items[2].value) is int:
        return (operator, items[1].as_pattern(), items[2].value)
    if operator == "startupCompleted" and len(items) == 1:
        return (operator,)
    raise part.refuse("a condition")


def _label(part: Part) -> LabelRule:
    return LabelRule(
        label=part.text("label"),
        pattern=part.maybe("pattern", Part.as_pattern),
        segment=part.text_or_none("segment"),
        exceptions=part.patterns("except"),
    )


def _acceptance(part: Part) -> Acceptance:
    return Acceptance(
        mode=part.text("mode"),
        requires_approval=part.flag("requires_approval"),
        reviews=part.texts("reviews"),
    )


def _worker(part: Part) -> WorkerPlan:
    denied, variant = part.optional("denied"), part.optional("variant")
    return WorkerPlan(
        id=part.text("id"),
        name=part.text("name"),
        description=part.text("description"),
        version=part.text("version"),
        stage=part.text("stage"),
        actor=part.text("actor"),
        isolation=part.text("isolation"),
        role_bound=part.flag("role_bound"),
        inputs=tuple(
            [
                Input(pattern=item.pattern("pattern"), needed=item.flag("needed"))
                for item in part.parts("inputs")
            ]
        ),
        outputs=part.patterns("outputs"),
        denied=denied.as_patterns() if denied else (),
        merge=part.text("merge"),
        aliases={entry.key: entry.as_text() for entry in part.table("aliases")},
        profiles=_profiles(part.part("profiles")),
        persona=part.text_or_none("persona"),
        system=part.text("system"),
        segments=part.maybe("segments", _segments),
        instruction=part.text("instruction"),
        variants={entry.key: _segments(entry) for entry in part.table("variants")},
        variant=variant.as_text() if variant and variant.value is not None else None,
        reply={entry.key: entry.value for entry in part.table("reply")},
        digest=part.text("digest"),
    )


def _profiles(part: Part) -> Profiles:
    return Profiles(
        default=part.text_or_none("default"),
        by_role={entry.key: entry.as_text() for entry in part.table("by_role")},
    )


def _segments(part: Part) -> tuple[SegmentPlan, ...]:
    return tuple(_segment(item) for item in part.as_parts())


def _segment(part: Part) -> SegmentPlan:
    return SegmentPlan(
        id=part.text("id"),
        tier=part.text("tier"),
        label=part.text_or_none("label"),
        tags=part.patterns("tags"),
        policy=part.maybe("policy", _policy),
        projection=part.text_or_none("projection"),
        inline=part.text_or_none("inline"),
    )


def _play(root: Part) -> Play | None:
    part = root.optional("play")
    if part is None or part.value is None:
        return None
    order = part.get("order")
    if not (order.value is None or isinstance(order.value, dict)):
        raise order.refuse("an object or null")
    segments = {entry.key: _segments(entry) for entry in part.table("segments")}
    slots = tuple(
        PlaySlot(key=item.text("key"), worker=item.text("worker"), on=item.flag("on"))
        for item in part.parts("slots")
    )
    lost = next((slot for slot in slots if slot.worker not in segments), None)
    if lost:
        raise PlanError(f"slot `{lost.key}` of the plan has no segments; build the plan again")
    return Play(slots=slots, order=order.value, origin=part.text("origin"), segments=segments)


def _orchestrator(root: Part) -> Orchestrator | None:
    part = root.optional("orchestrator")
    if part is None or part.value is None:
        return None
    templates = {entry.key: _worker(entry) for entry in part.table("templates")}
    acceptance = {entry.key: _acceptance(entry) for entry in part.table("acceptance")}
    lost = next((name for name in templates if name not in acceptance), None)
    if lost:
        raise PlanError(f"template `{lost}` of the plan has no acceptance; build the plan again")
    return Orchestrator(
        system=part.text("system"), task=part.text("task"), templates=templates, acceptance=acceptance
    )


def _policy(part: Part) -> SegmentPolicy:
    number = part.get("n")
    if number.value is not None and (type(number.value) is not int or number.value < 1):
        raise number.refuse("a positive number or null")
    return SegmentPolicy(kind=part.text("kind"), n=number.value)
