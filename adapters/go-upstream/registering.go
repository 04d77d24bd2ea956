package main

import (
	"encoding/json"
	"errors"

	"bindproof/adapter"
	"bindproof/adapter/relay"

	upstream "github.com/NVIDIA/NeMo-Relay/go/nemo_relay"
)

// registrar registers for the program itself, or, where it has one, through the context of a plugin.
type registrar struct{ plugin *upstream.PluginContext }

func (r registrar) RegisterSubscriber(step relay.Step, sink *relay.Sink) (func() error, error) {
	subscriber := func(event upstream.Event) { sink.Put(event.JSON()) }
	if r.plugin != nil {
		return nil, r.plugin.RegisterSubscriber(step.Name, subscriber)
	}
	undo := func() error { return upstream.DeregisterSubscriber(step.Name) }
	return undo, upstream.RegisterSubscriber(step.Name, subscriber)
}

func (r registrar) Register(step relay.Step, callback *relay.Callback) (func() error, error) {
	if step.Family != "llm.request" {
		return nil, adapter.Unsupported{Capability: step.Family, Reason: "this family is not built here"}
	}
	intercept := func(name string, request upstream.LLMRequestDTO, annotated json.RawMessage) (upstream.LLMRequestInterceptOutcome, error) {
		var answer upstream.LLMRequestInterceptOutcome
		fit := func(reply json.RawMessage) (json.RawMessage, error) { return reply, relay.Fit(reply, &answer) }
		_, err := callback.LLMRequest(name, request.Headers, request.Content, annotated, fit)
		return answer, err
	}
	if r.plugin != nil {
		return nil, r.plugin.RegisterLlmRequestIntercept(step.Name, step.Priority, step.BreakChain, intercept)
	}
	undo := func() error { return upstream.DeregisterLlmRequestIntercept(step.Name) }
	return undo, upstream.RegisterLlmRequestIntercept(step.Name, step.Priority, step.BreakChain, intercept)
}

// pluginKind is the kind of the plugin that is installed; there is one at a time.
const pluginKind = "bindproof"

func (binding) Install(setUp func(relay.Registrar) error) (func() error, error) {
	register := func(_ map[string]any, context *upstream.PluginContext) error { return setUp(registrar{context}) }
	if err := upstream.RegisterPlugin(pluginKind, upstream.PluginFuncs{RegisterFunc: register}); err != nil {
		return nil, err
	}
	config := upstream.NewPluginConfig()
	config.Components = append(config.Components, upstream.NewPluginComponent(pluginKind))
	if _, err := upstream.InitializePlugins(config); err != nil {
		_ = upstream.DeregisterPlugin(pluginKind)
		return nil, err
	}
	return func() error {
		return errors.Join(upstream.ClearPluginConfiguration(), upstream.DeregisterPlugin(pluginKind))
	}, nil
}
