"""Writes docs/strategies.md: the elements, how they compose, and what was measured of the combinations."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from npc.composed.jostle import ELEMENTS
from npc.composed.jostle.elements import JostleElement
from npc.composed.jostle.measuring.boards import DRAWN, MOST_DRAWN, REACHES, REDUCED, Comparison
from npc.composed.jostle.measuring.measures import MEASURES
from npc.composed.jostle.measuring.table import OPPONENTS, Finding
from npc.simulation.report import Estimate

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

    grintu decide --strategy "Observing PALS" --position "4,-1,-1/1,-1,-1/3,-1,-1 r 4"
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

Observing ADVANCER gains more fields per move than ADVANCER, but a piece that takes a switch is often not the first
one, so that its first goal does not come earlier.

## Where Observing PALS keeps closer together, and where not

Observing PALS is meant to keep a smaller distance between its first and its last piece than PALS. By its rule (land on
a special field only if nothing else can move, and otherwise choose the smallest distance) it does so on some boards.
The standard board is not one of them.

- Without special fields both make the same moves: to move the last piece always leaves the smallest distance.
- A switch that carries far tears the pieces of PALS apart. To keep off it pays, the more so the farther it carries.
- MINUS THREE and short switches tear apart by a few fields only. To move another piece instead, while the last one
  stays behind, costs more than that.
- The more special fields there are, the more often the last piece has to wait. The standard board has seven.

The same {board_games} games were played by PALS and by Observing PALS against {opponents}, with the same dice. *Closer*
and *farther apart* stand where the whole 95 % interval of the difference says so. These are all boards that were
looked at, the standard board with only some of its special fields first:

| special fields | PALS | Observing PALS | difference | Observing PALS keeps |
|---|---|---|---|---|
{reduced}

Special fields drawn by lot, a new board for every game; the differences:

| | {columns} |
|---|{rules}|
{drawn}

One switch of a given reach, drawn by lot:

| the switch carries by | PALS | Observing PALS | difference | Observing PALS keeps |
|---|---|---|---|---|
{reaches}
"""


def document(found: Iterable[Finding], games: int, seed: str, compared: Iterable[Comparison] = ()) -> str:
    """The whole page as Markdown. `compared` comes in the order of BOARDS."""
    findings, boards = list(found), list(compared)
    reduced, drawn = boards[: len(REDUCED)], boards[len(REDUCED) : len(REDUCED) + len(DRAWN)]
    reaches = boards[len(REDUCED) + len(DRAWN) :]
    counts = range(MOST_DRAWN + 1)
    used = [name for name in MEASURES if any(finding.claim.measure == name for finding in findings)]
    rows: list[str] = []
    for combination, group in groupby(findings, key=lambda finding: finding.combination):
        for number, finding in enumerate(group):
            name, said = (combination.name, combination.said) if number == 0 else ("", "")
            rows.append(f"| {name} | {said} | {_cells(finding)} |")
    return _PAGE.format(
        elements="\n".join(f"| {e.name} | {_sort(e)} | {e.meaning} |" for e in ELEMENTS.values()),
        games=games,
        board_games=boards[0].games if boards else 0,
        seed=seed,
        opponents=" and ".join(OPPONENTS),
        rows="\n".join(rows),
        measures="\n".join(f"| {name} | {MEASURES[name].meaning} |" for name in used),
        reduced="\n".join(f"| {each.boards.name} | {_compared(each)} |" for each in reduced),
        columns=" | ".join(f"{count} MINUS THREE" for count in counts),
        rules="|".join("---" for _ in counts),
        drawn="\n".join(
            f"| {pairs} switch pair{'' if pairs == 1 else 's'} | {_matrix_row(drawn, pairs)} |" for pairs in counts
        ),
        reaches="\n".join(
            f"| {boards.reach} fields | {_compared(each)} |" for boards, each in zip(REACHES, reaches, strict=False)
        ),
    )


def _sort(element: JostleElement) -> str:
    return "basic" if element.is_basic else "symbiont"


def _compared(found: Comparison) -> str:
    means = f"{found.alone.mean:.2f} | {found.combined.mean:.2f}"
    return f"{means} | {_signed(found.difference)} | {found.verdict}"


def _matrix_row(drawn: Sequence[Comparison], pairs: int) -> str:
    row = drawn[pairs * (MOST_DRAWN + 1) : (pairs + 1) * (MOST_DRAWN + 1)]
    return " | ".join(f"{_signed(found.difference)} {found.verdict}" for found in row)


def _signed(found: Estimate) -> str:
    return f"{found.mean:+.2f} [{found.low:+.2f}, {found.high:+.2f}]"


def _cells(finding: Finding) -> str:
    claim, difference = finding.claim, finding.difference
    cells = (
        f"{claim.measure}: {claim.effect.value}",
        f"{finding.alone.mean:.2f}",
        f"{finding.combined.mean:.2f}",
        _signed(difference),
        "yes" if finding.holds else "no",
    )
    return " | ".join(cells)
