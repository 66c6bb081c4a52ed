package tarishi

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// operation is one of the API: see types.go.
type operation struct {
	method, path string
	retry        retry
}

// retry says whether an operation may be called again after its response was lost.
type retry int

const (
	// harmless: yes, a second call changes nothing.
	harmless retry = iota
	// keyed: yes, with the same Idempotency-Key.
	keyed
	// repeating: no, it would take effect again.
	repeating
	// file: yes, and the response is a file.
	file
)

// CallOption sets something for a single call.
type CallOption func(*callSettings) error

type callSettings struct {
	idempotencyKey, requestID string
	timeout                   time.Duration
}

// WithIdempotencyKey replaces the random key of a send: even after a crash, the same key and request send once.
func WithIdempotencyKey(key string) CallOption {
	return func(s *callSettings) error {
		s.idempotencyKey = key
		return printable("the idempotency key", key)
	}
}

// WithRequestID is an id of your own in the logs of the service.
func WithRequestID(id string) CallOption {
	return func(s *callSettings) error {
		s.requestID = id
		return printable("the request id", id)
	}
}

// WithTimeout is the time for each attempt of the call. To limit the whole call, use its context.
func WithTimeout(timeout time.Duration) CallOption {
	return func(s *callSettings) error {
		s.timeout = timeout
		return nil
	}
}

type caller struct {
	transport *transport
	tokens    *tokens
	baseURL   string
}

// request is a call of an operation; it has at most one id in its path.
type request struct {
	operation operation
	id        string
	query     query
	body      any
}

// call carries a request out and decodes its response.
func call[Response any](ctx context.Context, c *caller, r request, options []CallOption) (*Response, error) {
	reply, err := c.answered(ctx, r, options)
	if err != nil {
		return nil, err
	}
	response := new(Response)
	if err := json.Unmarshal(reply.body, response); err != nil {
		desc := fmt.Sprintf("the response is not what the API describes: %v", err)
		return nil, &Error{Status: reply.status, Code: "unknown", Desc: desc}
	}
	return response, nil
}

// fileOf carries a request out whose response is a file.
func fileOf(ctx context.Context, c *caller, r request, options []CallOption) ([]byte, error) {
	reply, err := c.answered(ctx, r, options)
	if err != nil {
		return nil, err
	}
	return reply.body, nil
}

// answered has a token and, where the request is keyed, an Idempotency-Key that all attempts share.
func (c *caller) answered(ctx context.Context, r request, options []CallOption) (*reply, error) {
	e, err := c.exchangeOf(r, options)
	if err != nil {
		return nil, err
	}
	token, err := c.tokens.current(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := c.transport.send(ctx, e.with(token))
	if err == nil && reply.status == http.StatusUnauthorized {
		// The token may have been revoked; if a new one is refused as well, the client has been.
		if token, err = c.tokens.insteadOf(ctx, token); err == nil {
			reply, err = c.transport.send(ctx, e.with(token))
		}
	}
	if err != nil {
		return nil, err
	}
	if reply.status != http.StatusOK {
		return nil, errorOf(reply)
	}
	return reply, nil
}

func (c *caller) exchangeOf(r request, options []CallOption) (e exchange, err error) {
	var settings callSettings
	for _, option := range options {
		if err := option(&settings); err != nil {
			return e, err
		}
	}
	target, err := r.target()
	if err != nil {
		return e, err
	}
	header := http.Header{"Accept": {"application/json"}}
	if r.operation.retry == file {
		header.Set("Accept", "*/*")
	}
	var body []byte
	content := r.body
	if from, ok := content.(composed); ok {
		if content, err = from.body(); err != nil {
			return e, err
		}
	}
	if content != nil {
		header.Set("Content-Type", "application/json")
		if body, err = json.Marshal(content); err != nil {
			return e, invalid("%v", err)
		}
	}
	if r.operation.retry == keyed {
		if settings.idempotencyKey == "" {
			if settings.idempotencyKey, err = newKey(); err != nil {
				return e, err
			}
		}
		header.Set("Idempotency-Key", settings.idempotencyKey)
	}
	if settings.requestID != "" {
		header.Set("X-Request-Id", settings.requestID)
	}
	return exchange{
		method:    r.operation.method,
		url:       c.baseURL + target,
		header:    header,
		body:      body,
		retryable: r.operation.retry != repeating,
		timeout:   settings.timeout,
	}, nil
}

func (e exchange) with(token string) exchange {
	e.header = e.header.Clone()
	e.header.Set("Authorization", "Bearer "+token)
	return e
}

// target is the path and query. Proxies remove "." and "..", however they are encoded: such a call would reach
// another operation.
func (r request) target() (string, error) {
	path := r.operation.path
	if start, end := strings.Index(path, "{"), strings.Index(path, "}"); start >= 0 {
		if r.id == "" || r.id == "." || r.id == ".." {
			return "", invalid("%s must be an id, not %q", path[start+1:end], r.id)
		}
		path = path[:start] + url.PathEscape(r.id) + path[end+1:]
	}
	if query := r.query.String(); query != "" {
		path += "?" + query
	}
	return path, nil
}

// query has the parameters of a call in order; one without a value is left out.
type query [][2]string

func (q query) String() string {
	var written []string
	for _, pair := range q {
		if pair[1] != "" {
			written = append(written, pair[0]+"="+url.QueryEscape(pair[1]))
		}
	}
	return strings.Join(written, "&")
}

// text is empty for 0 and false, which are what the service assumes.
func text[Value int | bool](value Value) string {
	switch value := any(value).(type) {
	case int:
		if value != 0 {
			return strconv.Itoa(value)
		}
	case bool:
		if value {
			return "true"
		}
	}
	return ""
}

// instant is the RFC 3339 form of a time; empty for the zero time.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func printable(name, value string) error {
	if value == "" || len(value) > 255 || strings.IndexFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
		return invalid("%s must have 1 to 255 printable ASCII characters", name)
	}
	return nil
}

// newKey is a UUID of version 4 (RFC 9562).
func newKey() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}
