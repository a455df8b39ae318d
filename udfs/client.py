"""The only module that talks to a model API.

`Live` answers the requests of a call function, chunk by chunk: one loop thread a process, one
semaphore an endpoint, shared by all functions and DuckDB threads, so that the slow tail of a chunk
never idles the endpoint (facts 8.2). Nothing here raises for a row.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import aiohttp
import httpx2
import openai

from towbench.schemas.settings import Provider, Settings
from towbench.udfs.dialect import PLAIN, UNFIT, Dialect, Style, response_format
from towbench.udfs.exchange import Attempt, Exchange
from towbench.udfs.gate import Gate, backoff, retry_after
from towbench.udfs.ledger import LedgerError
from towbench.udfs.request import Answer, Request
from towbench.udfs.response import (
    FREE,
    Response,
    Usage,
    read_response,
    token_bound,
    token_estimate,
)
from towbench.udfs.session import Session
from towbench.udfs.watch import Watch, setting_names

_CHAT, _VECTOR = "chat/completions", "embeddings"
_BYTE_ORDER_MARK = "\ufeff"
_OPENAI_URL = "https://api.openai.com/v1"
_NEVER_CONNECTED = (aiohttp.ClientConnectorError, aiohttp.InvalidURL, httpx2.UnsupportedProtocol)


class Live:
    """Sends requests to OpenAI-compatible endpoints from one loop thread."""

    def __init__(self, settings: Settings, session: Session) -> None:
        self._settings = settings
        self._session = session
        self._endpoints: dict[str, Endpoint] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="calls", daemon=True)
        self._thread.start()

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """One answer for each request, in order; blocks the calling thread, not the loop."""
        return asyncio.run_coroutine_threadsafe(self._answer_all(requests), self._loop).result()

    def close(self) -> None:
        """Close connections and end the loop thread."""
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        for endpoint in self._endpoints.values():
            await endpoint.api.close()

    async def _answer_all(self, requests: Sequence[Request]) -> list[Answer]:
        return await asyncio.gather(*(self._answer(request) for request in requests))

    async def _answer(self, request: Request) -> Answer:
        exchange = self._session.exchange(request)
        answer = None
        try:
            if endpoint := self._endpoint(request.provider):
                answer = await self._exchange(exchange, endpoint)
        except LedgerError as error:
            self._session.stop(str(error))
        answer = answer or self._session.unasked(request)
        self._session.count(answer, exchange.cost)
        return answer

    def _endpoint(self, alias: str) -> Endpoint | None:
        """The endpoint of a provider; None, and the run stops, if its settings cannot be right."""
        if alias not in self._endpoints and not self._session.is_stopping:
            try:
                provider = self._settings.provider(f"{alias}/")
                self._endpoints[alias] = Endpoint(provider, self._session, self._settings.naming)
            except ValueError as error:
                self._session.stop(str(error))
        return self._endpoints.get(alias)

    async def _exchange(self, exchange: Exchange, endpoint: Endpoint) -> Answer | None:
        """Send a request until it is answered; None if the run stops first."""
        model = exchange.request.model
        if reason := outgrows(exchange, self._settings):
            return Answer(exchange.request.call_key, None, "prompt_cut", reason, None)
        while not self._session.is_stopping:
            async with endpoint.gate.ready:
                sent = await self._attempt(exchange, endpoint)
            if sent is None:
                return None
            failures = exchange.failures
            if answer := exchange.take(sent.attempt, sent.response):
                if sent.response.http_status in UNFIT:
                    self._session.stop_if(endpoint.watch.refusal(model, sent.response))
                return answer
            if sent.pause is not None:
                endpoint.gate.pause(sent.pause)
            elif exchange.failures > failures:
                # An endpoint that turns away, or fails everyone, is left alone by everyone.
                if sent.response.status == "http_429" or endpoint.watch.failed_rounds:
                    endpoint.gate.pause(backoff(max(1, endpoint.watch.failed_rounds)))
                await endpoint.gate.sleep(backoff(exchange.failures))
        return None

    async def _attempt(self, exchange: Exchange, endpoint: Endpoint) -> Sent | None:
        """Send a request in the best style that the model is not known to refuse."""
        dialect = endpoint.dialect(exchange.request.model)
        is_plain = exchange.is_prose or exchange.request.is_embedding
        if not is_plain:
            await dialect.probe()
        style: Style | None = dialect.style(is_plain)
        while style:
            sent = await self._send(exchange, endpoint, style)
            if sent is None or sent.response.http_status not in UNFIT:
                break
            parameters = style.parameters(exchange.sampling, exchange.max_tokens)
            error = sent.response.error or ""
            if not (other := dialect.next_style(style, parameters, error, is_plain)):
                break
            exchange.store(sent.attempt, sent.response)
            style = other
        if sent and style and sent.response.http_status == 200:
            dialect.settle(style, is_plain)
        return sent

    async def _send(self, exchange: Exchange, endpoint: Endpoint, style: Style) -> Sent | None:
        """Reserve, store the intent, wait for a slot, send; None when the run stops before that."""
        if self._session.is_stopping:
            return None
        path, call, shown = put(exchange, style)
        attempt = exchange.begin(token_bound(shown))
        attempt.note = style.note
        if not await exchange.reserve(attempt):
            self._session.stop()
            return None
        await exchange.promise(attempt)
        slots = endpoint.gate.slots
        async with slots:
            tokens = token_estimate(shown) if endpoint.gate.counts_tokens else 0
            if not await endpoint.gate.turn(tokens):
                exchange.store(attempt, Response("dropped", FREE, error="not sent: run stopped"))
                return None
            self._session.count_in_flight(1)
            sent_at = self._loop.time()
            limit = self._settings.request_timeout
            try:
                sent = await endpoint.send(path, call, attempt, shown, exchange.is_prose, limit)
            finally:
                self._session.count_in_flight(-1)
        if sent.response.http_status == 429:
            slots.refused(sent_at)
        elif sent.response.http_status == 200:
            slots.accepted()
        self._session.stop_if(endpoint.watch.fault(exchange.request.model, sent.response))
        return sent


def reached(provider: Provider) -> tuple[str, str]:
    """Where a provider is reached, and its key.

    Raises:
        ValueError: one of them is not set or can never work; which variable to set.
    """
    setting = setting_names(provider.alias, "BASE_URL")
    url = provider.base_url or (_OPENAI_URL if provider.alias == "openai" else None)
    if not url:
        raise ValueError(f"{setting}: not set; where is {provider.alias!r} reached?")
    if not re.match(r"https?://[^/]", url):
        raise ValueError(f"{setting}: an address begins with http:// or https://")
    if "@" in url.split("/")[2]:
        # Both would go into the one header `Authorization`.
        raise ValueError(
            f"{setting}: no user and password can be sent beside a key; leave them out"
        )
    setting = setting_names(provider.alias, "API_KEY")
    key = provider.api_key.get_secret_value().strip() if provider.api_key else ""
    if not key:
        raise ValueError(f"{setting}: not set; where no key is wanted, any word will do")
    if not (key.isascii() and key.isprintable()):
        raise ValueError(f"{setting}: holds characters that no header can carry")
    return url, key


def outgrows(exchange: Exchange, settings: Settings) -> str | None:
    """Why a request cannot fit the context that the settings give its model, if so (cases F 29)."""
    context = settings.context_of(exchange.request.model)
    if context is None:
        return None
    _, _, shown = put(exchange, Style(PLAIN))
    needs = token_estimate(shown) + (exchange.max_tokens or 0)
    return f"tokens={needs}>{context}" if needs > context else None


def put(exchange: Exchange, style: Style) -> tuple[str, dict[str, Any], str]:
    """Path, body and shown text of a request: a chat, or a bare text whose vector is asked for."""
    request = exchange.request
    call: dict[str, Any] = {"model": request.model_name}
    call |= style.parameters(exchange.sampling, exchange.max_tokens)
    if request.is_embedding:
        text = request.text or ""
        return _VECTOR, call | {"input": text}, text
    messages = exchange.messages(style.form)
    if asked := response_format(style.form, exchange.prompt.reply):
        call["response_format"] = asked
    return _CHAT, call | {"messages": messages}, shown_text(messages)


def shown_text(messages: Sequence[Mapping[str, str]]) -> str:
    """All that the model reads."""
    return "\n".join(message["content"] for message in messages)


class Sent(NamedTuple):
    """An attempt, what came back, and for how long the endpoint asks not to be called."""

    attempt: Attempt
    response: Response
    pause: float | None


class Endpoint:
    """One endpoint alias: its connections, its gate, what is known of it."""

    def __init__(self, provider: Provider, session: Session, naming: Callable[[str], str]) -> None:
        url, key = reached(provider)
        self._key, self._key_in_text = key, re.compile(rf"(?<!\w){re.escape(key)}(?!\w)")
        self.gate = Gate(provider, lambda: session.is_stopping)
        limits = httpx2.Limits(
            max_connections=provider.concurrency, max_keepalive_connections=provider.concurrency
        )
        self._http = openai.DefaultAioHttpClient(limits=limits, timeout=None)
        self.api = openai.AsyncOpenAI(
            api_key=key, base_url=url, max_retries=0, timeout=None, http_client=self._http
        )
        self._headers = {
            name: value
            for name, value in self.api.default_headers.items()
            # What the SDK tells of this machine is nobody's business, and every header takes time.
            if isinstance(value, str) and not name.startswith("X-Stainless")
        } | {"Authorization": f"Bearer {key}"}
        self._urls = {path: httpx2.URL(f"{self.api.base_url}{path}") for path in (_CHAT, _VECTOR)}
        self.watch = Watch(provider.alias, self.api.base_url.host, provider.concurrency, naming)
        self._dialects: dict[str, Dialect] = {}

    def dialect(self, model: str) -> Dialect:
        """What is known of a model of this endpoint."""
        return self._dialects.setdefault(model, Dialect())

    async def send(
        self,
        path: str,
        call: Mapping[str, Any],
        attempt: Attempt,
        shown: str,
        is_prose: bool,
        limit: float,
    ) -> Sent:
        """Send one request and read what comes back within `limit` seconds; never raises."""
        attempt.started = time.perf_counter()
        try:
            request = httpx2.Request(
                "POST",
                self._urls[path],
                content=json.dumps(call, ensure_ascii=False, allow_nan=False).encode(),
                headers=self._headers | {"Idempotency-Key": attempt.intent.attempt_id},
            )
            # Over the connections of the SDK but past its request and response models: they take
            # two to three times as long as the call itself.
            async with asyncio.timeout(limit):
                answered = await self._http.send(request)
        except Exception as error:  # whatever a connection can die of is this attempt's status
            return Sent(attempt, self._broken(error), None)
        body = self._redact(
            answered.content.decode("utf-8", "replace").removeprefix(_BYTE_ORDER_MARK)
        )
        is_busy = answered.status_code in (429, 503)
        return Sent(
            attempt,
            read_response(body, answered.status_code, shown, is_prose),
            retry_after(answered.headers) if is_busy else None,
        )

    def _broken(self, error: BaseException) -> Response:
        """An attempt without a response; a connection never made cost nothing."""
        causes = [error]
        while cause := causes[-1].__cause__ or causes[-1].__context__:
            causes.append(cause)
        root = self._redact(f"{type(causes[-1]).__name__}: {causes[-1]}")[:500]
        if any(isinstance(cause, _NEVER_CONNECTED) for cause in causes):
            return Response("dropped", FREE, error=root)
        if any(isinstance(cause, TimeoutError) for cause in causes):
            return Response("timeout", Usage(), error="no answer in time")
        return Response("dropped", Usage(), error=root)

    def _redact(self, text: str) -> str:
        """An endpoint may quote the key; a key that is a word is hidden as a word only."""
        return self._key_in_text.sub("***", text) if self._key in text else text
