"""YAML and JSON files of a package: registry, catalogues, bindings, projection orders."""

from __future__ import annotations

from skillc.diagnostic import Diagnostic, Severity
from skillc.source.characters import value_characters
from skillc.source.directives import bad_directives
from skillc.source.document import YamlFile
from skillc.source.node import Node
from skillc.source.plainyaml import read_plain
from skillc.text import Source


def read_yaml(source: Source) -> tuple[YamlFile, list[Diagnostic]]:
    """The file's tree. `broken` when it has an error of form; the root is None when nothing can be read.

    A file whose name ends in `.json` is read as strict JSON, every other as strict YAML (SPEC 2.3).
    """
    root, found = _tree(source)
    broken = any(diagnostic.severity is Severity.ERROR for diagnostic in found)
    file = YamlFile(source, root, broken)
    found.extend(bad_directives(file))
    return file, found


def _tree(source: Source) -> tuple[Node | None, list[Diagnostic]]:
    region = source.span(0, len(source.text))
    if source.path.endswith(".json"):
        from skillc.source.jsontree import read_json_tree

        root, found = read_json_tree(region)
    elif (plain := read_plain(region)) is not None:
        return plain, []
    else:
        from skillc.source.yamltree import read_tree

        root, found = read_tree(region, strict=True)
    found.extend(value_characters(root))
    return root, found
