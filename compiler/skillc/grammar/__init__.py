"""The small languages that people write in a package: tags and patterns, conditions, policies.

The grammars are `grammar/*.lark`, one file each. They are permissive about characters; which
character is wrong, and where, is decided here (SPEC 3.1). Nothing is ever cached on disk.
"""

from skillc.grammar.characters import character_name, invisible, invisible_in_name, is_invisible
from skillc.grammar.condition import Condition, parse_condition
from skillc.grammar.load import grammar_text
from skillc.grammar.policy import parse_policy
from skillc.grammar.tag import parse_input, parse_pattern, parse_tag

__all__ = [
    "Condition",
    "character_name",
    "grammar_text",
    "invisible",
    "invisible_in_name",
    "is_invisible",
    "parse_condition",
    "parse_input",
    "parse_pattern",
    "parse_policy",
    "parse_tag",
]
