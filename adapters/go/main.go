// Drives NeMo Relay's C library through the Go package relay beside this file. Objects pass through as JSON text, so
// that the library, not Go's types, says what it accepts.
package main

import (
	"encoding/json"
	"errors"

	"bindproof/adapter"
	suite "bindproof/adapter/relay"
	"bindproof/go/relay"
)

// release is the library's version; the build sets it.
var release = "unknown"

type binding struct{ registrar }

func (binding) Describe() adapter.Description {
	return adapter.ThroughC("relay", "nemo-relay-ffi/go", release, "go")
}

func (binding) OnFreshScope(act func(suite.Beside)) error {
	return relay.OnFreshScopeStack(func(stack relay.ScopeStack) { act(stack.On) })
}

func (binding) Capture(step suite.Step) (json.RawMessage, error) {
	root, _ := step.Root.(*relay.Scope)
	return relay.Capture(step.What, root)
}

func (binding) OnReceivedScope(captured json.RawMessage, act func(suite.Beside)) error {
	return relay.OnReceivedScopeStack(captured, func(stack relay.ScopeStack) { act(stack.On) })
}

func (binding) Flush() error { return relay.Flush() }

func (binding) Registered(family string) ([]suite.Registration, error) {
	listed, err := relay.Registrations(suite.KindsOf(family)...)
	named := make([]suite.Registration, len(listed))
	for i, one := range listed {
		named[i] = suite.Listed(one.Kind, one.LocalName, one.EffectiveName, suite.Owner(one.Owner))
	}
	return named, err
}

func (binding) CallLLM(step suite.Step, provider, decode, encode *suite.Callback) (json.RawMessage, error) {
	call := relay.LLMCall{Lead: lead(step), Request: step.Request, Model: step.Model}
	call.Provider = func(given ...string) (json.RawMessage, error) { return provider.LLMProvider(raw(given[0])) }
	call.Codec, call.ResponseCodec = codecOf(decode, encode), step.ResponseCodec
	answer, err := call.Execute()
	return answer, expressible(err)
}

func (binding) OpenStream(step suite.Step, parts suite.Parts) (suite.Reader, error) {
	call := relay.StreamCall{LLMCall: relay.LLMCall{Lead: lead(step), Request: step.Request, Model: step.Model}}
	call.Provider = func(given ...string) (json.RawMessage, error) { return parts.Source.StreamProvider(raw(given[0])) }
	call.Codec, call.ResponseCodec = codecOf(parts.Decode, parts.Encode), step.ResponseCodec
	call.Collector, call.Finalizer = parts.Collector.Take, parts.Finalizer.Finish
	stream, err := call.Open()
	return stream, expressible(err)
}

// codecOf is nil where the two are.
func codecOf(decode, encode *suite.Callback) *relay.Codec {
	if decode == nil {
		return nil
	}
	return &relay.Codec{
		Decode: func(given ...string) (json.RawMessage, error) { return decode.Decode(raw(given[0]), raw(given[1])) },
		Encode: func(given ...string) (json.RawMessage, error) {
			return encode.Encode(raw(given[0]), raw(given[1]), raw(given[2]))
		},
	}
}

func (binding) CallTool(step suite.Step, provider *suite.Callback) (json.RawMessage, error) {
	call := relay.ToolCall{Lead: lead(step), Args: step.Args, ID: step.ToolCallID}
	call.Provider = func(given ...string) (json.RawMessage, error) { return provider.ToolProvider(raw(given[0])) }
	result, err := call.Execute()
	if err != nil {
		return nil, expressible(err)
	}
	return suite.ToolResult(result), nil
}

func (binding) Helper(step suite.Step) (answer json.RawMessage, err error) {
	switch step.Kind {
	case "llm.request":
		answer, err = relay.LLMRequestIntercepts(step.Name, step.Request)
	case "llm.conditional":
		err = relay.LLMConditionalExecution(step.Request)
	case "tool.request":
		answer, err = relay.ToolRequestIntercepts(step.Name, step.Args)
	case "tool.conditional":
		err = relay.ToolConditionalExecution(step.Name, step.Args)
	default:
		err = adapter.Unsupported{Capability: "helper " + step.Kind, Reason: "this helper is not built yet"}
	}
	return answer, expressible(err)
}

// lead is what most calls take in one piece.
func lead(step suite.Step) relay.Lead {
	parent, _ := step.Parent.(*relay.Scope)
	return relay.Lead{
		Name: step.Name, Parent: parent, Attributes: step.Attributes,
		Data: step.Data, Metadata: step.Metadata, Timestamp: step.Timestamp,
	}
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }

// expressible tells a text that cannot be said in C, and a codec that the library lacks, from the library's own errors.
func expressible(err error) error {
	var nul *relay.NulError
	var none relay.NoCodecError
	if errors.As(err, &none) {
		return adapter.Unsupported{Capability: "codec.response", Reason: none.Error()}
	}
	if errors.As(err, &nul) {
		return adapter.Inexpressible{Path: nul.What, Reason: "a C string ends at its first NUL"}
	}
	return err
}

func main() { adapter.Main("go", "1", suite.NewActor(binding{})) }
