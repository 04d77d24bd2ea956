// Drives upstream's own Go package. An intercept answers with that package's struct: what the struct cannot hold is
// inexpressible in Go.
package main

import (
	"encoding/json"

	"bindproof/adapter"
	"bindproof/adapter/relay"

	upstream "github.com/NVIDIA/NeMo-Relay/go/nemo_relay"
)

// release is the library's version; the build sets it.
var release = "unknown"

type binding struct{ registrar }

func (binding) Describe() adapter.Description {
	return adapter.ThroughC("relay", "nemo-relay-ffi/go-upstream", release, "go-upstream")
}

func (binding) OnFreshScope(act func(relay.Beside)) error {
	stack, err := upstream.NewScopeStack()
	if err != nil {
		return err
	}
	defer stack.Close()
	stack.Run(func() { act(nil) })
	return nil
}

func (binding) Flush() error { return upstream.FlushSubscribers() }

func (binding) Registered(family string) ([]relay.Registration, error) {
	var kinds []upstream.RuntimeRegistrationKind
	for _, kind := range relay.KindsOf(family) {
		kinds = append(kinds, upstream.RuntimeRegistrationKind(kind))
	}
	listed, err := upstream.ListRuntimeRegistrations(kinds)
	named := make([]relay.Registration, len(listed))
	for i, one := range listed {
		owner := relay.Owner{
			Kind: string(one.Owner.Kind), PluginKind: one.Owner.PluginKind, ComponentOrdinal: one.Owner.ComponentOrdinal,
		}
		named[i] = relay.Listed(string(one.Kind), one.LocalName, one.EffectiveName, owner)
	}
	return named, err
}

func (binding) CallLLM(step relay.Step, provider, decode, encode *relay.Callback) (json.RawMessage, error) {
	if step.ResponseCodec != nil {
		return nil, adapter.Unsupported{Capability: "codec.response", Reason: "response codecs are not built here"}
	}
	if step.Attributes != nil {
		return nil, adapter.Unsupported{Capability: "attributes", Reason: "attributes are not built here"}
	}
	var options []upstream.LLMCallOption
	if step.Data != nil {
		options = append(options, upstream.WithLLMData(step.Data))
	}
	if step.Model != nil {
		options = append(options, upstream.WithLLMModelName(*step.Model))
	}
	if decode != nil {
		options = append(options, upstream.WithLLMCodec(upstream.CodecFunc{Decode: decode.Decode, Encode: encode.Encode}))
	}
	return upstream.LlmCallExecute(step.Name, step.Request, provider.LLMProvider, options...)
}

func (binding) Helper(step relay.Step) (json.RawMessage, error) {
	if step.Kind != "llm.request" {
		return nil, adapter.Unsupported{Capability: "helper " + step.Kind, Reason: "this helper is not built here"}
	}
	said, err := upstream.LlmRequestIntercepts(step.Name, step.Request)
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

func main() { adapter.Main("go-upstream", "1", relay.NewActor(binding{})) }
