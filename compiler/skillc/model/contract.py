"""A worker's contract: what it may read and write, and the short names of its outputs (SPEC 5)."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingType

from skillc.diagnostic import Diagnostic, Edit, Fix, Severity, finding
from skillc.model.fields import SkillFields
from skillc.model.package import TagRef
from skillc.model.refs import Refs, read_inputs, read_patterns
from skillc.model.scalars import Word
from skillc.source.node import Mapping, Scalar
from skillc.tags import covers
from skillc.text import Span, Text
from skillc.value import field, value
from skillc.wording import say

INPUTS = ("inputTags", "inputKeys")
OUTPUTS = ("outputTags", "outputKeys")


TAG_LIMIT = 1000
"""Entries of inputTags and outputTags together (SPEC 2.7)."""


class ContractFields(SkillFields):
    """The fields that are a worker's contract, under their own and their legacy names."""

    input_tags: list[Word] | None = None
    output_tags: list[Word] | None = None
    input_keys: list[Word] | None = None
    output_keys: list[Word] | None = None
    aliases: dict[str, Word] | None = None


@value
class Contract:
    """What could be read; a side is `broken` when an entry of its list could not."""

    inputs: tuple[TagRef, ...] = ()
    outputs: tuple[TagRef, ...] = ()
    inputs_missing: bool = False
    outputs_missing: bool = False
    inputs_broken: bool = False
    outputs_broken: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)


def read_contract(
    fields: ContractFields, faults: frozenset[str], front: Mapping, start: Span | None
) -> Contract:
    """The contract of a frontmatter. An absent outputTags is missing-field at `start`, if there is one;
    an absent inputTags is a rule's business (SPEC 5). Codes: missing-field, legacy-keys, too-large, those of
    tags.
    """
    inputs, found = _side(front, INPUTS, fields.input_tags, fields.input_keys)
    outputs, more = _side(front, OUTPUTS, fields.output_tags, fields.output_keys)
    inputs_broken = _is_broken(INPUTS, faults, found)
    outputs_broken = _is_broken(OUTPUTS, faults, more)
    found = [*found, *more, *_too_many((*inputs, *outputs))]
    read_in = fields.input_tags is not None or fields.input_keys is not None
    written = fields.output_tags is not None or fields.output_keys is not None
    no_outputs = not written and is_absent(front, *OUTPUTS) and faults.isdisjoint(OUTPUTS)
    if no_outputs and start is not None:
        found.append(_no_outputs(front, start))
    return Contract(
        inputs=inputs,
        outputs=outputs,
        inputs_missing=not read_in and is_absent(front, *INPUTS) and faults.isdisjoint(INPUTS),
        outputs_missing=no_outputs,
        inputs_broken=inputs_broken,
        outputs_broken=outputs_broken,
        diagnostics=found,
    )


def _is_broken(names: tuple[str, str], faults: frozenset[str], found: list[Diagnostic]) -> bool:
    return not faults.isdisjoint(names) or (bool(found) and any(d.severity is Severity.ERROR for d in found))


def _too_many(refs: tuple[TagRef, ...]) -> Iterable[Diagnostic]:
    if len(refs) > TAG_LIMIT:
        yield finding(
            "too-large",
            refs[TAG_LIMIT].span,
            say(
                "the worker reads and writes {count:,} tags, more than {limit:,}",
                count=len(refs),
                limit=TAG_LIMIT,
            ),
            say("name families (`正文.*`) instead of single tags, or split the worker"),
        )


def read_aliases(
    aliases: MappingType[str, Text], contract: Contract
) -> tuple[tuple[tuple[str, str], ...], list[Diagnostic]]:
    """(short, tag) pairs that map one to one onto the outputs; field-type at each that does not."""
    outputs = () if contract.outputs_broken else contract.outputs
    shorts: dict[str, str] = {}
    found: list[Diagnostic] = []
    for short, word in aliases.items():
        refs, said = read_patterns([word])
        found += said
        problem = _alias_problem(short, refs[0], outputs, shorts) if refs else None
        if problem:
            help = say("aliases map one to one onto outputTags")
            found.append(finding("field-type", word.span, problem, help))
        elif refs:
            shorts[refs[0].text] = short
    return tuple((short, tag) for tag, short in shorts.items()), found


def _side(front: Mapping, names: tuple[str, str], tags: list[Text] | None, keys: list[Text] | None) -> Refs:
    """One side of the contract, from its own field or else from the legacy one."""
    new, old = names
    read = read_inputs if new == "inputTags" else read_patterns
    refs, found = read(tags if tags is not None else keys or ())
    key = front.key(old)
    if key:
        found.append(_legacy_key(key, new, alone=front.key(new) is None))
    return refs, found


def _legacy_key(key: Text, name: str, alone: bool) -> Diagnostic:
    fix = (
        Fix(say("rename `{key}` to `{name}`", key=key.value, name=name), (Edit(key.span, name),))
        if alone
        else None
    )
    help = (
        say("rename it to `{name}`", name=name)
        if alone
        else say("remove it: `{name}` is there and counts alone", name=name)
    )
    return finding(
        "legacy-keys",
        key.span,
        say("`{key}` is the old name of `{name}`", key=key.value, name=name),
        help,
        fix=fix,
    )


def is_absent(front: Mapping, *names: str) -> bool:
    """Whether none of the fields is there; a null is the same as none."""
    for name in names:
        node = front.get(name)
        if node is not None and not (isinstance(node, Scalar) and node.is_null):
            return False
    return True


def _no_outputs(front: Mapping, start: Span) -> Diagnostic:
    key = front.key("outputTags")
    return finding(
        "missing-field",
        key.span if key else start,
        say("required field `outputTags` of a worker is empty")
        if key
        else say("required field `outputTags` of a worker is missing"),
        say("list the tags that it may write; `outputTags: []` where it writes none"),
    )


def _alias_problem(
    short: str, ref: TagRef, outputs: tuple[TagRef, ...], shorts: MappingType[str, str]
) -> str | None:
    if outputs and not any(covers(output.pattern, ref.pattern) for output in outputs):
        return say(
            "alias `{short}` stands for `{tag}`, which is not among the outputTags", short=short, tag=ref.text
        )
    if ref.text in shorts:
        return say(
            "aliases `{other}` and `{short}` both stand for `{tag}`",
            other=shorts[ref.text],
            short=short,
            tag=ref.text,
        )
    if any(short == output.text != ref.text for output in outputs):
        return say("alias `{short}` of `{tag}` is an output tag itself", short=short, tag=ref.text)
    return None
