"""The flow check of a package: who comes to know what it must not, by which way, and what cuts nothing."""

from __future__ import annotations

from skillc.graph.flow_types import NO_FLOWS, Flows
from skillc.graph.secrets import may_have_secrets, secrets_of
from skillc.graph.types import TagGraph
from skillc.once import once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from skillc.graph.flow_types import Secret
    from skillc.graph.receiving import Receiving


@once
def flows_of(graph: TagGraph) -> Flows:
    """All leaks of a package (SPEC 8.4), and the declassify entries that cut nothing.

    Linear in the channels that carry a secret; a package without secrets costs one look at its outputs. What
    is proved: the runtime never places a labelled tag in the context of somebody who must not read it, nor, but
    for the leaks told here, what was written by somebody who had read it.
    """
    catalogue = graph.package.catalogue
    if catalogue.labels_broken or not (catalogue.declassify or may_have_secrets(graph)):
        return NO_FLOWS
    from skillc.graph.receiving import receiving_of

    receiving = receiving_of(graph)
    secrets = tuple(secrets_of(graph, receiving))
    if not secrets and not catalogue.declassify:
        return NO_FLOWS
    return _followed(graph, receiving, secrets)


def _followed(graph: TagGraph, receiving: Receiving, secrets: tuple[Secret, ...]) -> Flows:
    """Where the secrets go. Most packages have none, and load nothing of this."""
    from skillc.graph.channels import Channels
    from skillc.graph.clearance import Clearance
    from skillc.graph.compartments import Compartments
    from skillc.graph.idle import idle_tags
    from skillc.graph.leaks import leaks_of
    from skillc.graph.reach import Reach
    from skillc.graph.spread import Spread

    parts = Compartments(secrets)
    clearance = Clearance(graph, receiving, parts)
    reach = Reach(parts, Channels(graph, receiving, parts), clearance)
    leaks = leaks_of(graph, Spread(reach)) if reach.refused else ()
    return Flows(leaks, tuple(idle_tags(graph, receiving, reach)))
