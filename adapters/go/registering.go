package main

import (
	"encoding/json"

	suite "bindproof/adapter/relay"
	"bindproof/go/relay"
)

// registrar registers for the program itself, or, where it has one, through the context of a plugin.
type registrar struct{ plugin *relay.PluginContext }

func (r registrar) RegisterSubscriber(step suite.Step, sink *suite.Sink) (func() error, error) {
	return r.registered("subscriber", step, relay.Subscriber(sink.Put))
}

func (r registrar) Register(step suite.Step, callback *suite.Callback) (func() error, error) {
	made, err := callbackOf(step.Family, callback)
	if err != nil {
		return nil, err
	}
	return r.registered(suite.KindOf(step.Family), step, made)
}

func (r registrar) registered(kind string, step suite.Step, callback any) (func() error, error) {
	where := relay.Registering{Kind: kind, Name: step.Name, Priority: step.Priority, BreakChain: step.BreakChain}
	where.Plugin = r.plugin
	if step.Scope != nil {
		uuid := step.Scope.(*relay.Scope).UUID()
		where.Scope = &uuid
	}
	return func() error { return relay.Deregister(where) }, expressible(relay.Register(where, callback))
}

func (binding) Gate(step suite.Step, decide suite.Decide) (func() (bool, error), error) {
	kinds := make([]string, len(step.Families))
	for i, family := range step.Families {
		kinds[i] = suite.KindOf(family)
	}
	err := relay.RegisterGate(step.Name, kinds, step.Target, func(given ...string) (json.RawMessage, error) {
		var asked []string
		if err := json.Unmarshal(raw(given[0]), &asked); err != nil {
			return nil, err
		}
		for i, kind := range asked {
			asked[i] = suite.FamilyOf(kind)
		}
		reason, err := decide(asked, given[1])
		if reason == nil || err != nil {
			return nil, err
		}
		return raw(*reason), nil
	})
	return func() (bool, error) { return relay.DeregisterGate(step.Name) }, expressible(err)
}

func (binding) Install(names []string, setUp func(string, suite.Registrar) error) (func() error, error) {
	kinds := make([]string, 0, len(names))
	for _, name := range names {
		kinds = append(kinds, suite.PluginKind(name))
	}
	plugins, err := relay.Install(kinds, func(kind string, context *relay.PluginContext) error {
		return setUp(suite.PluginOf(kind), registrar{context})
	})
	if err != nil {
		return nil, err
	}
	return plugins.Uninstall, nil
}
