"""grintu round: what admins do with refinement rounds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, TypeVar

import typer
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from lab.refinement import Pool, pool_of
from server.accounts.audit import COMMAND_LINE
from server.cli.rules import Game, in_study
from server.cli.shell import in_transaction
from server.rounds import repository, service
from server.rounds.models import Round
from server.rounds.schemas import RoundForm, ScheduleForm
from server.rounds.simulated_probands import SimulatedProbands

app = typer.Typer(no_args_is_help=True)
rounds = typer.Typer(no_args_is_help=True, help="Create and steer refinement rounds.")
app.add_typer(rounds, name="round")

Chosen = TypeVar("Chosen", bound=ScheduleForm)
BAD_INPUT = 2
WHEN = "now, at, satisfied (as soon as the ratings suffice) or held."
RoundId = Annotated[int, typer.Argument(min=1)]
When = Annotated[str, typer.Option(help=WHEN)]
At = Annotated[datetime | None, typer.Option(help="With --when at: the time, in UTC.")]


@app.callback()
def group() -> None:
    """Refinement rounds."""


@rounds.command("list")
def list_all() -> None:
    """All rounds, the newest first."""
    for round_ in in_transaction(repository.all_rounds):
        typer.echo(_line(round_))


@rounds.command()
def create(
    name: str,
    game: Game = "",
    seed: Annotated[int, typer.Option(min=0, help="All chance of the round comes from it.")] = 1,
    preset: Annotated[str, typer.Option(help="recommended, decided or thesis.")] = "recommended",
    change: Annotated[
        list[str] | None, typer.Option(help='A changed setting, as "judgements = 8"; repeatable.')
    ] = None,
    strategy: Annotated[list[str] | None, typer.Option(help="One of the start population; repeatable.")] = None,
    when: When = "satisfied",
    at: At = None,
    simulated: Annotated[bool, typer.Option("--simulated", help="Simulated probands judge.")] = False,
    planted: Annotated[str, typer.Option(help="What simulated probands take for human: elements of the game.")] = "",
    persons: Annotated[int, typer.Option(help="Simulated probands.")] = 100,
    judgements: Annotated[int, typer.Option(help="Of each of them per session.")] = 30,
) -> None:
    """Begin a round; its start population plays from now on."""
    rules = in_study(game)
    form = _checked(
        RoundForm,
        name=name,
        game=rules.reference,
        seed=seed,
        preset=preset,
        overrides="\n".join(change or ()),
        population="\n".join(strategy or ()),
        when=when,
        step_at=at,
        simulated="yes" if simulated else "",
        planted=planted,
        persons=persons,
        judgements=judgements,
    )
    schedule_, step_at = form.schedule
    _check_elements(form, pool_of(rules))

    async def work(session: AsyncSession) -> Round:
        return await service.create(
            session,
            COMMAND_LINE,
            name=form.name,
            game=form.game,
            seed=form.seed,
            settings=form.settings,
            population=form.lines,
            schedule=schedule_,
            step_at=step_at,
            simulation=form.simulation,
        )

    typer.echo(_line(in_transaction(work)))


@rounds.command()
def schedule(number: RoundId, when: When = "now", at: At = None) -> None:
    """Say when the next step shall be taken."""
    chosen = _checked(ScheduleForm, when=when, step_at=at).schedule
    typer.echo(_line(in_transaction(lambda session: service.schedule(session, COMMAND_LINE, number, *chosen))))


@rounds.command()
def pause(number: RoundId) -> None:
    """Take no further step; the population goes on playing."""
    _act(service.pause, number)


@rounds.command()
def resume(number: RoundId) -> None:
    """Go on with a paused round."""
    _act(service.resume, number)


@rounds.command()
def cancel(number: RoundId) -> None:
    """End a round without a result."""
    _act(service.cancel, number)


def _act(action: Callable[[AsyncSession, str, int], Awaitable[Round]], number: int) -> None:
    typer.echo(_line(in_transaction(lambda session: action(session, COMMAND_LINE, number))))


def _checked(form: type[Chosen], **values: object) -> Chosen:
    try:
        return form.model_validate(values)
    except ValidationError as error:
        for found in error.errors(include_url=False, include_input=False):
            typer.echo(f"{'.'.join(map(str, found['loc']))}: {found['msg']}", err=True)
        raise typer.Exit(BAD_INPUT) from None


def _check_elements(form: RoundForm, pool: Pool) -> None:
    try:
        for line in form.lines:
            pool.checked(pool.named(line))
        if form.planted:
            SimulatedProbands(form.planted).factor(pool)
    except ValueError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(BAD_INPUT) from None


def _line(round_: Round) -> str:
    final = round_.state["final"] if round_.phase == "done" else []
    answer = f"  {' '.join(final[0]['elements'])}" if final else ""
    stands = f"{round_.status:<9}  {round_.phase:<6}  step {round_.step:>2}"
    return f"{round_.id:>4}  {stands}  {round_.game}  {round_.name}{answer}"
