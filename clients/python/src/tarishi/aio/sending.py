"""Written by clients/python/write-async.ts from ../sending.py.

Sends and previews SMS, mobile data and chat-app templates.

Without `send_at` it is sent at once. Times are datetimes, or RFC 3339 text such as `2026-11-22T06:00:00Z`.
"""

from __future__ import annotations

from typing import Iterable, Mapping, Optional, cast

from .. import responses
from ..bodies import ChatAppMessage, Disbursement, SmsMessage, To
from ..bodies import chatapp_body, data_body, place, receipt_request, schedule, sms_body
from ..caller import Instant
from .caller import AsyncCaller


class Sms:
    """`service` sends a text or a template, to `to` alike or to each of `messages` its own."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def send(
        self,
        *,
        service: str,
        to: Optional[To] = None,
        text: Optional[str] = None,
        messages: Optional[Iterable[SmsMessage]] = None,
        template: Optional[str] = None,
        params: Optional[Mapping[str, str]] = None,
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

        `messages` holds `{"to", "text"}`, or `{"to", "params"}` with a template.
        """
        times = {**schedule(send_at, valid_until), **place(time_zone)}
        common = {**receipt_request(correlator, callback_url), **times}
        body = sms_body(to, text, messages, template, params, common)
        answer = await self._caller.call(
            "sendSms",
            path={"serviceId": service},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.SentSmsResult, answer["result"])

    async def preview(
        self,
        *,
        service: str,
        to: Optional[To] = None,
        text: Optional[str] = None,
        messages: Optional[Iterable[SmsMessage]] = None,
        template: Optional[str] = None,
        params: Optional[Mapping[str, str]] = None,
        correlator: Optional[str] = None,
        callback_url: Optional[str] = None,
        send_at: Optional[Instant] = None,
        valid_until: Optional[Instant] = None,
        time_zone: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> responses.SmsPreview:
        """What `send` would do: the text, units and problems of each recipient. Sends and costs nothing."""
        times = {**schedule(send_at, valid_until), **place(time_zone)}
        common = {**receipt_request(correlator, callback_url), **times}
        body = sms_body(to, text, messages, template, params, common)
        path = {"serviceId": service}
        answer = await self._caller.call("previewSms", path=path, body=body, request_id=request_id, timeout=timeout)
        return cast(responses.SmsPreview, answer)


class Data:
    """`campaign` gives a bundle, to `to` alike or to each of `disbursements` its own."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def disburse(
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

        `disbursements` holds `{"to", "denomination"}`. A `text` is sent as an SMS once the bundle is delivered, by
        the campaign's own service unless `sms_service` names another.
        """
        common = {**receipt_request(correlator, callback_url), **schedule(send_at, valid_until)}
        answer = await self._caller.call(
            "disburseMobileData",
            path={"campaignId": campaign},
            body=data_body(to, denomination, text, disbursements, sms_service, common),
            idempotency_key=idempotency_key,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.DisbursedMobileData, answer)

    async def preview(
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
        """What `disburse` would do: the bundle, cost and problems of each recipient. Gives and costs nothing."""
        common = {**receipt_request(correlator, callback_url), **schedule(send_at, valid_until)}
        body = data_body(to, denomination, text, disbursements, sms_service, common)
        answer = await self._caller.call(
            "previewMobileData", path={"campaignId": campaign}, body=body, request_id=request_id, timeout=timeout
        )
        return cast(responses.MobileDataPreview, answer)


class ChatApp:
    """`phone_number_id` sends a template, to `to` alike or to each of `messages` with parameters of its own."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def send(
        self,
        *,
        service: str,
        phone_number_id: str,
        template: str,
        to: Optional[To] = None,
        params: Optional[Iterable[responses.ChatAppParameter]] = None,
        messages: Optional[Iterable[ChatAppMessage]] = None,
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

        `params` are those of the API, each with its `type`; `messages` holds `{"to", "params"}`.
        """
        times = {**schedule(send_at, valid_until), **place(time_zone)}
        common = {**receipt_request(correlator, callback_url), **times}
        answer = await self._caller.call(
            "sendChatAppTemplate",
            path={"serviceId": service},
            body=chatapp_body(phone_number_id, template, to, params, messages, common),
            idempotency_key=idempotency_key,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.SentChatAppTemplateResult, answer["result"])

    async def preview(
        self,
        *,
        service: str,
        phone_number_id: str,
        template: str,
        to: Optional[To] = None,
        params: Optional[Iterable[responses.ChatAppParameter]] = None,
        messages: Optional[Iterable[ChatAppMessage]] = None,
        correlator: Optional[str] = None,
        callback_url: Optional[str] = None,
        send_at: Optional[Instant] = None,
        valid_until: Optional[Instant] = None,
        time_zone: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> responses.ChatAppPreview:
        """What `send` would do: what each recipient would see, the cost and problems. Sends and costs nothing."""
        times = {**schedule(send_at, valid_until), **place(time_zone)}
        common = {**receipt_request(correlator, callback_url), **times}
        body = chatapp_body(phone_number_id, template, to, params, messages, common)
        answer = await self._caller.call(
            "previewChatAppTemplate",
            path={"serviceId": service},
            body=body,
            request_id=request_id,
            timeout=timeout,
        )
        return cast(responses.ChatAppPreview, answer)
