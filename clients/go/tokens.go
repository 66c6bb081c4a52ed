package tarishi

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"time"
)

// A token this close to its end may have expired when it arrives.
const tokenMargin = 60 * time.Second

// secret keeps a text out of what a debugger or an error reporter prints of a client.
type secret func() string

func secretOf(text string) secret { return func() string { return text } }

// tokens gets access tokens by client credentials (RFC 6749, section 4.4), and keeps each until shortly before it
// expires. Calls that need one at the same time share a request for it.
type tokens struct {
	transport *transport
	url       string
	form      secret
	// turn holds the one that may read and change what follows.
	turn    chan struct{}
	token   secret
	renewAt time.Time
}

func newTokens(transport *transport, baseURL string, config Config) *tokens {
	form := url.Values{
		"grant_type":    {"client_credentials"},
		"client_id":     {config.ClientID},
		"client_secret": {config.ClientSecret},
	}
	if config.Scope != "" {
		form.Set("scope", config.Scope)
	}
	return &tokens{
		transport: transport,
		url:       baseURL + "/oauth/token",
		form:      secretOf(form.Encode()),
		turn:      make(chan struct{}, 1),
	}
}

// current is a valid token, as far as is known.
func (t *tokens) current(ctx context.Context) (string, error) { return t.insteadOf(ctx, "") }

// insteadOf is a token other than the one that got a 401.
func (t *tokens) insteadOf(ctx context.Context, refused string) (string, error) {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return "", connectionError(ctx.Err())
	}
	// Another goroutine may have renewed it while this one waited for its 401.
	if t.token == nil || t.token() == refused || !time.Now().Before(t.renewAt) {
		if err := t.renew(ctx); err != nil {
			return "", err
		}
	}
	return t.token(), nil
}

func (t *tokens) renew(ctx context.Context) error {
	requestedAt := time.Now()
	reply, err := t.transport.send(ctx, exchange{
		method:    http.MethodPost,
		url:       t.url,
		header:    http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
		body:      []byte(t.form()),
		retryable: true,
	})
	if err != nil {
		return err
	}
	if reply.status != http.StatusOK {
		return errorOf(reply)
	}
	var body struct {
		AccessToken string  `json:"access_token"`
		ExpiresIn   float64 `json:"expires_in"`
	}
	if err := json.Unmarshal(reply.body, &body); err != nil || body.AccessToken == "" {
		return &Error{Status: reply.status, Code: "unknown", Desc: "the response holds no access token"}
	}
	lifetime := math.Max(body.ExpiresIn-tokenMargin.Seconds(), body.ExpiresIn/2)
	t.token = secretOf(body.AccessToken)
	t.renewAt = requestedAt.Add(time.Duration(lifetime * float64(time.Second)))
	return nil
}
