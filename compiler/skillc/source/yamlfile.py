"""YAML and JSON files of a package: registry, catalogues, bindings, projection orders."""

from __future__ import annotations

from skillc.diagnostic import Diagnostic, Severity
from skillc.source.characters import value_characters
from skillc.source.directives import bad_directives
from skillc.source.document import YamlFile
from skillc.source.jsontree import read_json_tree
from skillc.source.yamltree import read_tree
from skillc.text import Source


def read_yaml(source: Source) -> tuple[YamlFile, list[Diagnostic]]:
    """The file's tree. `broken` when it has an error of form; the root is None when nothing can be read.

    A file whose name ends in `.json` is read as strict JSON, every other as strict YAML (SPEC 2.3).
    """
    region = source.span(0, len(source.text))
    root, found = read_json_tree(region) if source.path.endswith(".json") else read_tree(region)
    found.extend(value_characters(root))
    broken = any(diagnostic.severity is Severity.ERROR for diagnostic in found)
    file = YamlFile(source, root, broken)
    found.extend(bad_directives(file))
    return file, found
