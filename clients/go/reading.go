package tarishi

import "context"

// Page is a part of a list.
type Page[Item any] struct {
	Items []Item `json:"items"`
	// Next is the Cursor of the next page; empty if there is none.
	Next string `json:"next,omitempty"`
}

// Collection is a list, which is read page by page or as a whole.
type Collection[Item any, Params interface{ query() query }] struct {
	caller    *caller
	operation operation
}

// List returns one page.
func (c *Collection[Item, Params]) List(ctx context.Context, params Params, options ...CallOption) (*Page[Item], error) {
	return call[Page[Item]](ctx, c.caller, request{operation: c.operation, query: params.query()}, options)
}

// Each reads all items, page by page as they are needed.
func (c *Collection[Item, Params]) Each(ctx context.Context, params Params, options ...CallOption) *Iterator[Item] {
	return each[Item](ctx, c.caller, request{operation: c.operation, query: params.query()}, options)
}

// Iterator reads a list page by page:
//
//	for items.Next() {
//		use(items.Item())
//	}
//	if err := items.Err(); err != nil {
type Iterator[Item any] struct {
	read   func(cursor string) (*Page[Item], error)
	page   Page[Item]
	item   Item
	isLast bool
	err    error
}

func each[Item any](ctx context.Context, c *caller, r request, options []CallOption) *Iterator[Item] {
	first := r.query
	return &Iterator[Item]{read: func(cursor string) (*Page[Item], error) {
		if cursor != "" {
			r.query = nil
			for _, pair := range first {
				if pair[0] != "cursor" {
					r.query = append(r.query, pair)
				}
			}
			r.query = append(r.query, [2]string{"cursor", cursor})
		}
		return call[Page[Item]](ctx, c, r, options)
	}}
}

// Next reads the next item. It returns false after the last one, and after an error.
func (i *Iterator[Item]) Next() bool {
	for len(i.page.Items) == 0 {
		if i.isLast || i.err != nil {
			return false
		}
		page, err := i.read(i.page.Next)
		if err != nil {
			i.err = err
			return false
		}
		i.page, i.isLast = *page, page.Next == ""
	}
	i.item, i.page.Items = i.page.Items[0], i.page.Items[1:]
	return true
}

// Item is what Next read.
func (i *Iterator[Item]) Item() Item { return i.item }

// Err is why Next returned false; nil after the last item.
func (i *Iterator[Item]) Err() error { return i.err }

// All fits range, from Go 1.23. An error comes last.
func (i *Iterator[Item]) All() func(yield func(Item, error) bool) {
	return func(yield func(Item, error) bool) {
		for i.Next() {
			if !yield(i.item, nil) {
				return
			}
		}
		if i.err != nil {
			var none Item
			yield(none, i.err)
		}
	}
}

// Resources are what a team has to send with.
type Resources[Item any] struct {
	Collection[Item, PageParams]
	get operation
}

// Get reads one by its id. product may be empty: it says which one, if two have the same id.
func (r *Resources[Item]) Get(ctx context.Context, id string, product Product, options ...CallOption) (*Item, error) {
	query := query{{"product", string(product)}}
	return call[Item](ctx, r.caller, request{operation: r.get, id: id, query: query}, options)
}

// Campaigns are those for mobile-data bundles.
type Campaigns struct {
	Collection[Campaign, PageParams]
}

// Get reads one by its id.
func (c *Campaigns) Get(ctx context.Context, id string, options ...CallOption) (*Campaign, error) {
	return call[Campaign](ctx, c.caller, request{operation: getCampaign, id: id}, options)
}

// Requests are those of your team, newest first.
type Requests struct {
	Collection[AcceptedRequest, ListRequestsParams]
}

// Get says what was accepted, and how many of its messages are in which state.
func (r *Requests) Get(ctx context.Context, requestID string, options ...CallOption) (*AcceptedRequest, error) {
	return call[AcceptedRequest](ctx, r.caller, request{operation: getRequest, id: requestID}, options)
}

// Cancel cancels what is not submitted yet. Each message is either cancelled and refunded, or sent.
func (r *Requests) Cancel(ctx context.Context, requestID string, options ...CallOption) (*CancelledRequest, error) {
	return call[CancelledRequest](ctx, r.caller, request{operation: cancelRequest, id: requestID}, options)
}

// ListMessages returns one page of its messages, in the order of the request.
func (r *Requests) ListMessages(ctx context.Context, requestID string, params PageParams, options ...CallOption) (*Page[Message], error) {
	what := request{operation: listRequestMessages, id: requestID, query: params.query()}
	return call[Page[Message]](ctx, r.caller, what, options)
}

// EachMessage reads all its messages, page by page as they are needed.
func (r *Requests) EachMessage(ctx context.Context, requestID string, params PageParams, options ...CallOption) *Iterator[Message] {
	what := request{operation: listRequestMessages, id: requestID, query: params.query()}
	return each[Message](ctx, r.caller, what, options)
}

// Receipts are those of your team, newest first, each with its latest attempts.
type Receipts struct {
	Collection[Receipt, ListReceiptsParams]
}

// Get reads the receipt with this webhook-id, and the attempts to post it.
func (r *Receipts) Get(ctx context.Context, receiptID string, options ...CallOption) (*Receipt, error) {
	return call[Receipt](ctx, r.caller, request{operation: getReceipt, id: receiptID}, options)
}

// Resend has a receipt posted again now.
func (r *Receipts) Resend(ctx context.Context, receiptID string, options ...CallOption) (*Receipt, error) {
	return call[Receipt](ctx, r.caller, request{operation: resendReceipt, id: receiptID}, options)
}

// Replay has receipts of a period posted again. While More, the same call goes on.
func (r *Receipts) Replay(ctx context.Context, which ReplayRequest, options ...CallOption) (*ReplayResponse, error) {
	return call[ReplayResponse](ctx, r.caller, request{operation: replayReceipts, body: which}, options)
}

// Test posts a signed sample to a URL and returns what your endpoint responded.
func (r *Receipts) Test(ctx context.Context, url string, options ...CallOption) (*ReceiptTestResponse, error) {
	what := request{operation: testReceipt, body: map[string]string{"url": url}}
	return call[ReceiptTestResponse](ctx, r.caller, what, options)
}

// OptOuts are who opted out of the messages of your team, newest first.
type OptOuts struct {
	Collection[OptOut, ListOptOutsParams]
}

// Add is for numbers that want no more messages.
func (o *OptOuts) Add(ctx context.Context, which AddOptOuts, options ...CallOption) (*OptOutsChanged, error) {
	return call[OptOutsChanged](ctx, o.caller, request{operation: addOptOuts, body: which}, options)
}

// Remove is for numbers that want messages again; Consent says how and when the people agreed.
func (o *OptOuts) Remove(ctx context.Context, which RemoveOptOuts, options ...CallOption) (*OptOutsChanged, error) {
	return call[OptOutsChanged](ctx, o.caller, request{operation: removeOptOuts, body: which}, options)
}
