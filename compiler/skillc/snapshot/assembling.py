"""A case -> its context as text, or why there is none, with the place and a way out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from skillc import driver
from skillc.artifact.codec import encode
from skillc.config import Config
from skillc.diagnostic import Diagnostic, Severity
from skillc.execute.roles import role_ids
from skillc.model.embedded import plain
from skillc.report.counts import plural
from skillc.runtime import AssemblyRefused, Board, Context, RunnablePlan, load_plan
from skillc.runtime.jsontext import DEEPEST, is_deep
from skillc.runtime.slotplan import slot_plan
from skillc.snapshot.cases import Case
from skillc.snapshot.rendering import rendered
from skillc.source.document import YamlFile
from skillc.source.names import CONTEXTS
from skillc.source.node import Mapping as MappingNode
from skillc.source.reader import Reader
from skillc.text import Source, Span
from skillc.value import replace, value
from skillc.wording import say

_CASE = ("worker", "slot", "role", "variant")
"""What a board says about whom it is for."""
TOGETHER = 16
"""Packages that are read at once: few enough when one case is asked for, enough for many packages."""


@value
class Fault:
    """Why a case has no context: at `span`, in one sentence, with a way out where one is known."""

    span: Span
    message: str
    help: str = ""


@value
class Compiled:
    """A package read for its cases; without a plan, `faults` say why."""

    boards: Mapping[str, YamlFile]
    errors: Mapping[str, tuple[Diagnostic, ...]]
    plan: RunnablePlan | None
    faults: tuple[Fault, ...] = ()


class Assembler:
    """Assembles the cases of one workspace; each package is read and compiled once, when it is first needed, some of
    those that are `wanted` later along with it: a look at one package is a look at its neighbours' names."""

    def __init__(self, reader: Reader, config: Config) -> None:
        self._reader = reader
        self._config = config
        self._wanted: dict[str, None] = {}
        self._compiled: dict[str, Compiled] = {}

    def want(self, package: str) -> None:
        """Cases of `package` will be asked for, in the order in which packages are wanted."""
        self._wanted[package] = None

    def text(self, case: Case) -> str | tuple[Fault, ...]:
        """What the snapshot of `case` would hold now. What is wrong with one board harms no other."""
        if case.twin is not None:
            return (_twins(case),)
        if case.package not in self._compiled:
            others = [name for name in self._wanted if name not in self._compiled and name != case.package]
            together = frozenset([case.package, *others[: TOGETHER - 1]])
            self._compiled |= _compiled(self._reader, self._config, together)
        compiled = self._compiled[case.package]
        if compiled.plan is None:
            return compiled.faults
        return _assembled(case, compiled, compiled.plan)


def _compiled(reader: Reader, config: Config, packages: frozenset[str]) -> dict[str, Compiled]:
    """The packages as `skillc build` compiles them, but for errors in boards: a plan does not depend on them."""
    checked = driver.check(reader, config.skills, packages, config.profiles, config.flow)
    errors = [d for d in checked.diagnostics if d.severity is Severity.ERROR]
    boards = tuple(f"{config.skills}/{package}/{CONTEXTS}/" for package in packages)
    rest = tuple(d for d in errors if not d.span.path.startswith(boards))
    built = {one.package.path: one for one in driver.build(replace(checked, diagnostics=rest))}
    files = {one.path: one for one in checked.files.packages}
    found = {}
    for package in packages:
        plan = built[package].plan if package in built else None
        read = files[package].boards if package in files else ()
        found[package] = Compiled(
            {board.source.path: board for board in read},
            _by_path(errors),
            load_plan(encode(plan)) if plan else None,
            () if plan else (_no_plan(config, package, rest),),
        )
    return found


def _by_path(errors: Iterable[Diagnostic]) -> dict[str, tuple[Diagnostic, ...]]:
    found: dict[str, tuple[Diagnostic, ...]] = {}
    for error in errors:
        found[error.span.path] = (*found.get(error.span.path, ()), error)
    return found


def _no_plan(config: Config, package: str, found: Iterable[Diagnostic]) -> Fault:
    """Why there is no plan: an error in the package, in a folder above it, or in the catalogue of the workspace."""
    folder = f"{config.skills}/{package}"
    above = (
        "",
        config.skills,
        f"{config.skills}/{package.split('/')[0]}",
        f"{config.skills}/tags.yaml",
        folder,
    )
    errors = [d for d in found if d.span.path.startswith(f"{folder}/") or d.span.path in above]
    if not errors:
        return Fault(
            Source(folder, "").span(), say("`{package}` is no package: it has no manifest", package=package)
        )
    return Fault(
        errors[0].span,
        say(
            "the package has {errors}, so there is no plan; the first: {message}",
            errors=plural(len(errors), "error"),
            message=errors[0].message,
        ),
        say("`skillc check {package}` tells all of them", package=package),
    )


def _twins(case: Case) -> Fault:
    return Fault(
        Source(case.path, "").span(),
        say("`{twin}` would have the same snapshot, `{snapshot}`", twin=case.twin, snapshot=case.snapshot),
        say("rename one of the two"),
    )


def _assembled(case: Case, compiled: Compiled, plan: RunnablePlan) -> str | tuple[Fault, ...]:
    errors = compiled.errors.get(case.path, ())
    file = compiled.boards.get(case.path)
    told = tuple(Fault(d.span, d.message, d.help) for d in errors)
    if file is None or file.broken:
        missing = Fault(Source(case.path, "").span(), say("the board cannot be read"))
        return told or (missing,)
    try:
        data = _data(file)
        board = Board.from_data(data, plan.moved)
    except ValueError as error:
        return told or (Fault(file.source.span(), str(error)),)
    who = board.case.get("worker"), board.case.get("slot")
    if who == (None, None):
        return (_nobody(file, plan),)
    at_case = {_place(file, key) for key in _CASE}
    if any(fault.span in at_case for fault in told):
        return told
    try:
        context = _context(plan, board, *who)
    except AssemblyRefused as error:
        return (_refused(file, plan, board, error), *told)
    return rendered(case.name, {"package": case.package, **_facts(plan, board)}, context)


def _data(file: YamlFile) -> object:
    """The board as plain data: the scalars of YAML are text, those of JSON what they are (as with `show --board`).
    ValueError for what is no JSON."""
    if not file.source.path.endswith(".json"):
        return {} if file.root is None else plain(file.root)
    try:
        value = json.loads(file.source.text)
    except RecursionError:
        value = None
    if value is None or is_deep(value):
        raise ValueError(f"the board is nested more than {DEEPEST} levels deep, or holds nothing")
    return value


def _context(plan: RunnablePlan, board: Board, worker: str | None, slot: str | None) -> Context:
    role, variant = board.case.get("role"), board.case.get("variant")
    if slot is None:
        return plan.assemble(worker or "", board, role=role, variant=variant)
    return plan.assemble(worker or slot, board, role=role, variant=variant, slot=slot)


def _facts(plan: RunnablePlan, board: Board) -> dict[str, str | None]:
    """For whom the context is; of a slot also who plays it, and where its order is from."""
    facts = {key: board.case.get(key) for key in ("slot", "worker", "role", "variant")}
    if facts["slot"] is None:
        return facts
    played = slot_plan(plan, facts["slot"], board)
    return {"slot": played.key, "worker": played.worker, "order": played.origin, "role": facts["role"]}


def _nobody(file: YamlFile, plan: RunnablePlan) -> Fault:
    return Fault(
        file.source.span(),
        say("the board names no worker and no slot, so nobody's context can be assembled"),
        say("add `worker:` with one of {workers}", workers=", ".join(f"`{id}`" for id in plan.order)),
    )


def _refused(file: YamlFile, plan: RunnablePlan, board: Board, error: AssemblyRefused) -> Fault:
    roles = role_ids(plan, board)
    wanted = "role" not in board.case and bool(roles)
    return Fault(
        _place(file, *(["worker", "slot"] if wanted else ["slot", "worker"])),
        str(error),
        say("add `role:` with one of {roles}", roles=", ".join(f"`{role}`" for role in roles))
        if wanted
        else "",
    )


def _place(file: YamlFile, *keys: str) -> Span:
    """Where the board says whom it is for."""
    root = file.root
    for key in keys:
        value = root.get(key) if isinstance(root, MappingNode) else None
        if value is not None:
            return value.span
    return file.source.span()
