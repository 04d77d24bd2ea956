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
		if does, _ := lookup(step, "do"); !isEmpty(does) {
			return nil, inexpressible("subscriber", "a subscriber returns nothing: it cannot fail")
		}
		return registrar.RegisterSubscriber(plain, &Sink{as, p.recorder})
	}
	part := published(plain.Family)
	if does, _ := lookup(step, "do"); part != "" {
		p.latches.hold(does)
	}
	return registrar.Register(plain, p.callback(as+part, step, "do"))
}

func (p *performance) deregister(step value) error {
	undo, there := p.registered[textAt(step, "of")]
	if !there {
		return p.missing(step, textAt(step, "of"), "registered nothing")
	}
	return undo()
}
