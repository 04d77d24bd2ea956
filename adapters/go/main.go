// Drives NeMo Relay's C library through the Go package relay beside this file. Objects pass through as JSON text, so
// that the library, not Go's types, says what it accepts.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"

	"bindproof/adapter"
	"bindproof/go/relay"
)

// release is the library's version; the build sets it.
var release = "unknown"

var families = map[string]string{"llm_request_intercept": "llm.request"}

type binding struct{}

func (binding) Describe() adapter.Description {
	return adapter.Description{
		Target: adapter.Target{
			Name: "nemo-relay-ffi/go", Version: release, Language: "go", Runtime: runtime.Version() + ", cgo",
		},
		Suites: map[string]adapter.Suite{"relay": {Dialect: "go", Capabilities: []string{}}},
	}
}

func (binding) OnFreshScope(act func()) error { return relay.OnFreshScopeStack(act) }

func (binding) Flush() error { return relay.Flush() }

func (binding) Registered() ([]adapter.Registration, error) {
	listed, err := relay.Registrations()
	named := make([]adapter.Registration, len(listed))
	for i, one := range listed {
		named[i] = adapter.Registration{Family: one.Kind, Name: one.EffectiveName}
		if family, known := families[one.Kind]; known {
			named[i].Family = family
		}
	}
	return named, err
}

func (binding) RegisterSubscriber(step adapter.Step, sink *adapter.Sink) (func() error, error) {
	undo := func() error { return relay.DeregisterSubscriber(step.Name) }
	return undo, expressible(relay.RegisterSubscriber(step.Name, sink.Put))
}

func (binding) RegisterLLMRequest(step adapter.Step, callback *adapter.Callback) (func() error, error) {
	intercept := func(given relay.Interception) (json.RawMessage, error) {
		natural := relay.Outcome{Request: given.Request, Annotated: given.Annotated, PendingMarks: []relay.Mark{}}
		return callback.Play(given, natural, adapter.Whole)
	}
	undo := func() error { return relay.DeregisterLLMRequestIntercept(step.Name) }
	return undo, expressible(relay.RegisterLLMRequestIntercept(step.Name, step.Priority, step.BreakChain, intercept))
}

func (binding) CallLLM(step adapter.Step, provider, decode, encode *adapter.Callback) (json.RawMessage, error) {
	call := relay.Call{Name: step.Name, Request: step.Request, Model: step.Model}
	call.Provider = func(request json.RawMessage) (json.RawMessage, error) {
		given := map[string]json.RawMessage{"request": request}
		return provider.Play(given, json.RawMessage(`{"ok":true}`), adapter.Whole)
	}
	if decode != nil {
		call.Codec = codec(decode, encode)
	}
	answer, err := call.Execute()
	return answer, expressible(err)
}

func (binding) HelperLLMRequest(step adapter.Step) (json.RawMessage, error) {
	outcome, err := relay.LLMRequestIntercepts(step.Name, step.Request)
	return outcome, expressible(err)
}

func codec(decode, encode *adapter.Callback) *relay.Codec {
	return &relay.Codec{
		Decode: func(request relay.Request) (json.RawMessage, error) {
			given := map[string]relay.Request{"request": request}
			return decode.Play(given, adapter.Decoded(request.Content), adapter.Whole)
		},
		Encode: func(given relay.Encoding) (json.RawMessage, error) {
			natural := relay.Request{
				Headers: given.Original.Headers,
				Content: adapter.Encoded(given.Annotated, given.Original.Content),
			}
			return encode.Play(given, natural, adapter.OnlyContent(natural))
		},
	}
}

// expressible tells a text that cannot be said in C from the library's own errors.
func expressible(err error) error {
	var nul *relay.NulError
	if errors.As(err, &nul) {
		return adapter.Inexpressible{Path: nul.What, Reason: "a C string ends at its first NUL"}
	}
	return err
}

func main() {
	connect := func() (adapter.Binding, error) { return binding{}, nil }
	if err := adapter.Serve("go", "1", connect); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
