"""Admins create, schedule, pause, resume and cancel rounds, and see everything about them."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from datetime import timedelta

from sqlalchemy import func, select, text

from lab.refinement import RefinementSettings
from server.accounts.audit import recent_entries
from server.base.clock import ManualClock, now
from server.jobs.registry import Tools, enqueue
from server.judgements.models import JudgementRow
from server.judgements.repository import append
from server.rounds import repository, service, tasks
from server.rounds.meanings import MEANINGS
from server.rounds.models import Schedule, Status
from server.rounds.queue import JUDGE, LOOK, STEP
from server.simulated.tasks import judge
from server.storage.database import Database
from tests.conftest import SignIn
from tests.server.questionnaires.conftest import played_match
from tests.server.rounds.conftest import SMALL, find, is_done, new_round, run_jobs
from tests.servers import PageClient

FORM = {"name": "Autumn", "game": "jostle", "seed": "7", "preset": "thesis", "when": "held"}


async def create(client: PageClient, **changes: str) -> int:
    answer = await client.post("/admin/rounds", data=FORM | changes)
    assert answer.status_code == 303, answer.text
    return int(answer.headers["location"].rpartition("/")[2])


async def queued(database: Database) -> list[str]:
    async with database.sessions() as session:
        return list(await session.scalars(text("SELECT entrypoint FROM pgqueuer ORDER BY id")))


async def test_a_round_is_created_with_population_settings_and_seed(
    client: PageClient, sign_in: SignIn, database: Database
) -> None:
    await sign_in("admin")
    offered = (await client.get("/admin/rounds/new")).text
    assert set(MEANINGS) == {field.name for field in fields(RefinementSettings)}
    assert all(f'name="set_{name}"' in offered for name in MEANINGS), "every setting has a field"
    number = await create(client, population="observing pals\nADVANCER\n", set_judgements="8", set_refill="true")
    round_ = await find(database, number)
    assert [member["elements"] for member in round_.state["members"]] == [["Observing", "PALS"], ["ADVANCER"]]
    assert (round_.settings["judgements"], round_.settings["refill"], round_.settings["tolerance"]) == (8, True, 0)
    assert (round_.seed, round_.schedule, round_.status) == (7, Schedule.HELD, Status.RUNNING)
    page = await client.get(f"/admin/rounds/{number}")
    assert "Observing PALS" in page.text
    assert "0 of 8" in page.text
    async with database.sessions() as session:
        (entry, *_) = await recent_entries(session)
    assert (entry.action, entry.target) == ("round.create", f"{number} Autumn")
    words = "settings: the thesis taken literally · judgements = 8 · refill = True · seed 7 · 2 strategies at the start"
    assert words in (await client.get("/admin/audit")).text


async def test_bad_input_is_refused_with_what_is_wrong(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("admin")
    await client.get("/admin/rounds/new")
    cases = {
        "population": ("PALS\nObserving", "at least one of them"),
        "set_judgements": ("many", "is not of the type int"),
        "planted": ("Hovering", "is no element"),
        "seed": ("-1", "greater than or equal to 0"),
        "preset": ("best", "Please choose one of the options."),
        "when": ("at", "Please say at which time."),
        "step_at": ("tomorrow", "Please enter a date and a time."),
    }
    for name, (value, reason) in cases.items():
        answer = await client.post("/admin/rounds", data=FORM | {name: value})
        assert answer.status_code == 422, name
        assert reason in answer.text, name
    fall = await client.post("/admin/rounds", data=FORM | {"set_fall": "nobody"})
    assert "is none of predecessor, humans, either" in fall.text
    twice = await client.post("/admin/rounds", data=FORM | {"population": "PALS\nPALS"})
    assert (twice.status_code, "needs different strategies" in twice.text) == (422, True)


async def test_a_paused_round_shows_the_judgements_that_it_has(
    client: PageClient, sign_in: SignIn, database: Database
) -> None:
    admin = await sign_in("admin")
    await client.get("/admin/rounds/new")
    number = await create(client, population="ADVANCER\nobserving pals", set_judgements="8")
    await client.post(f"/admin/rounds/{number}/pause")
    async with database.transaction() as session:
        match = await played_match(session)
        row = {"match_id": match.id, "game": "jostle:standard", "person_id": admin.person_id, "strategy": "ADVANCER"}
        await append(session, [row | {"seat": 1, "verdict": "human", "at": now()}])
    page = (await client.get(f"/admin/rounds/{number}")).text
    assert "1 of 8" in page
    assert "0 of 8" in page
    assert 'data-live="yes"' in page, "it goes on counting"


async def test_one_round_of_a_game_at_a_time(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("admin")
    await client.get("/admin/rounds/new")
    number = await create(client)
    refused = await client.post("/admin/rounds", data=FORM)
    assert (refused.status_code, "is running already" in refused.text) == (409, True)
    await client.post(f"/admin/rounds/{number}/cancel")
    assert await create(client) > number


async def test_only_admins_come_near(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    for path in ("/admin/rounds", "/admin/rounds/new", "/admin/jobs"):
        assert (await client.get(path)).status_code == 403
    assert (await client.post("/admin/rounds", data=FORM)).status_code == 403


async def test_pause_resume_and_cancel(client: PageClient, sign_in: SignIn, database: Database) -> None:
    await sign_in("admin")
    await client.get("/admin/rounds/new")
    number = await create(client)
    for action, status in (("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        assert (await client.post(f"/admin/rounds/{number}/{action}")).status_code == 303
        assert (await find(database, number)).status == status
    for action in ("pause", "resume", "cancel"):
        assert (await client.post(f"/admin/rounds/{number}/{action}")).status_code == 409, "it is over"
    assert (await client.post(f"/admin/rounds/{number}/explode")).status_code == 404
    async with database.sessions() as session:
        actions = [entry.action for entry in await recent_entries(session)]
    assert actions[:4] == ["round.cancel", "round.resume", "round.pause", "round.create"]


async def test_a_held_round_takes_no_step_until_it_is_told_to(database: Database, tools: Tools) -> None:
    number = await new_round(database, schedule=Schedule.HELD)
    await tasks.follow(tools)
    assert await run_jobs(tools) == []
    async with database.transaction() as session:
        await service.schedule(session, "tests", number, Schedule.AT)  # now
    assert await run_jobs(tools) == [LOOK, JUDGE, STEP]
    round_ = await find(database, number)
    assert (round_.step, round_.schedule, round_.step_at) == (1, Schedule.HELD, None), "one step, then held again"
    async with database.transaction() as session:
        await service.schedule(session, "tests", number, Schedule.SATISFIED)
    await run_jobs(tools)
    assert is_done(await find(database, number))


async def test_a_paused_round_takes_no_step_and_goes_on_where_it_was(database: Database, tools: Tools) -> None:
    number = await new_round(database)
    await run_jobs(tools, stop=lambda name: name == JUDGE)
    async with database.transaction() as session:
        await service.pause(session, "tests", number)
    await run_jobs(tools)
    assert (await find(database, number)).step == 0
    async with database.transaction() as session:
        await service.resume(session, "tests", number)
    assert (await run_jobs(tools))[:2] == [LOOK, STEP], "the session that was held is not held again"
    assert is_done(await find(database, number))


async def test_a_job_that_comes_twice_or_late_changes_nothing(database: Database, tools: Tools) -> None:
    number = await new_round(database)
    await run_jobs(tools)
    before = await record(database, number)
    for step, position in ((1, 1600), (3, 4800), (4, 10_000)):
        await tasks.step(tools, {"round": number, "step": step, "up_to": position})
    for session in (1, 3, 4):
        await judge(tools, {"round": number, "session": session})
    await tasks.look(tools, {"round": number})
    await tasks.look(tools, {"round": 999})
    assert await record(database, number) == before
    assert await queued(database) == []


async def record(database: Database, number: int) -> tuple[object, ...]:
    async with database.sessions() as session:
        judgements = await session.scalar(select(func.count()).select_from(JudgementRow))
        steps = await repository.steps(session, number)
    round_ = await find(database, number)
    return judgements, [step.id for step in steps], round_.status, round_.state


async def test_a_step_at_a_time_waits_for_it(database: Database, tools: Tools, clock: ManualClock) -> None:
    number = await new_round(database, simulation=None, schedule=Schedule.AT, step_at=now() + timedelta(hours=1))
    async with database.transaction() as session:
        await session.execute(text("DELETE FROM pgqueuer"))
    await tasks.follow(tools)
    assert await queued(database) == []
    clock.advance(timedelta(hours=1))
    await tasks.follow(tools)
    assert await queued(database) == ["rounds.look"]
    await tasks.follow(tools)
    assert await queued(database) == ["rounds.look"], "once is enough"
    await tasks.look(tools, {"round": number})
    await tasks.look(tools, {"round": number})
    assert await queued(database) == ["rounds.look", "rounds.step"]


async def test_the_page_tells_what_a_round_waits_for_and_decided(
    client: PageClient, sign_in: SignIn, database: Database, tools: Tools
) -> None:
    await sign_in("admin")
    number = await new_round(database, seed=1, simulation=replace(SMALL, judgements=20))
    await run_jobs(tools, stop=lambda name: name == STEP)
    waiting = (await find(database, number)).waiting
    page = (await client.get(f"/admin/rounds/{number}")).text
    assert waiting, "with this seed the first session does not suffice"
    assert all(lack["about"] in page and lack["reason"] in page for lack in waiting)
    await run_jobs(tools)
    page = (await client.get(f"/admin/rounds/{number}")).text
    assert '<strong id="answer">Observing Lingering PALS</strong>' in page, "the planted set is found"
    decided = set(re.findall(r'<span class="badge">([a-z ]+)</span>', page))
    assert decided >= {"believable", "not believable", "strip", "still believable", "drop", "final", "done"}
    async with database.sessions() as session:
        members = await repository.members(session, number)
    tree = page[page.index("<figure") : page.index("</figure>")]
    assert tree.count("<rect") == len(members)
    assert tree.count("<path") >= len([member for member in members if member.step])
    assert "Observing Lingering PALS" in (await client.get("/admin/rounds")).text


async def test_simulated_probands_are_refused_where_people_have_judged(
    client: PageClient, sign_in: SignIn, database: Database, tools: Tools
) -> None:
    account = await sign_in("admin")
    number = await new_round(database)
    await run_jobs(tools, stop=lambda name: name == JUDGE)
    async with database.transaction() as session:
        await service.cancel(session, "tests", number)
        first = (await session.scalars(select(JudgementRow).limit(1))).one()
        session.add(
            JudgementRow(
                match_id=first.match_id, game=first.game, person_id=account.person_id, seat=first.seat, verdict="human"
            )
        )
    refused = await client.post("/admin/rounds", data=FORM | {"simulated": "yes", "planted": SMALL.planted})
    assert (refused.status_code, "would spoil their ratings" in refused.text) == (409, True)


async def test_failed_jobs_are_shown_and_tried_again_or_discarded(
    client: PageClient, sign_in: SignIn, database: Database
) -> None:
    await sign_in("admin")
    async with database.transaction() as session:
        for _ in range(2):
            await enqueue(session, "rounds.look", {"round": 1})
        await session.execute(text("UPDATE pgqueuer SET status = 'failed'"))
    page = (await client.get("/admin/jobs")).text
    assert "round: 1" in page
    first, second = sorted(map(int, set(re.findall(r"/admin/jobs/(\d+)/retry", page))))
    assert (await client.post(f"/admin/jobs/{first}/retry")).status_code == 303
    assert (await client.post(f"/admin/jobs/{second}/discard")).status_code == 303
    assert (await client.post(f"/admin/jobs/{second}/discard")).status_code == 404
    async with database.sessions() as session:
        rows = (await session.execute(text("SELECT id, status::text, attempts FROM pgqueuer"))).all()
        actions = [entry.action for entry in await recent_entries(session)]
    assert rows == [(first, "queued", 0)]
    assert actions[:2] == ["job.discard", "job.retry"]
