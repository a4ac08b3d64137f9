"""Real processes that start in a few milliseconds: forked from one that has imported everything already.

with Nursery() as nursery:
    child = nursery.start("contending:opens", where)
    os.kill(child, signal.SIGKILL)
    assert nursery.ended(child) == -signal.SIGKILL
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

TESTS = Path(__file__).parent
PRELOADED = ("skillc.execute.session", "skillc.execute.upgrade", "serving.dying_session", "alembic.command")


class Nursery:
    """One process with a single thread, that forks others and knows how they ended."""

    def __enter__(self) -> Nursery:
        paths = [str(TESTS), str(TESTS.parent / "compiler"), str(TESTS / "benchmarks")]
        self._process = subprocess.Popen(
            [sys.executable, str(TESTS / "nursery.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        for end in (self._process.stdin, self._process.stdout):
            if end is not None:
                end.close()
        self._process.wait(60)

    def start(self, call: str, *arguments: object) -> int:
        """The number of a new process that calls `module:function`."""
        return int(self._asked("start", call, *arguments))

    def ended(self, child: int) -> int:
        """How a process ended: its exit code, or minus the signal that killed it. Waits for it."""
        return int(self._asked("wait", child))

    def run(self, calls: Sequence[Sequence[object]]) -> list[int]:
        """The exit codes of all `calls`, made at once."""
        children = [self.start(str(call), *arguments) for call, *arguments in calls]
        return [self.ended(child) for child in children]

    def _asked(self, *words: object) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


def main() -> None:
    for name in PRELOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        word, *arguments = json.loads(line)
        if word == "start":
            answer = _forked(*arguments)
        else:
            answer = os.waitstatus_to_exitcode(os.waitpid(arguments[0], 0)[1])
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _forked(call: str, *arguments: object) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        module, _, function = call.partition(":")
        getattr(importlib.import_module(module), function)(*arguments)
        code = 0
    except BaseException:  # noqa: BLE001 - whatever it was, the test must see it and the process must end
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
