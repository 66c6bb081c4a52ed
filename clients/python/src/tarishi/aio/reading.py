"""Written by clients/python/write-async.ts from ../reading.py.

Looks up messages, requests and receipts, and what a team has to send with; has receipts posted again, and keeps opt-outs."""

from __future__ import annotations

from typing import Any, Awaitable, Callable, Generic, AsyncIterator, Literal, Optional, Sequence, TypeVar, cast

from .. import responses
from ..caller import Instant, instant_of
from .caller import AsyncCaller

Item = TypeVar("Item")
Page = TypeVar("Page")


class List(Generic[Page, Item]):
    """A list without filters, which is read page by page or as a whole."""

    def __init__(self, caller: AsyncCaller, operation: str) -> None:
        self._caller = caller
        self._operation = operation

    async def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> Page:
        """One page: its `items`, and `next` if there is more, which is the `cursor` of the next page."""
        return cast(Page, await self._caller.call(self._operation, query={"limit": limit, "cursor": cursor}))

    def each(self, *, limit: Optional[int] = None) -> AsyncIterator[Item]:
        """All items, page by page as they are needed. `limit` is the size of a page."""
        return _each(lambda cursor: self.list(limit=limit, cursor=cursor))


class Resources(List[Page, Item]):
    """A list of what can also be read by its id."""

    def __init__(self, caller: AsyncCaller, operation: str, get: str, id_name: str) -> None:
        super().__init__(caller, operation)
        self._get = get
        self._id_name = id_name

    async def get(self, id: str, *, product: Optional[str] = None) -> Item:
        """`product`: which one, if two services or templates have the same id."""
        answer = await self._caller.call(self._get, path={self._id_name: id}, query={"product": product})
        return cast(Item, answer)


class Messages:
    """The messages of your team, newest first."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        phone: Optional[str] = None,
        request_id: Optional[str] = None,
        product: Optional[str] = None,
        correlator: Optional[str] = None,
        state: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.MessagePage:
        """One page of those that match all filters: its `items`, and `next` if there is more."""
        query = {
            "phone": phone,
            "requestId": request_id,
            "product": product,
            "correlator": correlator,
            "state": state,
            "from": instant_of(from_),
            "to": instant_of(to),
            "limit": limit,
            "cursor": cursor,
        }
        return cast(responses.MessagePage, await self._caller.call("listMessages", query=query))

    def each(
        self,
        *,
        phone: Optional[str] = None,
        request_id: Optional[str] = None,
        product: Optional[str] = None,
        correlator: Optional[str] = None,
        state: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> AsyncIterator[responses.Message]:
        """All that match, page by page as they are needed. `limit` is the size of a page."""
        return _each(
            lambda cursor: self.list(
                phone=phone,
                request_id=request_id,
                product=product,
                correlator=correlator,
                state=state,
                from_=from_,
                to=to,
                limit=limit,
                cursor=cursor,
            )
        )


class Requests:
    """The requests of your team, newest first."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        correlator: Optional[str] = None,
        scheduled: Optional[bool] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.RequestPage:
        """One page of those that match all filters: its `items`, and `next` if there is more."""
        query = {
            "correlator": correlator,
            "scheduled": scheduled,
            "from": instant_of(from_),
            "to": instant_of(to),
            "limit": limit,
            "cursor": cursor,
        }
        return cast(responses.RequestPage, await self._caller.call("listRequests", query=query))

    def each(
        self,
        *,
        correlator: Optional[str] = None,
        scheduled: Optional[bool] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> AsyncIterator[responses.AcceptedRequest]:
        """All that match, page by page as they are needed. `limit` is the size of a page."""
        return _each(
            lambda cursor: self.list(
                correlator=correlator, scheduled=scheduled, from_=from_, to=to, limit=limit, cursor=cursor
            )
        )

    async def get(self, request_id: str) -> responses.AcceptedRequest:
        """What was accepted, and how many of its messages are in which state."""
        answer = await self._caller.call("getRequest", path={"requestId": request_id})
        return cast(responses.AcceptedRequest, answer)

    async def cancel(self, request_id: str) -> responses.CancelledRequest:
        """Cancels what is not submitted yet. Each message is either cancelled and refunded, or sent."""
        answer = await self._caller.call("cancelRequest", path={"requestId": request_id})
        return cast(responses.CancelledRequest, answer)

    async def list_messages(
        self, request_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> responses.MessagePage:
        """One page of its messages, in the order of the request."""
        answer = await self._caller.call(
            "listRequestMessages", path={"requestId": request_id}, query={"limit": limit, "cursor": cursor}
        )
        return cast(responses.MessagePage, answer)

    def each_message(self, request_id: str, *, limit: Optional[int] = None) -> AsyncIterator[responses.Message]:
        """All its messages, page by page as they are needed."""
        return _each(lambda cursor: self.list_messages(request_id, limit=limit, cursor=cursor))


class InboundMessages:
    """What people sent to the senders of your team, newest first."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        phone: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.InboundPage:
        """One page of those that match all filters: its `items`, and `next` if there is more."""
        query = {
            "phone": phone,
            "from": instant_of(from_),
            "to": instant_of(to),
            "limit": limit,
            "cursor": cursor,
        }
        return cast(responses.InboundPage, await self._caller.call("listInboundMessages", query=query))

    def each(
        self,
        *,
        phone: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> AsyncIterator[responses.InboundMessage]:
        """All that match, page by page as they are needed. `limit` is the size of a page."""
        return _each(
            lambda cursor: self.list(phone=phone, from_=from_, to=to, limit=limit, cursor=cursor)
        )


class Receipts:
    """The receipts of your team, newest first, each with its latest attempts."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        request_id: Optional[str] = None,
        state: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.ReceiptPage:
        """One page of those that match all filters: its `items`, and `next` if there is more."""
        query = {
            "requestId": request_id,
            "state": state,
            "from": instant_of(from_),
            "to": instant_of(to),
            "limit": limit,
            "cursor": cursor,
        }
        return cast(responses.ReceiptPage, await self._caller.call("listReceipts", query=query))

    def each(
        self,
        *,
        request_id: Optional[str] = None,
        state: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> AsyncIterator[responses.Receipt]:
        """All that match, page by page as they are needed. `limit` is the size of a page."""
        return _each(
            lambda cursor: self.list(
                request_id=request_id, state=state, from_=from_, to=to, limit=limit, cursor=cursor
            )
        )

    async def get(self, receipt_id: str) -> responses.Receipt:
        """The receipt with this `webhook-id`, and the attempts to post it."""
        return cast(responses.Receipt, await self._caller.call("getReceipt", path={"receiptId": receipt_id}))

    async def resend(self, receipt_id: str) -> responses.Receipt:
        """Has a receipt posted again now."""
        return cast(responses.Receipt, await self._caller.call("resendReceipt", path={"receiptId": receipt_id}))

    async def replay(
        self,
        *,
        since: Instant,
        which: Literal["Exhausted", "All"],
        until: Optional[Instant] = None,
        callback_url: Optional[str] = None,
        request_id: Optional[str] = None,
    ) -> responses.ReplayResponse:
        """Has receipts of a period posted again: those that were given up, or all. While `more`, the same call goes on."""
        body = {
            "since": instant_of(since),
            "until": instant_of(until),
            "callbackUrl": callback_url,
            "requestId": request_id,
            "which": which,
        }
        given = {name: value for name, value in body.items() if value is not None}
        return cast(responses.ReplayResponse, await self._caller.call("replayReceipts", body=given))

    async def test(self, *, url: str) -> responses.ReceiptTestResponse:
        """Posts a signed sample to a URL and returns what your endpoint responded."""
        return cast(responses.ReceiptTestResponse, await self._caller.call("testReceipt", body={"url": url}))


class OptOuts:
    """Who opted out of the messages of your team, newest first."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self, *, phone: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> responses.OptOutPage:
        """One page: its `items`, and `next` if there is more."""
        query = {"phone": phone, "limit": limit, "cursor": cursor}
        return cast(responses.OptOutPage, await self._caller.call("listOptOuts", query=query))

    def each(self, *, phone: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[responses.OptOut]:
        """All of them, page by page as they are needed. `limit` is the size of a page."""
        return _each(lambda cursor: self.list(phone=phone, limit=limit, cursor=cursor))

    async def add(
        self,
        *,
        phones: Sequence[str],
        product: Literal["Sms", "ChatApp"],
        target: Literal["MARKETING", "ALL"],
        service_id: Optional[str] = None,
    ) -> responses.OptOutsChanged:
        """Numbers that want no more messages."""
        body = {"phones": [*phones], "product": product, "serviceId": service_id, "target": target}
        return await self._change("addOptOuts", body)

    async def remove(
        self,
        *,
        phones: Sequence[str],
        product: Literal["Sms", "ChatApp"],
        consent: str,
        service_id: Optional[str] = None,
    ) -> responses.OptOutsChanged:
        """Numbers that want messages again; `consent` says how and when the people agreed."""
        body = {"phones": [*phones], "product": product, "serviceId": service_id, "consent": consent}
        return await self._change("removeOptOuts", body)

    async def _change(self, operation: str, body: dict[str, Any]) -> responses.OptOutsChanged:
        given = {name: value for name, value in body.items() if value is not None}
        return cast(responses.OptOutsChanged, await self._caller.call(operation, body=given))


async def _each(read: Callable[[Optional[str]], Awaitable[Any]]) -> AsyncIterator[Any]:
    cursor = None
    while True:
        page = await read(cursor)
        for item in page["items"]:
            yield item
        cursor = page.get("next")
        if cursor is None:
            return
