"""What may talk to Studio: this machine's browser, and only pages of Studio's own."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MB = 1_000_000
# Bounds on what a request may bring, stated in docs/studio.md.
MAX_BODY = 2 * MB
MAX_UPLOAD = 25 * MB
# What files are sent to.
UPLOADS = ("/pictures", "/catalogue")
TOKEN_HEADER = "x-csrf-token"
# By this a page of Studio sees that Studio was started anew, and asks for the token that holds now (`/token`).
TOKEN_OLD = "x-studio-token-old"
OLD = (403, "this page is older than Studio; load it again")
SAFE = ("GET", "HEAD")

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-src 'self'",
        "object-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class Guard:
    """Refuses what does not come from a page of Studio, bounds bodies, and sets the headers of every answer.

    A page elsewhere can make a browser send requests here: it is told apart by Origin, and cannot know the token. A
    name elsewhere can be made to lead here: it is told apart by Host.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], token: str) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            # Nothing here speaks anything else; the lifespan does.
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal:
            told = {**HEADERS, TOKEN_OLD: "1"} if refusal == OLD else HEADERS
            await PlainTextResponse(refusal[1], refusal[0], headers=told)(scope, receive, send)
            return
        limit = MAX_UPLOAD if scope["path"].endswith(UPLOADS) else MAX_BODY
        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit:
                raise TooLarge
            return message

        started = False

        async def guarded(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        try:
            await self.app(scope, bounded, guarded)
        except TooLarge:
            if not started:
                await PlainTextResponse("too large", 413, headers=HEADERS)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        if headers.get("host", "") not in self.hosts:
            return 421, "this is not a name of Studio"
        if scope["method"] in SAFE:
            # A page elsewhere could not read it anyway: no answer allows another origin to.
            if scope["path"] == "/token" and headers.get("sec-fetch-site", "same-origin") not in {
                "same-origin",
                "none",
            }:
                return 403, "this request comes from another site"
            return None
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self.hosts:
            return 403, "this request comes from another site"
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return 403, "this request comes from another site"
        if not hmac.compare_digest(headers.get(TOKEN_HEADER, "").encode(), self.token.encode()):
            return OLD
        length = headers.get("content-length", "0")
        limit = MAX_UPLOAD if scope["path"].endswith(UPLOADS) else MAX_BODY
        if not length.isdigit() or int(length) > limit:
            return 413, "too large"
        return None


class TooLarge(Exception):
    """A body beyond its bound."""
