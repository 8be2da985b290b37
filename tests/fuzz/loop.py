"""Fuzzing one target: mutate what is known, keep what reaches new lines, write down what breaks.

Everything follows from a seed. An input that breaks the check is shortened as long as it breaks it in the same way, and
kept in the target's corpus, where the tests replay it from then on.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tests.fuzz.coverage import new_watch, watching
from tests.fuzz.mutation import mutate
from tests.fuzz.target import Target

MOST_KNOWN: Final = 600
MOST_KEPT: Final = 12
LONGEST_KEPT: Final = 4000
SHORTENING: Final = 300
"""Attempts to make a faulty input shorter."""


@dataclass
class Fault:
    """An input that broke the check, and how."""

    target: str
    text: str
    where: str
    trace: str


@dataclass
class Outcome:
    """What came of fuzzing a target."""

    target: str
    tried: int = 0
    accepted: int = 0
    lines: int = 0
    seconds: float = 0.0
    faults: dict[str, Fault] = field(default_factory=dict)
    """By place, so that one mistake counts once."""


class Fuzzer:
    """Can be run for a while again and again; it goes on where it stopped."""

    def __init__(self, target: Target, seed: str) -> None:
        self.target = target
        self.rng = Random(f"{seed}:{target.name}")
        self.known = [*target.seeds(), *target.kept()]
        self.original = len(self.known)
        self.waiting = list(self.known)
        self.watch = new_watch()
        self.outcome = Outcome(target.name)

    def run(self, seconds: float = float("inf"), inputs: int | None = None) -> Outcome:
        """Try inputs until the time or their number is used up."""
        started, first = time.monotonic(), self.outcome.tried
        with watching(self.watch):
            while time.monotonic() - started < seconds and (inputs is None or self.outcome.tried - first < inputs):
                self.one()
        self.outcome.seconds += time.monotonic() - started
        self.outcome.lines = len(self.watch.seen)
        return self.outcome

    def one(self) -> None:
        text = self.waiting.pop() if self.waiting else self._mutated()
        before = len(self.watch.seen)
        self.outcome.tried += 1
        result = tried(self.target, text)
        if isinstance(result, Fault):
            self._note(result)
            return
        self.outcome.accepted += result
        if len(self.watch.seen) > before:
            self._learn(text)

    def _mutated(self) -> str:
        return mutate(self.rng, self.rng.choice(self.known), self.known, self.target.words)

    def _learn(self, text: str) -> None:
        if len(self.known) >= MOST_KNOWN:
            self.known[self.rng.randrange(self.original, MOST_KNOWN)] = text
        else:
            self.known.append(text)

    def keep(self) -> None:
        """Write what broke the check, and some of what reached new lines, into the target's corpus."""
        for fault in self.outcome.faults.values():
            self.target.keep(kept_name("fault", fault.where), fault.text)
        reaching = sorted(self.known[self.original :], key=len)
        room = max(0, MOST_KEPT - len(self.target.kept()))
        for text in [text for text in reaching if len(text) <= LONGEST_KEPT][:room]:
            self.target.keep(kept_name("reach", text), text)

    def _note(self, fault: Fault) -> None:
        if fault.where in self.outcome.faults:
            return
        self.watch.close()
        try:
            self.outcome.faults[fault.where] = shortened(self.target, fault, self.rng)
        finally:
            self.watch.open()


def tried(target: Target, text: str) -> bool | Fault:
    """Whether `text` was accepted, or how the check broke on it."""
    try:
        return target.check(text)
    except Exception as error:
        return Fault(target.name, text, _place(error), traceback.format_exc(limit=-6))


def _place(error: BaseException) -> str:
    """The kind of error and the last line of ours: the same for inputs that break in the same way."""
    steps = traceback.extract_tb(error.__traceback__)
    ours = [step for step in steps if "site-packages" not in step.filename and "/lib/python" not in step.filename]
    last = (ours or list(steps))[-1]
    return f"{type(error).__name__} at {last.filename.rpartition('/')[2]}:{last.name}:{last.line}"


def shortened(target: Target, fault: Fault, rng: Random) -> Fault:
    """The shortest input found that breaks in the same way."""
    best = fault
    for _ in range(SHORTENING):
        size = max(1, len(best.text) // rng.choice((2, 4, 8, 16, len(best.text) or 1)))
        start = rng.randrange(max(1, len(best.text)))
        shorter = tried(target, best.text[:start] + best.text[start + size :])
        if isinstance(shorter, Fault) and shorter.where == best.where and len(shorter.text) < len(best.text):
            best = shorter
    return best


def kept_name(kind: str, about: str) -> str:
    return f"{kind}-{hashlib.sha256(about.encode(errors='surrogatepass')).hexdigest()[:10]}"
