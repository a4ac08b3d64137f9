"""What acceptance makes of a draft: `X.草稿` becomes `X.确认稿` (SPEC 4.4, 7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from skillc.model.package import Catalogue, Mode
from skillc.once import once
from skillc.tags import Pattern, family, literal

DRAFT, CONFIRMED = "草稿", "确认稿"
PROMOTING: tuple[Mode, ...] = ("user_confirmed", "programmatic_review")


@lru_cache(maxsize=4096)
def promoted(pattern: Pattern) -> Pattern | None:
    """The pattern of what accepting the tags of `pattern` adds; None when it names no draft.

    A pattern that ends in `.*` needs none: it already holds the confirmed tag beside the draft.

    >>> promoted(Pattern(("角色", "{id}", "草稿"))).text
    '角色.{id}.确认稿'
    """
    return _restaged(pattern, DRAFT, CONFIRMED)


def drafts_of(pattern: Pattern) -> Pattern | None:
    """The draft whose acceptance gives `pattern`; None when it names nothing confirmed."""
    return _restaged(pattern, CONFIRMED, DRAFT)


@once
def new_names(catalogue: Catalogue) -> Mapping[str, str]:
    """The new name of each tag that was moved, and of the format's own legacy tags (SPEC 3.6)."""
    return MappingProxyType(
        {**dict(catalogue.legacy), **{old.value: new.value for old, new in catalogue.moved}}
    )


def under_new_name(pattern: Pattern, names: Mapping[str, str]) -> Pattern:
    """`pattern`, or the new name of the tag that it is: that one has the stage and the labels."""
    return literal(names[pattern.text]) if pattern.text in names and pattern.is_tag else pattern


def _restaged(pattern: Pattern, old: str, new: str) -> Pattern | None:
    last = pattern.parts[-1]
    if not last.startswith(old) or family(last) != old:
        return None
    return Pattern((*pattern.parts[:-1], new + last[len(old) :]))
