"""The fixed texts of a context: system message and instruction (SPEC 9.2, 9.5).

What the compiler says itself stands in `words_zh.py` and `words_en.py`; at run time all of it is literal text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from skillc.artifact.plan import WorkerPlan
from skillc.model.package import Package, Worker
from skillc.source.directives import spoken
from skillc.tags import ONE, REST, WHOLE, Pattern

if TYPE_CHECKING:
    from typing import Protocol

    class Words(Protocol):
        """What each language has to say."""

        TASK: str
        INSTRUCTION: str
        ASSIGNED: str
        NOTHING: str
        WILDCARDS: dict[str, str]

        def listed(self, aliases: bool) -> str: ...
        def alias(self, short: str, tag: str) -> str: ...
        def protocol(self, outputs: str) -> str: ...
        def orchestrator(self, package: str, templates: bool) -> str: ...


GAP = "\n\n"
"""What stands between two texts of a context."""
HEADING = "# 固定创作上下文\n\n"
BREAK = "\n\n---\n\n"


def system_message(package: Package, worker: Worker, body: str, language: str) -> str:
    """The fixed prefix: shared context, body, output protocol. A part without text leaves no trace.

    The shared context is what is below its frontmatter, without leading and trailing line ends.
    """
    context = package.shared_context
    shared = spoken(context, context.body.start, context.body.end).strip("\n") if context else ""
    parts = [HEADING + shared] if shared else []
    parts += [body] if body else []
    return BREAK.join([*parts, protocol(worker, language)])


def fallback(worker: WorkerPlan, inputs: Mapping[str, str]) -> str:
    """The message of a worker without segments that has these texts by tag (SPEC 9.5)."""
    data = {
        "workerId": worker.id,
        "workerName": worker.name,
        "outputTags": [pattern.text for pattern in worker.outputs],
        "inputs": dict(inputs),
        "instruction": worker.instruction,
    }
    return json.dumps(data, ensure_ascii=False)


def protocol(worker: Worker, language: str) -> str:
    """How to answer: the JSON object, the tags that may be written, when to ask."""
    words = words_of(language)
    if worker.injected:
        return words.protocol(words.ASSIGNED)
    return words.protocol(_outputs(words, [ref.pattern for ref in worker.outputs], worker.aliases))


def authored(worker: WorkerPlan, language: str) -> str:
    """The system message of a compiled worker without the output protocol: what its authors wrote. All of it where the
    protocol is another one than this compiler's."""
    words = words_of(language)
    for outputs in (_outputs(words, worker.outputs, tuple(worker.aliases.items())), words.ASSIGNED):
        told = words.protocol(outputs)
        if worker.system.endswith(told):
            return worker.system[: -len(told)]
    return worker.system


def words_of(language: str) -> Words:
    """What is said in the package's language: English or, for all others, Chinese."""
    if language.lower().startswith("en"):
        from skillc.plan import words_en

        return words_en
    from skillc.plan import words_zh

    return words_zh


def _outputs(words: Words, outputs: Sequence[Pattern], aliases: Sequence[tuple[str, str]]) -> str:
    """Which tags may be written, in written order, and which wildcards in them have to be filled."""
    if not outputs:
        return words.NOTHING
    filled = [
        f"`{tag.text}`" + "".join([words.WILDCARDS[kind] for kind in _wildcards(tag)]) for tag in outputs
    ]
    lines = filled + [words.alias(short, tag) for short, tag in aliases]
    return "\n  - ".join([words.listed(bool(aliases)), *lines])


def _wildcards(tag: Pattern) -> list[str]:
    rest = REST in tag.parts or WHOLE in tag.parts
    found = {"role": tag.has_role, "one": ONE in tag.parts, "rest": rest}
    return [kind for kind, is_there in found.items() if is_there]
