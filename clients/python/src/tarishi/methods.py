"""The methods of the client, as the OpenAPI document says: written by npm run generate.

Times are datetimes, or RFC 3339 text such as `2026-11-22T06:00:00Z`. Without `send_at` it is sent at once.
"""

from __future__ import annotations

from typing import Iterator, Iterable, Literal, Mapping, Optional, Sequence, cast

from . import responses
from .bodies import ChatAppMessage, Disbursement, SmsMessage, To, chatapp_body, data_body, sms_body
from .caller import Caller, Instant


class Sms:
    """Text messages, free-form or from templates."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def send(
        self,
        *,
        service: str,
        to: Optional[To] = None,
        text: Optional[str] = None,
        messages: Optional[Iterable[SmsMessage]] = None,
        template: Optional[str] = None,
        params: Optional[Mapping[str, str]] = None,
        flash: Optional[bool] = None,
        correlator: Optional[str] = None,
        callback_url: Optional[str] = None,
        send_at: Optional[Instant] = None,
        valid_until: Optional[Instant] = None,
        time_zone: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> responses.SentSmsResult:
        """Returns once the request is accepted for every recipient; receipts report the outcomes.

        Args:
            service: The messaging service to send through.
            to: One phone number or several.
            text: To all of `to` alike; up to 960 characters, one unit per 160.
            messages: Instead of `to`: to each a text or, with a template, parameters of its own.
            template: The id of a template; instead of a text.
            params: The values of the template's parameters, by name.
            flash: The phone shows the text at once and does not keep it.
            correlator: Your own identifier, repeated in every receipt of the request.
            callback_url: Absolute http or https URL without user information to which receipts are
                posted. If absent, no receipts are sent.
            send_at: From one minute to 30 days after acceptance. Without a schedule, the messages
                are sent at once.
            valid_until: What no network has accepted by then is not sent: it ends as `Expired`, and
                its units are refunded. Later than `send_at`, by at most 14 days. Absent: the validity of
                the service, counted from `send_at`.
            time_zone: Where the recipients are: the name of a time zone, for countries that have
                several. Quiet hours of such a country count in this zone; absent, or if the country does
                not have it: the window must be open in all its zones.

        Raises:
            TarishiError: 400: The request breaks a rule of the contract; nothing was debited, stored
                or queued.
            TarishiError: 404: The caller's team has no such resource.
            TarishiError: 409: The Idempotency-Key is in use: the first request with it is still
                running (`Error-Code: key-in-use`), or had another body (`Error-Code: key-reused`).
        """
        body = sms_body(
            to=to,
            text=text,
            messages=messages,
            template=template,
            params=params,
            flash=flash,
            correlator=correlator,
            callback_url=callback_url,
            send_at=send_at,
            valid_until=valid_until,
            time_zone=time_zone,
        )
        answer = self._caller.call(
            "sendSms",
            path={"serviceId": service},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.SentSmsResult, answer["result"])

    def preview(
        self,
        *,
        service: str,
        to: Optional[To] = None,
        text: Optional[str] = None,
        messages: Optional[Iterable[SmsMessage]] = None,
        template: Optional[str] = None,
        params: Optional[Mapping[str, str]] = None,
        flash: Optional[bool] = None,
        correlator: Optional[str] = None,
        callback_url: Optional[str] = None,
        send_at: Optional[Instant] = None,
        valid_until: Optional[Instant] = None,
        time_zone: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> responses.SmsPreview:
        """What `send` would do: the text, units and problems of each recipient. Sends and costs nothing.

        Args:
            service: The messaging service to send through.
            to: One phone number or several.
            text: To all of `to` alike; up to 960 characters, one unit per 160.
            messages: Instead of `to`: to each a text or, with a template, parameters of its own.
            template: The id of a template; instead of a text.
            params: The values of the template's parameters, by name.
            flash: The phone shows the text at once and does not keep it.
            correlator: Your own identifier, repeated in every receipt of the request.
            callback_url: Absolute http or https URL without user information to which receipts are
                posted. If absent, no receipts are sent.
            send_at: From one minute to 30 days after acceptance. Without a schedule, the messages
                are sent at once.
            valid_until: What no network has accepted by then is not sent: it ends as `Expired`, and
                its units are refunded. Later than `send_at`, by at most 14 days. Absent: the validity of
                the service, counted from `send_at`.
            time_zone: Where the recipients are: the name of a time zone, for countries that have
                several. Quiet hours of such a country count in this zone; absent, or if the country does
                not have it: the window must be open in all its zones.

        Raises:
            TarishiError: 400: The whole request breaks a rule, as it would if it were sent. Faults
                of single recipients are in the 200 response.
            TarishiError: 404: The caller's team has no such resource.
        """
        body = sms_body(
            to=to,
            text=text,
            messages=messages,
            template=template,
            params=params,
            flash=flash,
            correlator=correlator,
            callback_url=callback_url,
            send_at=send_at,
            valid_until=valid_until,
            time_zone=time_zone,
        )
        answer = self._caller.call(
            "previewSms",
            path={"serviceId": service},
            body=body,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.SmsPreview, answer)


class Data:
    """Mobile-data bundles under a campaign, each with an optional SMS."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def disburse(
        self,
        *,
        campaign: str,
        to: Optional[To] = None,
        denomination: Optional[responses.Denomination] = None,
        text: Optional[str] = None,
        disbursements: Optional[Iterable[Disbursement]] = None,
        sms_service: Optional[str] = None,
        correlator: Optional[str] = None,
        callback_url: Optional[str] = None,
        send_at: Optional[Instant] = None,
        valid_until: Optional[Instant] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> responses.DisbursedMobileData:
        """Returns once the request is accepted for every recipient; receipts report the outcomes.

        Args:
            campaign: The campaign whose rules the disbursement follows.
            to: One phone number or several.
            denomination: The size of the bundle, to all of `to` alike; one unit each.
            text: An SMS to each recipient whose bundle was delivered.
            disbursements: Instead of `to`, its bundle and text: to each its own.
            sms_service: The service that sends the texts; the campaign's own by default.
            correlator: Your own identifier, repeated in every receipt of the request.
            callback_url: Absolute http or https URL without user information to which receipts are
                posted.
            send_at: From one minute to 30 days after acceptance. Without a schedule, the messages
                are sent at once.
            valid_until: What no network has accepted by then is not sent: it ends as `Expired`, and
                its units are refunded. Later than `send_at`, by at most 14 days. Absent: the validity of
                the service, counted from `send_at`.

        Raises:
            TarishiError: 400: The request breaks a rule of the contract; nothing was debited, stored
                or queued.
            TarishiError: 404: The caller's team has no such resource.
            TarishiError: 409: The Idempotency-Key is in use: the first request with it is still
                running (`Error-Code: key-in-use`), or had another body (`Error-Code: key-reused`).
        """
        body = data_body(
            to=to,
            denomination=denomination,
            text=text,
            disbursements=disbursements,
            sms_service=sms_service,
            correlator=correlator,
            callback_url=callback_url,
            send_at=send_at,
            valid_until=valid_until,
        )
        answer = self._caller.call(
            "disburseMobileData",
            path={"campaignId": campaign},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.DisbursedMobileData, answer)

    def preview(
        self,
        *,
        campaign: str,
        to: Optional[To] = None,
        denomination: Optional[responses.Denomination] = None,
        text: Optional[str] = None,
        disbursements: Optional[Iterable[Disbursement]] = None,
        sms_service: Optional[str] = None,
        correlator: Optional[str] = None,
        callback_url: Optional[str] = None,
        send_at: Optional[Instant] = None,
        valid_until: Optional[Instant] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> responses.MobileDataPreview:
        """What `disburse` would do: the bundle, cost and problems of each recipient. Gives and costs
        nothing.

        Args:
            campaign: The campaign whose rules the disbursement follows.
            to: One phone number or several.
            denomination: The size of the bundle, to all of `to` alike; one unit each.
            text: An SMS to each recipient whose bundle was delivered.
            disbursements: Instead of `to`, its bundle and text: to each its own.
            sms_service: The service that sends the texts; the campaign's own by default.
            correlator: Your own identifier, repeated in every receipt of the request.
            callback_url: Absolute http or https URL without user information to which receipts are
                posted.
            send_at: From one minute to 30 days after acceptance. Without a schedule, the messages
                are sent at once.
            valid_until: What no network has accepted by then is not sent: it ends as `Expired`, and
                its units are refunded. Later than `send_at`, by at most 14 days. Absent: the validity of
                the service, counted from `send_at`.

        Raises:
            TarishiError: 400: The whole request breaks a rule, as it would if it were sent. Faults
                of single recipients are in the 200 response.
            TarishiError: 404: The caller's team has no such resource.
        """
        body = data_body(
            to=to,
            denomination=denomination,
            text=text,
            disbursements=disbursements,
            sms_service=sms_service,
            correlator=correlator,
            callback_url=callback_url,
            send_at=send_at,
            valid_until=valid_until,
        )
        answer = self._caller.call(
            "previewMobileData",
            path={"campaignId": campaign},
            body=body,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.MobileDataPreview, answer)


class ChatApp:
    """Approved templates through a chat-app business account."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def send(
        self,
        *,
        service: str,
        phone_number_id: str,
        template: Optional[str] = None,
        to: Optional[To] = None,
        params: Optional[Iterable[responses.ChatAppParameter]] = None,
        messages: Optional[Iterable[ChatAppMessage]] = None,
        fallback: Optional[responses.ChatAppFallback] = None,
        in_reply_to: Optional[str] = None,
        text: Optional[str] = None,
        media: Optional[responses.ChatAppMedia] = None,
        correlator: Optional[str] = None,
        callback_url: Optional[str] = None,
        send_at: Optional[Instant] = None,
        valid_until: Optional[Instant] = None,
        time_zone: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> responses.SentChatAppTemplateResult:
        """Returns once the request is accepted for every recipient; receipts report the outcomes.

        Args:
            service: The chat-app service to send through.
            phone_number_id: The business number that sends.
            template: The id of an approved template.
            to: One phone number or several.
            params: Those of the API, each with its `type`; for all of `to` alike.
            messages: Instead of `to`: to each with parameters of its own.
            fallback: An SMS to each of those who are not reached; for none of them if it is absent.
            in_reply_to: Instead of `template`: the id of an inbound message of the last 24 hours, to
                whose sender it goes.
            text: The text of a reply.
            media: Instead of `text`: a file.
            correlator: Your own identifier, repeated in every receipt of the request.
            callback_url: Absolute http or https URL without user information to which receipts are
                posted.
            send_at: From one minute to 30 days after acceptance. Without a schedule, the messages
                are sent at once.
            valid_until: What no network has accepted by then is not sent: it ends as `Expired`, and
                its units are refunded. Later than `send_at`, by at most 14 days. Absent: the validity of
                the service, counted from `send_at`.
            time_zone: Where the recipients are: the name of a time zone, for countries that have
                several. Quiet hours of such a country count in this zone; absent, or if the country does
                not have it: the window must be open in all its zones.

        Raises:
            TarishiError: 400: The request breaks a rule of the contract; nothing was debited, stored
                or queued.
            TarishiError: 404: The caller's team has no such resource.
            TarishiError: 409: The Idempotency-Key is in use: the first request with it is still
                running (`Error-Code: key-in-use`), or had another body (`Error-Code: key-reused`).
        """
        body = chatapp_body(
            phone_number_id=phone_number_id,
            template=template,
            to=to,
            params=params,
            messages=messages,
            fallback=fallback,
            in_reply_to=in_reply_to,
            text=text,
            media=media,
            correlator=correlator,
            callback_url=callback_url,
            send_at=send_at,
            valid_until=valid_until,
            time_zone=time_zone,
        )
        answer = self._caller.call(
            "sendChatAppTemplate",
            path={"serviceId": service},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.SentChatAppTemplateResult, answer["result"])

    def preview(
        self,
        *,
        service: str,
        phone_number_id: str,
        template: Optional[str] = None,
        to: Optional[To] = None,
        params: Optional[Iterable[responses.ChatAppParameter]] = None,
        messages: Optional[Iterable[ChatAppMessage]] = None,
        fallback: Optional[responses.ChatAppFallback] = None,
        in_reply_to: Optional[str] = None,
        text: Optional[str] = None,
        media: Optional[responses.ChatAppMedia] = None,
        correlator: Optional[str] = None,
        callback_url: Optional[str] = None,
        send_at: Optional[Instant] = None,
        valid_until: Optional[Instant] = None,
        time_zone: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> responses.ChatAppPreview:
        """What `send` would do: what each recipient would see, the cost and problems. Sends and costs
        nothing.

        Args:
            service: The chat-app service to send through.
            phone_number_id: The business number that sends.
            template: The id of an approved template.
            to: One phone number or several.
            params: Those of the API, each with its `type`; for all of `to` alike.
            messages: Instead of `to`: to each with parameters of its own.
            fallback: An SMS to each of those who are not reached; for none of them if it is absent.
            in_reply_to: Instead of `template`: the id of an inbound message of the last 24 hours, to
                whose sender it goes.
            text: The text of a reply.
            media: Instead of `text`: a file.
            correlator: Your own identifier, repeated in every receipt of the request.
            callback_url: Absolute http or https URL without user information to which receipts are
                posted.
            send_at: From one minute to 30 days after acceptance. Without a schedule, the messages
                are sent at once.
            valid_until: What no network has accepted by then is not sent: it ends as `Expired`, and
                its units are refunded. Later than `send_at`, by at most 14 days. Absent: the validity of
                the service, counted from `send_at`.
            time_zone: Where the recipients are: the name of a time zone, for countries that have
                several. Quiet hours of such a country count in this zone; absent, or if the country does
                not have it: the window must be open in all its zones.

        Raises:
            TarishiError: 400: The whole request breaks a rule, as it would if it were sent. Faults
                of single recipients are in the 200 response.
            TarishiError: 404: The caller's team has no such resource.
        """
        body = chatapp_body(
            phone_number_id=phone_number_id,
            template=template,
            to=to,
            params=params,
            messages=messages,
            fallback=fallback,
            in_reply_to=in_reply_to,
            text=text,
            media=media,
            correlator=correlator,
            callback_url=callback_url,
            send_at=send_at,
            valid_until=valid_until,
            time_zone=time_zone,
        )
        answer = self._caller.call(
            "previewChatAppTemplate",
            path={"serviceId": service},
            body=body,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.ChatAppPreview, answer)


class Messages:
    """The messages of your team that match all filters, newest first, each with its state and timeline."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        phone: Optional[str] = None,
        request_id: Optional[str] = None,
        product: Optional[Literal["Sms", "MobileData", "ChatApp"]] = None,
        correlator: Optional[str] = None,
        state: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.MessagePage:
        """Find messages by phone number, request, correlator, product, state or time.

        The messages of your team that match all filters, newest first, each with its state and timeline.

        A page looks at a limited number of messages. If few of them match, it has fewer items than
        `limit`, or none: continue while the page has `next`.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            phone: Messages to this number, in any format that requests accept, or user id.
            request_id: Messages of this request.
            product: Messages of this product.
            correlator: Requests with this correlator, and their messages.
            state: Messages that are in this state.
            from_: What was accepted at this time or later; at most 366 days before `to`.
            to: What was accepted before this time. If absent, now.
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {
            "phone": phone,
            "requestId": request_id,
            "product": product,
            "correlator": correlator,
            "state": state,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
        }
        answer = self._caller.call("listMessages", query=query)
        return cast(responses.MessagePage, answer)

    def each(
        self,
        *,
        phone: Optional[str] = None,
        request_id: Optional[str] = None,
        product: Optional[Literal["Sms", "MobileData", "ChatApp"]] = None,
        correlator: Optional[str] = None,
        state: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> Iterator[responses.Message]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {
            "phone": phone,
            "requestId": request_id,
            "product": product,
            "correlator": correlator,
            "state": state,
            "from": from_,
            "to": to,
            "limit": limit,
        }
        return self._caller.each("listMessages", query=query)


class Requests:
    """The requests of your team that match all filters, newest first, with the states of their messages."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        correlator: Optional[str] = None,
        scheduled: Optional[bool] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.RequestPage:
        """List your requests.

        The requests of your team that match all filters, newest first, with the states of their
        messages.

        A page looks at a limited number of requests. If few of them match, it has fewer items than
        `limit`, or none: continue while the page has `next`.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            correlator: Requests with this correlator, and their messages.
            scheduled: Only requests with messages that wait for their `sendAt`.
            from_: What was accepted at this time or later; at most 366 days before `to`.
            to: What was accepted before this time. If absent, now.
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {
            "correlator": correlator,
            "scheduled": scheduled,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
        }
        answer = self._caller.call("listRequests", query=query)
        return cast(responses.RequestPage, answer)

    def each(
        self,
        *,
        correlator: Optional[str] = None,
        scheduled: Optional[bool] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> Iterator[responses.AcceptedRequest]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {"correlator": correlator, "scheduled": scheduled, "from": from_, "to": to, "limit": limit}
        return self._caller.each("listRequests", query=query)

    def get(self, request_id: str) -> responses.AcceptedRequest:
        """Get one of your requests.

        What was accepted, and how many of its messages are in which state.

        Args:
            request_id: The `requestId` of the response that accepted the request.

        Raises:
            TarishiError: 404: The caller's team has no such request.
        """
        answer = self._caller.call("getRequest", path={"requestId": request_id})
        return cast(responses.AcceptedRequest, answer)

    def list_messages(
        self,
        request_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.MessagePage:
        """List the messages of one of your requests.

        In the order of the request, each with its state and timeline.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            request_id: The `requestId` of the response that accepted the request.
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
            TarishiError: 404: The caller's team has no such request.
        """
        query = {"limit": limit, "cursor": cursor}
        answer = self._caller.call("listRequestMessages", path={"requestId": request_id}, query=query)
        return cast(responses.MessagePage, answer)

    def each_message(self, request_id: str, *, limit: Optional[int] = None) -> Iterator[responses.Message]:
        """Like `list_messages`, but iterates over all pages and fetches each one as it is needed; `limit`
        is the page size."""
        query = {"limit": limit}
        return self._caller.each("listRequestMessages", path={"requestId": request_id}, query=query)

    def cancel(self, request_id: str) -> responses.CancelledRequest:
        """Cancel what is not submitted yet.

        Messages of the request that wait are not sent, and their units are refunded. Messages that are
        being submitted are not stopped: each is either cancelled and refunded, or sent. A cancelled
        message with a `receiptRequest` gets a receipt with `Cancelled`.

        A repeated call has the same response, unless it could cancel more: a message that its network
        did not take at the first try may wait again.

        Args:
            request_id: The `requestId` of the response that accepted the request.

        Raises:
            TarishiError: 404: The caller's team has no such request.
            TarishiError: 409: All messages of the request had left.
        """
        answer = self._caller.call("cancelRequest", path={"requestId": request_id})
        return cast(responses.CancelledRequest, answer)

    def confirm(self, request_id: str) -> responses.ConfirmedRequest:
        """Confirm a one-time code.

        Says that the person entered the code of this request, or of all its recipients: send each code
        in a request of its own. From what is confirmed, the guard against SMS pumping learns where real
        people are; where your team has one, codes that nobody confirms soon stop.

        Codes are confirmed within 24 hours. A repeated call has the same response and changes nothing.

        Args:
            request_id: The `requestId` of the response that accepted the request.

        Raises:
            TarishiError: 404: The caller's team has no such request.
        """
        answer = self._caller.call("confirmRequest", path={"requestId": request_id})
        return cast(responses.ConfirmedRequest, answer)


class Inbound:
    """The messages that people sent to the senders of your team, newest first. Texts and numbers are kept
    as long as those of your own messages."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        phone: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.InboundPage:
        """List what people sent to you.

        The messages that people sent to the senders of your team, newest first. Texts and numbers are
        kept as long as those of your own messages.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            phone: Messages from this number, in any format that requests accept, or user id.
            from_: What was received at this time or later; at most 366 days before `to`.
            to: What was received before this time. If absent, now.
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {"phone": phone, "from": from_, "to": to, "limit": limit, "cursor": cursor}
        answer = self._caller.call("listInboundMessages", query=query)
        return cast(responses.InboundPage, answer)

    def each(
        self,
        *,
        phone: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> Iterator[responses.InboundMessage]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {"phone": phone, "from": from_, "to": to, "limit": limit}
        return self._caller.each("listInboundMessages", query=query)

    def media(self, id: str) -> bytes:
        """Get the file of an inbound message.

        The file that a person sent, of at most 100 MiB, as the network has it now: chat apps keep files
        for some days only. `Content-Type` is its type as the network said it, which a program should not
        trust. The file is streamed: if the network fails on the way, the connection ends before
        `Content-Length` is reached.

        Args:
            id: The `messageId` of the inbound message.

        Raises:
            TarishiError: 404: The caller's team has no such message, or its file is not there.
        """
        answer = self._caller.call("getInboundMedia", path={"messageId": id})
        return cast(bytes, answer)


class Receipts:
    """The receipts of your team, newest first, each with the latest attempts to post it: when, how long it
    took, the status and the beginning of the response."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        request_id: Optional[str] = None,
        state: Optional[Literal["Waiting", "Delivered", "Exhausted"]] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.ReceiptPage:
        """List receipts and their attempts.

        The receipts of your team, newest first, each with the latest attempts to post it: when, how long
        it took, the status and the beginning of the response.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            request_id: Receipts of this request.
            state: Receipts that are in this state.
            from_: Receipts that were created at this time or later; at most 366 days before `to`.
            to: Receipts that were created before this time. If absent, now.
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {
            "requestId": request_id,
            "state": state,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
        }
        answer = self._caller.call("listReceipts", query=query)
        return cast(responses.ReceiptPage, answer)

    def each(
        self,
        *,
        request_id: Optional[str] = None,
        state: Optional[Literal["Waiting", "Delivered", "Exhausted"]] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> Iterator[responses.Receipt]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {"requestId": request_id, "state": state, "from": from_, "to": to, "limit": limit}
        return self._caller.each("listReceipts", query=query)

    def get(self, receipt_id: str) -> responses.Receipt:
        """Get one receipt.

        The receipt with this `webhook-id`, and the attempts to post it.

        Args:
            receipt_id: The `webhook-id` of the receipt.

        Raises:
            TarishiError: 404: The caller's team has no such receipt.
        """
        answer = self._caller.call("getReceipt", path={"receiptId": receipt_id})
        return cast(responses.Receipt, answer)

    def resend(self, receipt_id: str) -> responses.Receipt:
        """Resend a receipt.

        Resends the receipt now, whatever its state, with the same `webhook-id` and a new signature. If
        it fails, its attempts begin again.

        Args:
            receipt_id: The `webhook-id` of the receipt.

        Raises:
            TarishiError: 404: The caller's team has no such receipt.
        """
        answer = self._caller.call("resendReceipt", path={"receiptId": receipt_id})
        return cast(responses.Receipt, answer)

    def replay(
        self,
        *,
        from_: Instant,
        which: Literal["Exhausted", "All"],
        to: Optional[Instant] = None,
        callback_url: Optional[str] = None,
        request_id: Optional[str] = None,
    ) -> responses.ReplayResponse:
        """Replay receipts.

        Has the receipts of a period posted again, each with its own `webhook-id`: those whose attempts
        are exhausted, or all. `callback_url` and `request_id` narrow it to one endpoint or request.
        Receipts that still wait for an attempt are left alone, and so are receipts that were replayed
        within the last hour: the same replay twice posts nothing twice.

        One call replays up to 10,000 receipts, the oldest first; while `more` is true, send the same
        call again. They are posted at 50 a second. A team can have 100,000 receipts replayed in an hour,
        in one call at a time.

        Args:
            from_: Receipts that were created at this time or later.
            which: Only receipts whose attempts are exhausted, or those that were delivered as well.
            to: Receipts that were created before this time. If absent, now.
            callback_url: Receipts that are posted to this URL, as the `receiptRequest` has it.
            request_id: Receipts of this request.

        Raises:
            TarishiError: 400: The body breaks the schema, or its period is empty.
        """
        body = {"from": from_, "to": to, "callbackUrl": callback_url, "requestId": request_id, "which": which}
        answer = self._caller.call("replayReceipts", body=body)
        return cast(responses.ReplayResponse, answer)

    def test(self, *, callback_url: str) -> responses.ReceiptTestResponse:
        """Post a signed sample to a URL.

        Posts a receipt that belongs to no request, signed like every other receipt of your client, and
        shows what your endpoint responded. There is one attempt.

        Args:
            callback_url: An absolute http or https URL without user information.

        Raises:
            TarishiError: 400: The body breaks the schema, or the URL may not be called.
        """
        body = {"callbackUrl": callback_url}
        answer = self._caller.call("testReceipt", body=body)
        return cast(responses.ReceiptTestResponse, answer)


class OptOuts:
    """Who opted out of the messages of your team, newest first."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        phone: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> responses.OptOutPage:
        """List opt-outs.

        Who opted out of the messages of your team, newest first.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            phone: Only this number, in any format that requests accept, or user id.
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {"phone": phone, "limit": limit, "cursor": cursor}
        answer = self._caller.call("listOptOuts", query=query)
        return cast(responses.OptOutPage, answer)

    def each(self, *, phone: Optional[str] = None, limit: Optional[int] = None) -> Iterator[responses.OptOut]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {"phone": phone, "limit": limit}
        return self._caller.each("listOptOuts", query=query)

    def add(
        self,
        *,
        phones: Sequence[str],
        product: Literal["Sms", "ChatApp"],
        target: Literal["MARKETING", "ALL"],
        service_id: Optional[str] = None,
    ) -> responses.OptOutsChanged:
        """Add opt-outs.

        A later message of that category to one of the numbers is accepted, but not submitted: its units
        are refunded, and its receipt says `SubscriberOptedOut` with the reasonCode `opt-out-list`. So do
        messages that wait to be submitted. A preview has the problem `opted-out`, and stays sendable.

        Args:
            phones: 1 to 100 numbers; for `ChatApp` also user ids.
            product: SMS or chat-app messages. Bundles are not affected; the SMS with them are.
            target: What the person opted out of: messages of the category MARKETING, or `ALL`,
                one-time codes included.
            service_id: The service it is about. If absent, all services of your team.

        Raises:
            TarishiError: 400: The body breaks the schema, or a number is not valid. Nothing was
                changed.
            TarishiError: 404: The caller's team has no such resource.
        """
        body = {"phones": phones, "product": product, "serviceId": service_id, "target": target}
        answer = self._caller.call("addOptOuts", body=body)
        return cast(responses.OptOutsChanged, answer)

    def remove(
        self,
        *,
        phones: Sequence[str],
        product: Literal["Sms", "ChatApp"],
        consent: str,
        service_id: Optional[str] = None,
    ) -> responses.OptOutsChanged:
        """Remove opt-outs.

        For people who agreed again outside of messaging; a reply such as START does it by itself.
        Removes what holds for your team, wherever it came from. An opt-out of the whole platform stays.

        Args:
            phones: 1 to 100 numbers; for `ChatApp` also user ids.
            product: SMS or chat-app messages. Bundles are not affected; the SMS with them are.
            consent: How and when the people agreed. It is kept in the audit log for good: write no
                phone numbers or names.
            service_id: The service it is about. If absent, all services of your team.

        Raises:
            TarishiError: 400: The body breaks the schema, or a number is not valid. Nothing was
                changed.
            TarishiError: 404: The caller's team has no such resource.
        """
        body = {"phones": phones, "product": product, "serviceId": service_id, "consent": consent}
        answer = self._caller.call("removeOptOuts", body=body)
        return cast(responses.OptOutsChanged, answer)


class Balances:
    """The units of each account of your team: one for SMS, one for each channel and denomination of mobile
    data, and one for each chat-app template category. A team without a chat-app account is not billed
    for chat-app messages."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> responses.BalancePage:
        """List the balances of your team.

        The units of each account of your team: one for SMS, one for each channel and denomination of
        mobile data, and one for each chat-app template category. A team without a chat-app account is
        not billed for chat-app messages.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {"limit": limit, "cursor": cursor}
        answer = self._caller.call("listBalances", query=query)
        return cast(responses.BalancePage, answer)

    def each(self, *, limit: Optional[int] = None) -> Iterator[responses.Balance]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {"limit": limit}
        return self._caller.each("listBalances", query=query)


class Services:
    """The services that your team sends SMS and chat-app messages through, newest first. Only those with
    the status `Active` accept requests."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> responses.ServicePage:
        """List the services of your team.

        The services that your team sends SMS and chat-app messages through, newest first. Only those
        with the status `Active` accept requests.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {"limit": limit, "cursor": cursor}
        answer = self._caller.call("listServices", query=query)
        return cast(responses.ServicePage, answer)

    def each(self, *, limit: Optional[int] = None) -> Iterator[responses.Service]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {"limit": limit}
        return self._caller.each("listServices", query=query)

    def get(self, id: str, *, product: Optional[Literal["Sms", "ChatApp"]] = None) -> responses.Service:
        """Get one service.

        The SMS or chat-app service with this id.

        Args:
            id: The `id` of the service.
            product: Which one, if an SMS and a chat-app service have the same id. If absent, that of
                SMS.

        Raises:
            TarishiError: 400: A query parameter is not valid.
            TarishiError: 404: The caller's team has no such service.
        """
        query = {"product": product}
        answer = self._caller.call("getService", path={"serviceId": id}, query=query)
        return cast(responses.Service, answer)


class Senders:
    """What your team may send SMS and chat-app messages as, newest first. Requests through a service whose
    sender is not approved for a recipient's channel or country are rejected."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> responses.SenderPage:
        """List the senders of your team.

        What your team may send SMS and chat-app messages as, newest first. Requests through a service
        whose sender is not approved for a recipient's channel or country are rejected.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {"limit": limit, "cursor": cursor}
        answer = self._caller.call("listSenders", query=query)
        return cast(responses.SenderPage, answer)

    def each(self, *, limit: Optional[int] = None) -> Iterator[responses.Sender]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {"limit": limit}
        return self._caller.each("listSenders", query=query)


class Templates:
    """The SMS and chat-app templates of your team, newest first, with the parameters that each takes. Only
    those with the status `Active` and the approval status `APPROVED` can be sent."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> responses.TemplatePage:
        """List the templates of your team.

        The SMS and chat-app templates of your team, newest first, with the parameters that each takes.
        Only those with the status `Active` and the approval status `APPROVED` can be sent.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {"limit": limit, "cursor": cursor}
        answer = self._caller.call("listTemplates", query=query)
        return cast(responses.TemplatePage, answer)

    def each(self, *, limit: Optional[int] = None) -> Iterator[responses.Template]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {"limit": limit}
        return self._caller.each("listTemplates", query=query)

    def get(self, id: str, *, product: Optional[Literal["Sms", "ChatApp"]] = None) -> responses.Template:
        """Get one template.

        The SMS or chat-app template with this id, with the parameters that it takes.

        Args:
            id: The `id` of the template.
            product: Which one, if an SMS and a chat-app template have the same id. If absent, that
                of SMS.

        Raises:
            TarishiError: 400: A query parameter is not valid.
            TarishiError: 404: The caller's team has no such template.
        """
        query = {"product": product}
        answer = self._caller.call("getTemplate", path={"templateId": id}, query=query)
        return cast(responses.Template, answer)


class Campaigns:
    """The mobile-data campaigns of your team and their rules, newest first. Only those with the status
    `Active` that have not expired accept requests."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> responses.CampaignPage:
        """List the campaigns of your team.

        The mobile-data campaigns of your team and their rules, newest first. Only those with the status
        `Active` that have not expired accept requests.

        Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next
        page.

        Args:
            limit: The number of items on a page.
            cursor: `next` of the previous page. A cursor is valid for the same list with the same
                filters; its content has no meaning for clients. Leave it out to get the first page.

        Raises:
            TarishiError: 400: A query parameter is not valid.
        """
        query = {"limit": limit, "cursor": cursor}
        answer = self._caller.call("listCampaigns", query=query)
        return cast(responses.CampaignPage, answer)

    def each(self, *, limit: Optional[int] = None) -> Iterator[responses.Campaign]:
        """Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the
        page size."""
        query = {"limit": limit}
        return self._caller.each("listCampaigns", query=query)

    def get(self, id: str) -> responses.Campaign:
        """Get one campaign.

        The rules of the campaign with this id.

        Args:
            id: The `id` of the campaign.

        Raises:
            TarishiError: 404: The caller's team has no such campaign.
        """
        answer = self._caller.call("getCampaign", path={"campaignId": id})
        return cast(responses.Campaign, answer)


class Methods:
    """What a client has, by theme."""

    def __init__(self, caller: Caller) -> None:
        #: Calls any operation of the OpenAPI document by its `operationId`.
        self.call = caller.call
        self.sms = Sms(caller)
        self.data = Data(caller)
        self.chatapp = ChatApp(caller)
        self.messages = Messages(caller)
        self.requests = Requests(caller)
        self.inbound = Inbound(caller)
        self.receipts = Receipts(caller)
        self.opt_outs = OptOuts(caller)
        self.balances = Balances(caller)
        self.services = Services(caller)
        self.senders = Senders(caller)
        self.templates = Templates(caller)
        self.campaigns = Campaigns(caller)
