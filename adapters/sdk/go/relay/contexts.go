package relay

import (
	"encoding/json"
	"slices"
)

// capture takes down what another process is told of where the program stands.
func (p *performance) capture(as string, plain Step) (json.RawMessage, error) {
	binding, ok := p.binding.(Propagating)
	if !ok {
		return nil, unsupported("capture", "a program cannot tell another process where it stands")
	}
	captured, err := binding.Capture(plain)
	if err == nil {
		p.captured[as] = captured
	}
	return captured, err
}

// onNewScope acts on a scope stack that is made of what the context names, or of nothing.
func (p *performance) onNewScope(context value, act func(Beside)) error {
	from := textAt(context, "from")
	if from == "" {
		return p.binding.OnFreshScope(act)
	}
	return p.binding.(Propagating).OnReceivedScope(p.captured[from], act)
}

// actApart begins a context with a scope stack of its own and acts in it what comes before the step that leaves it; it
// returns that step, and what comes after it.
func (p *performance) actApart(context value, steps []value) []value {
	last := slices.IndexFunc(steps, func(step value) bool {
		return textAt(step, "step") == "back" && textAt(step, "of") == textAt(context, "as")
	})
	if last < 0 {
		last = len(steps)
	}
	from, began := textAt(context, "from"), false
	if _, there := p.captured[from]; from != "" && !there {
		p.ended(context, nothing, p.missing(context, from, "captured nothing"))
		return steps
	}
	around := p.beside
	err := p.onNewScope(context, func(beside Beside) {
		began = true
		p.beside = beside
		p.ended(context, nothing, nil)
		p.actAll(steps[:last])
	})
	p.beside = around
	if from != "" && !began {
		p.ended(context, nothing, err)
		return steps
	}
	if err == nil && around != nil {
		err = around(func() {}) // the thread keeps the stack that it is given
	}
	if err != nil {
		p.recorder.stop(faultf("another scope stack: %v", err))
	}
	return steps[last:]
}
