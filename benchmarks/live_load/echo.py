"""The reference: a server that only sends every frame to the three sockets of a table. No rules, no database.

It runs in the same kind of process as the platform: uvicorn with the same options and garbage-collector settings.
"""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from typing import Any

import uvicorn

from server.cli.server import GC_THRESHOLDS

Scope = dict[str, Any]
TABLES: dict[str, list[Any]] = defaultdict(list)


async def app(scope: Scope, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        while True:
            event = await receive()
            await send({"type": f"{event['type']}.complete"})
            if event["type"] == "lifespan.shutdown":
                return
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})
        return
    table = TABLES[scope["path"]]
    await receive()
    await send({"type": "websocket.accept"})
    table.append(send)
    try:
        while (event := await receive())["type"] == "websocket.receive":
            for each in table:
                await each({"type": "websocket.send", "text": event["text"]})
    finally:
        table.remove(send)


def main() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    uvicorn.run(
        app,
        port=int(sys.argv[1]),
        loop="uvloop",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
    )


if __name__ == "__main__":
    main()
