package tarishi

import "context"

// Page is a part of a list.
type Page[Item any] struct {
	Items []Item `json:"items"`
	// Next is the Cursor of the next page; empty if there is none.
	Next string `json:"next,omitempty"`
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
