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

// Client calls the service. It gets tokens, retries what is safe to retry, and returns an *Error for each response
// that is not a success. Make one and share it, between goroutines as well: its calls share a token.
type Client struct {
	SMS     *SMS
	Data    *Data
	ChatApp *ChatApp
	// Messages are those of your team, newest first.
	Messages *Collection[Message, ListMessagesParams]
	Requests *Requests
	// Inbound is what people sent to the senders of your team, newest first.
	Inbound   *Collection[InboundMessage, ListInboundMessagesParams]
	Receipts  *Receipts
	OptOuts   *OptOuts
	Balances  *Collection[Balance, PageParams]
	Services  *Resources[Service]
	Templates *Resources[Template]
	Campaigns *Campaigns
}

// New returns an error that is ErrInvalidArgument if the settings cannot be right. It calls nothing.
func New(config Config) (*Client, error) {
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, invalid("BaseURL must begin with http:// or https://")
	}
	baseURL := strings.TrimSuffix(config.BaseURL, "/")
	transport := newTransport(config)
	c := &caller{transport, newTokens(transport, baseURL, config), baseURL}
	return &Client{
		SMS:       &SMS{c},
		Data:      &Data{c},
		ChatApp:   &ChatApp{c},
		Messages:  &Collection[Message, ListMessagesParams]{c, listMessages},
		Requests:  &Requests{Collection[AcceptedRequest, ListRequestsParams]{c, listRequests}},
		Inbound:   &Collection[InboundMessage, ListInboundMessagesParams]{c, listInboundMessages},
		Receipts:  &Receipts{Collection[Receipt, ListReceiptsParams]{c, listReceipts}},
		OptOuts:   &OptOuts{Collection[OptOut, ListOptOutsParams]{c, listOptOuts}},
		Balances:  &Collection[Balance, PageParams]{c, listBalances},
		Services:  &Resources[Service]{Collection[Service, PageParams]{c, listServices}, getService},
		Templates: &Resources[Template]{Collection[Template, PageParams]{c, listTemplates}, getTemplate},
		Campaigns: &Campaigns{Collection[Campaign, PageParams]{c, listCampaigns}},
	}, nil
}
