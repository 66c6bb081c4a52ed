// Package tarishi sends SMS, mobile-data bundles and chat-app templates through the Tarishi API, and verifies the
// receipts that it posts.
package tarishi

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config says which service a Client calls, and as whom.
type Config struct {
	// BaseURL is where the service is, such as https://sms.example.com.
	BaseURL      string
	ClientID     string
	ClientSecret string
	// Scope is what a token is for; by default all that the client may do.
	Scope string
	// MaxAttempts is how often a call is attempted at most: 5 by default, 1 for no retries.
	MaxAttempts int
	// Timeout is the time for each attempt, with its response: 30 seconds by default.
	Timeout time.Duration
	// HTTPClient makes the requests; by default one with http.DefaultTransport. It follows no redirects.
	HTTPClient *http.Client
}

// New returns an error that is ErrInvalidArgument if the settings cannot be right. It calls nothing.
func New(config Config) (*Client, error) {
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, invalid("BaseURL must begin with http:// or https://")
	}
	baseURL := strings.TrimSuffix(config.BaseURL, "/")
	transport := newTransport(config)
	return newClient(&caller{transport, newTokens(transport, baseURL, config), baseURL}), nil
}
