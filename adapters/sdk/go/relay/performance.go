package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"bindproof/adapter"
)

// A performance is one scenario while it runs: its steps, its callbacks, and what must be undone after it.
type performance struct {
	binding    Binding
	recorder   *recorder
	undo       []func() error
	registered map[string]func() error
	started    sync.Map // of `started`, by the ids of the steps; programs at once start something beside each other
	streams    map[string]*openStream
	installed  map[string]func() error
	gates      map[string]*gate
	captured   map[string]json.RawMessage // what another process is told, by the ids of the steps
	broken     sync.Map                   // ids of the steps that the binding failed; calls in flight fail beside the program
	latches    *latches
	beside     Beside
}

// started is what a step started.
type started struct {
	kind   string
	handle any
}

func newPerformance(binding Binding, recorder *recorder) *performance {
	return &performance{
		binding: binding, recorder: recorder,
		registered: map[string]func() error{}, streams: map[string]*openStream{},
		installed: map[string]func() error{}, gates: map[string]*gate{}, latches: newLatches(recorder),
		captured: map[string]json.RawMessage{},
	}
}

func (p *performance) whole(scenario value) (err error) {
	defer func() {
		if late := p.clearUp(); err == nil {
			err = late
		}
	}()
	steps, err := member(scenario, "steps")
	list, ok := steps.(*List)
	if err != nil || !ok {
		return faultf("a scenario has a list of steps")
	}
	act := func(beside Beside) {
		p.beside = beside
		p.actAll(list.items)
		p.latches.openAll()
	}
	if err := p.binding.OnFreshScope(act); err != nil {
		return faultf("a new scope stack: %v", err)
	}
	return nil
}

func (p *performance) actAll(steps []value) {
	for len(steps) > 0 && p.recorder.reason() == nil {
		step := steps[0]
		steps = steps[1:]
		if textAt(step, "step") == "context" {
			steps = p.actApart(step, steps)
			continue
		}
		if background, _ := lookup(step, "background"); background == true && p.beside != nil {
			p.latches.start(func() { p.actBeside(step) })
		} else {
			p.act(step)
		}
	}
}

// actBeside acts a step on the scenario's scope stack, on another OS thread. There no panic is caught elsewhere.
func (p *performance) actBeside(step value) {
	defer func() {
		if broken := recover(); broken != nil {
			p.recorder.stop(faultf("step '%s': the adapter panicked: %v", textAt(step, "as"), broken))
		}
	}()
	if err := p.beside(func() { p.act(step) }); err != nil {
		p.recorder.stop(faultf("step '%s': the scope stack on another thread: %v", textAt(step, "as"), err))
	}
}

// clearUp flushes, closes the log, takes back plugins, deregisters in reverse and flushes again; what cannot be undone
// shows in `left`.
func (p *performance) clearUp() error {
	first := p.binding.Flush()
	p.recorder.settle()
	for _, takeBack := range p.installed {
		_ = takeBack()
	}
	for i := len(p.undo) - 1; i >= 0; i-- {
		_ = p.undo[i]()
	}
	if err := errors.Join(first, p.binding.Flush()); err != nil {
		return faultf("the flush at a scenario's end: %v", err)
	}
	return nil
}

// act acts a step and records how it ended.
func (p *performance) act(step value) {
	given, err := p.outcome(step)
	p.ended(step, given, err)
}

// ended records what a step gave, or the error that it ended with, unless that stops the scenario.
func (p *performance) ended(step value, given json.RawMessage, err error) {
	var reason adapter.Stop
	switch {
	case errors.As(err, &reason):
		p.recorder.stop(reason)
	case err != nil:
		p.broken.Store(textAt(step, "as"), nil)
		p.recorder.failed(textAt(step, "as"), err)
	default:
		p.recorder.done(textAt(step, "as"), given)
	}
}

func (p *performance) outcome(step value) (json.RawMessage, error) {
	plain, err := p.plain(step)
	if err != nil {
		return nil, err
	}
	if background, _ := lookup(step, "background"); background == true && p.beside == nil {
		return nil, inFlight
	}
	switch kind, of := textAt(step, "step"), plain.Kind; kind {
	case "register":
		return nothing, p.register(step, plain)
	case "deregister":
		return nothing, p.deregister(step)
	case "install":
		return nothing, p.install(step)
	case "uninstall":
		return nothing, p.uninstall(step)
	case "list":
		return p.list(textAt(step, "only"))
	case "current":
		return p.current()
	case "handle":
		return p.told(plain)
	case "decode", "encode":
		return askCodec(step, nil)
	case "gate":
		return nothing, p.gate(step, plain)
	case "ungate":
		return p.ungate(step)
	case "capture":
		return p.capture(textAt(step, "as"), plain)
	case "back":
		return nothing, nil
	case "flush":
		return nothing, p.binding.Flush()
	case "open":
		return nothing, p.open(textAt(step, "latch"))
	case "storm":
		return nothing, p.storm(step)
	case "go_on":
		return nil, inexpressible("go_on", "what an intercept goes on with is lent to it until it returns")
	case "cancel":
		return nil, inexpressible("cancel", "a call blocks its thread until it is over")
	case "helper":
		return answered(p.binding.Helper(plain))
	case "call":
		if of == "llm" {
			return p.callLLM(step, plain)
		}
		if of == "tool" {
			return p.callTool(step, plain)
		}
		if of == "llm_stream" {
			return nothing, p.openStream(step, plain)
		}
		return nil, unsupported(kind+" "+of, "this step is not built yet")
	case "read", "close":
		return p.useStream(step)
	case "start", "end", "mark":
		if block, _ := lookup(step, "block"); block == true {
			return nil, unsupported("block", "a scope is kept open for a block by nothing here")
		}
		if plain.Measurements != nil {
			return nothing, p.measure(plain)
		}
		return nothing, p.manual(kind, step, plain)
	default:
		return nil, unsupported(strings.TrimSpace(kind+" "+of), "this step is not built yet")
	}
}

// inFlight is what a scenario with calls in the background, or latches, needs.
var inFlight = unsupported("in_flight", "calls in flight at the same time are not built yet")

func (p *performance) open(latch string) error {
	if p.beside == nil {
		return inFlight
	}
	p.latches.open(latch)
	return nil
}

func (p *performance) measure(plain Step) error {
	binding, ok := p.binding.(Measuring)
	if !ok {
		return inexpressible("measurements", "this adapter emits no metrics")
	}
	return binding.Metric(plain)
}

func (p *performance) callLLM(step value, plain Step) (json.RawMessage, error) {
	as := textAt(step, "as")
	if plain.Metadata != nil {
		if _, err := p.lifecycles(); err != nil {
			return nil, err
		}
	}
	provider := p.callback(as+".provider", step, "provider")
	decode, encode, err := p.codec(step)
	if err != nil {
		return nil, err
	}
	return answered(p.binding.CallLLM(plain, provider, decode, encode))
}

// codec returns the two callbacks of a call's codec, nil where it has none.
func (p *performance) codec(step value) (decode, encode *Callback, err error) {
	as := textAt(step, "as")
	codec, _ := lookup(step, "codec")
	if codec == "none" {
		return nil, nil, nil
	}
	if _, ok := codec.(*Object); !ok {
		return nil, nil, unsupported("codec.builtin", "in C a call takes a built-in codec for its response alone; that of its request is two functions")
	}
	return p.callback(as+".decode", codec, "decode"), p.callback(as+".encode", codec, "encode"), nil
}

func (p *performance) callTool(step value, plain Step) (json.RawMessage, error) {
	binding, err := p.lifecycles()
	if err != nil {
		return nil, err
	}
	return answered(binding.CallTool(plain, p.callback(textAt(step, "as")+".provider", step, "provider")))
}

func (p *performance) manual(kind string, step value, plain Step) error {
	binding, err := p.lifecycles()
	if err != nil {
		return err
	}
	switch kind {
	case "mark":
		return binding.Mark(plain)
	case "end":
		return binding.End(plain)
	}
	handle, err := binding.Start(plain)
	if err == nil {
		p.started.Store(textAt(step, "as"), started{plain.Kind, handle})
	}
	return err
}

func (p *performance) lifecycles() (Lifecycles, error) {
	binding, ok := p.binding.(Lifecycles)
	if !ok {
		return nil, unsupported("lifecycles", "tools, scopes and the manual API are not built yet")
	}
	return binding, nil
}

// missing is why a step cannot have what the step `of` made. Where the binding failed that, so does what needs it.
func (p *performance) missing(step value, of, did string) error {
	if _, failed := p.broken.Load(of); failed {
		return fmt.Errorf("step '%s': '%s' has failed", textAt(step, "as"), of)
	}
	return faultf("step '%s': '%s' has %s yet", textAt(step, "as"), of, did)
}

func (p *performance) callback(name string, holder value, key string) *Callback {
	ops, _ := lookup(holder, key)
	return &Callback{name, ops, p.recorder, p.actInside, p.latches, nil}
}

// actInside acts a step in the middle of a callback, with the codec of a sanitizer; what stops it stops the callback too.
func (p *performance) actInside(step value, codec *ToldCodec) error {
	switch kind := textAt(step, "step"); kind {
	case "register", "deregister", "list", "current", "handle", "start", "end", "mark":
		p.act(step)
	case "decode", "encode":
		given, err := askCodec(step, codec)
		p.ended(step, given, err)
	default:
		return unsupported("reentrant", "the step '"+kind+"' inside a callback")
	}
	if reason := p.recorder.reason(); reason != nil {
		return reason
	}
	return nil
}

// nothing is the value of a step that has none.
var nothing = json.RawMessage("null")

func answered(text json.RawMessage, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	given, err := jsonOf(text)
	if err != nil {
		return nil, faultf("the binding answered with %v", err)
	}
	return given, nil
}
