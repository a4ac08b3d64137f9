"""`skillc order compile`: switches and order as one document for 设计.worker集."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.order_file import dumped, parts_of, typed
from skillc.cli.order_target import find_target, plan_for, plan_of
from skillc.cli.place import find_package, find_place
from skillc.report.reasons import reason
from skillc.runtime import RunnablePlan
from skillc.runtime.order import normal_order
from skillc.runtime.orderdocument import order_in_force, with_order, worker_set
from skillc.runtime.orderfault import OrderRefused, order_faults
from skillc.source.yamlform import dump_yaml
from skillc.store.files import rewrite
from skillc.wording import say


def merged(args: argparse.Namespace) -> int:
    """Merge the targets, later ones over earlier ones, and print or write the document."""
    plan = _plan(args)
    order, switches, document = _merge([word for word in args.target if os.path.isfile(word)])
    if order is None:
        if plan is None:
            raise Stop(say("there is no order in {files}", files=", ".join(args.target)))
        order = order_in_force(plan)[0]
    try:
        made = _document(plan, order, switches, document)
    except OrderRefused as refused:
        raise Stop("\n".join(fault.text for fault in refused.faults), FINDINGS) from refused
    _emit(made, args.output)
    return CLEAN


def _plan(args: argparse.Namespace) -> RunnablePlan | None:
    """Of the package that is named, by option or as a target, else of the one that the first file lies in."""
    if args.package is not None:
        place = find_place([])
        return plan_of(place, find_package(place, args.package))
    packages = [word for word in args.target if not os.path.isfile(word)]
    if len(packages) > 1:
        raise Stop(say("name one package, not {packages}", packages=", ".join(packages)))
    if packages:
        return find_target(packages[0], None).plan
    return next((plan for file in args.target if (plan := plan_for(file, None))), None)


def _merge(files: list[str]) -> tuple[dict[str, Any] | None, dict[str, bool], dict[str, Any]]:
    """The last order of the files, the switches that their documents say, and the rest of the documents."""
    order: dict[str, Any] | None = None
    switches: dict[str, bool] = {}
    document: dict[str, Any] = {}
    for file in files:
        parts = parts_of(typed(file))
        order = parts.order if parts.order is not None else order
        switches.update(parts.switches)
        document.update(parts.document)
    return order, switches, document


def _document(
    plan: RunnablePlan | None, order: dict[str, Any], switches: dict[str, bool], document: dict[str, Any]
) -> dict[str, Any]:
    faults = order_faults(plan, order)
    if faults:
        raise OrderRefused(faults)
    normal = normal_order(order)
    whole = {**normal, "play_slots": {**normal["play_slots"], **switches}}
    return worker_set(plan, whole, document) if plan else with_order(document, whole)


def _emit(document: dict[str, Any], output: str | None) -> None:
    if output is None:
        sys.stdout.write(dumped(document))
        return
    text = dump_yaml(document, one_line="inserts") if output.endswith((".yaml", ".yml")) else dumped(document)
    try:
        rewrite(output, text.encode())
    except OSError as error:
        raise Stop(say("cannot write `{path}`: {reason}", path=output, reason=reason(error))) from error
