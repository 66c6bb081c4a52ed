package tarishi

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"time"
)

const (
	firstPause   = 500 * time.Millisecond
	longestPause = 20 * time.Second
	// A call that would have to wait longer fails instead; the error says how long.
	longestRetryAfter = time.Minute
)

var temporary = map[int]bool{408: true, 429: true, 500: true, 502: true, 503: true, 504: true}

// keyInUse is the Error-Code of a 409 that passes: the first request with this Idempotency-Key is still running.
const keyInUse = "key-in-use"

// exchange is one HTTP request, however often it is attempted.
type exchange struct {
	method, url string
	header      http.Header
	body        []byte
	// retryable says that a retry has no second effect.
	retryable bool
	// timeout is 0 for that of the client.
	timeout time.Duration
}

// reply is a response whose body was read.
type reply struct {
	url    string
	status int
	header http.Header
	body   []byte
}

type transport struct {
	client      *http.Client
	maxAttempts int
	timeout     time.Duration
}

func newTransport(config Config) *transport {
	client := http.Client{}
	if config.HTTPClient != nil {
		client = *config.HTTPClient
	}
	// A token must not follow to another address.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t := &transport{&client, config.MaxAttempts, config.Timeout}
	if t.maxAttempts <= 0 {
		t.maxAttempts = 5
	}
	if t.timeout <= 0 {
		t.timeout = 30 * time.Second
	}
	return t
}

// send returns the last response, or a *ConnectionError if there is none.
func (t *transport) send(ctx context.Context, e exchange) (*reply, error) {
	for attempt := 1; ; attempt++ {
		last := attempt == t.maxAttempts
		pause := scaled(firstPause, math.Pow(2, float64(attempt-1)))
		pause = scaled(pause, between(0.5, 1))
		reply, err := t.attempt(ctx, e)
		if err != nil {
			if last || !e.retryable || ctx.Err() != nil {
				return nil, err
			}
		} else {
			// A request that got 429 had no effect.
			passes := temporary[reply.status] || reply.header.Get("Error-Code") == keyInUse
			mayRetry := reply.status == http.StatusTooManyRequests || e.retryable && passes
			if last || !mayRetry {
				return reply, nil
			}
			if wait := retryAfterOf(reply.header); wait != nil {
				if *wait > longestRetryAfter {
					return reply, nil
				}
				// A little later than asked, so that clients that were refused together do not return together.
				pause = time.Duration(float64(*wait) * between(1, 1.1))
			}
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, connectionError(err)
		}
	}
}

func (t *transport) attempt(ctx context.Context, e exchange) (*reply, error) {
	timeout := t.timeout
	if e.timeout > 0 {
		timeout = e.timeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, e.method, e.url, bytes.NewReader(e.body))
	if err != nil {
		return nil, invalid("%v", err)
	}
	// With it net/http would repeat a request that has an Idempotency-Key by itself, without a pause.
	request.GetBody = nil
	request.Header = e.header
	response, err := t.client.Do(request)
	if err != nil {
		return nil, connectionError(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, connectionError(err)
	}
	return &reply{e.url, response.StatusCode, response.Header, body}, nil
}

func connectionError(err error) *ConnectionError {
	var network net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return &ConnectionError{"canceled", err}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return &ConnectionError{"timeout", err}
	}
	return &ConnectionError{"connection-failed", err}
}

// sleep is replaced by tests.
var sleep = func(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func scaled(pause time.Duration, factor float64) time.Duration {
	return time.Duration(math.Min(float64(pause)*factor, float64(longestPause)))
}

// between is random: math/rand repeats itself in every process before Go 1.20.
func between(least, most float64) float64 {
	var bytes [8]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		return most
	}
	return least + (most-least)*float64(binary.BigEndian.Uint64(bytes[:])>>11)/(1<<53)
}
