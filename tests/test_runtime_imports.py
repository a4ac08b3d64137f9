"""The runtime starts light: it brings in nothing but the house's own plain modules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import skillc.runtime

ROOMS = Path(skillc.runtime.__file__).parent.parent
ON_DEMAND = {
    "skillc.runtime.artifacts",
    "skillc.runtime.findjson",
    "skillc.runtime.flat",
    "skillc.runtime.fragmentform",
    "skillc.runtime.boardfile",
    "skillc.runtime.boardorder",
    "skillc.runtime.filling",
    "skillc.runtime.fragment",
    "skillc.runtime.instance",
    "skillc.runtime.layout",
    "skillc.runtime.order",
    "skillc.runtime.orderdocument",
    "skillc.runtime.orderedit",
    "skillc.runtime.orderfault",
    "skillc.runtime.reference",
    "skillc.runtime.slotplan",
    "skillc.runtime.slots",
    "skillc.runtime.synthesis",
    "skillc.runtime.verdict",
    "skillc.artifact.encoding",
    "skillc.artifact.codec",
    "skillc.artifact.index",
}
PROBE = """
import sys
before = set(sys.modules)
sys.path.insert(0, {root!r})
from skillc.runtime import *
print(*sorted(set(sys.modules) - before))
"""


def imported() -> set[str]:
    code = PROBE.format(root=str(ROOMS.parent))
    done = subprocess.run([sys.executable, "-I", "-S", "-B", "-c", code], capture_output=True, check=True)
    return set(done.stdout.decode().split())


def test_importing_the_runtime_brings_in_its_own_rooms_and_nothing_else() -> None:
    own = {
        f"skillc.{room}.{path.stem}"
        for room in ("artifact", "runtime")
        for path in (ROOMS / room).glob("*.py")
        if path.stem != "__init__"
    }
    packages = {"__future__", "skillc", "skillc.artifact", "skillc.runtime", "skillc.tags"}
    packages |= {"itertools", "operator", "_operator"}
    assert imported() == (own - ON_DEMAND) | packages
