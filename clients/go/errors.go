package tarishi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ErrInvalidArgument is what errors of the caller are: settings or a request that cannot be meant. Nothing was sent.
var ErrInvalidArgument = errors.New("tarishi: invalid argument")

func invalid(format string, values ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalidArgument, fmt.Sprintf(format, values...))
}

// Error is a response that is not a success. Decide by Status and Code; Desc is for people and may change.
type Error struct {
	Status int
	// Code names the error for programs, such as insufficient-units; unknown if the response does not say.
	Code string
	// Desc is what is wrong, in one sentence.
	Desc string
	// Result has details, such as the faults of template parameters; nil if there are none.
	Result json.RawMessage
	// RequestID is what to give when you ask for help.
	RequestID string
	// RetryAfter is the time to wait before you try again; nil if the response does not say.
	RetryAfter *time.Duration
	// HelpURL is the page about the error.
	HelpURL string
}

func (e *Error) Error() string {
	facts := []string{strconv.Itoa(e.Status), e.Code}
	if e.RequestID != "" {
		facts = append(facts, e.RequestID)
	}
	return fmt.Sprintf("tarishi: %s (%s)", e.Desc, strings.Join(facts, ", "))
}

// ConnectionError says that there was no response.
type ConnectionError struct {
	// Code is timeout, canceled or connection-failed.
	Code string
	// Err is the error of net/http, or of the context.
	Err error
}

func (e *ConnectionError) Error() string { return fmt.Sprintf("tarishi: no response: %v", e.Err) }

func (e *ConnectionError) Unwrap() error { return e.Err }

// ReceiptError says that what was posted to you is not a receipt of yours.
type ReceiptError struct {
	// Code is missing-headers, timestamp-out-of-range, wrong-signature or malformed-body.
	Code string
	Desc string
}

func (e *ReceiptError) Error() string { return "tarishi: " + e.Desc }

// errorOf is what a response without success means, also if it came from a proxy and not from the service.
func errorOf(r *reply) *Error {
	var body map[string]json.RawMessage
	_ = json.Unmarshal(r.body, &body)
	text := func(name string) (text string) {
		_ = json.Unmarshal(body[name], &text)
		return text
	}
	return &Error{
		Status:     r.status,
		Code:       firstOf(r.header.Get("Error-Code"), text("error"), "unknown"),
		Desc:       firstOf(text("desc"), text("error_description"), fmt.Sprintf("the response has the status %d", r.status)),
		Result:     body["result"],
		RequestID:  r.header.Get("X-Request-Id"),
		RetryAfter: retryAfterOf(r.header),
		HelpURL:    helpURLOf(r),
	}
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// retryAfterOf reads Retry-After, which may also be a date (RFC 9110, section 10.2.3).
func retryAfterOf(header http.Header) *time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	var wait time.Duration
	if seconds, err := strconv.ParseUint(value, 10, 30); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		if wait = time.Until(at); wait < 0 {
			wait = 0
		}
	} else {
		return nil
	}
	return &wait
}

var help = regexp.MustCompile(`<([^<>]*)>\s*;\s*rel="?help"?`)

func helpURLOf(r *reply) string {
	found := help.FindStringSubmatch(r.header.Get("Link"))
	base, err := url.Parse(r.url)
	if found == nil || err != nil {
		return ""
	}
	target, err := base.Parse(found[1])
	if err != nil {
		return ""
	}
	return target.String()
}
