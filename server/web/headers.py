"""Security headers on every answer. The policy lets WebAssembly run and nothing from elsewhere."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.web.csrf import REPORTS

POLICY = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "report-uri": REPORTS,
}

HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
STRICT_TRANSPORT = "max-age=31536000; includeSubDomains"
ORIGIN_ONLY = "strict-origin"
"""For pages that a link with a token leads to: else each file they load would carry it into the proxy's log. With no
referrer at all browsers would not tell the origin of forms either."""
NOT_KEPT = "no-store"
"""For caches, unless an answer says otherwise, as files with a hash in their name do."""


def headers_for(*, https: bool) -> dict[str, str]:
    """What every answer of an installation carries."""
    return HEADERS | {"Cache-Control": NOT_KEPT} | ({"Strict-Transport-Security": STRICT_TRANSPORT} if https else {})


class SecurityHeaders:
    """ASGI middleware that adds the headers, also to errors and files."""

    def __init__(self, app: ASGIApp, *, https: bool):
        self.app = app
        self.headers = headers_for(https=https)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = MutableHeaders(scope=message)
                if b"token=" in scope["query_string"]:
                    present["Referrer-Policy"] = ORIGIN_ONLY
                for name, value in self.headers.items():
                    present.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)
