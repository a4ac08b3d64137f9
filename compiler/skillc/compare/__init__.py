"""Two states of a workspace -> what changed in kind, what that costs, and whether suspended sessions survive."""

from skillc.compare.compare import compare
from skillc.compare.compat import Compat, Waiting, compatible
from skillc.compare.difference import Difference
from skillc.compare.side import Bundle, LeftOut, Side

__all__ = ["Bundle", "Compat", "Difference", "LeftOut", "Side", "Waiting", "compare", "compatible"]
