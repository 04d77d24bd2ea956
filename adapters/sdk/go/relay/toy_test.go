package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"bindproof/adapter"
)

// A toy is the binding that ../../cases speaks of, in Go: a few lines that do what its page says.
type toy struct {
	kept    []kept
	plugins int // how many are installed
	alone   bool
	stacks  atomic.Int64 // how many scope stacks there are
}

type kept struct {
	Registration
	callee any // a *Callback or a *Sink
}

// lacking is a toy without one of its parts, by the word for it in the cases.
func lacking(part string, whole *toy) Binding {
	switch part {
	case "in_flight":
		whole.alone = true
	case "plugins":
		return struct {
			Binding
			Lifecycles
			Streaming
		}{whole, whole, whole}
	case "streams":
		return struct {
			Binding
			Lifecycles
			Installing
		}{whole, whole, whole}
	case "lifecycles":
		return struct {
			Binding
			Installing
			Streaming
		}{whole, whole, whole}
	case "":
	default:
		panic("a toy cannot lack " + part)
	}
	return whole
}

func (t *toy) Describe() adapter.Description { return adapter.Description{} }
func (t *toy) Flush() error                  { return nil }

func (t *toy) OnFreshScope(act func(Beside)) error {
	t.stacks.Add(1) // programs of a storm make theirs at once
	defer t.stacks.Add(-1)
	if t.alone {
		act(nil)
	} else {
		act(func(act func()) error { act(); return nil })
	}
	return nil
}

func (t *toy) Registered(family string) (all []Registration, err error) {
	for _, one := range t.kept {
		if family == "" || family == one.Family {
			all = append(all, one.Registration)
		}
	}
	return all, nil
}

func (t *toy) RegisterSubscriber(step Step, sink *Sink) (func() error, error) {
	return t.put(step, Registration{Family: "subscriber", Name: step.Name, Effective: step.Name}, sink)
}

func (t *toy) Register(step Step, callback *Callback) (func() error, error) {
	return t.put(step, Registration{Family: step.Family, Name: step.Name, Effective: step.Name}, callback)
}

func (t *toy) put(step Step, listed Registration, callee any) (func() error, error) {
	if !slices.Contains([]string{"subscriber", "llm.request", "llm.execution", "llm.stream"}, listed.Family) {
		return nil, unsupported(listed.Family, "no toy")
	}
	is := func(one kept) bool { return one.Family == listed.Family && one.Effective == listed.Effective }
	if slices.ContainsFunc(t.kept, is) {
		return nil, errors.New("taken")
	}
	if step.Scope != nil {
		t.tell(object("register", listed.Name, "scope", step.Scope))
	}
	t.kept = append(t.kept, kept{listed, callee})
	return func() error {
		if listed.Effective != "stuck" {
			t.kept = slices.DeleteFunc(t.kept, is)
		}
		return nil
	}, nil
}

func (t *toy) of(family string) (callbacks []*Callback) {
	for _, one := range t.kept {
		if one.Family == family {
			callbacks = append(callbacks, one.callee.(*Callback))
		}
	}
	return callbacks
}

func (t *toy) tell(event *Object) {
	for _, one := range t.kept {
		if sink, ok := one.callee.(*Sink); ok {
			sink.Put(textOf(event))
		}
	}
}

func (t *toy) CallLLM(step Step, provider, _, _ *Callback) (answer json.RawMessage, err error) {
	request := step.Request
	for _, intercept := range t.of("llm.request") {
		if request, err = intercept.Play(textOf(object("request", request)), request, Whole); err != nil {
			return nil, err
		}
	}
	if answer, err = wrappedCall(t.of("llm.execution"), request, provider); err == nil {
		t.tell(object("call", step.Name, "request", request))
	}
	return answer, err
}

func wrappedCall(around []*Callback, request json.RawMessage, provider *Callback) (json.RawMessage, error) {
	if len(around) == 0 {
		return provider.LLMProvider(request)
	}
	proceed := func(argument json.RawMessage) (json.RawMessage, error) {
		return wrappedCall(around[1:], argument, provider)
	}
	return around[0].LLMExecution(nil, request, nil, proceed, Whole)
}

func (t *toy) Helper(step Step) (json.RawMessage, error) { return step.Request, nil }

// Install installs plugins, whose registrations have names of their own.
func (t *toy) Install(plugins []string, setUp func(string, Registrar) error) (func() error, error) {
	var undos []func() error
	takeBack := func() (err error) {
		t.plugins--
		for _, undo := range undos {
			err = errors.Join(err, undo())
		}
		return err
	}
	t.plugins++
	for _, plugin := range plugins {
		if err := setUp(plugin, &pluginContext{t, plugin, &undos}); err != nil {
			return nil, errors.Join(fmt.Errorf("registration failed: %w", err), takeBack())
		}
	}
	return takeBack, nil
}

type pluginContext struct {
	toy    *toy
	plugin string
	undos  *[]func() error
}

func (c *pluginContext) RegisterSubscriber(step Step, sink *Sink) (func() error, error) {
	return c.put(step, "subscriber", sink)
}

func (c *pluginContext) Register(step Step, callback *Callback) (func() error, error) {
	return c.put(step, step.Family, callback)
}

func (c *pluginContext) put(step Step, family string, callee any) (func() error, error) {
	listed := Registration{Family: family, Name: step.Name, Effective: "plugin." + step.Name, Plugin: c.plugin}
	undo, err := c.toy.put(step, listed, callee)
	if err == nil {
		*c.undos = append(*c.undos, undo)
	}
	return nil, err
}

func (t *toy) CallTool(Step, *Callback) (json.RawMessage, error) { return nil, errors.New("no toy") }

func (t *toy) Current() (Scope, error) {
	if stacks := t.stacks.Load(); stacks > 1 {
		return Scope{"u", fmt.Sprintf("n %d", stacks-1)}, nil
	}
	return Scope{"u", "n"}, nil
}

func (t *toy) Start(step Step) (any, error) {
	if step.Name == "refused" {
		return nil, errors.New("no such start")
	}
	told := object("start", step.Name, "parent", step.Parent, "input", orNull(step.Input))
	if step.Timestamp != nil {
		names := &List{}
		for _, name := range step.Attributes {
			names.items = append(names.items, name)
		}
		told.set("said", &List{[]value{names, number(int(*step.Timestamp))}})
	}
	t.tell(told)
	return "handle of " + step.Name, nil
}

func (t *toy) Handle(step Step) (json.RawMessage, error) {
	return textOf(object("handle", step.Of, "kind", step.Kind)), nil
}

func (t *toy) End(step Step) error {
	t.tell(object("end", step.Of, "output", step.Output))
	return nil
}

func (t *toy) Mark(step Step) error {
	t.tell(object("mark", step.Name, "parent", step.Parent))
	return nil
}

// OpenStream opens a stream of the one chunk of its provider.
func (t *toy) OpenStream(step Step, parts Parts) (Reader, error) {
	chunk, err := wrappedStream(t.of("llm.stream"), step.Request, parts.Source)
	if err != nil {
		return nil, err
	}
	return &toyStream{parts: parts, chunk: chunk}, nil
}

func wrappedStream(around []*Callback, request json.RawMessage, source *Callback) (json.RawMessage, error) {
	if len(around) == 0 {
		return source.StreamProvider(request)
	}
	return around[0].LLMStream(request, nil, func(argument json.RawMessage) (json.RawMessage, error) {
		return wrappedStream(around[1:], argument, source)
	})
}

type toyStream struct {
	parts       Parts
	chunk       json.RawMessage
	read, ended bool
}

func (o *toyStream) Next() (json.RawMessage, bool, error) {
	if o.read {
		return nil, false, o.Close()
	}
	o.read = true
	o.parts.Collector.Take(o.chunk)
	return o.chunk, true, nil
}

func (o *toyStream) Close() (err error) {
	if !o.ended {
		o.ended = true
		_, err = o.parts.Finalizer.Finish()
	}
	return err
}

func (o *toyStream) Drop() { _ = o.Close() }
