package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"bindproof/adapter"
)

// A fake binding: intercepts run in the order of registration, and subscribers are told on another goroutine.
type fake struct {
	sinks      map[string]*Sink
	intercepts []string
	callbacks  map[string]*Callback
	leaky      bool
	pending    sync.WaitGroup
	keepSink   *Sink
	flying     bool
	beside     int
}

func newFake() *fake { return &fake{sinks: map[string]*Sink{}, callbacks: map[string]*Callback{}} }

func (f *fake) Describe() adapter.Description {
	return adapter.ThroughC("relay", "fake", "1", "go")
}
func (f *fake) Flush() error { f.pending.Wait(); return nil }

func (f *fake) OnFreshScope(act func(Beside)) error {
	if f.flying {
		act(func(act func()) error { f.beside++; act(); return nil })
	} else {
		act(nil)
	}
	return nil
}

func (f *fake) Registered(family string) (all []Registration, err error) {
	for name := range f.sinks {
		all = append(all, listedAs("subscriber", name))
	}
	for _, name := range f.intercepts {
		all = append(all, listedAs("llm.request", name))
	}
	return slices.DeleteFunc(all, func(one Registration) bool { return family != "" && one.Family != family }), nil
}

// listedAs is an entry of the listing; what begins with plugin/ is of the second component of the plugin p.
func listedAs(family, name string) Registration {
	if local, owned := strings.CutPrefix(name, inPlugin); owned {
		return Registration{Family: family, Name: local, Effective: name, Plugin: "p", Number: 2}
	}
	return Registration{Family: family, Name: name, Effective: name}
}

const inPlugin = "plugin/"

func (f *fake) RegisterSubscriber(step Step, sink *Sink) (func() error, error) {
	if f.sinks[step.Name] != nil {
		return nil, errors.New("already exists")
	}
	f.sinks[step.Name], f.keepSink = sink, sink
	return func() error {
		if f.leaky {
			return errors.New("no")
		}
		delete(f.sinks, step.Name)
		return nil
	}, nil
}

func (f *fake) Register(step Step, callback *Callback) (func() error, error) {
	f.intercepts = append(f.intercepts, step.Name)
	f.callbacks[step.Name] = callback
	return func() error { f.intercepts = f.intercepts[:len(f.intercepts)-1]; return nil }, nil
}

func (f *fake) CallLLM(step Step, provider, _, _ *Callback) (json.RawMessage, error) {
	if step.Name == "panics" {
		panic("boom")
	}
	for _, name := range f.intercepts {
		given := map[string]json.RawMessage{"request": step.Request}
		if _, err := f.callbacks[name].Play(given, given, Whole); err != nil {
			return nil, fmt.Errorf("internal error: %w", err)
		}
	}
	for _, sink := range f.sinks {
		f.pending.Add(1)
		go func() { defer f.pending.Done(); sink.Put(json.RawMessage(`{"n": 1.0}`)) }()
	}
	return provider.Play(map[string]json.RawMessage{"request": step.Request}, json.RawMessage(`{"ok":true}`), Whole)
}

func (f *fake) Helper(step Step) (json.RawMessage, error) { return step.Request, nil }

const (
	subscriber = `{"step":"register","as":"s","family":"subscriber","name":"s","scope":"global","priority":0,"break_chain":false,"do":[]}`
	call       = `{"step":"call","as":"c","kind":"llm","name":"gpt","request":{"headers":{},"content":1},"model":null,"codec":"none","provider":[]}`
	helper     = `{"step":"helper","as":"h","kind":"llm.request","name":"gpt","request":{"$get":"c/ok"}}`
)

func intercept(do string) string {
	return `{"step":"register","as":"i","family":"llm.request","name":"i","scope":"global","priority":0,"break_chain":false,"do":[` + do + `]}`
}

// run acts a scenario out: its observation, or the type and the text of the error in its place.
func run(actor *Actor, steps ...string) string {
	told, err := actor.Run("relay", json.RawMessage(`{"steps":[`+strings.Join(steps, ",")+`]}`))
	if err != nil {
		return string(textOf(object(fmt.Sprintf("%T", err), err.Error())))
	}
	return string(told)
}

func wants(t *testing.T, got string, parts ...string) {
	t.Helper()
	if !json.Valid([]byte(got)) {
		t.Errorf("no JSON: %s", got)
	}
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("%s lacks %s", got, part)
		}
	}
}

func TestAScenario(t *testing.T) {
	got := run(NewActor(newFake()), subscriber, intercept(`{"op":"edit","set":{"/request/content":2.50}}`), call, helper)
	wants(t, got,
		`{"log":[{"fact":"done","step":"s","value":null}`,
		`{"fact":"enter","callback":"i","k":0,"given":{"request":{"headers":{},"content":1}}}`,
		`{"fact":"leave","callback":"i","k":0,"reply":{"request":{"headers":{},"content":2.50}}}`,
		`{"fact":"done","step":"c","value":{"ok":true}}`,
		`{"fact":"done","step":"h","value":true}`,
		`{"fact":"event","subscriber":"s","event":{"n": 1.0}}`,
		`{"fact":"settled"}],"left":[],"stray":[]}`)
}

func TestErrorsAreFacts(t *testing.T) {
	s := NewActor(newFake())
	wants(t, run(s, intercept(`{"op":"raise","text":"boom-1!"}`), call),
		`{"fact":"leave","callback":"i","k":0,"raised":"boom-1!"}`,
		`"error":{"type":"fmt.wrapError","message":"internal error: boom-1!","code":null,"same_as":null}`)
	wants(t, run(s, subscriber, subscriber), `"error":{"type":"errors.errorString","message":"already exists"`)
}

func TestWhatStopsAScenario(t *testing.T) {
	s := NewActor(newFake())
	wants(t, run(s, strings.Replace(call, `"llm"`, `"dance"`, 1)), `{"adapter.Unsupported":"call dance: `)
	wants(t, run(s, strings.Replace(call, `"llm"`, `"llm","metadata":{}`, 1)), `{"adapter.Unsupported":"lifecycles: `)
	wants(t, run(s, strings.Replace(call, `"none"`, `"openai_chat"`, 1)), `{"adapter.Unsupported":"codec.builtin: `)
	wants(t, run(s, intercept(`{"op":"next","edits":[{}],"catch":false}`), call), `op 0: there is nothing to go on with"}`)
	wants(t, run(s, strings.Replace(subscriber, `"priority":0`, `"priority":4294967296`, 1)), `{"adapter.Inexpressible":"priority: `)
	wants(t, run(s, intercept(`{"op":"edit","remove":7}`), call), `{"adapter.Fault":"callback 'i': the adapter panicked`)
	wants(t, run(s, strings.Replace(subscriber, `"name":"s"`, `"name":"\ud83d"`, 1)), `{"adapter.Inexpressible":"text: `)
	wants(t, run(s, call), `{"fact":"done","step":"c","value":{"ok":true}}`)
}

func TestWhatIsLeftAndWhatComesLate(t *testing.T) {
	f := newFake()
	f.leaky = true
	s := NewActor(f)
	wants(t, run(s, subscriber), `"left":[{"family":"subscriber","name":"s"}],"stray":[]`)
	f.keepSink.Put(json.RawMessage(`{"late":1}`))
	wants(t, run(s), `"left":[],"stray":[{"fact":"event","subscriber":"s","event":{"late":1}}]`)
	wants(t, run(s), `"left":[],"stray":[]`)
}

func TestAnEventThatIsNoJSONStopsTheScenario(t *testing.T) {
	f := newFake()
	f.leaky = true
	s := NewActor(f)
	run(s, subscriber)
	r := newRecorder(&strays{})
	(&Sink{name: "s", recorder: r}).Put(json.RawMessage(`{"n":NaN}`))
	if r.reason() == nil {
		t.Error("it went on")
	}
}
