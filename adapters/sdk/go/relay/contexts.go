package relay

import "slices"

// actApart begins a context with a scope stack of its own and acts in it what comes before the step that leaves it; it
// returns that step, and what comes after it.
func (p *performance) actApart(context value, steps []value) []value {
	last := slices.IndexFunc(steps, func(step value) bool {
		return textAt(step, "step") == "back" && textAt(step, "of") == textAt(context, "as")
	})
	if last < 0 {
		last = len(steps)
	}
	around := p.beside
	err := p.binding.OnFreshScope(func(beside Beside) {
		p.beside = beside
		p.ended(context, nothing, nil)
		p.actAll(steps[:last])
	})
	p.beside = around
	if err == nil && around != nil {
		err = around(func() {}) // the thread keeps the stack that it is given
	}
	if err != nil {
		p.recorder.stop(faultf("another scope stack: %v", err))
	}
	return steps[last:]
}
