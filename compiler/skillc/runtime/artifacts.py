"""What the format says of each artifact of a design: the slots whose workers must get it (SPEC 10.3)."""

from __future__ import annotations

from skillc.tags import family

MOUNTS = {
    "生成规则": ("gm", "auditor"),
    "叙事指南与故事推进": ("narrator", "gm"),
    "叙事指南": ("narrator", "gm"),
    "故事推进": ("narrator", "gm"),
    "变量控制上下文": ("gm", "auditor"),
}
"""Keys of slots by artifact; every other artifact may be mounted where its author wants it."""


def expected_mounts(tag: str) -> tuple[str, ...]:
    """The slots that the artifact under `tag` belongs on.

    >>> expected_mounts("设计.生成规则.草稿#天气"), expected_mounts("大纲.草稿")
    (('gm', 'auditor'), ())
    """
    segments = family(tag).split(".")
    return MOUNTS.get(segments[1], ()) if len(segments) > 1 and segments[0] == "设计" else ()
