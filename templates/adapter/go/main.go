// Drives the toy in Go: acts scenarios out and says what it saw. It judges nothing.
package main

import (
	"encoding/json"
	"runtime"

	"bindproof/adapter"
	"bindproof/adapter/relay"
	"toy"
)

var whole = relay.Whole

// A binding is the toy's calls; relay.Binding says what each is for.
type binding struct{ kept *toy.Toy }

// Describe says which release is driven, how it spells, and which edition of the contract it is meant to keep.
func (binding) Describe() adapter.Description {
	return adapter.Description{
		Target: adapter.Target{Name: "starling", Version: toy.Version, Language: "go", Runtime: runtime.Version()},
		Suites: map[string]adapter.Suite{"relay": {Dialect: "wire", Edition: "0.11", Capabilities: []string{}}},
	}
}

// OnFreshScope acts on a new scope stack; the toy has none.
func (binding) OnFreshScope(act func(relay.Beside)) error {
	act(nil)
	return nil
}

func (b binding) Registered(family string) (listed []relay.Registration, err error) {
	if family != "" && family != "llm.request" {
		return nil, nil
	}
	for _, name := range b.kept.Registered() {
		listed = append(listed, relay.Registration{Family: "llm.request", Name: name})
	}
	return listed, nil
}

// Flush waits until every event is delivered; the toy has none.
func (binding) Flush() error { return nil }

func (binding) RegisterSubscriber(relay.Step, *relay.Sink) (func() error, error) {
	return nil, notYet("subscriber")
}

func (b binding) Register(step relay.Step, callback *relay.Callback) (func() error, error) {
	if step.Family != "llm.request" || step.Scope != nil {
		return nil, notYet(step.Family)
	}
	intercept := func(name string, request toy.Request) (toy.Request, error) {
		reply, err := callback.Play(given{name, request, nil}, outcome{request, nil, []any{}}, whole)
		if err != nil {
			return request, err
		}
		var made outcome
		err = json.Unmarshal(reply, &made)
		return made.Request, err
	}
	if err := b.kept.Register(step.Name, step.Priority, step.BreakChain, intercept); err != nil {
		return nil, err
	}
	return func() error { b.kept.Deregister(step.Name); return nil }, nil
}

// What an intercept is given, and what it answers.
type (
	given struct {
		Name             string      `json:"name"`
		Request          toy.Request `json:"request"`
		AnnotatedRequest any         `json:"annotated_request"`
	}
	outcome struct {
		Request          toy.Request `json:"request"`
		AnnotatedRequest any         `json:"annotated_request"`
		PendingMarks     []any       `json:"pending_marks"`
	}
)

func (b binding) CallLLM(step relay.Step, provider, decode, _ *relay.Callback) (json.RawMessage, error) {
	if decode != nil {
		return nil, notYet("codec")
	}
	var request toy.Request
	if err := json.Unmarshal(step.Request, &request); err != nil {
		return nil, err
	}
	return b.kept.Call(step.Name, request, func(request toy.Request) (json.RawMessage, error) {
		return provider.Play(map[string]any{"request": request}, json.RawMessage(`{"ok":true}`), whole)
	})
}

func (binding) Helper(step relay.Step) (json.RawMessage, error) {
	return nil, notYet("helper " + step.Kind)
}

func notYet(capability string) error {
	return adapter.Unsupported{Capability: capability, Reason: "this is not built yet"}
}

func main() { adapter.Main("starling", "1", relay.NewActor(binding{&toy.Toy{}})) }
