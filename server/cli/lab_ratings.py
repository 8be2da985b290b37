"""`grintu rasch` and `grintu rate`: the ratings of a CSV file, as tables or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lab.checks import checks
from lab.judgements import in_order
from lab.rasch import NotConvergedError, gather, report
from lab.rasch.wright import bar
from lab.ratings import rate as rate_log
from lab.reading import BadRowsError, read_judgements, read_responses
from lab.records import Record, checks_record, rasch_record, ratings_record
from server.cli.printing import Printer

BAD_INPUT = 2
MAP_WIDTH = 30
LARGE = 1e4

RATING_COLUMNS = {
    "strategy": "strategy",
    "judgements": "judged",
    "detection": "detection",
    "fun": "fun",
    "challenge": "challenge",
    "believability": "believable",
    "difficulty": "δ",
}
MIXED_COLUMNS = {
    "strategy": "strategy",
    "share": "share",
    "estimate": "− humans",
    "between": "95 %",
    "p": "equivalence p",
}
TURING_COLUMNS = {
    "strategy": "strategy",
    "share": "share",
    "interval": "95 %",
    "difference": "− humans",
    "p": "equivalence p",
    "within": "− humans of the match",
    "e_told_apart": "e told apart",
    "together": "of all (e-BH)",
}
PAIR_COLUMNS = {"pair": "pair", "persons": "persons", "q3": "Q3", "above_mean": "above the mean"}
SHRUNK_COLUMNS = {"strategy": "strategy", "difficulty": "δ", "se": "se"}
LEARNING_COLUMNS = {"number": "judgement", "right": "right", "se": "se"}
PERSON_COLUMNS = {
    "person": "person",
    "judgements": "judged",
    "weight": "weight",
    "ability": "θ",
    "se": "se",
    "outfit": "outfit, posterior",
    "outfit_at_estimate": "outfit, conventional",
    "d_prime": "d′",
    "criterion": "c",
    "super_expert": "expert",
}

app = typer.Typer(no_args_is_help=True)

File = Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="A CSV file with a header.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]

Read = TypeVar("Read")


@app.command()
def rasch(file: File, as_json: AsJson = False) -> None:
    """Fit a Rasch model (marginal maximum likelihood) to a file with the columns person, item, response (0 or 1).

    Higher difficulty means fewer ones; the mean difficulty is 0, and abilities are on the same scale.
    """
    rows = _read(file, read_responses)
    try:
        record = rasch_record(report(gather(rows)))
    except NotConvergedError as error:
        _refuse(f"{file}: {error}")
    show(record, as_json, _rasch_tables)


@app.command()
def rate(
    file: File,
    as_json: AsJson = False,
    checked: Annotated[
        bool,
        typer.Option("--checks", help="Check the models and the judges, too: slopes, dependence, agreement, learning."),
    ] = False,
) -> None:
    """Rate persons and strategies from judgements.

    Columns: time, match, person, seat_truth ("human" or the strategy), verdict (human, artificial, cannot tell),
    sureness (0 to 100), enjoyment (1 to 5), challenge (not, somewhat, overstraining, unsure). The last three may be
    empty. A column judged may say who sat on a human seat: without it nobody knows how much people differ, and the
    crossed mixed model, the main analysis, is left out.
    """
    judgements = _read(file, read_judgements)
    try:
        ratings = rate_log(judgements)
    except NotConvergedError as error:
        _refuse(f"{file}: {error}")
    record = ratings_record(ratings)
    if checked:
        against = ratings.settings.experts.human_counts_against
        record["checks"] = checks_record(checks(in_order(judgements), ratings.expertise.rasch, against))
    show(record, as_json, rating_tables)
    if checked and not as_json:
        check_tables(record["checks"], Printer())


def _read(file: Path, read: Callable[[str], Read]) -> Read:
    try:
        return read(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        _refuse(f"{file}: not UTF-8 text (byte {error.start})")
    except BadRowsError as error:
        _refuse("\n".join(f"{file}: {row}" for row in error.rows))


def _refuse(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(BAD_INPUT)


def show(record: Record, as_json: bool, tables: Callable[[Record, Console], None]) -> None:
    if as_json:
        typer.echo(json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False))
    else:
        tables(record, Printer())


def _rasch_tables(record: Record, console: Console) -> None:
    console.print(
        f"Abilities: mean {record['ability_mean']:.3f}, standard deviation {record['ability_sd']:.3f}; "
        f"log-likelihood {record['log_likelihood']:.4f}; reliability {record['reliability']['eap']:.2f}"
    )
    measures = {
        "se": "se",
        "infit": "infit, posterior",
        "outfit": "outfit, posterior",
        "infit_at_estimate": "infit, conventional",
        "outfit_at_estimate": "outfit, conventional",
        "trials": "trials",
        "ones": "ones",
    }
    console.print(_table("Items", {"item": "item", "difficulty": "difficulty", **measures}, record["items"]))
    console.print(_table("Persons", {"person": "person", "ability": "ability", **measures}, record["persons"]))
    _warn_of_parts(record["parts"], console)
    console.print(_map(record["map"]))


def _warn_of_parts(parts: list[list[str]], console: Console) -> None:
    if len(parts) > 1:
        console.print(
            f"The design falls into {len(parts)} parts, between which nobody judged anything in common. Difficulties "
            "of different parts can be compared only if their persons are equally able on average:"
        )
        for part in parts:
            console.print(escape(f"  {', '.join(part)}"))


def rating_tables(record: Record, console: Console) -> None:
    console.print(_table("Ratings", RATING_COLUMNS, record["strategies"]))
    humans = record["humans"]
    if humans["share"] is not None:
        low, high = humans["interval"]
        console.print(f"Humans are judged human in {humans['share']:.0%} ({low:.0%} to {high:.0%}).")
    if mixed := record.get("mixed"):
        console.print(
            f"Main analysis, the crossed mixed model of {mixed['judges']} judges: new judges would call "
            f"{mixed['humans']:.0%} of new people human."
        )
        rows = [_between(one | {"strategy": name}) for name, one in sorted(mixed["strategies"].items())]
        console.print(_table("Judged human, mixed model", MIXED_COLUMNS, rows))
    else:
        console.print("The crossed mixed model needs ten judges and ten judged people; until then take this table:")
    console.print(_table("Judged human", TURING_COLUMNS, [_turing_row(one) for one in record["strategies"]]))
    console.print(_table("Persons", PERSON_COLUMNS, record["persons"]))
    console.print(f"Super experts: {', '.join(record['experts']) or 'none'}")
    _warn_of_parts(record["rasch"]["parts"], console)
    console.print(_map(record["rasch"]["map"]))


def _turing_row(strategy: Record) -> Record:
    low, high = strategy["judged_human"]["interval"]
    return {
        "strategy": strategy["strategy"],
        "share": strategy["judged_human"]["share"],
        "interval": f"{low:.3f} to {high:.3f}",
        "difference": strategy["difference_from_humans"]["estimate"],
        "p": strategy["equivalence"]["p"],
        "within": strategy["within_match"]["estimate"],
        "e_told_apart": strategy["e_told_apart"],
        "together": "told apart" if strategy["told_apart"] else "equal" if strategy["shown_equivalent"] else "open",
    }


def _between(one: Record) -> Record:
    low, high = one["interval"]
    return one | {"between": f"{low:+.3f} to {high:+.3f}"}


def check_tables(record: Record, console: Console) -> None:
    """Each check with a plain word on what it says."""
    agreement, calibrated, slopes = record["agreement"], record["calibration"], record["slopes"]
    if agreement["seats"]:
        console.print(
            f"Judges of the same seat ({agreement['seats']} seats): Krippendorff's alpha {_cell(agreement['alpha'])}, "
            f"intraclass correlation {_cell(agreement['icc'])}. Near 1 they tell of the table, near 0 of the judge."
        )
    if calibrated:
        console.print(
            f"Sureness: miscalibration {_cell(calibrated['miscalibration'])}, resolution "
            f"{_cell(calibrated['resolution'])}, of an uncertainty of {_cell(calibrated['uncertainty'])}."
        )
    if slopes:
        console.print(
            f"Equal slopes (Rasch against two parameters, {record['slope_persons']} persons): χ² = "
            f"{slopes['chi_squared']:.1f}, df = {slopes['df']}, p = {slopes['p']:.3f}. A small p speaks against Rasch."
        )
    pairs = [one | {"pair": f"{one['first']} · {one['second']}"} for one in record["dependences"]]
    for title, columns, rows in (
        ("Seen through by the same persons (0.2 above the mean is conspicuous)", PAIR_COLUMNS, pairs),
        ("Difficulties shrunken to their mean: to be quoted for the best of many", SHRUNK_COLUMNS, record["shrunk"]),
        ("Learning, corrected for those who stop: programs", LEARNING_COLUMNS, record["programs_learnt"]),
        ("Learning, corrected for those who stop: humans", LEARNING_COLUMNS, record["humans_learnt"]),
    ):
        if rows:
            console.print(_table(title, columns, rows))


def _table(title: str, columns: dict[str, str], rows: list[Record]) -> Table:
    """A table of some keys of the rows; `columns` gives each key its heading, the first column is the name."""
    table = Table(title=title, title_justify="left")
    for place, heading in enumerate(columns.values()):
        table.add_column(
            heading, justify="right" if place else "left", overflow="fold", min_width=8 if place == 0 else 4
        )
    for row in rows:
        table.add_row(*(_cell(row[key]) for key in columns))
    return table


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else ""
    if not isinstance(value, float):
        return escape(str(value))
    return f"{round(value, 3) + 0.0:.3f}" if abs(value) < LARGE else f"{value:.2g}"


def _map(bins: list[Record]) -> Table:
    table = Table("logits", "persons", "items", title="Map of persons and items", title_justify="left")
    largest = max((one["persons"] for one in bins), default=0)
    for one in reversed(bins):
        people = f"{bar(one['persons'], largest, MAP_WIDTH)} {one['persons']}" if one["persons"] else ""
        table.add_row(f"{one['low']:+.1f}", people, escape(", ".join(one["items"])))
    return table
