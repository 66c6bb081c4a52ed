"""Turns what a caller writes into the bodies of the API: the four modes of SMS, two of mobile data, two of chat-app."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, TypedDict, Union, cast

from . import responses
from .caller import Instant, instant_of

#: One recipient or several.
To = Union[str, Iterable[str]]
Body = dict[str, Any]


class SmsText(TypedDict):
    """An SMS to one recipient."""

    to: str
    text: str


class _Recipient(TypedDict):
    to: str


class SmsParams(_Recipient, total=False):
    """The values of a template's parameters, by name, for one recipient."""

    params: Mapping[str, str]


SmsMessage = Union[SmsText, SmsParams]


class _Bundle(TypedDict):
    to: str
    denomination: responses.Denomination


class Disbursement(_Bundle, total=False):
    """A bundle for one recipient, with an SMS once it was delivered."""

    text: str


class ChatAppFallbackText(TypedDict, total=False):
    """The SMS in reserve for one recipient: a message, or the params of its template."""

    message: str
    params: list[responses.TemplateParameter]


class ChatAppMessage(_Recipient, total=False):
    """The parameters of a template for one recipient."""

    params: Iterable[responses.ChatAppParameter]
    #: Instead of that for all.
    fallback: ChatAppFallbackText


def sms_body(
    to: Optional[To],
    text: Optional[str],
    messages: Optional[Iterable[SmsMessage]],
    template: Optional[str],
    params: Optional[Mapping[str, str]],
    flash: Optional[bool],
    correlator: Optional[str],
    callback_url: Optional[str],
    send_at: Optional[Instant],
    valid_until: Optional[Instant],
    time_zone: Optional[str],
) -> Body:
    """The mode follows from what is set."""
    common = _common(correlator, callback_url, send_at, valid_until, time_zone)
    _one_of(to=to, messages=messages)
    if template is not None:
        _absent("a template", text=text, flash=flash or None)
        if to is not None:
            recipients = {"addresses": _list_of(to), "params": _params_of(params)}
            return {"type": "TemplateSendToMany", "templateId": template, **recipients, **common}
        _absent("messages", params=params)
        entries = [
            {"phone": one["to"], "params": _params_of(one.get("params"))}
            for one in _checked(messages or [], {"to"}, {"params"})
        ]
        return {"type": "TemplateSendToEach", "templateId": template, "messages": entries, **common}
    _absent("no template", params=params)
    if flash:
        common["messageClass"] = 0
    if to is not None:
        if text is None:
            raise TypeError("text or template is required")
        return {"type": "SendToMany", "addresses": _list_of(to), "message": text, **common}
    _absent("messages", text=text)
    entries = [{"phone": one["to"], "message": one["text"]} for one in _checked(messages or [], {"to", "text"})]
    return {"type": "SendToEach", "messages": entries, **common}


def data_body(
    to: Optional[To],
    denomination: Optional[str],
    text: Optional[str],
    disbursements: Optional[Iterable[Disbursement]],
    sms_service: Optional[str],
    correlator: Optional[str],
    callback_url: Optional[str],
    send_at: Optional[Instant],
    valid_until: Optional[Instant],
) -> Body:
    """The mode follows from what is set."""
    common = _common(correlator, callback_url, send_at, valid_until, None)
    _one_of(to=to, disbursements=disbursements)
    selection = (
        {"type": "DefaultService"}
        if sms_service is None
        else {"type": "SelfService", "serviceId": sms_service}
    )
    if to is not None:
        if denomination is None:
            raise TypeError("denomination is required")
        messaging = {} if text is None else {"messaging": {"message": text, "serviceSelection": selection}}
        bundle = {"phones": _list_of(to), "denomination": denomination}
        return {"type": "SendToMany", **bundle, **messaging, **common}
    _absent("disbursements", denomination=denomination, text=text)
    entries = []
    for one in _checked(disbursements or [], {"to", "denomination"}, {"text"}):
        message = {} if one.get("text") is None else {"message": one["text"]}
        entries.append({"phone": one["to"], "denomination": one["denomination"], **message})
    texts = any("message" in entry for entry in entries)
    messaging = {"messaging": {"serviceSelection": selection}} if texts else {}
    return {"type": "SendToEach", "disbursements": entries, **messaging, **common}


def chatapp_body(
    phone_number_id: str,
    template: Optional[str],
    to: Optional[To],
    params: Optional[Iterable[responses.ChatAppParameter]],
    messages: Optional[Iterable[ChatAppMessage]],
    fallback: Optional[responses.ChatAppFallback],
    in_reply_to: Optional[str],
    text: Optional[str],
    media: Optional[responses.ChatAppMedia],
    correlator: Optional[str],
    callback_url: Optional[str],
    send_at: Optional[Instant],
    valid_until: Optional[Instant],
    time_zone: Optional[str],
) -> Body:
    """The mode follows from what is set."""
    common = _common(correlator, callback_url, send_at, valid_until, time_zone)
    _one_of(template=template, in_reply_to=in_reply_to)
    if in_reply_to is not None:
        _absent(
            "a reply",
            **{"to": to, "params": params, "messages": messages, "fallback": fallback},
            **{"send_at": send_at, "time_zone": time_zone},
        )
        _one_of(text=text, media=media)
        content = _set(text=text, media=media)
        return {"type": "Reply", "phoneNumberId": phone_number_id, "inReplyTo": in_reply_to, **content, **common}
    _absent("a template", text=text, media=media)
    _one_of(to=to, messages=messages)
    sender = {"phoneNumberId": phone_number_id, "templateId": template, **_set(fallback=fallback)}
    if to is not None:
        recipients = {"addresses": _list_of(to), "params": list(params or [])}
        return {"type": "TemplateSendToMany", **sender, **recipients, **common}
    _absent("messages", params=params)
    entries = [
        {"phone": one["to"], "params": list(one.get("params") or []), **_set(fallback=one.get("fallback"))}
        for one in _checked(messages or [], {"to"}, {"params", "fallback"})
    ]
    return {"type": "TemplateSendToEach", **sender, "messages": entries, **common}


def _common(
    correlator: Optional[str],
    callback_url: Optional[str],
    send_at: Optional[Instant],
    valid_until: Optional[Instant],
    time_zone: Optional[str],
) -> Body:
    """What all modes have, as far as it is set."""
    if send_at is None:
        _absent("a message that is sent at once", valid_until=valid_until)
    schedule = _set(sendAt=instant_of(send_at), validUntil=instant_of(valid_until))
    receipts = _set(correlator=correlator, callbackUrl=callback_url)
    return _set(receiptRequest=receipts or None, schedule=schedule or None, timeZone=time_zone)


def _set(**values: object) -> Body:
    return {name: value for name, value in values.items() if value is not None}


def _list_of(to: To) -> list[str]:
    return [to] if isinstance(to, str) else list(to)


def _params_of(values: Optional[Mapping[str, str]]) -> list[Body]:
    return [{"name": name, "value": value} for name, value in (values or {}).items()]


def _one_of(**arguments: object) -> None:
    if sum(value is not None for value in arguments.values()) != 1:
        raise TypeError(f"exactly one of {' and '.join(arguments)} is required")


def _absent(beside: str, **arguments: object) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise TypeError(f"{name} cannot be combined with {beside}")


def _checked(
    entries: Iterable[Mapping[str, object]], required: set[str], optional: frozenset[str] | set[str] = frozenset()
) -> Iterable[Mapping[str, Any]]:
    """A key that is missing or misspelt must not be lost without a word."""
    for entry in entries:
        wrong = (required - entry.keys()) | (entry.keys() - required - optional)
        if wrong:
            raise TypeError(f"an entry has missing or unknown keys: {', '.join(sorted(wrong))}")
        yield cast(Mapping[str, Any], entry)
