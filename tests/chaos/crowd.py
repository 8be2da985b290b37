"""A crowd of probands in a process of its own, so that it can be frozen as a whole.

Standard input brings one JSON object per line: first who plays where, then commands. Standard output is the journal,
one JSON object per line.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from tests.chaos.proband import Places, Proband
from tests.server.live.clients import Visitor

LONGEST_LINE = 2**20


def tell(**event: object) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


class Crowd:
    def __init__(self, configuration: dict[str, Any]):
        places = Places(tuple(configuration["doors"]), configuration["seed"], configuration["think"])
        self.probands = [
            Proband(one["number"], Visitor(*one["visitor"]), one["match"], one["finishes"], places, tell)
            for one in configuration["probands"]
        ]
        self.sleepers: set[asyncio.Task[None]] = set()

    async def run(self, commands: asyncio.StreamReader) -> None:
        reading = asyncio.create_task(self.obey(commands))
        async with asyncio.TaskGroup() as group:
            for proband in self.probands:
                group.create_task(proband.run())
        reading.cancel()

    async def obey(self, commands: asyncio.StreamReader) -> None:
        while line := await commands.readline():
            command = json.loads(line)
            struck = [one for one in self.probands if one.connected and one.awake.is_set()][: command["count"]]
            for proband in struck:
                if command["do"] == "cut":
                    proband.cut(command["how"])
                else:
                    task = asyncio.create_task(proband.stop_reading(command["for"]))
                    self.sleepers.add(task)
                    task.add_done_callback(self.sleepers.discard)
            tell(struck=len(struck), by=command["do"])


async def main() -> None:
    commands = asyncio.StreamReader(limit=LONGEST_LINE)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    tell(ready=True)
    await Crowd(json.loads(await commands.readline())).run(commands)


if __name__ == "__main__":
    asyncio.run(main())
