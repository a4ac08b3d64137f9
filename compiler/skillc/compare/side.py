"""One side of a comparison: the plans of a workspace in one of its states, and what was found in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import skillc
from skillc.artifact.plan import Plan
from skillc.diagnostic import Diagnostic
from skillc.model.profiles import Profiles
from skillc.value import field, value

SideKind = Literal["revision", "workspace", "build"]
Why = Literal["errors", "stale", "damaged"]


@value
class Bundle:
    """A package that compiles. `plan` makes its plan when it is asked for; `mark` names all that the plan follows
    from, so that what is equal on both sides is not compiled. A build output has no marks."""

    plan: Callable[[], Plan]
    mark: str | None = None


@value
class LeftOut:
    """Why a package has no plan of its present text: it has `errors`, its plan in a build output is `stale`, or
    `damaged`, as `detail` says. `plan` is an earlier plan of it, where there is one."""

    why: Why
    detail: str = ""
    mark: str | None = None
    plan: Plan | None = None


@value
class Side:
    """`name` is as the user gave it, None for the files as they lie in the working tree; `revision` the full id of a
    git revision; `compiler` the version that made the plans. `findings` is None where nobody looked for any: a build
    output has plans only."""

    name: str | None
    kind: SideKind
    packages: Mapping[str, Bundle]
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] | None = None
    revision: str | None = None
    compiler: str = skillc.__version__
    skills: str = "skills"
    profiles: Profiles | None = None

    @property
    def paths(self) -> frozenset[str]:
        """All packages, compiled or not."""
        return frozenset({*self.packages, *self.left_out})
