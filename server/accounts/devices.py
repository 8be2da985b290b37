"""With what somebody has logged in, in two words, for their own list of log-ins. Nothing finer is kept."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection

BROWSERS: Final = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrom": "Chrome", "Safari": "Safari"}
SYSTEMS: Final = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}
"""What stands in a browser's name for itself → how people call it; the first that is found counts."""


def device_of(connection: HTTPConnection) -> str:
    said = connection.headers.get("user-agent", "")
    found = [next((name for sign, name in names.items() if sign in said), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found))
