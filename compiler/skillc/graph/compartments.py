"""Sets of secrets as the bits of one number, so that what a worker knows is joined and cut in single steps.

There are six planes of one bit a secret: how a secret is on its way. TO_BLIND and TO_OTHERS tell for whom
the way is still open, since acceptance by the user cuts only the second. OWN: private text of a role, in
that role's own tags or run. BESIDE, added to these: it did not come by reading, but from its creator's
other outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from skillc.graph.flow_types import Secret

TO_BLIND, TO_OTHERS, OWN = 0, 1, 2
BESIDE = 3
PLANES = range(6)


class Compartments:
    """The secrets of a package and the arithmetic of their bits. A *member* is a secret's bit in plane 0."""

    __slots__ = ("count", "everything", "families", "own", "reading", "secrets")

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self.secrets = tuple(secrets)
        self.count = len(self.secrets)
        whole = (1 << self.count) - 1
        self.everything = self.bits(whole, *PLANES)
        self.own = self.bits(whole, OWN, BESIDE + OWN)
        self.reading = self.bits(whole, TO_BLIND, TO_OTHERS, OWN)
        private = self.members(lambda secret: secret.private)
        self.families = (self.bits(whole & ~private, *PLANES), self.bits(private, *PLANES))

    def members(self, wanted: Callable[[Secret], bool]) -> int:
        return sum(1 << number for number, secret in enumerate(self.secrets) if wanted(secret))

    def bits(self, members: int, *planes: int) -> int:
        return sum(members << plane * self.count for plane in planes)

    def members_in(self, bits: int) -> int:
        """The secrets of which there is any bit."""
        found, whole = 0, (1 << self.count) - 1
        while bits:
            found |= bits & whole
            bits >>= self.count
        return found

    def widened(self, bits: int) -> int:
        """Outside of the role's own tags, its own is somebody's."""
        own = bits & self.own
        return bits ^ own | own >> self.count if own else bits

    def narrowed(self, bits: int, members: int) -> int:
        """In a role's own tags, that role's secrets (`members`) are its own."""
        moved = bits & self.bits(members, TO_OTHERS, BESIDE + TO_OTHERS)
        return bits ^ moved | moved << self.count

    def origins(self, bit: int) -> int:
        """What may have become `bit` by widening or narrowing, with `bit` itself."""
        return bit | (bit >> self.count if bit & self.own else bit << self.count)

    def parts(self, bits: int) -> Iterator[tuple[int, int, Secret]]:
        """Each bit with its plane and secret, by secret."""
        found = []
        while bits:
            bit = bits & -bits
            bits ^= bit
            plane, number = divmod(bit.bit_length() - 1, self.count)
            found.append((number, plane, bit))
        for number, plane, bit in sorted(found):
            yield bit, plane, self.secrets[number]
