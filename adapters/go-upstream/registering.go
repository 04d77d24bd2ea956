package main

import (
	"encoding/json"
	"errors"
	"slices"

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

func (binding) Install(plugins []string, setUp func(string, relay.Registrar) error) (func() error, error) {
	config := upstream.NewPluginConfig()
	var kinds []string
	forget := func() (failed error) {
		for _, kind := range kinds {
			failed = errors.Join(failed, upstream.DeregisterPlugin(kind))
		}
		return failed
	}
	for _, plugin := range plugins {
		kind := relay.PluginKind(plugin)
		config.Components = append(config.Components, upstream.NewPluginComponent(kind))
		if slices.Contains(kinds, kind) {
			continue
		}
		register := func(_ map[string]any, context *upstream.PluginContext) error {
			return setUp(plugin, registrar{context})
		}
		if err := upstream.RegisterPlugin(kind, upstream.PluginFuncs{RegisterFunc: register}); err != nil {
			return nil, errors.Join(err, forget())
		}
		kinds = append(kinds, kind)
	}
	if _, err := upstream.InitializePlugins(config); err != nil {
		return nil, errors.Join(err, forget())
	}
	return func() error { return errors.Join(upstream.ClearPluginConfiguration(), forget()) }, nil
}
