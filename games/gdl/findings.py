"""What is wrong with a description: where, which rule of the language is broken, and what helps.

An error leaves the meaning of a description undefined, and nobody can play it. A warning tells what the language
forbids although everybody knows what is meant; many public descriptions break a rule and are played all the same.
"""

from enum import Enum
from typing import NamedTuple

from games.gdl.terms import Place
from games.protocol import NotationError, Remark


class Level(Enum):
    ERROR = "error"
    WARNING = "warning"


class Finding(NamedTuple):
    place: Place
    level: Level
    rule: str
    """The rule of the language, in a word or two: "safety"."""
    message: str
    hint: str
    """What helps."""

    @property
    def remark(self) -> Remark:
        """The finding as it is told of games of any kind."""
        return Remark(*self.place, self.level is Level.ERROR, self.rule, self.message, self.hint)

    def __str__(self) -> str:
        return f"{self.place}: {self.level.value}: {self.rule}: {self.message} ({self.hint})"


class DescriptionError(NotationError):
    """A description without a meaning. `findings` has everything that was found, the message the first errors."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        errors = [finding for finding in findings if finding.level is Level.ERROR]
        shown = [str(finding) for finding in errors[:3]]
        if len(errors) > len(shown):
            shown.append(f"and {len(errors) - len(shown)} more")
        super().__init__("; ".join(shown))
        self.findings = findings
        self.remarks = tuple([finding.remark for finding in findings])
