package tarishi

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// receiptTolerance is how far the timestamp may be from the present.
	receiptTolerance = 5 * time.Minute
	longestReceipt   = 1 << 20
)

// Posted is what the service posts to a callback URL: a *SMSDeliveryReceipt, *DataDeliveryReceipt,
// *ChatAppDeliveryReceipt, *InboundMessage or, of a type that was added later, *UnknownPosted.
type Posted interface{ posted() }

// UnknownPosted is of a type that this version does not know: ignore it.
type UnknownPosted struct {
	Type string
	// Body is all of it.
	Body json.RawMessage
}

func (*UnknownPosted) posted() {}

// ReceiptVerifier tells receipts from forgeries, by the Standard Webhooks scheme.
type ReceiptVerifier struct{ keys []secret }

// NewReceiptVerifier takes the signing secret of your client; two, while one replaces the other.
func NewReceiptVerifier(signingSecrets ...string) (*ReceiptVerifier, error) {
	v := &ReceiptVerifier{}
	for _, one := range signingSecrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(one, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, invalid("a signing secret is whsec_ and Base64")
		}
		v.keys = append(v.keys, secretOf(string(key)))
	}
	if len(v.keys) == 0 {
		return nil, invalid("a signing secret is required")
	}
	return v, nil
}

// Verify returns what a request to your callback URL holds, or a *ReceiptError. body is as received, not parsed and
// written again.
func (v *ReceiptVerifier) Verify(body []byte, header http.Header) (Posted, error) {
	id, timestamp, signatures := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"), header.Get("Webhook-Signature")
	if id == "" || timestamp == "" || signatures == "" {
		return nil, &ReceiptError{"missing-headers", "the request has no webhook-id, webhook-timestamp or webhook-signature"}
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Since(time.Unix(seconds, 0))
	if err != nil || age > receiptTolerance || age < -receiptTolerance {
		desc := fmt.Sprintf("the timestamp is not within %v of now", receiptTolerance)
		return nil, &ReceiptError{"timestamp-out-of-range", desc}
	}
	if !v.signed(id+"."+timestamp+"."+string(body), strings.Fields(signatures)) {
		return nil, &ReceiptError{"wrong-signature", "no signature was made with your signing secret"}
	}
	var kind struct{ Type string }
	if err := json.Unmarshal(body, &kind); err != nil {
		return nil, &ReceiptError{"malformed-body", "the body is not a JSON object"}
	}
	posted := newPosted(kind.Type)
	if posted == nil {
		return &UnknownPosted{kind.Type, body}, nil
	}
	if err := json.Unmarshal(body, posted); err != nil {
		return nil, &ReceiptError{"malformed-body", fmt.Sprintf("the body is not a %s: %v", kind.Type, err)}
	}
	return posted, nil
}

func (v *ReceiptVerifier) signed(content string, signatures []string) bool {
	for _, key := range v.keys {
		mac := hmac.New(sha256.New, []byte(key()))
		mac.Write([]byte(content))
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, one := range signatures {
			if hmac.Equal(expected, []byte(one)) {
				return true
			}
		}
	}
	return false
}

// Handler passes each verified receipt and its webhook-id to onReceipt, and responds with 204. A receipt can arrive
// more than once, always with the same webhook-id: store the ids that you have processed. If onReceipt returns an
// error, the response is 500 and the receipt is posted again; the error is yours to log.
func (v *ReceiptVerifier) Handler(onReceipt func(ctx context.Context, posted Posted, webhookID string) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "receipts are posted", http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestReceipt))
		if err != nil {
			status := http.StatusBadRequest
			if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
				status = http.StatusRequestEntityTooLarge
			}
			http.Error(w, "the body could not be read", status)
			return
		}
		posted, err := v.Verify(body, r.Header)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := onReceipt(r.Context(), posted, r.Header.Get("Webhook-Id")); err != nil {
			http.Error(w, "the receipt was not processed", http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
