package tarishi

// Carries out calls of the Go client, one for each line of JSON on stdin: see clients/testing/driver.ts. It is a test
// because it replaces what the package keeps to itself.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

type step struct {
	Call    string
	Args    json.RawMessage
	Options struct {
		IdempotencyKey, RequestID *string
		Timeout                   float64
	}
	Client json.RawMessage
	Times  int
}

type outcome struct {
	Value  any            `json:"value,omitempty"`
	Error  map[string]any `json:"error,omitempty"`
	Dump   string         `json:"dump,omitempty"`
	Pauses []float64      `json:"pauses"`
}

func TestMain(m *testing.M) {
	if os.Getenv("TARISHI_DRIVER") == "" {
		os.Exit(m.Run())
	}
	var pauses []float64
	var mutex sync.Mutex
	// Notes the pauses between attempts instead of waiting.
	sleep = func(_ context.Context, pause time.Duration) error {
		mutex.Lock()
		defer mutex.Unlock()
		pauses = append(pauses, pause.Seconds()*1000)
		return nil
	}
	clients := map[string]*Client{}
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		pauses = []float64{}
		var s step
		result := outcomeOf(json.Unmarshal(line, &s), nil)
		if result.Error == nil {
			value, err := s.carryOut(clients)
			result = outcomeOf(err, value)
			if err != nil {
				result.Dump = dump(reflect.ValueOf([]any{err, clients}), map[uintptr]bool{})
			}
		}
		result.Pauses = pauses
		written, err := json.Marshal(result)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(written))
	}
}

func outcomeOf(err error, value any) outcome {
	var response *Error
	var connection *ConnectionError
	var receipt *ReceiptError
	switch {
	case err == nil:
		return outcome{Value: value}
	case errors.As(err, &response):
		found := map[string]any{
			"kind": "TarishiError", "status": response.Status, "code": response.Code, "desc": response.Desc,
			"result": response.Result,
		}
		for name, text := range map[string]string{"requestId": response.RequestID, "helpUrl": response.HelpURL} {
			if text != "" {
				found[name] = text
			}
		}
		if response.RetryAfter != nil {
			found["retryAfter"] = response.RetryAfter.Seconds()
		}
		return outcome{Error: found}
	case errors.As(err, &connection):
		return outcome{Error: map[string]any{
			"kind": "TarishiConnectionError", "code": connection.Code, "desc": err.Error(),
		}}
	case errors.As(err, &receipt):
		return outcome{Error: map[string]any{
			"kind": "TarishiReceiptError", "code": receipt.Code, "desc": receipt.Desc,
		}}
	case errors.Is(err, ErrInvalidArgument), errors.Is(err, errDoesNotCompile):
		return outcome{Error: map[string]any{"kind": "argument", "desc": err.Error()}}
	}
	return outcome{Error: map[string]any{"kind": "bug", "desc": err.Error()}}
}

func (s step) carryOut(clients map[string]*Client) (any, error) {
	if s.Call == "verifyReceipt" || s.Call == "handleReceipt" {
		return s.receive()
	}
	client := clients[string(s.Client)]
	if client == nil {
		config := struct {
			Config
			Retries *int
			Timeout float64
		}{}
		if err := json.Unmarshal(s.Client, &config); err != nil {
			return nil, err
		}
		config.Config.Timeout = time.Duration(config.Timeout * float64(time.Second))
		if config.Retries != nil {
			config.MaxAttempts = *config.Retries + 1
		}
		made, err := New(config.Config)
		if err != nil {
			return nil, err
		}
		clients[string(s.Client)], client = made, made
	}
	if s.Times == 1 {
		return s.once(client)
	}
	values, errs := make([]any, s.Times), make([]error, s.Times)
	var group sync.WaitGroup
	for place := range values {
		group.Add(1)
		go func(place int) {
			defer group.Done()
			values[place], errs[place] = s.once(client)
		}(place)
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (s step) receive() (any, error) {
	var args struct {
		Body          string
		Headers       map[string]string
		SigningSecret any
	}
	if err := json.Unmarshal(s.Args, &args); err != nil {
		return nil, err
	}
	header := http.Header{}
	for name, value := range args.Headers {
		header.Set(name, value)
	}
	secrets := []string{}
	if one, ok := args.SigningSecret.(string); ok {
		secrets = append(secrets, one)
	} else {
		for _, one := range args.SigningSecret.([]any) {
			secrets = append(secrets, one.(string))
		}
	}
	verifier, err := NewReceiptVerifier(secrets...)
	if err != nil {
		return nil, err
	}
	if s.Call == "verifyReceipt" {
		return verifier.Verify([]byte(args.Body), header)
	}
	seen := [][]any{}
	handler := verifier.Handler(func(_ context.Context, posted Posted, webhookID string) error {
		seen = append(seen, []any{posted, webhookID})
		return nil
	})
	request, response := httptest.NewRequest("POST", "/", strings.NewReader(args.Body)), httptest.NewRecorder()
	request.Header = header
	handler.ServeHTTP(response, request)
	return map[string]any{"status": response.Code, "seen": seen}, nil
}

// once calls the method that the step names, such as optOuts.add.
func (s step) once(c *Client) (any, error) {
	resource, name, _ := strings.Cut(s.Call, ".")
	group := reflect.ValueOf(c).Elem().FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, resource) })
	if !group.IsValid() {
		return nil, fmt.Errorf("the Go client has no %s", s.Call)
	}
	for place := 0; place < group.NumMethod(); place++ {
		if strings.EqualFold(group.Type().Method(place).Name, name) {
			return s.carry(group.Method(place))
		}
	}
	return nil, fmt.Errorf("the Go client has no %s", s.Call)
}

// carry calls a method: structs take the arguments that the others, in their order, have not taken.
func (s step) carry(method reflect.Value) (any, error) {
	names, err := namesOf(s.Args)
	if err != nil {
		return nil, err
	}
	values := []reflect.Value{reflect.ValueOf(context.Background())}
	taken := map[string]bool{}
	for place := 1; place < method.Type().NumIn()-1; place++ {
		in := reflect.New(method.Type().In(place))
		if in.Elem().Kind() != reflect.Struct {
			if len(names) > 0 {
				var args map[string]json.RawMessage
				if err := json.Unmarshal(s.Args, &args); err != nil {
					return nil, err
				}
				if err := json.Unmarshal(args[names[0]], in.Interface()); err != nil {
					return nil, fmt.Errorf("%w: %v", errDoesNotCompile, err)
				}
				taken[names[0]], names = true, names[1:]
			}
		} else if err := s.fill(in.Interface(), taken); err != nil {
			return nil, err
		}
		values = append(values, in.Elem())
	}
	for _, option := range s.options() {
		values = append(values, reflect.ValueOf(option))
	}
	results := method.Call(values)
	if len(results) == 1 {
		return itemsOf(results[0])
	}
	err, _ = results[1].Interface().(error)
	if file, ok := results[0].Interface().([]byte); ok {
		return string(file), err
	}
	return results[0].Interface(), err
}

func (s step) fill(in any, taken map[string]bool) error {
	if request, ok := in.(*ChatAppRequest); ok {
		var args chatAppArgs
		err := s.decode(&args, taken)
		*request = args.request()
		return err
	}
	return s.decode(in, taken)
}

// itemsOf reads an iterator to its end.
func itemsOf(iterator reflect.Value) (any, error) {
	call := func(name string) any { return iterator.MethodByName(name).Call(nil)[0].Interface() }
	items := []any{}
	for call("Next").(bool) {
		items = append(items, call("Item"))
	}
	err, _ := call("Err").(error)
	return items, err
}

// namesOf has the names of an object in their order.
func namesOf(object json.RawMessage) (names []string, err error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		names = append(names, name.(string))
	}
	return names, nil
}

// errDoesNotCompile is for arguments that Go's types do not allow.
var errDoesNotCompile = errors.New("does not compile")

func (s step) decode(args any, taken map[string]bool) error {
	// In Go one number is a list as well, and an instant always a time.
	sends := regexp.MustCompile("^(sms|data|chatapp)[.]").MatchString(s.Call)
	var written map[string]any
	if err := json.Unmarshal(s.Args, &written); err != nil {
		return err
	}
	for name, value := range written {
		if taken[name] {
			delete(written, name)
		}
		if one, ok := value.(map[string]any); ok && one["instant"] != nil {
			written[name] = one["instant"]
		}
		if one, ok := value.(string); ok && name == "to" && sends {
			written[name] = []string{one}
		}
	}
	text, err := json.Marshal(written)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(args); err != nil {
		return fmt.Errorf("%w: %v", errDoesNotCompile, err)
	}
	return nil
}

func (s step) options() (options []CallOption) {
	if key := s.Options.IdempotencyKey; key != nil {
		options = append(options, WithIdempotencyKey(*key))
	}
	if id := s.Options.RequestID; id != nil {
		options = append(options, WithRequestID(*id))
	}
	if seconds := s.Options.Timeout; seconds > 0 {
		options = append(options, WithTimeout(time.Duration(seconds*float64(time.Second))))
	}
	return options
}

// chatAppArgs is a ChatAppRequest as JSON.
type chatAppArgs struct {
	Service, PhoneNumberID, Template, Correlator, CallbackURL, TimeZone, InReplyTo, Text string
	SendAt, ValidUntil                                                                   time.Time
	Media                                                                                ChatAppMedia
	Fallback                                                                             ChatAppFallback
	To                                                                                   []string
	Params                                                                               parameters
	Messages                                                                             []struct {
		To       string
		Params   parameters
		Fallback ChatAppFallbackText
	}
}

func (a chatAppArgs) request() ChatAppRequest {
	r := ChatAppRequest{
		Service: a.Service, PhoneNumberID: a.PhoneNumberID, Template: a.Template, To: a.To, Params: a.Params,
		Correlator: a.Correlator, CallbackURL: a.CallbackURL, SendAt: a.SendAt, ValidUntil: a.ValidUntil, TimeZone: a.TimeZone,
		InReplyTo: a.InReplyTo, Text: a.Text, Media: a.Media, Fallback: a.Fallback,
	}
	if a.Messages != nil {
		r.Messages = []ChatAppMessage{}
	}
	for _, one := range a.Messages {
		r.Messages = append(r.Messages, ChatAppMessage{one.To, one.Params, one.Fallback})
	}
	return r
}

type parameters []ChatAppParameter

func (p *parameters) UnmarshalJSON(text []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*p = parameters{}
	for _, one := range list {
		var kind struct {
			Type   string
			Params parameters
		}
		if err := json.Unmarshal(one, &kind); err != nil {
			return err
		}
		if kind.Type == "CarouselCardParameter" {
			var card CarouselCardParameter
			text := bytes.Replace(one, []byte(`"params"`), []byte(`"others"`), 1)
			if err := json.Unmarshal(text, &card); err != nil {
				return err
			}
			for _, param := range kind.Params {
				card.Params = append(card.Params, param.(ChatAppCardParameter))
			}
			*p = append(*p, card)
			continue
		}
		for _, known := range kinds {
			if strings.EqualFold(reflect.TypeOf(known).Name(), kind.Type) {
				made := reflect.New(reflect.TypeOf(known))
				if err := json.Unmarshal(one, made.Interface()); err != nil {
					return err
				}
				*p = append(*p, made.Elem().Interface().(ChatAppParameter))
			}
		}
	}
	return nil
}

// dump is all that a debugger shows.
func dump(v reflect.Value, seen map[uintptr]bool) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || v.Kind() == reflect.Pointer && seen[v.Pointer()] {
			return ""
		}
		if v.Kind() == reflect.Pointer {
			seen[v.Pointer()] = true
		}
		return dump(v.Elem(), seen)
	case reflect.Struct:
		text := v.Type().String() + " "
		for place := 0; place < v.NumField(); place++ {
			text += dump(v.Field(place), seen)
		}
		return text
	case reflect.Slice, reflect.Array:
		text := ""
		if v.Type().Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice {
			return string(v.Bytes())
		}
		for place := 0; place < v.Len(); place++ {
			text += dump(v.Index(place), seen) + " "
		}
		return text
	case reflect.Map:
		text := ""
		for _, key := range v.MapKeys() {
			text += dump(v.MapIndex(key), seen) + " "
		}
		return text
	case reflect.String:
		return v.String() + " "
	}
	return ""
}
