"""The fixed texts of a context: system message and instruction (SPEC 9.2, 9.5).

Templates are this room's own files; package text enters them as values only, and at run time there is none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from skillc.artifact.plan import WorkerPlan
from skillc.model.package import Package, Worker
from skillc.plan.outputs import OutputLine, output_lines
from skillc.source.directives import spoken

if TYPE_CHECKING:
    import jinja2

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
    return text_in(
        "protocol",
        language,
        outputs=_lines(worker),
        aliases=worker.aliases,
        injected=worker.injected,
    )


def authored(worker: WorkerPlan, language: str) -> str:
    """The system message of a compiled worker without the output protocol: what its authors wrote. All of it where the
    protocol is another one than this compiler's."""
    values = {"outputs": output_lines(worker.outputs), "aliases": tuple(worker.aliases.items())}
    for injected in (False, True):
        told = text_in("protocol", language, **values, injected=injected)
        if worker.system.endswith(told):
            return worker.system[: -len(told)]
    return worker.system


def instruction(language: str) -> str:
    """What the JSON fallback tells the worker to do."""
    return text_in("instruction", language)


def render(name: str, **values: object) -> str:
    """Our own template `name` filled with `values`."""
    return _environment().get_template(name).render(**values)


def _lines(worker: Worker) -> list[OutputLine]:
    return output_lines([ref.pattern for ref in worker.outputs])


def text_in(name: str, language: str, **values: object) -> str:
    """Our own text `name` in the package's language: English or, for all others, Chinese."""
    known = "en" if language.lower().startswith("en") else "zh"
    return render(f"{name}.{known}.j2", **values).strip("\n")


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    import jinja2

    folder = os.path.join(os.path.dirname(__file__), "templates")
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
