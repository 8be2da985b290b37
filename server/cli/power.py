"""`grintu power`: how many judgements it takes to show that a program is as human as humans, before anybody plays."""

from __future__ import annotations

import json
from math import ceil, inf
from typing import Annotated

import typer

from lab.turing import Design, equivalence_power, needed_judgements

app = typer.Typer(no_args_is_help=True)

BAD_INPUT = 2


@app.callback()
def group() -> None:
    """Planning a study."""


@app.command()
def power(
    share: Annotated[float, typer.Option(min=0.01, max=0.99, help="Of humans that are judged human.")] = 0.5,
    margin: Annotated[float, typer.Option(min=0.01, max=0.5, help="Within which both count as equal.")] = 0.10,
    level: Annotated[float, typer.Option(min=0.0001, max=0.4, help="Of each of the two one-sided tests.")] = 0.05,
    humans: Annotated[
        float, typer.Option(min=0, help="Judged per judgement of the program; 0: their share is known.")
    ] = 1,
    each: Annotated[float, typer.Option(min=1, help="Judgements of the program that one judge gives.")] = 1,
    own: Annotated[
        float, typer.Option(min=0, max=1, help="Correlation of a judge's answers about one program beyond his habits.")
    ] = 0,
    gap: Annotated[float, typer.Option(help="True difference between program and humans.")] = 0,
    wanted: Annotated[float, typer.Option("--power", min=0.01, max=0.999, help="Chance to show it.")] = 0.8,
    judgements: Annotated[
        int | None, typer.Option(min=1, help="Tell the power of so many judgements instead of the number needed.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of sentences.")] = False,
) -> None:
    """How many judgements of a program show that it is as human as humans, or with which chance so many do.

    The test is that of the ratings: two one-sided tests within the margin. Programs and humans are judged by the same
    people. Judges who judge a program several times are worth less than as many judges: see --each and --own.
    """
    design = Design(share, margin, level, humans or inf, each, own)
    try:
        planned = judgements or needed_judgements(design, wanted, gap)
    except ValueError as error:
        typer.echo(f"--gap: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from None
    judges, chance = ceil(planned / each), equivalence_power(planned, design, gap)
    if as_json:
        typer.echo(json.dumps({"judgements": planned, "judges": judges, "power": chance}))
        return
    typer.echo(
        f"{planned} judgements of the program by {judges} judges show with a chance of {chance:.0%} that it is within "
        f"±{margin:g} of humans."
    )
