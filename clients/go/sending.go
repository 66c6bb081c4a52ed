package tarishi

import (
	"context"
	"sort"
	"time"
)

// SMSMessage is for one recipient: a Text, or the Params of the request's Template.
type SMSMessage struct {
	To     string
	Text   string
	Params map[string]string
}

// Disbursement is a bundle for one recipient, with an SMS once it was delivered.
type Disbursement struct {
	To           string
	Denomination Denomination
	Text         string
}

// ChatAppMessage is for one recipient.
type ChatAppMessage struct {
	To     string
	Params []ChatAppParameter
	// Instead of that for all.
	Fallback ChatAppFallbackText
}

// ChatAppFallbackText is the SMS in reserve for one recipient: a message, or the params of its template.
type ChatAppFallbackText struct {
	Message string              `json:"message,omitempty"`
	Params  []TemplateParameter `json:"params,omitempty"`
}

func sent[Result any](ctx context.Context, c *caller, r request, options []CallOption) (*Result, error) {
	response, err := call[struct{ Result *Result }](ctx, c, r, options)
	if err != nil {
		return nil, err
	}
	if response.Result == nil {
		return nil, &Error{Status: 200, Code: "unknown", Desc: "the response has no result"}
	}
	return response.Result, nil
}

// composed is a request whose body is not like it.
type composed interface{ body() (object, error) }

// object is a part of a body. Its properties are written in order of their names, so that the same request has the
// same body each time.
type object map[string]any

func (r SMSRequest) body() (object, error) {
	body, err := common(r.Correlator, r.CallbackURL, r.SendAt, r.ValidUntil, r.TimeZone)
	switch {
	case err != nil:
		return nil, err
	case (r.To == nil) == (r.Messages == nil):
		return nil, invalid("exactly one of To and Messages is required")
	case r.Template == "" && r.Params != nil:
		return nil, invalid("Params cannot be without Template")
	case r.Template != "" && (r.Text != "" || r.Flash):
		return nil, invalid("Text and Flash cannot be combined with Template")
	case r.Messages != nil && (r.Text != "" || r.Params != nil):
		return nil, invalid("Text and Params cannot be combined with Messages")
	case r.To != nil && r.Text == "" && r.Template == "":
		return nil, invalid("Text or Template is required")
	}
	if r.Flash {
		body["messageClass"] = 0
	}
	entries := []object{}
	for _, one := range r.Messages {
		entry := object{"phone": one.To}
		switch {
		case r.Template == "" && one.Text != "" && one.Params == nil:
			entry["message"] = one.Text
		case r.Template != "" && one.Text == "":
			entry["params"] = values(one.Params)
		default:
			return nil, invalid("each of Messages has a Text or, with a Template, Params")
		}
		entries = append(entries, entry)
	}
	switch {
	case r.Template == "" && r.To != nil:
		return body.with(object{"type": "SendToMany", "addresses": r.To, "message": r.Text}), nil
	case r.Template == "":
		return body.with(object{"type": "SendToEach", "messages": entries}), nil
	case r.To != nil:
		body["params"] = values(r.Params)
		return body.with(object{"type": "TemplateSendToMany", "templateId": r.Template, "addresses": r.To}), nil
	}
	return body.with(object{"type": "TemplateSendToEach", "templateId": r.Template, "messages": entries}), nil
}

func (r DataRequest) body() (object, error) {
	body, err := common(r.Correlator, r.CallbackURL, r.SendAt, r.ValidUntil, "")
	switch {
	case err != nil:
		return nil, err
	case (r.To == nil) == (r.Disbursements == nil):
		return nil, invalid("exactly one of To and Disbursements is required")
	case r.Disbursements != nil && (r.Denomination != "" || r.Text != ""):
		return nil, invalid("Denomination and Text cannot be combined with Disbursements")
	case r.To != nil && r.Denomination == "":
		return nil, invalid("Denomination is required")
	}
	selection := object{"type": "DefaultService"}
	if r.SMSService != "" {
		selection = object{"type": "SelfService", "serviceId": r.SMSService}
	}
	if r.To != nil {
		if r.Text != "" {
			body["messaging"] = object{"message": r.Text, "serviceSelection": selection}
		}
		return body.with(object{"type": "SendToMany", "phones": r.To, "denomination": r.Denomination}), nil
	}
	entries := []object{}
	for _, one := range r.Disbursements {
		entry := object{"phone": one.To, "denomination": one.Denomination}
		if one.Text != "" {
			entry["message"] = one.Text
			body["messaging"] = object{"serviceSelection": selection}
		}
		entries = append(entries, entry)
	}
	return body.with(object{"type": "SendToEach", "disbursements": entries}), nil
}

func (r ChatAppRequest) body() (object, error) {
	body, err := common(r.Correlator, r.CallbackURL, r.SendAt, r.ValidUntil, r.TimeZone)
	switch {
	case err != nil:
		return nil, err
	case (r.Template == "") == (r.InReplyTo == ""):
		return nil, invalid("exactly one of Template and InReplyTo is required")
	}
	body["phoneNumberId"] = r.PhoneNumberID
	hasMedia := r.Media != (ChatAppMedia{})
	hasFallback := r.Fallback.ServiceID != ""
	if r.InReplyTo != "" {
		switch {
		case r.To != nil || r.Params != nil || r.Messages != nil || hasFallback || !r.SendAt.IsZero() || r.TimeZone != "":
			return nil, invalid("To, Params, Messages, Fallback, SendAt and TimeZone cannot be combined with InReplyTo")
		case (r.Text == "") != hasMedia:
			return nil, invalid("exactly one of Text and Media is required")
		case hasMedia:
			body["media"] = r.Media
		}
		body.set("text", r.Text)
		return body.with(object{"type": "Reply", "inReplyTo": r.InReplyTo}), nil
	}
	switch {
	case r.Text != "" || hasMedia:
		return nil, invalid("Text and Media cannot be combined with Template")
	case (r.To == nil) == (r.Messages == nil):
		return nil, invalid("exactly one of To and Messages is required")
	case r.Messages != nil && r.Params != nil:
		return nil, invalid("Params cannot be combined with Messages")
	}
	body["templateId"] = r.Template
	if hasFallback {
		body["fallback"] = r.Fallback
	}
	if r.To != nil {
		params := append([]ChatAppParameter{}, r.Params...)
		return body.with(object{"type": "TemplateSendToMany", "addresses": r.To, "params": params}), nil
	}
	entries := []object{}
	for _, one := range r.Messages {
		entry := object{"phone": one.To, "params": append([]ChatAppParameter{}, one.Params...)}
		if one.Fallback.Message != "" || one.Fallback.Params != nil {
			entry["fallback"] = one.Fallback
		}
		entries = append(entries, entry)
	}
	return body.with(object{"type": "TemplateSendToEach", "messages": entries}), nil
}

// common is what all kinds of requests have.
func common(correlator, callbackURL string, sendAt, validUntil time.Time, timeZone string) (object, error) {
	if sendAt.IsZero() && !validUntil.IsZero() {
		return nil, invalid("ValidUntil cannot be without SendAt")
	}
	body := object{}
	body.set("timeZone", timeZone)
	receipts, schedule := object{}, object{}
	receipts.set("correlator", correlator)
	receipts.set("callbackUrl", callbackURL)
	schedule.set("sendAt", instant(sendAt))
	schedule.set("validUntil", instant(validUntil))
	for name, part := range map[string]object{"receiptRequest": receipts, "schedule": schedule} {
		if len(part) > 0 {
			body[name] = part
		}
	}
	return body, nil
}

func (o object) set(name, value string) {
	if value != "" {
		o[name] = value
	}
}

func (o object) with(properties object) object {
	for name, value := range properties {
		o[name] = value
	}
	return o
}

type templateValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func values(params map[string]string) []templateValue {
	list := []templateValue{}
	for name, value := range params {
		list = append(list, templateValue{name, value})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}
