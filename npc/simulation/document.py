"""Writes docs/strategies.md: the elements, how they compose, and the table of combinations as measured."""

from collections.abc import Iterable
from itertools import groupby

from npc.elements import ELEMENTS
from npc.simulation.report import MEASURES
from npc.simulation.table import OPPONENTS, Finding

_PAGE = """\
# Strategies

A strategy is an ordered list of elements. Basic elements, in upper case, can play alone; symbionts change how a host
plays.

| element | kind | what it does |
|---|---|---|
{elements}

## Composition

The list reads from left to right by priority. Each element divides the movable pieces into ordered classes; the best
class of the first element goes on to the second, and so on; what is still tied at the end goes to the lowest piece
id. Observing orders according to the first basic element of the list. While an opponent stands on a goal, Lingering
replaces that first basic element by the next one of the list, or by ADVANCER. Any list of distinct elements with at
least one basic element plays, as long as it is not the whole pool. The name is the list itself, so `Observing PALS`
and `PALS Observing` are different strategies: in the second one Observing only breaks the ties that PALS leaves.

After a six, a strategy rolls again while the piece that it would move with six points stands below the last field
minus twelve.

    grintu decide --strategy "Observing PALS" --position "4,-1,-1/1,-1,-1/3,-1,-1 r" --points 4
    grintu simulate --seats "ADVANCER,Observing PALS,RANDOMIZER" --games 1000 --seed 1
    grintu prolog --strategy "Observing PALS"

## The table of combinations

Made by `grintu simulate --combinations --games {games} --seed {seed} --write docs/strategies.md`. Each combination
played {games} games against {opponents}, the seats changing from game to game, and its host alone played the same
number with the same dice. A difference is the mean over pairs of games, with its 95 % interval. It holds if the whole
interval lies on the side that the description claims.

| combination | what it does | measure | host alone | combination | difference | holds |
|---|---|---|---|---|---|---|
{rows}

| measure | meaning |
|---|---|
{measures}

Two things are worth knowing. Observing PALS leaves its pieces closer together than PALS in every turn in which
special fields play no part, but it moves any other piece rather than land on a special field, and over whole games
that pulls its pieces further apart than PALS's. Observing ADVANCER gains more fields per move than ADVANCER, but a
piece that takes a switch is often not the first one, so that its first goal does not come earlier.
"""


def document(found: Iterable[Finding], games: int, seed: str) -> str:
    """The whole page as Markdown."""
    findings = list(found)
    used = [name for name in MEASURES if any(finding.claim.measure == name for finding in findings)]
    rows: list[str] = []
    for combination, group in groupby(findings, key=lambda finding: finding.combination):
        for number, finding in enumerate(group):
            name, said = (combination.name, combination.said) if number == 0 else ("", "")
            rows.append(f"| {name} | {said} | {_cells(finding)} |")
    return _PAGE.format(
        elements="\n".join(f"| {e.name} | {e.kind.value} | {e.meaning} |" for e in ELEMENTS.values()),
        games=games,
        seed=seed,
        opponents=" and ".join(OPPONENTS),
        rows="\n".join(rows),
        measures="\n".join(f"| {name} | {MEASURES[name].meaning} |" for name in used),
    )


def _cells(finding: Finding) -> str:
    claim, difference = finding.claim, finding.difference
    cells = (
        f"{claim.measure}: {claim.effect.value}",
        f"{finding.alone.mean:.2f}",
        f"{finding.combined.mean:.2f}",
        f"{difference.mean:+.2f} [{difference.low:+.2f}, {difference.high:+.2f}]",
        "yes" if finding.holds else "no",
    )
    return " | ".join(cells)
