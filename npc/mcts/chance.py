"""The random numbers of kernels/chance.py as plain Python draws them fastest: the same ones, in the same order."""

from typing import Final

from kernels.chance import Chance
from kernels.language import wrap64

_ALL: Final = (1 << 64) - 1
_LOW: Final = (1 << 32) - 1
_WAYS_OF_32_BITS: Final = 1 << 32
_LAST_PLACE: Final = 1.0 / (1 << 53)


class Generator:
    """Goes on where a generator of kernels stands."""

    __slots__ = ("_state",)

    def __init__(self, chance: Chance) -> None:
        self._state = chance.state & _ALL

    @property
    def state(self) -> int:
        """Where it stands, as the generator of kernels says it."""
        return wrap64(self._state)

    @state.setter
    def state(self, state: int) -> None:
        self._state = state & _ALL

    def bits(self) -> int:
        """64 random bits, as a number that is not negative."""
        self._state = mixed = (self._state + 0x9E3779B97F4A7C15) & _ALL
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _ALL
        return mixed ^ (mixed >> 31)

    def below(self, ways: int) -> int:
        """A number from 0 to `ways` - 1, for up to 2**31 ways, each as likely as the others."""
        product = (self.bits() >> 32) * ways
        if product & _LOW < ways:
            surplus = (_WAYS_OF_32_BITS - ways) % ways
            while product & _LOW < surplus:
                product = (self.bits() >> 32) * ways
        return product >> 32

    def way(self, ways: int) -> int:
        """The same for any number of ways: where there are many, as likely as the others up to a part in 2**64."""
        if ways == 1:
            return 0
        if ways < _WAYS_OF_32_BITS >> 1:
            return self.below(ways)
        number, span = self.bits(), 1 << 64
        while span < ways << 64:
            number, span = (number << 64) | self.bits(), span << 64
        return number * ways // span

    def fraction(self) -> float:
        """From 0 up to but not including 1."""
        return (self.bits() >> 11) * _LAST_PLACE
