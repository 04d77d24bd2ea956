package adapter

import (
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"strconv"
)

// An actor acts one scenario after the other through a binding, on a clean slate each time.
type actor struct {
	binding Binding
	late    *strays
}

// run acts a scenario and returns its observation as JSON text; the error is a stop.
func (a *actor) run(scenario value) ([]byte, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := a.binding.Registered()
	if err != nil {
		return nil, faultf("the listing of registrations: %v", err)
	}
	play := &performance{binding: a.binding, recorder: newRecorder(a.late)}
	if err := play.whole(scenario); err != nil {
		return nil, err
	}
	after, err := a.binding.Registered()
	if err != nil {
		return nil, faultf("the listing of registrations: %v", err)
	}
	if reason := play.recorder.reason(); reason != nil {
		return nil, reason
	}
	return observation(play.recorder.log, less(after, before), a.late.take()), nil
}

func observation(log [][]byte, left []Registration, late [][]byte) []byte {
	text := appendAll([]byte(`{"log":`), log)
	names := make([][]byte, len(left))
	for i, one := range left {
		names[i] = appendValue(nil, object("family", one.Family, "name", one.Name))
	}
	text = appendAll(append(text, `,"left":`...), names)
	return append(appendAll(append(text, `,"stray":`...), late), '}')
}

func appendAll(to []byte, texts [][]byte) []byte {
	to = append(to, '[')
	for i, text := range texts {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, text...)
	}
	return append(to, ']')
}

// less returns what is in after more often than in before.
func less(after, before []Registration) []Registration {
	count := map[Registration]int{}
	for _, one := range before {
		count[one]++
	}
	var more []Registration
	for _, one := range after {
		if count[one]--; count[one] < 0 {
			more = append(more, one)
		}
	}
	return more
}

// A performance is one scenario while it runs: its steps, its callbacks, and what must be undone after it.
type performance struct {
	binding  Binding
	recorder *recorder
	undo     []func() error
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
	if err := p.binding.OnFreshScope(func() { p.actAll(list.items) }); err != nil {
		return faultf("a new scope stack: %v", err)
	}
	return nil
}

func (p *performance) actAll(steps []value) {
	for _, step := range steps {
		if p.recorder.reason() != nil {
			return
		}
		p.act(step)
	}
}

// clearUp flushes, closes the log, deregisters in reverse and flushes again; what cannot be undone shows in `left`.
func (p *performance) clearUp() error {
	first := p.binding.Flush()
	p.recorder.settle()
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
	var reason stop
	switch {
	case errors.As(err, &reason):
		p.recorder.stop(reason)
	case err != nil:
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
	switch kind, of := textAt(step, "step"), textAt(step, "kind"); {
	case kind == "register":
		return nothing, p.register(step, plain)
	case kind == "flush":
		return nothing, p.binding.Flush()
	case kind == "helper" && of == "llm.request":
		return answered(p.binding.HelperLLMRequest(plain))
	case kind == "call" && of == "llm":
		return p.call(step, plain)
	case of == "":
		return nil, Unsupported{kind, "this step is not built yet"}
	default:
		return nil, Unsupported{kind + " " + of, "this step is not built yet"}
	}
}

func (p *performance) register(step value, plain Step) (err error) {
	if textAt(step, "scope") != "global" {
		return Unsupported{"scope_local", "registrations on a scope are not built yet"}
	}
	var undo func() error
	switch family, as := textAt(step, "family"), textAt(step, "as"); family {
	case "subscriber":
		undo, err = p.binding.RegisterSubscriber(plain, &Sink{as, p.recorder})
	case "llm.request":
		undo, err = p.binding.RegisterLLMRequest(plain, p.callback(as, step, "do"))
	default:
		return Unsupported{family, "this family is not built yet"}
	}
	if err == nil {
		p.undo = append(p.undo, undo)
	}
	return err
}

func (p *performance) call(step value, plain Step) (json.RawMessage, error) {
	as := textAt(step, "as")
	provider := p.callback(as+".provider", step, "provider")
	codec, _ := member(step, "codec")
	if codec == "none" {
		return answered(p.binding.CallLLM(plain, provider, nil, nil))
	}
	if _, ok := codec.(*Object); !ok {
		return nil, Unsupported{"codec", "the built-in codec " + string(textOf(codec)) + " is not built yet"}
	}
	decode, encode := p.callback(as+".decode", codec, "decode"), p.callback(as+".encode", codec, "encode")
	return answered(p.binding.CallLLM(plain, provider, decode, encode))
}

func (p *performance) callback(name string, holder value, key string) *Callback {
	ops, _ := member(holder, key)
	return &Callback{name, ops, p.recorder, p.actInside}
}

// actInside acts a step in the middle of a callback; what stops it stops the callback too.
func (p *performance) actInside(step value) error {
	if kind := textAt(step, "step"); kind != "register" {
		return Unsupported{"reentrant", "the step '" + kind + "' inside a callback"}
	}
	p.act(step)
	if reason := p.recorder.reason(); reason != nil {
		return reason
	}
	return nil
}

// plain reads the parts of a step that a binding is given.
func (p *performance) plain(step value) (Step, error) {
	plain := Step{Name: textAt(step, "name")}
	broken, _ := member(step, "break_chain")
	plain.BreakChain, _ = broken.(bool)
	if model, there := memberText(step, "model"); there {
		plain.Model = &model
	}
	if priority, err := member(step, "priority"); err == nil {
		n, err := strconv.ParseInt(string(textOf(priority)), 10, 64)
		if err != nil || n < math.MinInt32 || n > math.MaxInt32 {
			return plain, Inexpressible{"priority", "a priority is a number of 32 bits"}
		}
		plain.Priority = int32(n)
	}
	if request, err := member(step, "request"); err == nil {
		resolved, err := resolve(request, p.recorder.known)
		var missing placeError
		if errors.As(err, &missing) {
			return plain, faultf("step '%s': %s", textAt(step, "as"), missing)
		}
		if err != nil {
			return plain, err
		}
		plain.Request = textOf(resolved)
	}
	return plain, nil
}

func memberText(item value, key string) (string, bool) {
	found, _ := member(item, key)
	text, ok := found.(string)
	return text, ok
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
