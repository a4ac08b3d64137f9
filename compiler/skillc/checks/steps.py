"""Tables of a manifest that say step by step which worker runs, and columns that say what one reads and writes."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.model.package import Manifest
from skillc.model.prose import normal, tags_in
from skillc.model.topics import ACCEPTANCE, PROFILE, REGISTRY, STAGES, sections_about
from skillc.model.workers_named import worker_column
from skillc.source.document import Section, Table
from skillc.text import Text

ABOUT_STEPS = ("编排", "步骤", "流程", "steps", "pipeline")
STEP_HEADERS = ("步骤", "步", "step", "steps", "顺序", "次序")
IO_HEADERS = (
    *("inputtags", "outputtags", "inputtag", "outputtag", "inputkeys", "outputkeys", "inputkey", "outputkey"),
    *(
        "输入tag",
        "输出tag",
        "输入tags",
        "输出tags",
        "输入标签",
        "输出标签",
        "输入key",
        "输出key",
        "输入键",
        "输出键",
    ),
    *("读取tag", "写入tag", "读tag", "写tag", "读取标签", "写入标签", "reads", "writes"),
)
"""Headers that mean nothing else."""
PLAIN_IO_HEADERS = (
    "输入",
    "输出",
    "读取",
    "写入",
    "读",
    "写",
    "产出",
    "产物",
    "input",
    "output",
    "inputs",
    "outputs",
)
"""Headers that mean so where there are tags below them."""


def step_tables(manifest: Manifest) -> Iterator[Table]:
    """Tables with a column of workers below a heading about the order of work, or with a column of steps.

    Registry, acceptance, stage and profile tables list workers for other ends.
    """
    if not manifest.document.has_tables:
        return
    others = set(map(id, sections_about(manifest.document, (*REGISTRY, *ACCEPTANCE, *STAGES, *PROFILE))))
    for section in manifest.document.sections:
        if id(section) not in others:
            about = any(_is_about_steps(title) for title in (section.title.value, *section.outline[1:]))
            for table in section.tables:
                if worker_column(table) is not None and (about or _has_steps(table)):
                    yield table


def io_columns(manifest: Manifest) -> list[Text]:
    """The headers of columns that say what workers read and write: in step tables those with tags below them too."""
    if not manifest.document.has_tables:
        return []
    steps = set(map(id, step_tables(manifest)))
    found: list[Text] = []
    for section in manifest.document.sections:
        for table in section.tables:
            if worker_column(table) is not None:
                found += _io_headers(section, table, id(table) in steps)
    return found


def _io_headers(section: Section, table: Table, is_steps: bool) -> Iterator[Text]:
    for number, cell in enumerate(table.header):
        header = normal(cell.value)
        tags = (
            is_steps
            and header in PLAIN_IO_HEADERS
            and any(tags_in(row[number].span)[0] for row in table.rows)
        )
        if header in IO_HEADERS or tags:
            yield cell


def _is_about_steps(title: str) -> bool:
    plain = normal(title)
    return any(plain == word or plain.endswith((word, word + "表")) for word in ABOUT_STEPS)


def _has_steps(table: Table) -> bool:
    return any(normal(cell.value) in STEP_HEADERS for cell in table.header)
