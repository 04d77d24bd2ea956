package relay

import "strings"

// published is what follows the step's id in the id of a callback that runs when an event is published.
func published(family string) string {
	switch {
	case family == "event.metadata":
		return ".inject"
	case strings.Contains(family, "sanitize"):
		return ".sanitize"
	}
	return ""
}

// register registers globally, or on a scope, what can be undone.
func (p *performance) register(step value, plain Step) error {
	undo, err := p.put(p.binding, step, plain)
	if err == nil {
		p.undo = append(p.undo, undo)
		p.registered[textAt(step, "as")] = undo
	}
	return err
}

// put registers the callback of a step where the registrar does.
func (p *performance) put(registrar Registrar, step value, plain Step) (undo func() error, err error) {
	if promised, _ := lookup(step, "async"); promised == true {
		return nil, inexpressible("async", "a callback replies before it comes back")
	}
	if odd, _ := lookup(step, "odd"); odd != nil {
		return nil, inexpressible("odd", "the compiler takes a function of the right type alone")
	}
	as := textAt(step, "as")
	if plain.Family == "llm.stream" {
		if _, err := p.streaming(); err != nil {
			return nil, err
		}
	}
	if plain.Family == "subscriber" {
		sink, err := p.sink(as, step)
		if err != nil {
			return nil, err
		}
		return registrar.RegisterSubscriber(plain, sink)
	}
	part := published(plain.Family)
	if does, _ := lookup(step, "do"); part != "" {
		p.latches.hold(does)
	}
	return registrar.Register(plain, p.callback(as+part, step, "do"))
}

// sink returns where the events of a subscriber go, which may wait at latches, and does nothing else.
func (p *performance) sink(as string, step value) (*Sink, error) {
	does, _ := lookup(step, "do")
	sink := &Sink{name: as, recorder: p.recorder, latches: p.latches}
	list, _ := does.(*List)
	if list == nil {
		return sink, nil
	}
	for _, op := range list.items {
		if textAt(op, "op") != "wait" {
			return nil, inexpressible("subscriber", "a subscriber returns nothing: it cannot fail")
		}
		sink.at = append(sink.at, textAt(op, "latch"))
	}
	p.latches.hold(does)
	return sink, nil
}

func (p *performance) deregister(step value) error {
	undo, there := p.registered[textAt(step, "of")]
	if !there {
		return p.missing(step, textAt(step, "of"), "registered nothing")
	}
	return undo()
}
