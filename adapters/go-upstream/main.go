// Drives upstream's own Go package. An intercept answers with that package's struct: what the struct cannot hold is
// inexpressible in Go.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"

	"bindproof/adapter"

	relay "github.com/NVIDIA/NeMo-Relay/go/nemo_relay"
)

// release is the library's version; the build sets it.
var release = "unknown"

var families = map[string]string{"llm_request_intercept": "llm.request"}

type binding struct{}

func (binding) Describe() adapter.Description {
	return adapter.Description{
		Target: adapter.Target{
			Name: "nemo-relay-ffi/go-upstream", Version: release, Language: "go", Runtime: runtime.Version() + ", cgo",
		},
		Suites: map[string]adapter.Suite{"relay": {Dialect: "go", Capabilities: []string{}}},
	}
}

func (binding) OnFreshScope(act func()) error {
	stack, err := relay.NewScopeStack()
	if err != nil {
		return err
	}
	defer stack.Close()
	stack.Run(act)
	return nil
}

func (binding) Flush() error { return relay.FlushSubscribers() }

func (binding) Registered() ([]adapter.Registration, error) {
	listed, err := relay.ListRuntimeRegistrations(nil)
	named := make([]adapter.Registration, len(listed))
	for i, one := range listed {
		named[i] = adapter.Registration{Family: string(one.Kind), Name: one.EffectiveName}
		if family, known := families[string(one.Kind)]; known {
			named[i].Family = family
		}
	}
	return named, err
}

func (binding) RegisterSubscriber(step adapter.Step, sink *adapter.Sink) (func() error, error) {
	undo := func() error { return relay.DeregisterSubscriber(step.Name) }
	return undo, relay.RegisterSubscriber(step.Name, func(event relay.Event) { sink.Put(event.JSON()) })
}

func (binding) RegisterLLMRequest(step adapter.Step, callback *adapter.Callback) (func() error, error) {
	intercept := func(name string, request relay.LLMRequestDTO, annotated json.RawMessage) (relay.LLMRequestInterceptOutcome, error) {
		given := interception{name, request, annotated}
		natural := outcome{Request: request, Annotated: annotated, Marks: []mark{}}
		var answer relay.LLMRequestInterceptOutcome
		_, err := callback.Play(given, natural, func(reply json.RawMessage) (json.RawMessage, error) {
			return reply, adapter.Fit(reply, &answer)
		})
		return answer, err
	}
	undo := func() error { return relay.DeregisterLlmRequestIntercept(step.Name) }
	return undo, relay.RegisterLlmRequestIntercept(step.Name, step.Priority, step.BreakChain, intercept)
}

func (binding) CallLLM(step adapter.Step, provider, decode, encode *adapter.Callback) (json.RawMessage, error) {
	var options []relay.LLMCallOption
	if step.Model != nil {
		options = append(options, relay.WithLLMModelName(*step.Model))
	}
	if decode != nil {
		options = append(options, relay.WithLLMCodec(codec(decode, encode)))
	}
	answer := func(request json.RawMessage) (json.RawMessage, error) {
		given := map[string]json.RawMessage{"request": request}
		return provider.Play(given, json.RawMessage(`{"ok":true}`), adapter.Whole)
	}
	return relay.LlmCallExecute(step.Name, step.Request, answer, options...)
}

func (binding) HelperLLMRequest(step adapter.Step) (json.RawMessage, error) {
	said, err := relay.LlmRequestIntercepts(step.Name, step.Request)
	if err != nil {
		return nil, err
	}
	whole := outcome{Request: said.Request, Annotated: said.AnnotatedRequest, Marks: []mark{}}
	whole.Contributions = &said.OptimizationContributions
	for _, one := range said.PendingMarks {
		whole.Marks = append(whole.Marks, markOf(one))
	}
	return json.Marshal(whole)
}

func codec(decode, encode *adapter.Callback) relay.CodecFunc {
	return relay.CodecFunc{
		Decode: func(headers, content json.RawMessage) (json.RawMessage, error) {
			given := map[string]relay.LLMRequestDTO{"request": {Headers: headers, Content: content}}
			return decode.Play(given, adapter.Decoded(content), adapter.Whole)
		},
		Encode: func(annotated, headers, content json.RawMessage) (json.RawMessage, error) {
			given := encoding{annotated, relay.LLMRequestDTO{Headers: headers, Content: content}}
			natural := relay.LLMRequestDTO{Headers: headers, Content: adapter.Encoded(annotated, content)}
			return encode.Play(given, natural, adapter.OnlyContent(natural))
		},
	}
}

func main() {
	connect := func() (adapter.Binding, error) { return binding{}, nil }
	if err := adapter.Serve("go-upstream", "1", connect); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
