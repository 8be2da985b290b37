"""What endpoints ask for by name: the programs of their process."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from server.programs.service import Programs


async def _programs(connection: HTTPConnection) -> Programs:
    programs: Programs = connection.app.state.programs
    return programs


ProgramsOf = Annotated[Programs, Depends(_programs)]
